// SPDX-License-Identifier: MIT
// What the decoded form holds, and what a bad encoding says.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "sim/core/error.h"
#include "sim/isa/decode.h"
#include "sim/isa/disassemble.h"

namespace wavetwin::isa {
namespace {

using Words = std::vector<uint32_t>;

Instruction decoded(const Words& words) { return decode(words, 0x100); }

std::string error_of(const Words& words) {
  try {
    decode(words, 0x1234);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// CDNA4 ISA guide 5.2: 1.0 in each operand format; LLVM 22 for bf16 and packed operands, AMD engineers in
// LLVM pull request 198005 for 16-bit integers.
struct ConstantCase {
  Words words;
  unsigned source;
  uint64_t bits;
};

}  // namespace

TEST_CASE("decode: inline constants have the bits of the operand's format") {
  const ConstantCase cases[] = {
      {{0xbe8000f2}, 0, 0x3f800000},                      // s_mov_b32 s0, 1.0
      {{0xbe8001f2}, 0, 0x3ff0000000000000},              // s_mov_b64 s[0:1], 1.0
      {{0xbe8001c1}, 0, 0xffffffffffffffff},              // s_mov_b64 s[0:1], -1
      {{0xbe8000d0}, 0, 0xfffffff0},                      // s_mov_b32 s0, -16
      {{0xbe8000c0}, 0, 64},                              // s_mov_b32 s0, 64
      {{0x7e0030f8}, 0, 0x3fc45f306dc9c882},              // v_ceil_f64_e32 v[0:1], 1/(2 pi)
      {{0x3e0000f2}, 0, 0x3c00},                          // v_add_f16_e32 v0, 1.0, v0
      {{0x4c0000f2}, 0, 0x3f800000},                      // v_add_u16_e32 v0, 1.0, v0
      {{0x4c0000c1}, 0, 0xffff},                          // v_add_u16_e32 v0, -1, v0
      {{0x7e00b6f2}, 0, 0x3f80},                          // v_cvt_f32_bf16_e32 v0, 1.0
      {{0xd38e4001, 0x1c0a02f2}, 0, 0x3c00},              // v_pk_fma_f16 v1, 1.0, v1, v2
      {{0xd3804001, 0x1c0a02f2}, 0, 0x3f800000},          // v_pk_mad_i16 v1, 1.0, v1, v2
      {{0xd3b50000, 0x03ca0900}, 2, 0x3f800000},          // v_mfma_f32_16x16x32_bf16 C = 1.0
      {{0xd3ef0000, 0x03ca0900}, 2, 0x3ff0000000000000},  // v_mfma_f64_4x4x4_4b_f64 C = 1.0
  };
  for (const ConstantCase& c : cases) {
    const Instruction in = decoded(c.words);
    INFO(disassemble(in));
    REQUIRE(in.src[c.source].kind == OperandKind::constant);
    CHECK(in.src[c.source].value == c.bits);
  }
}

TEST_CASE("decode: literals widen by the operand's type") {
  CHECK(decoded({0xbe8001ff, 0xdeadbeef}).src[0].value == 0xdeadbeef);          // s_mov_b64: zero-extended
  CHECK(decoded({0x7e0030ff, 0x40080000}).src[0].value == 0x4008000000000000);  // v_ceil_f64: the high half
  CHECK(decoded({0x7dc400ff, 0x80000000}).src[0].value == 0xffffffff80000000);  // v_cmp_eq_i64: sign-extended
  CHECK(decoded({0x3e0000ff, 0x12345678}).src[0].value == 0x5678);              // v_add_f16
  const Instruction fmaak = decoded({0x30000501, 0x3f000000});                  // v_fmaak_f32 v0, v1, v2, 0.5
  CHECK(fmaak.src[2].value == 0x3f000000);
  CHECK(fmaak.size == 8);
  CHECK(error_of({0x300004ff}).find("ends inside") != std::string::npos);
}

TEST_CASE("decode: VOP3 modifiers, opsel and second destinations") {
  const Instruction fma = decoded({0xd1cb8701, 0xfc0a0300});  // v_fma_f32 v1, -|v0|, -|v1|, -|v2| clamp div:2
  CHECK(fma.abs == 7);
  CHECK(fma.neg == 7);
  CHECK(fma.clamp);
  CHECK(fma.omod == 3);
  const Instruction fp8 = decoded({0xd2a24001, 0x00020702});  // v_cvt_pk_fp8_f32 v1, v2, v3 op_sel:[0,0,1]
  CHECK(fp8.op_sel == 8);
  const Instruction scale = decoded({0xd1e06a00, 0x040e0501});  // v_div_scale_f32 v0, vcc, v1, v2, v3
  CHECK(scale.sdst.index == 106);
  CHECK(scale.abs == 0);
  const Instruction bitop = decoded({0xd2340500, 0x1c0e0501});  // v_bitop3_b32 bitop3:0xe8
  CHECK(bitop.simm16 == 0xe8);
  CHECK(bitop.omod == 0);
}

TEST_CASE("decode: DPP and SDWA fields") {
  const Instruction dpp = decoded({0x020206fa, 0xa7591102});  // row_shr:1, masks, neg src0, bound_ctrl
  CHECK(dpp.form == Form::dpp);
  CHECK(dpp.dpp_ctrl == 0x111);
  CHECK(dpp.row_mask == 0xa);
  CHECK(dpp.bank_mask == 7);
  CHECK(dpp.bound_ctrl);
  CHECK(dpp.neg == 3);
  const Instruction sdwa = decoded({0x020206f9, 0x0514b102});  // v_add_f32_sdwa
  CHECK(sdwa.form == Form::sdwa);
  CHECK(sdwa.dst_sel == Select::byte1);
  CHECK(sdwa.dst_unused == DstUnused::preserve);
  CHECK(sdwa.clamp);
  CHECK(sdwa.omod == 2);
  CHECK(sdwa.src_sel[0] == Select::word0);
  CHECK(sdwa.src_sel[1] == Select::word1);
  CHECK(sdwa.neg == 1);
}

TEST_CASE("decode: a scaled MFMA has scales, byte selects and format-sized operands") {
  const Instruction in = decoded({0xd3ac1800, 0x08023f1e, 0xd3ad0c00, 0x44421100});  // A fp4, B fp6
  CHECK(in.size == 16);
  CHECK(in.src[0].dwords == 4);
  CHECK(in.src[1].dwords == 6);
  CHECK(in.src[3].index == 30);
  CHECK(in.src[4].index == 31);
  CHECK(in.op_sel == 3);
  CHECK(in.op_sel_hi == 1);
  CHECK(in.abid == 0);
}

TEST_CASE("decode: memory operands") {
  const Instruction flat =
      decoded({0xde5f9ff0, 0x04020001});  // global_load_dwordx4 v[4:7], v1, s[2:3] offset:-16 sc0 nt sc1
  CHECK(flat.segment == Segment::global);
  CHECK(flat.offset == -16);
  CHECK(flat.src[0].dwords == 1);
  CHECK(flat.src[2].index == 2);
  CHECK((flat.sc0 && flat.sc1 && flat.nt));
  const Instruction store = decoded({0xdc704004, 0x00200100});  // scratch_store_dword off, v1, s32 offset:4
  CHECK_FALSE(store.src[0]);
  CHECK(store.src[2].index == 32);
  const Instruction smem = decoded({0xc0084100, 0x04000010});  // s_load_dwordx4 s[4:7], s[0:1], s2
  CHECK_FALSE(smem.imm_offset);
  const Instruction both = decoded({0xc00a4100, 0x04000010});
  CHECK(both.imm_offset);
  CHECK(both.offset == 16);
  CHECK(both.src[2].index == 2);
  CHECK_FALSE(decoded({0xdd080000, 0x00000002}).dst);       // flat_atomic_add without a result
  CHECK(decoded({0xdd090000, 0x02000002}).dst.index == 2);  // with sc0
  CHECK(decoded({0xe05d1010, 0x03020001}).lds);             // buffer_load_dwordx4 ... lds
  CHECK(decoded({0xd8ee0201, 0x00000002}).offset1 == 2);    // ds_read2_b32
}

TEST_CASE("decode: errors name pc, dwords and the reason") {
  CHECK(error_of({0xffffffff, 1}) ==
        "not a gfx950 instruction: pc 0x1234 [ffffffff 00000001]: no such format on gfx950");
  CHECK(error_of({}) == "not a gfx950 instruction: pc 0x1234 []: the code ends inside the instruction");
  CHECK(error_of({0xd1010001}).find("ends inside") != std::string::npos);
  CHECK(error_of({0xd1010001, 0x000200ff, 0}).find("take no literal") != std::string::npos);
  CHECK(error_of({0xd1018f01, 0x00020302}).find("abs / neg") != std::string::npos);
  CHECK(error_of({0xd2800001, 0x00020502}).find("even register") != std::string::npos);
  CHECK(error_of({0x020406f9, 0x06060702}).find("select 7") != std::string::npos);
  CHECK(error_of({0x020206fa, 0xff016002}).find("DPP control") != std::string::npos);
  CHECK(error_of({0xd3ac0000, 0x00023f1e, 0xd3ad0800}).find("ends inside") ==
        std::string::npos);  // the prefix alone decodes
}

TEST_CASE("decode: every truncation of every length is refused or decoded, never read past") {
  uint64_t state = 1;
  for (int i = 0; i < 200000; ++i) {
    Words words;
    for (int n = i % 4; n >= 0; --n) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      words.push_back(static_cast<uint32_t>(state >> 32));
    }
    const Instruction in = try_decode(words, 0);
    INFO(fmt::format("{:08x}", words[0]));
    REQUIRE(in.size <= words.size() * 4);
    REQUIRE(in.size >= 4);
    REQUIRE_FALSE(disassemble(in).empty());
  }
}

TEST_CASE("program: bad dwords are kept, branch targets are indices, entries resynchronise") {
  //            s_branch +1   bad         v_nop       s_cbranch_scc0 -4  v_add_f32_e64 (8)         s_endpgm
  const Words code = {0xbf820001, 0xffffffff, 0x7e000000, 0xbf84fffc, 0xd1010001, 0x00020302, 0xbf810000};
  const Program program = decode_program(code, 0x1000);
  REQUIRE(program.instructions.size() == 6);
  CHECK_FALSE(program.instructions[1].valid());
  CHECK(disassemble(program.instructions[1]) == ".long 0xffffffff");
  CHECK(program.instructions[0].target == 2);
  CHECK(program.instructions[3].target == 0);
  CHECK(program.index_of(0x1014) == -1);  // inside v_add_f32_e64
  CHECK(program.index_of(0x1018) == 5);
  CHECK(program.index_of(0x1002) == -1);
  CHECK(program.index_of(0x101c) == -1);
  const uint64_t entry = 0x1014;
  const Program split = decode_program(code, 0x1000, std::span(&entry, 1));
  CHECK(split.index_of(0x1014) == 5);
  CHECK_FALSE(split.instructions[4].valid());  // the data before the entry cannot take its dword
}

TEST_CASE("program: a branch out of the code or into an instruction has no target") {
  const Words code = {0xbf820010, 0xbf820001, 0xd1010001, 0x00020302};
  const Program program = decode_program(code, 0);
  CHECK(program.instructions[0].target == -1);
  CHECK(program.instructions[1].target == -1);
}

}  // namespace wavetwin::isa
