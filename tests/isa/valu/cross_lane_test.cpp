// SPDX-License-Identifier: MIT
// Instructions that look across lanes or move whole registers: guide, V_READLANE_B32, V_WRITELANE_B32,
// V_READFIRSTLANE_B32, V_PERMLANE16_SWAP_B32, V_PERMLANE32_SWAP_B32, V_SWAP_B32, V_ACCVGPR_*.
#include <doctest/doctest.h>

#include "tests/isa/valu/wave_fixture.h"

using namespace wavetwin;
using namespace wavetwin::isa;
using namespace wavetwin::test;

namespace {

TestWave numbered_wave() {
  TestWave wave;
  for (unsigned r = 0; r < 16; ++r)
    for (unsigned lane = 0; lane < 64; ++lane) {
      wave.v(r, lane) = 1000 * r + lane;
      wave.a(r, lane) = 500000 + 1000 * r + lane;
    }
  return wave;
}

}  // namespace

TEST_CASE("v_readlane: lane from SGPR, M0 or a constant, EXEC ignored, lane number modulo 64") {
  TestWave wave = numbered_wave();
  wave.state.set_exec(0);
  Encoding e;
  e.dst = 20;
  e.src[0] = vgpr_code(3);
  e.src[1] = 128 + 17;
  wave.run(encode_vop3(row_named("V_READLANE_B32"), e));
  CHECK(wave.state.scalar[20] == 3017);
  wave.state.scalar[5] = 64 + 9;
  e.src[1] = 5;
  wave.run(encode_vop3(row_named("V_READLANE_B32"), e));
  CHECK(wave.state.scalar[20] == 3009);
  wave.state.scalar[kM0] = 63;
  e.src[1] = 124;
  wave.run(encode_vop3(row_named("V_READLANE_B32"), e));
  CHECK(wave.state.scalar[20] == 3063);
}

TEST_CASE("trap temporaries: vector instructions cannot write them and read 0") {
  // Guide 3.10.
  TestWave wave = numbered_wave();
  const auto before = wave.state.scalar;
  Encoding e;
  e.src[0] = vgpr_code(3);
  e.src[1] = 128 + 17;
  e.dst = 109;
  wave.run(encode_vop3(row_named("V_READLANE_B32"), e));
  wave.run(encode_short(row_named("V_READFIRSTLANE_B32"), e));
  e.dst = 4;
  e.sdst = 110;
  wave.run(encode_vop3(row_named("V_CMP_TRU_F32"), e));
  e.src[0] = 193;
  wave.run(encode_vop3(row_named("V_ADD_CO_U32"), e));
  CHECK(wave.state.scalar == before);
  e.src[0] = 110;
  wave.run(encode_short(row_named("V_MOV_B32"), e));
  for (unsigned lane = 0; lane < 64; ++lane) REQUIRE(wave.v(4, lane) == 0);
}

TEST_CASE("v_writelane: one lane, EXEC ignored, the others kept") {
  TestWave wave = numbered_wave();
  wave.state.set_exec(0);
  wave.state.scalar[6] = 0xabcd;
  Encoding e;
  e.dst = 2;
  e.src[0] = 6;
  e.src[1] = 128 + 40;
  wave.run(encode_vop3(row_named("V_WRITELANE_B32"), e));
  for (unsigned lane = 0; lane < 64; ++lane) CHECK(wave.v(2, lane) == (lane == 40 ? 0xabcdu : 2000 + lane));
}

TEST_CASE("v_readfirstlane: the lowest active lane, lane 0 when none is") {
  TestWave wave = numbered_wave();
  Encoding e;
  e.dst = 21;
  e.src[0] = vgpr_code(4);
  wave.state.set_exec(0xffff000000000000);
  wave.run(encode_short(row_named("V_READFIRSTLANE_B32"), e));
  CHECK(wave.state.scalar[21] == 4048);
  wave.state.set_exec(0);
  wave.run(encode_short(row_named("V_READFIRSTLANE_B32"), e));
  CHECK(wave.state.scalar[21] == 4000);
  wave.state.set_exec(2);
  wave.run(encode_short(row_named("V_READFIRSTLANE_B32"), e));
  CHECK(wave.state.scalar[21] == 4001);
}

TEST_CASE("v_permlane16_swap: odd rows of D change places with even rows of S") {
  INFO("V_PERMLANE16_SWAP_B32");
  TestWave wave = numbered_wave();
  Encoding e;
  e.dst = 1;
  e.src[0] = vgpr_code(2);
  wave.run(encode_short(row_named("V_PERMLANE16_SWAP_B32"), e));
  for (unsigned lane = 0; lane < 64; ++lane) {
    const bool odd_row = lane / 16 % 2 == 1;
    CHECK(wave.v(1, lane) == (odd_row ? 2000 + lane - 16 : 1000 + lane));
    CHECK(wave.v(2, lane) == (odd_row ? 2000 + lane : 1000 + lane + 16));
  }
}

TEST_CASE("v_permlane32_swap: the high half of D changes places with the low half of S") {
  INFO("V_PERMLANE32_SWAP_B32");
  TestWave wave = numbered_wave();
  Encoding e;
  e.dst = 1;
  e.src[0] = vgpr_code(2);
  wave.run(encode_short(row_named("V_PERMLANE32_SWAP_B32"), e));
  for (unsigned lane = 0; lane < 64; ++lane) {
    CHECK(wave.v(1, lane) == (lane >= 32 ? 2000 + lane - 32 : 1000 + lane));
    CHECK(wave.v(2, lane) == (lane >= 32 ? 2000 + lane : 1000 + lane + 32));
  }
}

// Partial EXEC is not specified; the model keeps disabled lanes unless `fi` is set.
TEST_CASE("v_permlane32_swap: disabled lanes keep their values, with fi they do not") {
  TestWave wave = numbered_wave();
  wave.state.set_exec(0x00000000ffffffff);
  Encoding e;
  e.dst = 1;
  e.src[0] = vgpr_code(2);
  wave.run(encode_vop3(row_named("V_PERMLANE32_SWAP_B32"), e));
  CHECK(wave.v(1, 40) == 1040);
  CHECK(wave.v(2, 8) == 1040);
  e.op_sel = 1;
  e.dst = 3;
  e.src[0] = vgpr_code(4);
  wave.run(encode_vop3(row_named("V_PERMLANE32_SWAP_B32"), e));
  CHECK(wave.v(3, 40) == 4008);
  CHECK(wave.v(4, 8) == 3040);
}

TEST_CASE("v_permlane16_swap: disabled lanes keep their values, with fi they do not") {
  TestWave wave = numbered_wave();
  wave.state.set_exec(0x0000ffff0000ffff);  // even rows
  Encoding e;
  e.dst = 1;
  e.src[0] = vgpr_code(2);
  wave.run(encode_vop3(row_named("V_PERMLANE16_SWAP_B32"), e));
  CHECK(wave.v(1, 20) == 1020);
  CHECK(wave.v(2, 4) == 1020);
  CHECK(wave.v(2, 36) == 1052);
  e.op_sel = 1;
  e.dst = 3;
  e.src[0] = vgpr_code(4);
  wave.run(encode_vop3(row_named("V_PERMLANE16_SWAP_B32"), e));
  CHECK(wave.v(3, 20) == 4004);
  CHECK(wave.v(4, 4) == 3020);
}

TEST_CASE("v_swap: active lanes of two registers change places") {
  INFO("V_SWAP_B32");
  TestWave wave = numbered_wave();
  wave.state.set_exec(0xf0);
  Encoding e;
  e.dst = 1;
  e.src[0] = vgpr_code(2);
  wave.run(encode_short(row_named("V_SWAP_B32"), e));
  CHECK(wave.v(1, 4) == 2004);
  CHECK(wave.v(2, 7) == 1007);
  CHECK(wave.v(1, 8) == 1008);
  CHECK(wave.v(2, 3) == 2003);
}

TEST_CASE("v_accvgpr_*: moves between the two register files under EXEC") {
  INFO("V_ACCVGPR_MOV_B32, V_ACCVGPR_READ_B32, V_ACCVGPR_WRITE_B32");
  TestWave wave = numbered_wave();
  wave.state.set_exec(~uint64_t{1});
  // v_accvgpr_read_b32 v1, a2; v_accvgpr_write_b32 a3, v4; v_accvgpr_write_b32 a5, 7; v_accvgpr_mov_b32 a6,
  // a7
  wave.run({0xd3d84001, 0x18000102});
  CHECK(wave.v(1, 9) == 502009);
  CHECK(wave.v(1, 0) == 1000);
  wave.run({0xd3d94003, 0x18000104});
  CHECK(wave.a(3, 9) == 4009);
  CHECK(wave.a(3, 0) == 503000);
  wave.run({0xd3d94005, 0x18000087});
  CHECK(wave.a(5, 63) == 7);
  Encoding e;
  e.dst = 6;
  e.src[0] = vgpr_code(7);
  wave.run(encode_short(row_named("V_ACCVGPR_MOV_B32"), e));
  CHECK(wave.a(6, 30) == 507030);
  CHECK(wave.a(6, 0) == 506000);
}

TEST_CASE("v_nop and v_clrexcp change nothing") {
  TestWave wave = numbered_wave();
  Encoding e;
  wave.run(encode_short(row_named("V_NOP"), e));
  wave.run(encode_short(row_named("V_CLREXCP"), e));
  for (unsigned r = 0; r < 16; ++r) CHECK(wave.v(r, 31) == 1000 * r + 31);
}

TEST_CASE("v_mbcnt: lane number and rank among active lanes") {
  TestWave wave;
  Encoding e;
  e.src[0] = 193;  // -1
  e.src[1] = 128;
  wave.run(encode_vop3(row_named("V_MBCNT_LO_U32_B32"), e));
  e.src[1] = vgpr_code(0);
  wave.run(encode_vop3(row_named("V_MBCNT_HI_U32_B32"), e));
  for (unsigned lane = 0; lane < 64; ++lane) CHECK(wave.v(0, lane) == lane);
}

TEST_CASE("v_mfma_ld_scale_b32 alone changes no register: it is the prefix of a scaled MFMA") {
  TestWave wave;
  for (unsigned r = 0; r < kVgprs; ++r) {
    for (unsigned lane = 0; lane < 64; ++lane) wave.v(r, lane) = 1000 * r + lane;
  }
  wave.run({0xd3ac0000u, 0x18000000u | vgpr_code(5) << 9 | vgpr_code(4)});
  for (unsigned r = 0; r < kVgprs; ++r) {
    for (unsigned lane = 0; lane < 64; ++lane) REQUIRE(wave.v(r, lane) == 1000 * r + lane);
  }
}
