// SPDX-License-Identifier: MIT
// The register maps of every dense MFMA are what the executor does with the decoded instruction: each element
// of A, B and C alone, with every broadcast, lane pattern and sign. How: tests/layout/one_hot.h.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "golden/layout/mfma_map.h"
#include "sim/numerics/mfma.h"
#include "tests/layout/one_hot_factor.h"

namespace wavetwin::golden {
namespace {

using mfma::Format;

// Of each operand of a set of instructions.
struct DenseCounts {
  OneHotCounts a, b, c;
  DenseCounts& operator+=(const DenseCounts& more) {
    a += more.a, b += more.b, c += more.c;
    return *this;
  }
};

// Scale VGPRs that mean 1 in every byte.
void unit_scales(const RegisterMap& map, OneHotWave& wave) {
  if (map.find("scale_a") == nullptr) return;
  Registers ones(1);
  ones[0].fill(0x7f7f7f7f);
  wave.load(OneHotWave::kScaleA, ones);
  wave.load(OneHotWave::kScaleB, ones);
}

// All of one instruction under some modifiers, and whether nothing of it was left out.
DenseCounts check_dense(const mfma::Shape& shape, const MatrixFields& fields, Format a_format,
                        Format b_format) {
  const RegisterMap map = mfma_map(shape, fields);
  const MatrixEncoding encoding{fields.cbsz.value_or(0), fields.abid.value_or(0), fields.blgp.value_or(0), 0,
                                0};
  const std::string text = fmt::format(", A {} B {}, cbsz {} abid {} blgp {}", to_string(a_format),
                                       to_string(b_format), encoding.cbsz, encoding.abid, encoding.blgp);
  OneHotWave wave(encode_matrix(shape.name, encoding));
  unit_scales(map, wave);
  const Factor a{map.operand("A"), OneHotWave::kA, a_format}, b{map.operand("B"), OneHotWave::kB, b_format};
  const OneHotOutcome of_a = check_factor(map, wave, a, b, routes_of_a(map));
  CHECK_MESSAGE(of_a.difference.empty(), of_a.difference, text);
  const OneHotOutcome of_b = check_factor(map, wave, b, a, routes_of_b(map));
  CHECK_MESSAGE(of_b.difference.empty(), of_b.difference, text);
  const OneHotOutcome of_c = check_c(map, wave);
  CHECK_MESSAGE(of_c.difference.empty(), of_c.difference, text);
  return {of_a.counts, of_b.counts, of_c.counts};
}

// What the mnemonic says there is, for one instruction. Of the places of A a broadcast leaves 1 in 2^CBSZ
// read, of those of B a lane pattern all, a half or a quarter.
void check_counts(const std::string& mnemonic, const DenseCounts& counts, unsigned cbsz, unsigned blgp) {
  CAPTURE(mnemonic);
  CAPTURE(cbsz);
  CAPTURE(blgp);
  const MatrixSize size = size_of_mnemonic(mnemonic);
  const size_t a = size.m * size.k * size.blocks, b = size.k * size.n * size.blocks;
  constexpr size_t kReadShare[] = {1, 2, 2, 1, 4, 4, 4, 4};
  CHECK(counts.a.places == a);
  CHECK(counts.a.read == a >> cbsz);
  CHECK(counts.a.elements == a);
  CHECK(counts.b.places == b);
  CHECK(counts.b.read == b / kReadShare[blgp]);
  CHECK(counts.b.elements == b);
  CHECK(counts.c.places == size.m * size.n * size.blocks);
  CHECK(counts.c.elements == counts.c.places);
}

void report(const std::string& what, const DenseCounts& counts) {
  MESSAGE(what, ": elements alone: A ", counts.a.elements, ", B ", counts.b.elements, ", C ",
          counts.c.elements, "; ", counts.a.runs + counts.b.runs + counts.c.runs, " executions");
}

bool chooses_formats(const std::string& mnemonic) { return mnemonic.find("f8f6f4") != std::string::npos; }

// Every instruction that the executor has, f8f6f4 with the pairs of formats that `wanted` chooses.
template <class Wanted>
void check_every_dense(const char* what, size_t pairs, Wanted wanted) {
  DenseCounts total;
  size_t a = 0, b = 0, c = 0;  // by the mnemonics
  for (const std::string& mnemonic : executed_mnemonics("v_mfma_")) {
    const mfma::Shape* shape = mfma::find_shape(mnemonic);
    REQUIRE_MESSAGE(shape != nullptr, mnemonic);
    const size_t times = chooses_formats(mnemonic) ? pairs : 1;
    const MatrixSize size = size_of_mnemonic(mnemonic);
    a += times * size.m * size.k * size.blocks;
    b += times * size.k * size.n * size.blocks;
    c += times * size.m * size.n * size.blocks;
    const auto check = [&](const MatrixFields& fields, Format a_format, Format b_format) {
      const DenseCounts counts = check_dense(*shape, fields, a_format, b_format);
      check_counts(mnemonic, counts, 0, 0);
      total += counts;
    };
    if (!chooses_formats(mnemonic)) check({}, shape->a, shape->b);
    for (unsigned pair = 0; chooses_formats(mnemonic) && pair < 25; ++pair) {
      MatrixFields fields;
      fields.cbsz = pair / 5;
      fields.blgp = pair % 5;
      if (wanted(pair / 5, pair % 5))
        check(fields, static_cast<Format>(pair / 5), static_cast<Format>(pair % 5));
    }
  }
  report(what, total);
  CHECK(total.a.elements == a);
  CHECK(total.b.elements == b);
  CHECK(total.c.elements == c);
}

// Every legal CBSZ, ABID and BLGP of the instructions that have them, in the combinations that `wanted`
// chooses: `expected(blocks)` of them where A's blocks can be broadcast to as many as `blocks`.
template <class Wanted, class Expected>
void check_modifiers(const char* what, Wanted wanted, Expected expected) {
  DenseCounts total;
  for (const std::string& mnemonic : executed_mnemonics("v_mfma_")) {
    if (chooses_formats(mnemonic)) continue;
    const mfma::Shape& shape = *mfma::find_shape(mnemonic);
    const bool negates = mnemonic.ends_with("_f64");
    // Blocks are broadcast in groups of 1, 2 ... all of them.
    const size_t blocks = negates ? 1 : size_of_mnemonic(mnemonic).blocks;
    size_t combinations = 0;
    for (unsigned cbsz = 0; 1u << cbsz <= blocks; ++cbsz)
      for (unsigned abid = 0; abid < 1u << cbsz; ++abid)
        for (unsigned blgp = 0; blgp < 8; ++blgp) {
          if (!wanted(cbsz, blgp)) continue;
          MatrixFields fields;
          fields.cbsz = cbsz;
          fields.abid = abid;
          fields.blgp = blgp;
          const DenseCounts counts = check_dense(shape, fields, shape.a, shape.b);
          check_counts(mnemonic, counts, cbsz, negates ? 0 : blgp);
          total += counts;
          ++combinations;
        }
    CHECK_MESSAGE(combinations == expected(blocks), mnemonic);
  }
  report(what, total);
}

}  // namespace

TEST_CASE("one-hot: each element of A, B and C of every MFMA alone, f8f6f4 in ten pairs of formats") {
  check_every_dense("every MFMA", 10, [](unsigned a, unsigned b) { return a == b || (a + 1) % 5 == b; });
}

// 2^CBSZ values of ABID for each CBSZ: 2 blocks - 1 pairs.
TEST_CASE("one-hot: each element alone under every CBSZ and ABID, and under every BLGP") {
  check_modifiers(
      "CBSZ and ABID or BLGP", [](unsigned cbsz, unsigned blgp) { return (cbsz == 0) != (blgp == 0); },
      [](size_t blocks) { return 2 * blocks - 2 + 7; });
}

TEST_SUITE("slow") {
  TEST_CASE("one-hot: each element of A, B and C of every MFMA alone, f8f6f4 in every pair of formats") {
    check_every_dense("every MFMA", 25, [](unsigned, unsigned) { return true; });
  }

  TEST_CASE("one-hot: each element alone under every legal CBSZ, ABID and BLGP together") {
    check_modifiers(
        "CBSZ, ABID and BLGP", [](unsigned, unsigned) { return true; },
        [](size_t blocks) { return (2 * blocks - 1) * 8; });
  }
}

}  // namespace wavetwin::golden
