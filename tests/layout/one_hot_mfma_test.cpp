// SPDX-License-Identifier: MIT
// The register maps of every MFMA and SMFMAC are what the executor does with the decoded instruction: every
// element of A, B, C, D, of the scales and of the index bits. How: tests/layout/one_hot.h.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "golden/layout/mfma_map.h"
#include "tests/layout/one_hot.h"

namespace wavetwin::golden {
namespace {

using mfma::Format;

struct Checked {
  std::string difference;
  size_t runs = 0;
};

// Scale VGPRs that mean 1 in every byte.
void unit_scales(const RegisterMap& map, OneHotWave& wave) {
  if (map.find("scale_a") == nullptr) return;
  Registers ones(1);
  ones[0].fill(0x7f7f7f7f);
  wave.load(OneHotWave::kScaleA, ones);
  wave.load(OneHotWave::kScaleB, ones);
}

enum class Depth { by_k, single };

Checked check_dense(const mfma::Shape& shape, const MatrixFields& fields, Format a, Format b, Depth depth) {
  const RegisterMap map = mfma_map(shape, fields);
  OneHotWave wave(encode_matrix(
      shape.name, {fields.cbsz.value_or(0), fields.abid.value_or(0), fields.blgp.value_or(0), 0, 0}));
  unit_scales(map, wave);
  Checked checked;
  checked.difference = compare_c(map, wave);
  if (!checked.difference.empty()) return checked;
  checked.difference = depth == Depth::by_k
                           ? compare_by_k(map, wave, small_codes(a), small_codes(b), checked.runs)
                           : compare_single(map, wave, small_codes(a), small_codes(b), checked.runs);
  return checked;
}

// Every instruction, f8f6f4 with the pairs of formats that `wanted` chooses.
template <class Wanted>
size_t check_every_dense(Depth depth, Wanted wanted) {
  size_t runs = 0;
  const auto check = [&](const mfma::Shape& shape, const MatrixFields& fields, Format a, Format b) {
    const Checked checked = check_dense(shape, fields, a, b, depth);
    CHECK_MESSAGE(checked.difference.empty(), checked.difference, ", A ", to_string(a), ", B ", to_string(b));
    runs += checked.runs;
  };
  for (const mfma::Shape& shape : mfma::kShapes) {
    if (shape.input != mfma::InputClass::f8f6f4) {
      check(shape, {}, shape.a, shape.b);
      continue;
    }
    for (unsigned a = 0; a < mfma::kF8F6F4Formats; ++a)
      for (unsigned b = 0; b < mfma::kF8F6F4Formats; ++b) {
        if (!wanted(a, b)) continue;
        MatrixFields fields;
        fields.cbsz = a;
        fields.blgp = b;
        check(shape, fields, static_cast<Format>(a), static_cast<Format>(b));
      }
  }
  return runs;
}

// One operand of scales: all A(i, k) of one k hold 1, B holds 1, so D(i, j) is the product of the two scales
// of that k's block. Each scale byte is 1 or 2 by the bits of its lane; the bytes that opsel does not choose
// hold 0xff, which would make NaN.
std::string compare_scales(const RegisterMap& map, OneHotWave& wave, unsigned k, SmallCodes a_codes,
                           SmallCodes b_codes, size_t& runs) {
  const OperandMap &a = map.operand("A"), &b = map.operand("B"), &d = map.operand("D");
  const OperandMap &scale_a = map.operand("scale_a"), &scale_b = map.operand("scale_b");
  OperandImage image_a(a), image_b(b);
  for (unsigned i = 0; i < a.rows; ++i) image_a.set(a.place(i, k, 0), a_codes.one);
  for (const mfma::Place& place : b.places) image_b.set(place, b_codes.one);
  wave.load(OneHotWave::kA, image_a.words());
  wave.load(OneHotWave::kB, image_b.words());
  const auto doubled = [](const mfma::Place& place, int bit) { return bit >= 0 && (place.lane >> bit & 1); };
  for (int pass = -1; pass < 12; ++pass) {
    const int bit_a = pass < 6 ? pass : -1, bit_b = pass < 6 ? -1 : pass - 6;
    OperandImage words_a(scale_a), words_b(scale_b);
    words_a.fill(~0u);
    words_b.fill(~0u);
    for (const mfma::Place& place : scale_a.places) words_a.set(place, doubled(place, bit_a) ? 128 : 127);
    for (const mfma::Place& place : scale_b.places) words_b.set(place, doubled(place, bit_b) ? 128 : 127);
    wave.load(OneHotWave::kScaleA, words_a.words());
    wave.load(OneHotWave::kScaleB, words_b.words());
    wave.run();
    ++runs;
    for (unsigned n = 0; n < d.places.size(); ++n) {
      const OperandMap::Element e = d.element(n);
      const bool two_a = doubled(scale_a.place(e.row, k / 32, 0), bit_a);
      const bool two_b = doubled(scale_b.place(k / 32, e.column, 0), bit_b);
      const uint32_t got = wave.v(OneHotWave::kD + d.places[n].vgpr(), d.places[n].lane);
      const uint64_t want = output_code(map, (two_a ? 2 : 1) * (two_b ? 2 : 1));
      if (got != want)
        return fmt::format("{}: k {}, pass {}: {} is {:#x}, expected {:#x}", map.instruction, k, pass,
                           element_text(d, n), got, want);
    }
  }
  return "";
}

size_t check_scales(const mfma::Shape& shape, unsigned a, unsigned b, unsigned opsel_a, unsigned opsel_b) {
  MatrixFields fields;
  fields.cbsz = a;
  fields.blgp = b;
  fields.opsel_a = opsel_a;
  fields.opsel_b = opsel_b;
  const RegisterMap map = mfma_map(shape, fields);
  OneHotWave wave(encode_matrix(shape.name, {a, 0, b, opsel_a, opsel_b}));
  size_t runs = 0;
  for (unsigned k = 0; k < shape.k; ++k) {
    const std::string difference = compare_scales(map, wave, k, small_codes(static_cast<Format>(a)),
                                                  small_codes(static_cast<Format>(b)), runs);
    CHECK_MESSAGE(difference.empty(), difference, ", formats ", a, " ", b, ", opsel ", opsel_a, " ", opsel_b);
    if (!difference.empty()) break;
  }
  return runs;
}

}  // namespace

TEST_CASE("one-hot: A, B, C and D of every MFMA are where the map says, f8f6f4 in ten pairs of formats") {
  const size_t runs =
      check_every_dense(Depth::by_k, [](unsigned a, unsigned b) { return a == b || (a + 1) % 5 == b; });
  CHECK(runs > 50'000);
}

TEST_CASE("one-hot: the scale of every k is in the lane and byte that the map says, for every byte") {
  for (const mfma::Shape& shape : mfma::kShapes) {
    if (!shape.scaled) continue;
    for (unsigned opsel = 0; opsel < 4; ++opsel) check_scales(shape, 0, 4, opsel, 3 - opsel);
    check_scales(shape, 2, 1, 0, 0);
    check_scales(shape, 4, 3, 0, 0);
  }
}

TEST_CASE("one-hot: every legal CBSZ, ABID and BLGP broadcasts, permutes or negates as the map says") {
  unsigned combinations = 0;
  for (const mfma::Shape& shape : mfma::kShapes) {
    if (shape.input == mfma::InputClass::f8f6f4) continue;
    for (unsigned cbsz = 0; cbsz < 5; ++cbsz)
      for (unsigned abid = 0; abid < 1u << cbsz; ++abid)
        for (unsigned blgp = 0; blgp < 8; ++blgp) {
          if (!mfma::legal_modifiers(shape, cbsz, abid, blgp)) continue;
          // Each lane pattern with every broadcast only where there are few blocks.
          if (shape.blocks == 16 && blgp != 0 && (cbsz * 5 + abid) % 8 != blgp) continue;
          MatrixFields fields;
          fields.cbsz = cbsz;
          fields.abid = abid;
          fields.blgp = blgp;
          const Checked checked = check_dense(shape, fields, shape.a, shape.b, Depth::by_k);
          CHECK_MESSAGE(checked.difference.empty(), checked.difference, ", cbsz ", cbsz, " abid ", abid,
                        " blgp ", blgp);
          ++combinations;
        }
  }
  CHECK(combinations > 600);
}

TEST_SUITE("slow") {
  TEST_CASE("one-hot: A, B, C and D of every MFMA are where the map says, f8f6f4 in every pair of formats") {
    const size_t runs = check_every_dense(Depth::by_k, [](unsigned, unsigned) { return true; });
    CHECK(runs > 100'000);
  }

  TEST_CASE("one-hot: each place of A alone, every MFMA, f8f6f4 in every pair of formats") {
    const size_t runs = check_every_dense(Depth::single, [](unsigned, unsigned) { return true; });
    CHECK(runs > 1'000'000);
  }

  TEST_CASE("one-hot: the scales in every pair of formats and every pair of bytes") {
    for (const mfma::Shape& shape : mfma::kShapes) {
      if (!shape.scaled) continue;
      for (unsigned a = 0; a < mfma::kF8F6F4Formats; ++a)
        for (unsigned b = 0; b < mfma::kF8F6F4Formats; ++b)
          for (unsigned opsel = 0; opsel < 16; ++opsel) check_scales(shape, a, b, opsel & 3, opsel >> 2);
    }
  }
}

}  // namespace wavetwin::golden
