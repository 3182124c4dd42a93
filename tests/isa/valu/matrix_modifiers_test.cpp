// SPDX-License-Identifier: MIT
// What the fields of matrix instructions do to registers, lanes and signs, and the numeric option where the
// guide says two things.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "sim/core/error.h"
#include "tests/isa/valu/matrix_bench.h"

using namespace wavetwin;
using namespace wavetwin::isa;
using namespace wavetwin::test;
namespace ref = wavetwin::reference;

TEST_CASE("f64 MFMA rows ignore CBSZ and ABID; BLGP negates A, B and C") {
  // Guide 7.1.6.4.
  for (const char* name : {"V_MFMA_F64_16X16X4_F64", "V_MFMA_F64_4X4X4_4B_F64"}) {
    CAPTURE(name);
    const Row& row = row_named(name);
    const auto run = [&](unsigned cbsz, unsigned abid, unsigned blgp) {
      TestWave wave;
      fill_matrices(wave, dense_shape_of(row));
      wave.run(encode_mai(row, cbsz, abid, blgp));
      std::vector<uint32_t> d;
      for (unsigned r = 0; r < operand_dwords(row.dst[0]); ++r)
        for (unsigned lane = 0; lane < 64; ++lane) d.push_back(wave.v(kD + r, lane));
      return d;
    };
    const auto plain = run(0, 0, 0);
    CHECK(run(1, 0, 0) == plain);
    CHECK(run(2, 3, 0) == plain);
    CHECK(run(7, 15, 0) == plain);
    CHECK(run(3, 5, 3) == plain);  // -A * -B
    CHECK(run(0, 0, 1) == run(0, 0, 2));
    CHECK(run(0, 0, 1) != plain);
    const auto negated = run(0, 0, 5);  // -A * B - C is the negative, but for zeros
    for (size_t i = 1; i < plain.size() / 64; i += 2)
      for (unsigned lane = 0; lane < 64; ++lane) {
        const uint32_t high = plain[i * 64 + lane], low = plain[(i - 1) * 64 + lane];
        if ((high << 1 | low) == 0) continue;
        REQUIRE(negated[i * 64 + lane] == (high ^ 0x80000000u));
        REQUIRE(negated[(i - 1) * 64 + lane] == low);
      }
  }
}

TEST_CASE("scaled MFMA rows: a float constant scales by its exponent whatever op_sel; no SGPR or integer") {
  // Guide 7.2.1.
  for (const char* name : {"V_MFMA_SCALE_F32_16X16X128_F8F6F4", "V_MFMA_SCALE_F32_32X32X64_F8F6F4"}) {
    CAPTURE(name);
    const Row& row = row_named(name);
    std::string plain(name);
    plain.erase(plain.find("SCALE_"), 6);
    const auto shape = ref::matrix_shape(plain, 0, 0);
    const auto code = [&](unsigned scale_a, unsigned scale_b, unsigned op_sel) {
      return std::vector<uint32_t>{0xd3ac0000u | op_sel << 11, scale_a | scale_b << 9 | op_sel << 27,
                                   mai_dword(row, 0, 1),
                                   vgpr_code(kA) | vgpr_code(kB) << 9 | vgpr_code(kC) << 18};
    };
    for (const unsigned op_sel : {0u, 1u, 2u, 3u}) {
      CAPTURE(op_sel);
      TestWave wave;
      fill_matrices(wave, *shape);
      wave.run(code(246, 245, op_sel));  // 4.0 and -2.0
      check_product(wave, row, *shape, 8);
    }
    TestWave mixed;
    fill_matrices(mixed, *shape);
    for (unsigned lane = 0; lane < 64; ++lane) mixed.v(kScaleB, lane) = 129;
    mixed.run(code(240, vgpr_code(kScaleB), 0));  // 0.5 and 2^2
    check_product(mixed, row, *shape, 2);
    for (const unsigned bad : {4u, 106u, 124u, 128u, 129u, 193u, 253u}) {
      CAPTURE(bad);
      CHECK_THROWS_WITH_AS(mixed.run(code(bad, vgpr_code(kScaleB), 0)),
                           doctest::Contains("a scale must be a VGPR or a float constant"), Error);
      CHECK_THROWS_WITH_AS(mixed.run(code(vgpr_code(kScaleB), bad, 0)),
                           doctest::Contains("a scale must be a VGPR or a float constant"), Error);
    }
  }
}

namespace {

bool is_dense(const Row& row) {
  return row.format == Format::mai && row.expression.starts_with("exec_mfma") && !row.has(F8F6F4);
}

// The lane that lane `lane` of A is read from (7.1.6.1): S = 64 / 2^CBSZ, p = l % S + S * ABID.
unsigned lane_of_broadcast(unsigned lane, unsigned cbsz, unsigned abid) {
  const unsigned s = 64u >> cbsz;
  return lane % s + s * abid;
}

// What A(block; i, k) of the instruction is when its lane reads `lane`: the small integer put there.
int element_in_lane(const ref::MatrixShape& s, unsigned lane, unsigned i, unsigned k) {
  for (unsigned b = 0; b < s.blocks; ++b)
    if (a_place(s, b, i, k).lane == lane) return element_a(b, i, k);
  FAIL("no block's A(i, k) is in lane " << lane);
  return 0;
}

// D under a broadcast, `by_lanes` or by groups of blocks (13.3.6.1: within each contiguous set of 2^CBSZ
// blocks block ABID).
std::vector<uint64_t> broadcast_result(const ref::MatrixShape& s, unsigned cbsz, unsigned abid,
                                       bool by_lanes) {
  std::vector<uint64_t> d;
  for (unsigned b = 0; b < s.blocks; ++b)
    for (unsigned i = 0; i < s.m; ++i)
      for (unsigned j = 0; j < s.n; ++j) {
        int sum = element_c(b, i, j);
        for (unsigned k = 0; k < s.k; ++k) {
          const unsigned lane = lane_of_broadcast(a_place(s, b, i, k).lane, cbsz, abid);
          const int a =
              by_lanes ? element_in_lane(s, lane, i, k) : element_a((b >> cbsz << cbsz) + abid, i, k);
          sum += a * element_b(b, k, j);
        }
        d.push_back(ref::integer_code(s.result, sum));
      }
  return d;
}

}  // namespace

TEST_CASE(
    "mfma_broadcast: block ABID of each group of blocks, or the lanes of 7.1.6.1; one answer for all "
    "blocks") {
  unsigned rows_tried = 0;
  for (const Row& row : rows()) {
    if (!is_dense(row)) continue;
    const ref::MatrixShape s = dense_shape_of(row);
    if (s.blocks == 1 || s.result == "F64") continue;
    ++rows_tried;
    for (unsigned cbsz = 0; 1u << cbsz <= s.blocks; ++cbsz)
      for (unsigned abid = 0; abid < 1u << cbsz; ++abid) {
        INFO(fmt::format("{} cbsz {} abid {}", row.name, cbsz, abid));
        OptionWave groups, lanes("mfma_broadcast", "lanes");
        for (OptionWave* wave : {&groups, &lanes}) {
          fill_matrices(*wave, s);
          wave->run(encode_mai(row, cbsz, abid, 0));
        }
        const auto by_groups = broadcast_result(s, cbsz, abid, false);
        CHECK(matrix_result(groups, s) == by_groups);
        CHECK(matrix_result(lanes, s) == broadcast_result(s, cbsz, abid, true));
        const bool agree = cbsz == 0 || 1u << cbsz == s.blocks;
        CHECK((matrix_result(lanes, s) == by_groups) == agree);
        // The option names exactly the rows that can tell.
        for (const NumericOption& option : numeric_options())
          if (option.name == std::string_view("mfma_broadcast")) CHECK((agree || option.covers(row.name)));
      }
    const bool option_named = row.source.find("option mfma_broadcast") != std::string_view::npos;
    CHECK(option_named == (s.blocks > 2));
  }
  CHECK(rows_tried == 12);
}

TEST_CASE("MFMA: a broadcast that 7.1.6.1 leaves undefined is refused with its reason") {
  for (const Row& row : rows()) {
    if (!is_dense(row)) continue;
    const ref::MatrixShape s = dense_shape_of(row);
    if (s.result == "F64") continue;
    for (unsigned cbsz = 0; cbsz < 8; ++cbsz)
      for (unsigned abid = 0; abid < 16; ++abid) {
        if (1u << cbsz <= s.blocks && abid < 1u << cbsz) continue;
        INFO(fmt::format("{} cbsz {} abid {}", row.name, cbsz, abid));
        TestWave wave;
        const auto code = encode_mai(row, cbsz, abid, 0);
        const Instruction in = isa::decode(code, 0);  // apart from the executions that wave.run() counts
        CHECK_THROWS_WITH_AS(execute_function(in)(wave.state, in),
                             doctest::Contains("undefined (AMD CDNA4 ISA guide 7.1.6.1)"), Error);
      }
  }
}

TEST_CASE(
    "scaled MFMA rows: what stands in the place of NEG, NEG_HI and CLAMP in the prefix changes nothing") {
  // 7.2.1 gives these bits no meaning, 7.1.5: "Imod/Omod not supported".
  for (const char* name : {"V_MFMA_SCALE_F32_16X16X128_F8F6F4", "V_MFMA_SCALE_F32_32X32X64_F8F6F4"}) {
    const Row& row = row_named(name);
    std::string plain(name);
    plain.erase(plain.find("SCALE_"), 6);
    const auto shape = ref::matrix_shape(plain, 0, 0);
    for (unsigned bit = 0; bit < 64; ++bit) {
      const bool scale_field = bit >= 32 && bit < 50;  // the sources
      const bool op_sel = bit == 11 || bit == 12 || bit == 59 || bit == 60;
      if ((bit >= 16 && bit < 32) || scale_field || op_sel) continue;
      CAPTURE(bit);
      TestWave wave;
      fill_matrices(wave, *shape);
      for (unsigned lane = 0; lane < 64; ++lane) {
        wave.v(kScaleA, lane) = 0x7f7f7f80;  // 2^1
        wave.v(kScaleB, lane) = 0x7f7f7f81;  // 2^2
      }
      uint32_t prefix[2] = {0xd3ac0000u, vgpr_code(kScaleA) | vgpr_code(kScaleB) << 9};
      prefix[bit / 32] |= 1u << bit % 32;
      wave.run({prefix[0], prefix[1], mai_dword(row, 0, 1),
                vgpr_code(kA) | vgpr_code(kB) << 9 | vgpr_code(kC) << 18});
      check_product(wave, row, *shape, 8);
    }
  }
}
