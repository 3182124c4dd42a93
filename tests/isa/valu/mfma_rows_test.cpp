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
#include "tests/isa/valu/wave_fixture.h"
#include "tests/oracle/isa/valu_matrix.h"

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

namespace {

// Registers of the row tests: D v[0..31], C v[32..63], A v[64..79], B v[80..95], scales v96, v97.
constexpr unsigned kD = 0, kC = 32, kA = 64, kB = 80, kScaleA = 96, kScaleB = 97;

int element_a(unsigned b, unsigned i, unsigned k) {
  return static_cast<int>((b * 5 + i * 3 + k * 2 + i * k) % 7) - 3;
}
int element_b(unsigned b, unsigned k, unsigned j) {
  return static_cast<int>((b * 3 + k * 4 + j * 5 + j * k) % 7) - 3;
}
int element_c(unsigned b, unsigned i, unsigned j) {
  return static_cast<int>((b * 7 + i * 11 + j * 13) % 100) - 50;
}

void put(TestWave& wave, unsigned first, const ref::MatrixPlace& place, unsigned width, uint64_t code) {
  const unsigned bit = place.item * width;
  wave.v(first + bit / 32, place.lane) |= static_cast<uint32_t>(code << bit % 32);
  if (bit % 32 + width > 32)
    wave.v(first + bit / 32 + 1, place.lane) |= static_cast<uint32_t>(code >> (32 - bit % 32));
}

uint64_t get(TestWave& wave, unsigned first, const ref::MatrixPlace& place, unsigned width) {
  if (width == 32) return wave.v(first + place.item, place.lane);
  return wave.v(first + 2 * place.item, place.lane) | uint64_t{wave.v(first + 2 * place.item + 1, place.lane)}
                                                          << 32;
}

void fill_matrices(TestWave& wave, const ref::MatrixShape& s) {
  const unsigned result_width = ref::format_width(s.result);
  for (unsigned b = 0; b < s.blocks; ++b) {
    for (unsigned k = 0; k < s.k; ++k) {
      for (unsigned i = 0; i < s.m; ++i)
        put(wave, kA, a_place(s, b, i, k), ref::format_width(s.a),
            ref::integer_code(s.a, element_a(b, i, k)));
      for (unsigned j = 0; j < s.n; ++j)
        put(wave, kB, b_place(s, b, k, j), ref::format_width(s.b),
            ref::integer_code(s.b, element_b(b, k, j)));
    }
    for (unsigned i = 0; i < s.m; ++i) {
      for (unsigned j = 0; j < s.n; ++j)
        put(wave, kC, d_place(s, b, i, j), result_width, ref::integer_code(s.result, element_c(b, i, j)));
    }
  }
}

// Products of small integers are exact in every format and sum, so D is the integer result. `factor`: of the
// scales.
void check_product(TestWave& wave, const Row& row, const ref::MatrixShape& s, int factor) {
  const std::string name(row.name);
  const unsigned width = ref::format_width(s.result);
  for (unsigned b = 0; b < s.blocks; ++b) {
    for (unsigned i = 0; i < s.m; ++i) {
      for (unsigned j = 0; j < s.n; ++j) {
        int sum = 0;
        for (unsigned k = 0; k < s.k; ++k) sum += element_a(b, i, k) * element_b(b, k, j);
        const uint64_t want = ref::integer_code(s.result, element_c(b, i, j) + factor * sum);
        const uint64_t got = get(wave, kD, d_place(s, b, i, j), width);
        if (got == want) continue;
        FAIL_CHECK(fmt::format("{} {} {} block {} D({}, {}) is {:#x}, want {:#x}", name, s.a, s.b, b, i, j,
                               got, want));
        return;
      }
    }
  }
}

uint32_t mai_dword(const Row& row, unsigned cbsz, unsigned abid) {
  return 0xd3800000u | uint32_t{row.opcode} << 16 | cbsz << 8 | abid << 11 | kD;
}

}  // namespace

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

namespace {

// The codes of small integers by format name.
uint32_t code_of(const std::string& format, int v) {
  if (format == "I8") return static_cast<uint32_t>(v) & 0xff;
  if (format == "BF16") return bf16_code(v);
  if (format == "FP8") return e4m3_code(v);
  static const uint32_t kHalf[] = {0xc200, 0xc000, 0xbc00, 0x0000, 0x3c00, 0x4000, 0x4200};  // -3 .. 3
  return format == "F16" ? kHalf[v + 3] : kHalf[v + 3] >> 8;  // BF8 is the top of f16
}

struct Sparse {
  std::string a, b;  // formats
  int m, width;
};
Sparse describe(std::string_view name) {
  Sparse s;
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

// Lane l holds row or column l % m; the k of lane group l / m are its own. Sum over groups and groups of
// four.
void check_sparse(const Row& row, unsigned cbsz, unsigned abid) {
  const Sparse s = describe(row.name);
  const unsigned a_dwords = operand_dwords(row.src[0]), d_dwords = operand_dwords(row.dst[0]);
  const int elements = static_cast<int>(a_dwords) * 32 / s.width;
  const unsigned ra = 64, rb = 72, ri = 90;
  TestWave wave;
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
  constexpr unsigned kPairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  const auto pair_of = [&](unsigned lane, int group) {
    return kPairs[(lane + static_cast<unsigned>(group)) % 6];
  };
  const unsigned bits_a_set = static_cast<unsigned>(2 * elements);
  const unsigned set = cbsz == 0 ? abid % (32 / bits_a_set) : 0;
  const bool integer = s.a == "I8";
  for (unsigned lane = 0; lane < 64; ++lane) {
    wave.v(ri, lane) = bits_a_set == 32 ? 0 : 0x5a5a5a5au;
    for (int e = 0; e < elements; ++e) {
      put(ra, lane, e, code_of(s.a, a_of(lane, e)));
      const unsigned at = set * bits_a_set + static_cast<unsigned>(2 * e);
      wave.v(ri, lane) = (wave.v(ri, lane) & ~(3u << at)) | pair_of(lane, e / 2)[e % 2] << at;
    }
    for (int e = 0; e < 2 * elements; ++e) put(rb, lane, e, code_of(s.b, b_of(lane, e)));
    for (unsigned r = 0; r < d_dwords; ++r) wave.v(r, lane) = integer ? 100u : bits(100.0f);
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
          sum += a_of(la, e) * b_of(lb, 4 * (e / 2) + static_cast<int>(pair_of(la, e / 2)[e % 2]));
        }
      }
      const uint32_t want = integer ? static_cast<uint32_t>(sum) : bits(static_cast<float>(sum));
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

TEST_CASE("f64 MFMA rows ignore CBSZ and ABID; BLGP negates A, B and C") {
  // Guide 7.1.6.4.
  for (const char* name : {"V_MFMA_F64_16X16X4_F64", "V_MFMA_F64_4X4X4_4B_F64"}) {
    CAPTURE(name);
    const Row& row = row_named(name);
    const auto run = [&](unsigned cbsz, unsigned abid, unsigned blgp) {
      TestWave wave;
      const auto shape = ref::matrix_shape(std::string(name), 0, 0);
      fill_matrices(wave, *shape);
      wave.run({mai_dword(row, cbsz, abid),
                vgpr_code(kA) | vgpr_code(kB) << 9 | vgpr_code(kC) << 18 | blgp << 29});
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

TEST_CASE("a matrix operand above the allocation is an error, not a crash") {
  TestWave wave;
  wave.state.vgpr_count = 8;
  CHECK_THROWS_AS(wave.run({0xd3b50000, 0x04021104}), Error);
}
