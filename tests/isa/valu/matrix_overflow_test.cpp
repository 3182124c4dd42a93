// SPDX-License-Identifier: MIT
// The ends of the number range in matrix instructions: MODE.FP16_OVFL clamps f32 and i32 results (CDNA4 ISA
// guide 7.1.2, 7.1.5, 7.5), not f64 ones (7.4), and the numeric option where 7.4 says otherwise of i32.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/isa/valu/matrix_bench.h"

using namespace wavetwin;
using namespace wavetwin::isa;
using namespace wavetwin::test;
namespace ref = wavetwin::reference;

namespace {

bool is_dense(const Row& row) {
  return row.format == Format::mai && row.expression.starts_with("exec_mfma") && !row.has(F8F6F4);
}
bool is_sparse(const Row& row) { return row.format == Format::mai && row.name.starts_with("V_SMFMAC"); }

constexpr uint32_t kOvfl = 1u << 23;  // MODE.FP16_OVFL

// C near both ends of i32, so that products of small integers leave the range both ways.
int64_t extreme(unsigned b, unsigned i, unsigned j) {
  const int small = element_c(b, i, j);
  return small % 2 == 0 ? int64_t{0x7fffffff} - (small + 50) / 10 : -int64_t{0x80000000} + (small + 50) / 10;
}

// D of an i8 row for A and B of fill_matrices() and C above, clamped or not.
std::vector<uint64_t> extreme_result(const ref::MatrixShape& s, bool clamped) {
  std::vector<uint64_t> d;
  for (unsigned b = 0; b < s.blocks; ++b)
    for (unsigned i = 0; i < s.m; ++i)
      for (unsigned j = 0; j < s.n; ++j) {
        int64_t sum = extreme(b, i, j);
        for (unsigned k = 0; k < s.k; ++k) sum += element_a(b, i, k) * element_b(b, k, j);
        if (clamped) sum = std::clamp(sum, -int64_t{0x80000000}, int64_t{0x7fffffff});
        d.push_back(static_cast<uint32_t>(sum));
      }
  return d;
}

}  // namespace

TEST_CASE(
    "mfma_i8: FP16_OVFL clamps the whole i32 sum once, or wrap ignores it; without FP16_OVFL sums wrap") {
  unsigned rows_tried = 0;
  for (const Row& row : rows()) {
    if (!is_dense(row) || dense_shape_of(row).result != "I32") continue;
    CAPTURE(std::string(row.name));
    ++rows_tried;
    const ref::MatrixShape s = dense_shape_of(row);
    REQUIRE(extreme_result(s, true) != extreme_result(s, false));
    for (const bool overflow_bit : {false, true})
      for (const char* value : {"saturate", "wrap"}) {
        CAPTURE(overflow_bit);
        CAPTURE(value);
        OptionWave wave("mfma_i8", value);
        fill_matrices(wave, s);
        for (unsigned b = 0; b < s.blocks; ++b)
          for (unsigned i = 0; i < s.m; ++i)
            for (unsigned j = 0; j < s.n; ++j) {
              const auto at = d_place(s, b, i, j);
              wave.v(kC + at.item, at.lane) = static_cast<uint32_t>(extreme(b, i, j));
            }
        if (overflow_bit) wave.state.mode.bits |= kOvfl;
        wave.run(encode_mai(row, 0, 0, 0));
        CHECK(matrix_result(wave, s) ==
              extreme_result(s, overflow_bit && value == std::string_view("saturate")));
      }
    CHECK(row.source.find("option mfma_i8") != std::string_view::npos);
  }
  CHECK(rows_tried == 7);
}

TEST_CASE("mfma_i8: SMFMAC too") {
  unsigned rows_tried = 0;
  for (const Row& row : rows()) {
    if (!is_sparse(row) || row.name.find("_I32_") == std::string_view::npos) continue;
    CAPTURE(std::string(row.name));
    ++rows_tried;
    const unsigned m = row.name.find("16X16X") != std::string_view::npos ? 16 : 32;
    const int64_t products = operand_dwords(row.src[0]) * 4 * (64 / m);
    for (const bool overflow_bit : {false, true})
      for (const char* value : {"saturate", "wrap"}) {
        CAPTURE(overflow_bit);
        CAPTURE(value);
        OptionWave wave("mfma_i8", value);
        const bool clamped = overflow_bit && value == std::string_view("saturate");
        // A is 1, B is 1 or -1 and C is one of the ends of the range, by the column.
        const auto b = [](unsigned lane) { return lane % 2 == 0 ? 1 : -1; };
        const auto c = [](unsigned lane) {
          return lane % 4 < 2 ? int64_t{0x7fffffff} : -int64_t{0x80000000};
        };
        for (unsigned lane = 0; lane < 64; ++lane) {
          for (unsigned r = 0; r < 4; ++r) wave.v(kA + r, lane) = 0x01010101;
          for (unsigned r = 0; r < 8; ++r) wave.v(kB + r, lane) = b(lane) == 1 ? 0x01010101 : 0xffffffff;
          for (unsigned r = 0; r < 16; ++r) wave.v(kD + r, lane) = static_cast<uint32_t>(c(lane));
          wave.v(kC, lane) = 0x44444444;  // indices 0, 1
        }
        if (overflow_bit) wave.state.mode.bits |= kOvfl;
        wave.run(encode_mai(row, 0, 0, 0));
        for (unsigned lane = 0; lane < 64; ++lane) {
          int64_t sum = c(lane) + b(lane) * products;
          if (clamped) sum = std::clamp(sum, -int64_t{0x80000000}, int64_t{0x7fffffff});
          CHECK(wave.v(kD, lane) == static_cast<uint32_t>(sum));
        }
      }
  }
  CHECK(rows_tried == 4);
}

TEST_CASE("FP16_OVFL: f32 sums of bf16, f32 and scaled products are clamped, f64 sums are not") {
  struct Inputs {
    uint32_t even, odd;  // the words of A and of B
    uint32_t infinite, clamped;
  };
  // 4 products of 2^126; 2^128; 32 of 2^127; 2^1202.
  constexpr Inputs kBf16{0x5f005f00, 0x5f005f00, 0x7f800000, 0x7f7fffff};
  constexpr Inputs kF32{0x5f800000, 0x5f800000, 0x7f800000, 0x7f7fffff};
  constexpr Inputs kScaled{0x38383838, 0x38383838, 0x7f800000, 0x7f7fffff};
  constexpr Inputs kF64{0, 0x65800000, 0x7ff00000, 0x7ff00000};
  unsigned rows_tried = 0;
  for (const Row& row : rows()) {
    const bool scaled = row.format == Format::vop3px;
    if (!is_dense(row) && !is_sparse(row) && !scaled) continue;
    const Inputs* inputs = scaled ? &kScaled : nullptr;  // products of other rows are too small
    if (row.name.ends_with("_BF16")) inputs = &kBf16;
    if (row.name.ends_with("_F32")) inputs = &kF32;
    if (row.name.ends_with("_F64")) inputs = &kF64;
    if (inputs == nullptr) continue;
    ++rows_tried;
    for (const bool overflow_bit : {false, true}) {
      INFO(fmt::format("{} FP16_OVFL {}", row.name, overflow_bit));
      TestWave wave;
      for (unsigned lane = 0; lane < 64; ++lane) {
        for (unsigned r = 0; r < 8; ++r)
          wave.v(kA + r, lane) = wave.v(kB + r, lane) = r % 2 == 0 ? inputs->even : inputs->odd;
        wave.v(kScaleA, lane) = 254;
        wave.v(kScaleB, lane) = 127;
        if (is_sparse(row)) wave.v(kC, lane) = 0x44444444;  // indices 0, 1
      }
      if (overflow_bit) wave.state.mode.bits |= kOvfl;
      auto code = encode_mai(row, 0, scaled ? 1 : 0, 0);
      if (scaled) code.insert(code.begin(), {0xd3ac0000u, vgpr_code(kScaleA) | vgpr_code(kScaleB) << 9});
      wave.run(code);
      const unsigned last = operand_dwords(row.dst[0]) - 1;
      for (unsigned lane = 0; lane < 64; ++lane)
        CHECK(wave.v(kD + last, lane) == (overflow_bit ? inputs->clamped : inputs->infinite));
    }
  }
  CHECK(rows_tried == 20);
}
