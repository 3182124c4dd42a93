// SPDX-License-Identifier: MIT
// SMFMAC rows: which k of B each element of A meets, by the index bits, and which set of index bits. Products
// are small integers, so every sum is exact; the layouts are those of the guide's 7.5, written out here.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "sim/core/error.h"
#include "sim/numerics/mfma_model.h"
#include "tests/isa/valu/matrix_bench.h"

using namespace wavetwin;
using namespace wavetwin::isa;
using namespace wavetwin::test;

namespace {

uint32_t code_of(const std::string& format, int value) {
  return static_cast<uint32_t>(reference::integer_code(format, value));
}

struct Sparse {
  std::string result, a, b;  // formats
  int m, width;
};
Sparse describe(std::string_view name) {
  Sparse s;
  s.result = name.find("_I32_") != std::string_view::npos ? "I32" : "F32";
  s.m = name.find("16X16X") != std::string_view::npos ? 16 : 32;
  std::string formats(name.substr(
      name.find('_', name.find("X16X") != std::string_view::npos ? name.find("X16X") : name.find("X32X")) +
      1));
  const auto split = formats.find("_");
  s.a = split == std::string::npos ? formats : formats.substr(0, split);
  s.b = split == std::string::npos ? formats : formats.substr(split + 1);
  s.width = s.a == "F16" || s.a == "BF16" ? 16 : 8;
  return s;
}

// `pairs`: a value of the option smfmac_pair, under which every pair of indices is tried.
// Lane l holds row or column l % m; the k of lane group l / m are its own. Sum over groups and groups of
// four.
void check_sparse(const Row& row, unsigned cbsz, unsigned abid, const char* pairs = nullptr) {
  const Sparse s = describe(row.name);
  const unsigned a_dwords = operand_dwords(row.src[0]), d_dwords = operand_dwords(row.dst[0]);
  const int elements = static_cast<int>(a_dwords) * 32 / s.width;
  const unsigned ra = 64, rb = 72, ri = 90;
  OptionWave wave(pairs != nullptr ? "smfmac_pair" : nullptr, pairs);
  const bool second_only = pairs != nullptr && pairs == std::string("expand");
  const auto a_of = [](unsigned lane, int e) {
    return static_cast<int>(lane * 5 + static_cast<unsigned>(e) * 3) % 7 - 3;
  };
  const auto b_of = [](unsigned lane, int e) {
    return static_cast<int>(lane * 3 + static_cast<unsigned>(e) * 11) % 5 - 2;
  };
  const auto put = [&](unsigned r, unsigned lane, int e, uint32_t code) {
    const unsigned bit = static_cast<unsigned>(e * s.width);
    wave.v(r + bit / 32, lane) |= code << (bit % 32);
  };
  // The legal pairs; with `pairs` all in one lane group of each row, of them 4 of equal and 6 of descending
  // indices.
  const auto pair_of = [&](unsigned lane, int group) -> std::array<unsigned, 2> {
    constexpr unsigned kLegal[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    const unsigned n = lane + static_cast<unsigned>(group);
    const auto m = static_cast<unsigned>(s.m);
    if (pairs == nullptr || lane / m != lane % m % (64 / m)) return {kLegal[n % 6][0], kLegal[n % 6][1]};
    return {n * 5 % 16 / 4, n * 5 % 4};
  };
  const unsigned bits_a_set = static_cast<unsigned>(2 * elements);
  const unsigned set = cbsz == 0 ? abid % (32 / bits_a_set) : 0;
  for (unsigned lane = 0; lane < 64; ++lane) {
    wave.v(ri, lane) = bits_a_set == 32 ? 0 : 0x5a5a5a5au;
    for (int e = 0; e < elements; ++e) {
      put(ra, lane, e, code_of(s.a, a_of(lane, e)));
      const unsigned at = set * bits_a_set + static_cast<unsigned>(2 * e);
      wave.v(ri, lane) = (wave.v(ri, lane) & ~(3u << at)) | pair_of(lane, e / 2)[e % 2] << at;
    }
    for (int e = 0; e < 2 * elements; ++e) put(rb, lane, e, code_of(s.b, b_of(lane, e)));
    for (unsigned r = 0; r < d_dwords; ++r) wave.v(r, lane) = code_of(s.result, 100);
  }
  wave.run({0xd3800000u | uint32_t{row.opcode} << 16 | cbsz << 8 | abid << 11,
            vgpr_code(ra) | vgpr_code(rb) << 9 | vgpr_code(ri) << 18});
  for (unsigned lane = 0; lane < 64; ++lane) {
    for (unsigned r = 0; r < d_dwords; ++r) {
      // D: guide, 16x16: row 4 * (lane / 16) + r; 32x32: row 8 * (r / 4) + 4 * (lane / 32) + r % 4.
      const unsigned i = s.m == 16 ? 4 * (lane / 16) + r : 8 * (r / 4) + 4 * (lane / 32) + r % 4;
      const unsigned j = lane % static_cast<unsigned>(s.m);
      int sum = 100;
      for (unsigned group = 0; group < 64 / static_cast<unsigned>(s.m); ++group) {
        const unsigned la = group * static_cast<unsigned>(s.m) + i,
                       lb = group * static_cast<unsigned>(s.m) + j;
        for (int e = 0; e < elements; ++e) {
          const auto pair = pair_of(la, e / 2);
          if (second_only && e % 2 == 0 && pair[0] == pair[1]) continue;
          sum += a_of(la, e) * b_of(lb, 4 * (e / 2) + static_cast<int>(pair_of(la, e / 2)[e % 2]));
        }
      }
      const uint32_t want = code_of(s.result, sum);
      CHECK_MESSAGE(wave.v(r, lane) == want,
                    fmt::format("{} cbsz {} abid {} lane {} register {} got {:08x} want {:08x}", row.name,
                                cbsz, abid, lane, r, wave.v(r, lane), want));
    }
  }
}

}  // namespace

TEST_CASE("every SMFMAC row: index bits choose the k of each element") {
  unsigned count = 0;
  for (const Row& row : rows()) {
    if (row.format != Format::mai || !row.name.starts_with("V_SMFMAC")) continue;
    for (unsigned abid = 0; abid < 4; ++abid) check_sparse(row, 0, abid);
    check_sparse(row, 1, 3);  // CBSZ: the first set whatever ABID says
    ++count;
  }
  CHECK(count == 28);
}

TEST_CASE(
    "smfmac_pair: elements of one index both meet that element of B, or the second alone; descending pairs "
    "too") {
  for (const Row& row : rows()) {
    if (row.format != Format::mai || !row.name.starts_with("V_SMFMAC")) continue;
    for (const char* value : {"select", "expand"}) check_sparse(row, 0, 0, value);
    CHECK(row.source.find("option smfmac_pair") != std::string_view::npos);
  }
}

TEST_CASE("SMFMAC: sources are read before D is written, where they overlap; an odd index register") {
  for (const Row& row : rows()) {
    if (row.format != Format::mai || !row.name.starts_with("V_SMFMAC")) continue;
    CAPTURE(std::string(row.name));
    // D and C at v0; A and B elsewhere, then where D is.
    const auto run = [&](unsigned a, unsigned b, unsigned index) {
      TestWave wave;
      for (unsigned lane = 0; lane < 64; ++lane) {
        for (unsigned r = 0; r < 32; ++r) {
          const uint32_t words = (lane * 0x01010101u + r * 0x03050709u) & 0x3f3f3f3fu;  // small numbers
          wave.v(r, lane) = words;
          wave.v(64 + r, lane) = words;
        }
        wave.v(index, lane) = 0xe4e4e4e4u;  // 0, 1, 2, 3
      }
      wave.run({0xd3800000u | uint32_t{row.opcode} << 16,
                vgpr_code(a) | vgpr_code(b) << 9 | vgpr_code(index) << 18});
      std::vector<uint32_t> d;
      for (unsigned r = 0; r < operand_dwords(row.dst[0]); ++r)
        for (unsigned lane = 0; lane < 64; ++lane) d.push_back(wave.v(r, lane));
      return d;
    };
    const auto apart = run(64, 66, 99);
    CHECK(run(0, 66, 99) == apart);
    CHECK(run(64, 2, 99) == apart);
    CHECK(run(0, 2, 98) == apart);
  }
}

TEST_CASE("SMFMAC of 16-bit floats: steps as wide as those of the dense shapes of the same part") {
  // C = 2^24 and products of 1 at k = 0 and k = p: 2^24 + 2 when they share a step (both ties round to even
  // alone).
  const auto share = [](const Row& row, const mfma::MfmaModel& model, unsigned p) {
    OptionWave wave;
    wave.env.mfma_model = &model;
    const Sparse s = describe(row.name);
    const uint32_t one = code_of(s.a, 1);
    // A(0, c) of the lower k of each pair; k is in the lane group k / 8, after the last one in the upper
    // half.
    const unsigned groups = 64 / static_cast<unsigned>(s.m);
    for (unsigned lane = 0; lane < 64; ++lane) wave.v(90, lane) = 0x44444444;  // 0, 1
    const auto put_one = [&](unsigned k) {
      const unsigned lane = k / 8 % groups * static_cast<unsigned>(s.m), pass = k / 8 / groups;
      const unsigned element = pass * 4 + k % 8 / 4 * 2 + k % 4, place = pass * 8 + k % 8;
      wave.v(64 + element / 2, lane) |= one << 16 * (element % 2);
      wave.v(72 + place / 2, lane) |= one << 16 * (place % 2);
    };
    put_one(0);
    put_one(p);
    wave.v(0, 0) = 0x4b800000;
    wave.run(
        {0xd3800000u | uint32_t{row.opcode} << 16, vgpr_code(64) | vgpr_code(72) << 9 | vgpr_code(90) << 18});
    CHECK((wave.v(0, 0) == 0x4b800000 || wave.v(0, 0) == 0x4b800001));
    return wave.v(0, 0) == 0x4b800001;
  };
  unsigned rows_tried = 0;
  for (const Row& row : rows()) {
    if (row.format != Format::mai || !row.name.starts_with("V_SMFMAC") || !row.name.ends_with("F16"))
      continue;
    CAPTURE(std::string(row.name));
    const bool gfx942_too = operand_dwords(row.src[0]) == 2;
    ++rows_tried;
    for (const char* preset : {"gfx950-default", "gfx950-wide", "gfx942"}) {
      CAPTURE(preset);
      const mfma::MfmaModel model = mfma::preset(preset);
      if (preset == std::string("gfx942") && !gfx942_too) {
        CHECK_THROWS_WITH_AS(share(row, model, 1), doctest::Contains("does not exist on gfx942"), Error);
        continue;
      }
      const unsigned width = preset == std::string("gfx950-wide") && !gfx942_too ? 16 : 8;
      for (const unsigned p : {1u, 5u, 8u, 13u}) CHECK(share(row, model, p) == (p < width));
    }
  }
  CHECK(rows_tried == 8);
}
