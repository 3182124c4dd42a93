// SPDX-License-Identifier: MIT
// Operand fetch and output modifiers, worked by hand: abs, neg, omod, clamp, op_sel, scalar and constant
// sources, 16-bit destinations, out-of-range registers. Expected values are written out from the guide
// (chapters 5, 6.2 and 13.3); vop3_test.cpp, sdwa_test.cpp and dpp_test.cpp have all combinations.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/isa/valu/operands.h"
#include "tests/isa/valu/wave_fixture.h"
#include "tests/oracle/isa/valu_oracle.h"

using namespace wavetwin;
using namespace wavetwin::isa;
using namespace wavetwin::test;
namespace ref = wavetwin::reference;

namespace {

constexpr uint32_t kOne = 0x3f800000, kMinusOne = 0xbf800000, kTwo = 0x40000000;

Encoding three(unsigned dst = 0, unsigned a = 4, unsigned b = 6, unsigned c = 8) {
  Encoding e;
  e.dst = dst;
  e.src[0] = vgpr_code(a);
  e.src[1] = vgpr_code(b);
  e.src[2] = vgpr_code(c);
  return e;
}

void set(TestWave& wave, unsigned r, uint32_t value) {
  for (unsigned lane = 0; lane < 64; ++lane) wave.v(r, lane) = value;
}
void set64(TestWave& wave, unsigned r, uint64_t value) {
  set(wave, r, static_cast<uint32_t>(value));
  set(wave, r + 1, static_cast<uint32_t>(value >> 32));
}
uint64_t get64(TestWave& wave, unsigned r, unsigned lane = 0) {
  return wave.v(r, lane) | uint64_t{wave.v(r + 1, lane)} << 32;
}

}  // namespace

TEST_CASE("VOP3: abs and neg of f16 and f64 sources, and of v_cndmask") {
  TestWave wave;
  set(wave, 4, 0xdead3c00);  // 1.0 in the low half
  set(wave, 6, 0xbeefc000);  // -2.0
  Encoding e = three();
  e.src[2] = 0;
  e.abs = 2;
  e.neg = 1;
  wave.run(encode_vop3(row_named("V_ADD_F16"), e));
  CHECK(wave.v(0, 5) == 0x3c00);  // -1 + |-2|, high half zero
  set64(wave, 4, 0x3ff0000000000000);
  set64(wave, 6, 0xc000000000000000);
  wave.run(encode_vop3(row_named("V_ADD_F64"), e));
  CHECK(get64(wave, 0, 9) == 0x3ff0000000000000);
  set(wave, 4, kOne);
  set(wave, 6, kMinusOne);
  wave.state.set_pair(20, 0x00000000ffffffff);
  e.src[2] = 20;
  e.abs = 2;
  e.neg = 1;
  wave.run(encode_vop3(row_named("V_CNDMASK_B32"), e));
  CHECK(wave.v(0, 3) == kOne);        // |src1|
  CHECK(wave.v(0, 40) == kMinusOne);  // -src0
}

TEST_CASE("VOP3: clamp of floating-point results") {
  const Row& add = row_named("V_ADD_F32");
  struct Case {
    uint32_t a, b, want, want_without_dx10;
  };
  const Case kCases[] = {
      {kOne, kOne, kOne, kOne},
      {kMinusOne, 0x3f000000, 0, 0},
      {0x3e800000, 0x3e800000, 0x3f000000, 0x3f000000},
      {0x80000000, 0x80000000, 0, 0},  // -0 becomes +0
      {0x7f800000, 0, kOne, kOne},
      {0xff800000, 0, 0, 0},
      {0x7fc12345, 0, 0, 0x7fc12345},  // NaN: 0 only with DX10_CLAMP
  };
  for (const Case& c : kCases) {
    TestWave wave;
    set(wave, 4, c.a);
    set(wave, 6, c.b);
    Encoding e = three();
    e.src[2] = 0;
    e.clamp = true;
    wave.run(encode_vop3(add, e));
    CHECK_MESSAGE(wave.v(0, 11) == c.want, fmt::format("{:08x} + {:08x}", c.a, c.b));
    wave.state.mode.bits = 0x2f0;
    wave.run(encode_vop3(add, e));
    CHECK_MESSAGE(wave.v(0, 11) == c.want_without_dx10, fmt::format("{:08x} + {:08x}", c.a, c.b));
  }
  TestWave wave;
  set64(wave, 4, 0x4000000000000000);
  set64(wave, 6, 0);
  Encoding e = three();
  e.src[2] = 0;
  e.clamp = true;
  wave.run(encode_vop3(row_named("V_ADD_F64"), e));
  CHECK(get64(wave, 0) == 0x3ff0000000000000);
  set(wave, 4, 0xbc00);
  set(wave, 6, 0);
  wave.run(encode_vop3(row_named("V_ADD_F16"), e));
  CHECK(wave.v(0, 0) == 0);
}

TEST_CASE("VOP3: omod scales only when IEEE is off and subnormal outputs are flushed") {
  const Row& add = row_named("V_ADD_F32");
  const uint32_t kWant[4] = {0x40400000, 0x40c00000, 0x41400000, 0x3fc00000};  // 3, 6, 12, 1.5
  for (unsigned omod = 0; omod < 4; ++omod) {
    TestWave wave;
    set(wave, 4, kOne);
    set(wave, 6, kTwo);
    Encoding e = three();
    e.src[2] = 0;
    e.omod = omod;
    wave.run(encode_vop3(add, e));
    CHECK(wave.v(0, 1) == 0x40400000);  // default MODE: ignored
    wave.state.mode.bits = 0x1d0;       // IEEE off, f32 outputs flushed
    wave.run(encode_vop3(add, e));
    CHECK(wave.v(0, 1) == kWant[omod]);
    wave.state.mode.bits = 0x1f0;  // IEEE off, outputs kept: ignored
    wave.run(encode_vop3(add, e));
    CHECK(wave.v(0, 1) == 0x40400000);
  }
}

// guide 6.2.2: "-0 is flushed to +0".
TEST_CASE("VOP3: where omod acts, -0 and results that underflow are +0") {
  TestWave wave;
  Encoding e = three();
  e.src[2] = 0;
  const auto sum = [&](uint32_t a, uint32_t b, unsigned omod) {
    set(wave, 4, a);
    set(wave, 6, b);
    e.omod = omod;
    wave.run(encode_vop3(row_named("V_ADD_F32"), e));
    return wave.v(0, 1);
  };
  wave.state.mode.bits = 0x1d0;
  CHECK(sum(0x80000000, 0x80000000, 0) == 0x80000000);
  CHECK(sum(0x80000000, 0x80000000, 1) == 0);
  CHECK(sum(0x80800000, 0x80000000, 3) == 0);  // half of the smallest normal number
  CHECK(sum(0x80800000, 0x80000000, 1) == 0x81000000);
}

// guide 5.2: the operand codes of scalar registers and constants.
TEST_CASE("sources: scalar registers, inline constants and literals in every lane") {
  TestWave wave;
  const Row& add = row_named("V_ADD_U32");
  wave.state.scalar[7] = 1000;
  wave.state.scalar[kM0] = 77;
  wave.state.set_vcc(0x0123456789abcdef);
  set(wave, 6, 1);
  const auto with = [&](unsigned code) {
    Encoding e = three();
    e.src[0] = code;
    wave.run(encode_short(add, e));
    for (unsigned lane = 1; lane < 64; ++lane) CHECK(wave.v(0, lane) == wave.v(0, 0));
    return wave.v(0, 0) - 1;
  };
  CHECK(with(7) == 1000);
  CHECK(with(106) == 0x89abcdef);
  CHECK(with(107) == 0x01234567);
  CHECK(with(124) == 77);
  CHECK(with(128) == 0);
  CHECK(with(192) == 64);
  CHECK(with(193) == 0xffffffff);
  CHECK(with(208) == 0xfffffff0);
  CHECK(with(240) == 0x3f000000);  // a float constant is an f32 pattern, also for integers
  CHECK(with(247) == 0xc0800000);
  CHECK(with(248) == 0x3e22f983);
  Encoding e = three();
  auto code = encode_short(add, e, 255);
  code.push_back(0xcafef00d);
  wave.run(code);
  CHECK(wave.v(0, 63) == 0xcafef00e);
}

TEST_CASE("sources: 64-bit and 16-bit constants, scalar pairs") {
  TestWave wave;
  set64(wave, 6, 0);
  Encoding e = three();
  e.src[2] = 0;
  e.src[0] = 242;  // 1.0
  wave.run(encode_vop3(row_named("V_ADD_F64"), e));
  CHECK(get64(wave, 0) == 0x3ff0000000000000);
  wave.run(encode_short(row_named("V_ADD_F16"), e));
  CHECK(wave.v(0, 0) == 0x3c00);
  e.src[0] = 193;  // -1 as a 64-bit integer
  e.src[1] = 128;
  e.src[2] = vgpr_code(6);
  wave.run(encode_vop3(row_named("V_LSHL_ADD_U64"), e));
  CHECK(get64(wave, 0) == ~uint64_t{0});
  wave.state.set_pair(30, 0x4000000000000000);
  e.src[0] = 30;
  e.src[1] = vgpr_code(6);
  e.src[2] = 0;
  wave.run(encode_vop3(row_named("V_ADD_F64"), e));
  CHECK(get64(wave, 0, 33) == 0x4000000000000000);
}

// A float constant reaches a 16-bit integer operand as an f32 pattern, whose low half is read: 1.0 is 0
// (AMD engineers in LLVM pull request 198005). The exponent of v_ldexp_f16 takes the f16 pattern (guide 12.7,
// "S1 has a format of f16").
TEST_CASE("sources: float constants of 16-bit integers are the low half of the f32 pattern") {
  TestWave wave;
  set(wave, 6, 0x0500);
  const auto with = [&](const char* name, unsigned position, unsigned code) {
    Encoding e = three(0, 6, 6);
    e.src[2] = vgpr_code(6);
    e.src[position] = code;
    wave.run(encode_vop3(row_named(name), e));
    return wave.v(0, 5) & 0xffff;
  };
  CHECK(with("V_ADD_U16", 0, 242) == 0x0500);
  CHECK(with("V_ADD_U16", 1, 247) == 0x0500);
  CHECK(with("V_ADD_U16", 0, 248) == 0xfe83);  // 0xf983 of 1 / (2 pi)
  CHECK(with("V_ADD_U16", 0, 193) == 0x04ff);
  CHECK(with("V_MAX_I16", 0, 248) == 0x0500);
  CHECK(with("V_BITOP3_B16", 0, 248) == 0);  // a truth table of zeros
  CHECK(with("V_MAD_U16", 2, 244) == 0x0500 * 0x0500 % 0x10000);
  CHECK(with("V_CVT_F16_U16", 0, 242) == 0);
  set(wave, 6, 0x3c00);
  CHECK(with("V_LDEXP_F16", 1, 193) == 0x3800);
  CHECK(with("V_LDEXP_F16", 1, 241) == 0);       // 0xb800: 2^-18432
  CHECK(with("V_LDEXP_F16", 1, 240) == 0x7c00);  // 0x3800: 2^14336
  CHECK(with("V_ADD_F16", 0, 242) == 0x4000);
}

TEST_CASE("v_cmp_class_f16: the mask is a 16-bit operand, so 1 / (2 pi) is its f16 pattern") {
  // Guide 12.9, V_CMP_CLASS_F16. 0x3118 names the negative and positive normal numbers and the negative
  // subnormal ones; the f32 pattern 0x3e22f983 would name both NaNs and the positive subnormal numbers too.
  TestWave wave;
  const uint32_t values[] = {0x7c01, 0x7e00, 0xfc00, 0xbc00, 0x8001, 0x8000, 0x0000, 0x0001, 0x3c00, 0x7c00};
  for (unsigned lane = 0; lane < 10; ++lane) wave.v(1, lane) = values[lane];
  wave.state.set_exec(0x3ff);
  Encoding e;
  e.src[0] = vgpr_code(1);
  e.src[1] = 248;
  for (const char* name : {"V_CMP_CLASS_F16", "V_CMPX_CLASS_F16"}) {
    wave.run(encode_vop3(row_named(name), e));
    CHECK(wave.state.vcc() == 0x118);
  }
  CHECK(wave.state.exec() == 0x118);
}

// guide 3.6.1: a source above the allocation reads v0, a destination there is dropped.
TEST_CASE("registers above the allocation") {
  TestWave wave;
  for (unsigned lane = 0; lane < 64; ++lane) wave.v(0, lane) = 100 + lane;
  set(wave, 6, 1);
  wave.state.vgpr_count = 16;
  Encoding e = three(2, 40, 6);
  wave.run(encode_short(row_named("V_ADD_U32"), e));
  CHECK(wave.v(2, 9) == 110);
  const uint32_t v0 = wave.v(0, 3);
  e = three(40, 6, 6);
  wave.run(encode_short(row_named("V_ADD_U32"), e));
  CHECK(wave.v(0, 3) == v0);
  CHECK(wave.v(40, 3) == 0);
  e = three(2, 40, 40);
  e.src[2] = 0;
  wave.run(encode_vop3(row_named("V_ADD_F64"), e));  // both dwords read v0
  CHECK(get64(wave, 2, 5) == ref::add(ref::kDouble, 0x0000006900000069, 0x0000006900000069, {}));
}

TEST_CASE("VOP3: op_sel picks halves of 16-bit sources and the destination half") {
  const Row& fma = row_named("V_FMA_F16");
  for (unsigned op_sel = 0; op_sel < 16; ++op_sel) {
    TestWave wave;
    set(wave, 0, 0xaaaabbbb);
    set(wave, 4, 0x40003c00);  // high 2.0, low 1.0
    set(wave, 6, 0x44004200);  // 4.0, 3.0
    set(wave, 8, 0x48004500);  // 8.0, 5.0
    Encoding e = three();
    e.op_sel = op_sel;
    wave.run(encode_vop3(fma, e));
    const uint64_t want = ref::fma(ref::kHalf, op_sel & 1 ? 0x4000 : 0x3c00, op_sel & 2 ? 0x4400 : 0x4200,
                                   op_sel & 4 ? 0x4800 : 0x4500, 0, {});
    const uint32_t whole =
        op_sel & 8 ? static_cast<uint32_t>(want) << 16 | 0xbbbb : 0xaaaa0000 | static_cast<uint32_t>(want);
    CHECK_MESSAGE(wave.v(0, 20) == whole,
                  fmt::format("op_sel {} got {:08x} want {:08x}", op_sel, wave.v(0, 20), whole));
  }
}

// The old 16-bit instructions zero the other half, the ones that came with op_sel keep it (guide, the
// *_LEGACY_* pairs).
TEST_CASE("16-bit results: legacy instructions zero the high half") {
  for (const char* name : {"V_ADD_U16", "V_MUL_F16", "V_MAD_LEGACY_F16"}) {
    TestWave wave;
    set(wave, 0, 0xffffffff);
    Encoding e = three();
    const Row& row = row_named(name);
    e.src[2] = row.format == Format::vop3 ? vgpr_code(8) : 0;
    wave.run(encode_vop3(row, e));
    CHECK((wave.v(0, 0) >> 16) == 0);
  }
  for (const char* name : {"V_ADD_I16", "V_MAD_F16", "V_MAX3_U16"}) {
    TestWave wave;
    set(wave, 0, 0xffffffff);
    Encoding e = three();
    const Row& row = row_named(name);
    if (row.src[2] == NONE) e.src[2] = 0;
    wave.run(encode_vop3(row, e));
    CHECK((wave.v(0, 0) >> 16) == 0xffff);
  }
}

TEST_CASE("16-bit results: legacy instructions zero the high half with clamp, DPP and SDWA too") {
  const Row& add = row_named("V_ADD_F16");
  TestWave wave;
  set(wave, 4, 0x3c00);
  set(wave, 6, 0x3c00);
  Encoding e = three();
  e.src[2] = 0;
  set(wave, 0, 0xffffffff);
  e.clamp = true;
  wave.run(encode_vop3(add, e));
  CHECK(wave.v(0, 7) == 0x3c00);
  set(wave, 0, 0xffffffff);
  auto dpp = encode_short(add, e, 250);
  dpp.push_back(4u | 0xe4u << 8 | 0xffu << 24);  // quad_perm:[0,1,2,3]
  wave.run(dpp);
  CHECK(wave.v(0, 7) == 0x4000);
  set(wave, 0, 0xffffffff);
  auto sdwa = encode_short(add, e, 249);
  sdwa.push_back(4u | 6u << 8 | 4u << 16 | 4u << 24);  // dst_sel DWORD, WORD_0 sources
  wave.run(sdwa);
  CHECK(wave.v(0, 7) == 0x4000);
}

TEST_CASE("in place: a destination that is also a source, NaN lanes included") {
  Random random(5);
  for (const char* name : {"V_ADD_F32", "V_MUL_F32", "V_SUBREV_F32", "V_MAX_F32"}) {
    for (unsigned which = 0; which < 2; ++which) {
      TestWave wave;
      uint32_t a[64], b[64];
      for (unsigned lane = 0; lane < 64; ++lane) {
        a[lane] = wave.v(4, lane) =
            lane == 17 ? 0x7f812345 : static_cast<uint32_t>(random_float(random, 8, 23));
        b[lane] = wave.v(6, lane) =
            lane == 18 ? 0xff800001 : static_cast<uint32_t>(random_float(random, 8, 23));
      }
      wave.run(encode_short(row_named(name), three(which == 0 ? 4 : 6)));
      const auto& oracle = ref::valu_oracle().at(name);
      for (unsigned lane = 0; lane < 64; ++lane) {
        ref::LaneInput in;
        in.source[0][0] = a[lane];
        in.source[1][0] = b[lane];
        CHECK_MESSAGE(wave.v(which == 0 ? 4 : 6, lane) == oracle(in).d[0],
                      fmt::format("{} lane {}", name, lane));
      }
    }
  }
}

TEST_CASE("VOP3P: packed f32 takes scalar pairs, and constants for both dwords") {
  TestWave wave;
  set(wave, 6, kOne);
  set(wave, 7, kTwo);
  Encoding e = three();
  e.src[2] = 0;
  e.op_sel_hi = 3;
  e.src[0] = 244;  // 2.0 in both
  wave.run(encode_vop3p(row_named("V_PK_MUL_F32"), e));
  CHECK(wave.v(0, 0) == kTwo);
  CHECK(wave.v(1, 0) == 0x40800000);
  wave.state.set_pair(40, 0x4040000040400000);  // 3.0, 3.0
  wave.state.scalar[41] = 0x40a00000;           // 5.0
  e.src[0] = 40;
  wave.run(encode_vop3p(row_named("V_PK_MUL_F32"), e));
  CHECK(wave.v(0, 0) == 0x40400000);
  CHECK(wave.v(1, 0) == 0x41200000);
}

TEST_CASE("VOP3P: clamp on packed results") {
  TestWave wave;
  set(wave, 4, 0x7fff8000);
  set(wave, 6, 0x0001ffff);
  Encoding e = three();
  e.src[2] = 0;
  e.op_sel_hi = 3;
  e.clamp = true;
  wave.run(encode_vop3p(row_named("V_PK_ADD_I16"), e));
  CHECK(wave.v(0, 0) == 0x7fff8000);
  e.clamp = false;
  wave.run(encode_vop3p(row_named("V_PK_ADD_I16"), e));
  CHECK(wave.v(0, 0) == 0x80007fff);
  set(wave, 4, kTwo);
  set(wave, 5, kMinusOne);
  set(wave, 6, kOne);
  set(wave, 7, kOne);
  e.clamp = true;
  wave.run(encode_vop3p(row_named("V_PK_MUL_F32"), e));
  CHECK(wave.v(0, 0) == kOne);
  CHECK(wave.v(1, 0) == 0);
}

TEST_CASE("v_mad_mix: op_sel_hi picks f16, op_sel its half, neg_hi is abs") {
  TestWave wave;
  set(wave, 4, 0x4000bc00);  // 2.0, -1.0 as f16
  set(wave, 6, 0x40400000);  // 3.0f
  set(wave, 8, 0xc4004200);  // -4.0, 3.0
  Encoding e = three();
  e.op_sel_hi = 5;  // src0 and src2 are f16
  e.op_sel = 5;     // their high halves
  wave.run(encode_vop3p(row_named("V_MAD_MIX_F32"), e));
  CHECK(wave.v(0, 0) == kTwo);  // 2 * 3 - 4
  e.op_sel = 4;
  wave.run(encode_vop3p(row_named("V_MAD_MIX_F32"), e));
  CHECK(wave.v(0, 0) == 0xc0e00000);  // -1 * 3 - 4
  e.neg_hi = 1;                       // |src0|
  e.neg = 4;                          // -src2
  wave.run(encode_vop3p(row_named("V_MAD_MIX_F32"), e));
  CHECK(wave.v(0, 0) == 0x40e00000);  // 1 * 3 + 4
  set(wave, 0, 0x11112222);
  wave.run(encode_vop3p(row_named("V_MAD_MIXLO_F16"), e));
  CHECK(wave.v(0, 0) == 0x11114700);
  wave.run(encode_vop3p(row_named("V_MAD_MIXHI_F16"), e));
  CHECK(wave.v(0, 0) == 0x47004700);
}

TEST_CASE("v_bitop3: all 256 truth tables") {
  const Row& row = row_named("V_BITOP3_B32");
  for (unsigned table = 0; table < 256; ++table) {
    TestWave wave;
    set(wave, 4, 0xf0f0f0f0);
    set(wave, 6, 0xcccccccc);
    set(wave, 8, 0xaaaaaaaa);
    Encoding e = three();
    e.table = table;
    wave.run(encode_vop3(row, e));
    CHECK(wave.v(0, 0) == table * 0x01010101u);  // the operands spell every index once in 8 bits
  }
}

TEST_CASE("carry chains: 64-bit addition through VCC and through an SGPR pair") {
  Random random(9);
  for (bool e64 : {false, true}) {
    TestWave wave;
    uint64_t a[64], b[64];
    for (unsigned lane = 0; lane < 64; ++lane) {
      a[lane] = random_integer(random, 64);
      b[lane] = random_integer(random, 64);
      wave.v(4, lane) = static_cast<uint32_t>(a[lane]);
      wave.v(5, lane) = static_cast<uint32_t>(a[lane] >> 32);
      wave.v(6, lane) = static_cast<uint32_t>(b[lane]);
      wave.v(7, lane) = static_cast<uint32_t>(b[lane] >> 32);
    }
    Encoding low = three(0, 4, 6), high = three(1, 5, 7);
    low.sdst = high.sdst = 22;
    low.src[2] = 0;
    high.src[2] = 22;
    const Row &add = row_named("V_ADD_CO_U32"), &addc = row_named("V_ADDC_CO_U32");
    wave.run(e64 ? encode_vop3(add, low) : encode_short(add, low));
    wave.run(e64 ? encode_vop3(addc, high) : encode_short(addc, high));
    uint64_t carry = 0;
    for (unsigned lane = 0; lane < 64; ++lane) {
      CHECK(get64(wave, 0, lane) == a[lane] + b[lane]);
      carry |= uint64_t{a[lane] + b[lane] < a[lane]} << lane;
    }
    CHECK((e64 ? wave.state.pair(22) : wave.state.vcc()) == carry);
  }
}
