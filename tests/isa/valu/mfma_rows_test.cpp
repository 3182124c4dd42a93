// SPDX-License-Identifier: MIT
// MFMA rows: which registers, formats, scale bytes and constants reach the arithmetic. Products are small
// integers, so every sum is exact and the expected matrix follows from the layouts of the guide's chapter 7,
// written out here. The arithmetic itself is tested in tests/unit/mfma.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <string>

#include "sim/core/error.h"
#include "tests/isa/valu/matrix_bench.h"

using namespace wavetwin;
using namespace wavetwin::isa;
using namespace wavetwin::test;
namespace ref = wavetwin::reference;

namespace {

uint32_t bits(float v) {
  uint32_t u;
  std::memcpy(&u, &v, 4);
  return u;
}

// Small integers as codes.
uint32_t bf16_code(int v) { return bits(static_cast<float>(v)) >> 16; }
uint32_t e4m3_code(int v) {  // 0..15 exactly
  if (v == 0) return 0;
  const int magnitude = v < 0 ? -v : v;
  const int e = 31 - __builtin_clz(static_cast<unsigned>(magnitude));
  return (v < 0 ? 0x80u : 0u) | static_cast<uint32_t>(e + 7) << 3 |
         static_cast<uint32_t>((magnitude << 3 >> e) & 7);
}

int a_value(int row, int k) { return (row * 3 + k * 5) % 7 - 3; }
int b_value(int k, int column) { return (k * 2 + column * 3) % 5 - 2; }

// 16x16: lane l holds row or column l % 16; K is split over the four groups of lanes, `per_lane` elements
// each.
void fill_16x16(TestWave& wave, unsigned ra, unsigned rb, int per_lane, int width, uint32_t (*code)(int),
                bool split_halves) {
  for (unsigned lane = 0; lane < 64; ++lane) {
    const int line = static_cast<int>(lane % 16), group = static_cast<int>(lane / 16);
    for (int e = 0; e < per_lane; ++e) {
      // f8f6f4 with K = 128: 16 consecutive k a group, then 16 more from 64 on.
      const int k = split_halves ? e / 16 * 64 + group * 16 + e % 16 : group * per_lane + e;
      const unsigned bit = static_cast<unsigned>(e * width);
      wave.v(ra + bit / 32, lane) |= code(a_value(line, k)) << (bit % 32);
      wave.v(rb + bit / 32, lane) |= code(b_value(k, line)) << (bit % 32);
    }
  }
}

int product_sum(int row, int column, int k_count) {
  int sum = 0;
  for (int k = 0; k < k_count; ++k) sum += a_value(row, k) * b_value(k, column);
  return sum;
}

// D of a 16x16 shape: lane l, register i holds row 4 * (l / 16) + i, column l % 16.
void check_16x16(TestWave& wave, unsigned rd, int k_count, float c, float factor) {
  for (unsigned lane = 0; lane < 64; ++lane) {
    for (unsigned i = 0; i < 4; ++i) {
      const int row = static_cast<int>(4 * (lane / 16) + i), column = static_cast<int>(lane % 16);
      const float want = factor * static_cast<float>(product_sum(row, column, k_count)) + c;
      CHECK_MESSAGE(
          wave.v(rd + i, lane) == bits(want + 0.0f),
          fmt::format("lane {} register {} got {:08x} want {}", lane, i, wave.v(rd + i, lane), want));
    }
  }
}

}  // namespace

TEST_CASE("v_mfma_f32_16x16x32_bf16: registers and an accumulator in place") {
  TestWave wave;
  fill_16x16(wave, 4, 8, 8, 16, bf16_code, false);
  for (unsigned lane = 0; lane < 64; ++lane)
    for (unsigned i = 0; i < 4; ++i) wave.v(i, lane) = bits(10.0f);
  wave.state.set_exec(1);              // EXEC does not matter
  wave.run({0xd3b50000, 0x04021104});  // v_mfma_f32_16x16x32_bf16 v[0:3], v[4:7], v[8:11], v[0:3]
  check_16x16(wave, 0, 32, 10.0f, 1.0f);
}

TEST_CASE("v_mfma_f32_16x16x32_bf16: a constant C and accumulation registers") {
  TestWave wave;
  fill_16x16(wave, 4, 8, 8, 16, bf16_code, false);
  // srcC = 4.0 (code 246): v_mfma_f32_16x16x32_bf16 v[0:3], v[4:7], v[8:11], 4.0
  wave.run({0xd3b50000, 0x03da1104});
  check_16x16(wave, 0, 32, 4.0f, 1.0f);
  // D and C in AGPRs (acc_cd, bit 15): a[0:3] = A * B + a[0:3]
  for (unsigned lane = 0; lane < 64; ++lane)
    for (unsigned i = 0; i < 4; ++i) wave.a(i, lane) = bits(-6.0f);
  wave.run({0xd3b58000, 0x04021104});
  for (unsigned lane = 0; lane < 64; ++lane)
    for (unsigned i = 0; i < 4; ++i) wave.v(i, lane) = wave.a(i, lane);
  check_16x16(wave, 0, 32, -6.0f, 1.0f);
}

TEST_CASE("v_mfma_scale_f32_16x16x128_f8f6f4: scale bytes by op_sel") {
  for (unsigned byte_a = 0; byte_a < 4; ++byte_a) {
    for (unsigned byte_b = 0; byte_b < 4; ++byte_b) {
      TestWave wave;
      fill_16x16(wave, 8, 16, 32, 8, e4m3_code, true);
      for (unsigned lane = 0; lane < 64; ++lane) {
        for (unsigned i = 0; i < 4; ++i) wave.v(4 + i, lane) = 0;
        wave.v(30, lane) = 200u << 24 | 201u << 16 | 202u << 8 | 203u;
        wave.v(31, lane) = 0x05060708;
        // The chosen bytes: 2^1 and 2^2.
        wave.v(30, lane) = (wave.v(30, lane) & ~(0xffu << (8 * byte_a))) | 128u << (8 * byte_a);
        wave.v(31, lane) = (wave.v(31, lane) & ~(0xffu << (8 * byte_b))) | 129u << (8 * byte_b);
      }
      const uint32_t prefix0 = 0xd3ac0000 | (byte_a & 1) << 11 | (byte_b & 1) << 12;
      const uint32_t prefix1 = 0x00023f1e | (byte_a >> 1) << 27 | (byte_b >> 1) << 28;
      wave.run({prefix0, prefix1, 0xd3ad0800, 0x04122108});
      check_16x16(wave, 0, 128, 0.0f, 8.0f);
    }
  }
}

TEST_CASE("v_mfma_f32_16x16x128_f8f6f4 without scales") {
  TestWave wave;
  fill_16x16(wave, 8, 16, 32, 8, e4m3_code, true);
  for (unsigned lane = 0; lane < 64; ++lane)
    for (unsigned i = 0; i < 4; ++i) wave.v(4 + i, lane) = bits(1.0f);
  wave.run({0xd3ad0000, 0x04122108});
  check_16x16(wave, 0, 128, 1.0f, 1.0f);
}

TEST_CASE("every MFMA row multiplies the matrices its name says, in the guide's layout, whatever EXEC") {
  unsigned count = 0;
  for (const Row& row : rows()) {
    const bool scaled = row.format == Format::vop3px;
    if ((row.format != Format::mai || !row.expression.starts_with("exec_mfma")) && !scaled) continue;
    ++count;
    std::string name(row.name);
    if (scaled) name.erase(name.find("SCALE_"), 6);
    const unsigned formats = row.has(F8F6F4) ? 5 : 1;
    for (unsigned cbsz = 0; cbsz < formats; ++cbsz) {
      for (unsigned blgp = 0; blgp < formats; ++blgp) {
        const auto shape = ref::matrix_shape(name, cbsz, blgp);
        REQUIRE_MESSAGE(shape.has_value(), name);
        TestWave wave;
        fill_matrices(wave, *shape);
        for (unsigned lane = 0; lane < 64; ++lane) {
          wave.v(kScaleA, lane) = 128;  // 2^1
          wave.v(kScaleB, lane) = 129;  // 2^2
        }
        wave.state.set_exec(0x5);
        const uint32_t sources = vgpr_code(kA) | vgpr_code(kB) << 9 | vgpr_code(kC) << 18 | blgp << 29;
        std::vector<uint32_t> code{mai_dword(row, cbsz, scaled ? 1 : 0), sources};
        if (scaled) code.insert(code.begin(), {0xd3ac0000u, vgpr_code(kScaleA) | vgpr_code(kScaleB) << 9});
        wave.run(code);
        check_product(wave, row, *shape, scaled ? 8 : 1);
      }
    }
  }
  CHECK(count >= 38);
}

TEST_CASE("matrix operands may end at the last register of the allocation, in each file") {
  for (const bool accumulation : {false, true}) {
    TestWave wave;
    wave.state.vgpr_count = wave.state.agpr_count = 12;
    fill_16x16(wave, 4, 8, 8, 16, bf16_code, false);
    for (unsigned lane = 0; lane < 64; ++lane)
      for (unsigned i = 4; i < 12; ++i) wave.a(i, lane) = wave.v(i, lane);
    const uint32_t acc = accumulation ? 0x18000000u : 0u;
    wave.run({0xd3b50000, 0x02021104u | acc});  // v[0:3] or a[4:11], C = 0
    check_16x16(wave, 0, 32, 0.0f, 1.0f);
  }
}

TEST_CASE("a matrix operand above the allocation is an error, not a crash") {
  TestWave wave;
  wave.state.vgpr_count = 8;
  CHECK_THROWS_AS(wave.run({0xd3b50000, 0x04021104}), Error);
}
