// SPDX-License-Identifier: MIT
// SDWA (guide 13.3.7, 13.3.8) and DPP (13.3.9): every select and every control, with the definitions written
// out here.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/isa/valu/operands.h"
#include "tests/isa/valu/wave_fixture.h"
#include "tests/oracle/isa/ieee.h"

using namespace wavetwin;
using namespace wavetwin::isa;
using namespace wavetwin::test;
namespace ref = wavetwin::reference;

namespace {

constexpr unsigned kSdwaCode = 249, kDppCode = 250;

Encoding operands(unsigned dst, unsigned vsrc1) {
  Encoding e;
  e.dst = dst;
  e.src[1] = vgpr_code(vsrc1);
  return e;
}

std::vector<uint32_t> encode_with(const Row& row, const Encoding& e, unsigned code, uint32_t control) {
  auto dwords = encode_short(row, e, code);
  dwords.push_back(control);
  return dwords;
}

// Selects 0..3 are bytes, 4 and 5 halves, 6 the dword.
uint32_t selected(uint32_t x, unsigned select, bool sext) {
  if (select == 6) return x;
  const unsigned width = select < 4 ? 8 : 16, shift = select < 4 ? 8 * select : 16 * (select - 4);
  const uint32_t field = x >> shift & ((1u << width) - 1);
  return sext && field >> (width - 1) ? field | ~((1u << width) - 1) : field;
}

struct Sdwa {
  unsigned src0 = 4, dst_sel = 6, unused = 0, omod = 0, sel0 = 6, sel1 = 6;
  bool clamp = false, sext0 = false, neg0 = false, abs0 = false, scalar0 = false;
  bool sext1 = false, neg1 = false, abs1 = false, scalar1 = false;
  uint32_t bits() const {
    return src0 | dst_sel << 8 | unused << 11 | uint32_t{clamp} << 13 | omod << 14 | sel0 << 16 |
           uint32_t{sext0} << 19 | uint32_t{neg0} << 20 | uint32_t{abs0} << 21 | uint32_t{scalar0} << 23 |
           sel1 << 24 | uint32_t{sext1} << 27 | uint32_t{neg1} << 28 | uint32_t{abs1} << 29 |
           uint32_t{scalar1} << 31;
  }
};

}  // namespace

TEST_CASE("SDWA: every source select with and without sign extension") {
  const Row& row = row_named("V_ADD_U32");
  Random random(2);
  for (unsigned sel0 = 0; sel0 < 7; ++sel0) {
    for (unsigned sel1 = 0; sel1 < 7; ++sel1) {
      for (unsigned sext = 0; sext < 4; ++sext) {
        TestWave wave;
        for (unsigned lane = 0; lane < 64; ++lane) {
          wave.v(4, lane) = static_cast<uint32_t>(random());
          wave.v(6, lane) = static_cast<uint32_t>(random());
        }
        Sdwa s;
        s.sel0 = sel0;
        s.sel1 = sel1;
        s.sext0 = sext & 1;
        s.sext1 = sext & 2;
        wave.run(encode_with(row, operands(0, 6), kSdwaCode, s.bits()));
        for (unsigned lane = 0; lane < 64; ++lane) {
          const uint32_t want =
              selected(wave.v(4, lane), sel0, s.sext0) + selected(wave.v(6, lane), sel1, s.sext1);
          CHECK_MESSAGE(wave.v(0, lane) == want,
                        fmt::format("selects {} {} sext {} lane {}", sel0, sel1, sext, lane));
        }
      }
    }
  }
}

TEST_CASE("SDWA: every destination select and treatment of the rest") {
  const Row& row = row_named("V_LSHLREV_B32");
  for (unsigned dst_sel = 0; dst_sel < 7; ++dst_sel) {
    for (unsigned unused = 0; unused < 3; ++unused) {
      for (uint32_t value : {0x12345678u, 0x1234f6f8u}) {
        TestWave wave;
        for (unsigned lane = 0; lane < 64; ++lane) {
          wave.v(0, lane) = 0xa1b2c3d4;
          wave.v(4, lane) = 0;  // shift amount
          wave.v(6, lane) = value;
        }
        wave.state.set_exec(0x0f0f0f0f0f0f0f0f);
        Sdwa s;
        s.dst_sel = dst_sel;
        s.unused = unused;
        wave.run(encode_with(row, operands(0, 6), kSdwaCode, s.bits()));
        uint32_t want = value;
        if (dst_sel < 6) {
          const unsigned width = dst_sel < 4 ? 8 : 16, shift = dst_sel < 4 ? 8 * dst_sel : 16 * (dst_sel - 4);
          const uint32_t mask = (1u << width) - 1, field = value & mask;
          want = field << shift;
          if (unused == 1 && field >> (width - 1)) want = (field | ~mask) << shift;
          if (unused == 2) want |= 0xa1b2c3d4 & ~(mask << shift);
        }
        CHECK_MESSAGE(wave.v(0, 3) == want,
                      fmt::format("dst_sel {} unused {} value {:08x} got {:08x} want {:08x}", dst_sel, unused,
                                  value, wave.v(0, 3), want));
        CHECK(wave.v(0, 4) == 0xa1b2c3d4);  // inactive
      }
    }
  }
}

TEST_CASE("SDWA: abs, neg and clamp of floating-point operands, scalar sources") {
  TestWave wave;
  for (unsigned lane = 0; lane < 64; ++lane) {
    wave.v(4, lane) = 0xc000bc00;  // -2.0, -1.0
    wave.v(6, lane) = 0x45004200;  // 5.0, 3.0
  }
  Sdwa s;
  s.sel0 = 5;  // -2.0
  s.sel1 = 4;  // 3.0
  s.abs0 = true;
  s.neg1 = true;
  wave.run(encode_with(row_named("V_ADD_F16"), operands(0, 6), kSdwaCode, s.bits()));
  CHECK(wave.v(0, 0) == 0xbc00);  // 2 - 3
  s.clamp = true;
  wave.run(encode_with(row_named("V_ADD_F16"), operands(0, 6), kSdwaCode, s.bits()));
  CHECK(wave.v(0, 0) == 0);
  s = Sdwa{};
  wave.state.scalar[9] = 0x00ff00ff;
  s.src0 = 9;
  s.scalar0 = true;
  s.sel0 = 1;  // byte 1 of the scalar: 0
  s.sel1 = 1;
  wave.run(encode_with(row_named("V_OR_B32"), operands(0, 6), kSdwaCode, s.bits()));
  CHECK(wave.v(0, 0) == 0x42);
}

TEST_CASE("SDWA: fp8 conversions take the selected byte or half") {
  for (unsigned select : {0u, 1u, 2u, 3u}) {
    TestWave wave;
    for (unsigned lane = 0; lane < 64; ++lane) wave.v(4, lane) = 0x48444038;  // 4, 3, 2, 1 as bytes 3..0
    Sdwa s;
    s.sel0 = select;
    s.sel1 = 0;
    Encoding e;
    wave.run(encode_with(row_named("V_CVT_F32_FP8"), e, kSdwaCode, s.bits()));
    const uint32_t kWant[] = {0x3f800000, 0x40000000, 0x40400000, 0x40800000};
    CHECK(wave.v(0, 0) == kWant[select]);
  }
  TestWave wave;
  for (unsigned lane = 0; lane < 64; ++lane) wave.v(4, lane) = 0x48444038;
  Sdwa s;
  s.sel0 = 5;
  s.sel1 = 0;
  Encoding e;
  wave.run(encode_with(row_named("V_CVT_PK_F32_FP8"), e, kSdwaCode, s.bits()));
  CHECK(wave.v(0, 0) == 0x40400000);
  CHECK(wave.v(1, 0) == 0x40800000);
}

TEST_CASE("SDWA: compares write VCC or the named pair") {
  TestWave wave;
  for (unsigned lane = 0; lane < 64; ++lane) {
    wave.v(4, lane) = lane << 8;
    wave.v(6, lane) = 0x20;
  }
  wave.state.set_exec(0xffffffff0000ffff);
  // VOPC form: SDST 14:8, SD 15.
  const uint32_t common = 4u | 1u << 16 | 0u << 24;  // byte 1 of src0, byte 0 of src1
  wave.run(encode_with(row_named("V_CMP_LT_U32"), operands(0, 6), kSdwaCode, common));
  CHECK(wave.state.vcc() == 0x000000000000ffff);
  wave.state.set_vcc(5);
  wave.run(encode_with(row_named("V_CMP_GE_U32"), operands(0, 6), kSdwaCode, common | 24u << 8 | 1u << 15));
  CHECK(wave.state.pair(24) == 0xffffffff00000000);
  CHECK(wave.state.vcc() == 5);
}

namespace {

// The lane that feeds lane n under a DPP control, -1 when there is none; the guide's table.
int feeding_lane(unsigned control, int n) {
  const int column = n % 16, base = n - column;
  if (control < 0x100) return n / 4 * 4 + static_cast<int>(control >> (n % 4 * 2) & 3);
  const int k = static_cast<int>(control % 16);
  if (control > 0x100 && control < 0x110) return column + k > 15 ? -1 : n + k;
  if (control > 0x110 && control < 0x120) return column - k < 0 ? -1 : n - k;
  if (control > 0x120 && control < 0x130) return base + (column - k + 16) % 16;
  if (control >= 0x150) return base + k;
  switch (control) {
    case 0x130:
      return n == 63 ? -1 : n + 1;
    case 0x134:
      return n == 63 ? 0 : n + 1;
    case 0x138:
      return n == 0 ? -1 : n - 1;
    case 0x13c:
      return n == 0 ? 63 : n - 1;
    case 0x140:
      return base + 15 - column;
    case 0x141:
      return n / 8 * 8 + 7 - n % 8;
    case 0x142:
      return n < 16 ? -1 : base - 1;
    default:
      return n < 32 ? -1 : 31;  // 0x143
  }
}

std::vector<unsigned> all_controls() {
  std::vector<unsigned> controls;
  for (unsigned c = 0; c < 0x100; ++c) controls.push_back(c);
  for (unsigned base : {0x100u, 0x110u, 0x120u})
    for (unsigned k = 1; k < 16; ++k) controls.push_back(base + k);
  for (unsigned c : {0x130u, 0x134u, 0x138u, 0x13cu, 0x140u, 0x141u, 0x142u, 0x143u}) controls.push_back(c);
  for (unsigned k = 0; k < 16; ++k) controls.push_back(0x150 + k);
  return controls;
}

struct DppCase {
  unsigned control = 0, row_mask = 15, bank_mask = 15;
  bool bound_ctrl = false;
  uint64_t exec = ~uint64_t{0};
  uint32_t bits(unsigned src0) const {
    return src0 | control << 8 | uint32_t{bound_ctrl} << 19 | bank_mask << 24 | row_mask << 28;
  }
  // Whether lane n is written, and its source lane (-1: reads 0).
  bool written(int n) const {
    if (!(exec >> n & 1) || !(row_mask >> (n / 16) & 1) || !(bank_mask >> (n / 4 % 4) & 1)) return false;
    return from(n) >= 0 || bound_ctrl;
  }
  int from(int n) const {
    const int f = feeding_lane(control, n);
    return f >= 0 && (exec >> f & 1) ? f : -1;
  }
};

void check_dpp(const DppCase& c) {
  TestWave wave;
  for (unsigned lane = 0; lane < 64; ++lane) {
    wave.v(0, lane) = 0xdead0000 + lane;
    wave.v(4, lane) = 1000 + lane;
    wave.v(6, lane) = 100000 * (lane + 1);
  }
  wave.state.set_exec(c.exec);
  wave.run(encode_with(row_named("V_SUB_U32"), operands(0, 6), kDppCode, c.bits(4)));
  for (int n = 0; n < 64; ++n) {
    const uint32_t source = c.from(n) < 0 ? 0 : 1000 + static_cast<uint32_t>(c.from(n));
    const uint32_t want =
        c.written(n) ? source - 100000 * static_cast<uint32_t>(n + 1) : 0xdead0000 + static_cast<uint32_t>(n);
    CHECK_MESSAGE(wave.v(0, static_cast<unsigned>(n)) == want,
                  fmt::format("control {:#x} bound {} masks {:x} {:x} exec {:x} lane {} got {:x} want {:x}",
                              c.control, c.bound_ctrl, c.row_mask, c.bank_mask, c.exec, n,
                              wave.v(0, static_cast<unsigned>(n)), want));
  }
}

}  // namespace

TEST_CASE("DPP: every control, with and without bound_ctrl, full and partial EXEC") {
  for (unsigned control : all_controls()) {
    for (bool bound : {false, true}) {
      check_dpp({control, 15, 15, bound, ~uint64_t{0}});
      check_dpp({control, 15, 15, bound, 0x5a5af0f0123489abull});
    }
  }
}

TEST_CASE("DPP: every row mask and bank mask") {
  for (unsigned mask = 0; mask < 16; ++mask) {
    check_dpp({0x111, mask, 15, false, ~uint64_t{0}});
    check_dpp({0x111, 15, mask, true, ~uint64_t{0}});
    check_dpp({0x1b, mask, 15 - mask, false, 0xffff0ff0f00ff00full});
  }
}

TEST_CASE("DPP: abs and neg of both sources") {
  const Row& row = row_named("V_ADD_F32");
  for (unsigned fields = 0; fields < 16; ++fields) {
    TestWave wave;
    Random random(fields);
    uint32_t a[64], b[64];
    for (unsigned lane = 0; lane < 64; ++lane) {
      a[lane] = wave.v(4, lane) = static_cast<uint32_t>(random_float(random, 8, 23));
      b[lane] = wave.v(6, lane) = static_cast<uint32_t>(random_float(random, 8, 23));
    }
    const DppCase c{0x121};
    wave.run(encode_with(row, operands(0, 6), kDppCode, c.bits(4) | fields << 20));  // neg0, abs0, neg1, abs1
    for (int n = 0; n < 64; ++n) {
      uint32_t x = a[c.from(n)], y = b[n];
      if (fields & 2) x &= 0x7fffffff;
      if (fields & 1) x ^= 0x80000000;
      if (fields & 8) y &= 0x7fffffff;
      if (fields & 4) y ^= 0x80000000;
      CHECK(wave.v(0, static_cast<unsigned>(n)) == ref::add(ref::kSingle, x, y, {}));
    }
  }
}

TEST_CASE("DPP: moves, accumulation, compares, carries, 64-bit broadcast") {
  TestWave wave;
  for (unsigned lane = 0; lane < 64; ++lane) {
    wave.v(4, lane) = lane;
    wave.v(5, lane) = lane + 500;
    wave.v(6, lane) = lane;
    wave.v(0, lane) = 7;
    wave.v(1, lane) = 8;
  }
  Encoding move;
  wave.run(encode_with(row_named("V_MOV_B32"), move, kDppCode, DppCase{0x112}.bits(4)));
  CHECK(wave.v(0, 1) == 7);  // no source: kept
  CHECK(wave.v(0, 2) == 0);
  CHECK(wave.v(0, 63) == 61);
  // Disabled lanes answer 0 in a compare's mask.
  wave.run(encode_with(row_named("V_CMP_NE_U32"), operands(0, 6), kDppCode, DppCase{0x111}.bits(4)));
  CHECK(wave.state.vcc() == 0xfffefffefffefffeull);
  wave.run(encode_with(row_named("V_MOV_B64"), move, kDppCode, DppCase{0x153}.bits(4)));
  CHECK(wave.v(0, 20) == 19);
  CHECK(wave.v(1, 20) == 519);
  for (unsigned lane = 0; lane < 64; ++lane) {
    wave.v(0, lane) = 0x3f800000;
    wave.v(4, lane) = wave.v(6, lane) = 0x40000000;
  }
  wave.run(encode_with(row_named("V_FMAC_F32"), operands(0, 6), kDppCode, DppCase{0xb1}.bits(4)));
  CHECK(wave.v(0, 33) == 0x40a00000);  // 2 * 2 + 1
}
