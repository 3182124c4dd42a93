// SPDX-License-Identifier: MIT
// VOP1, VOP2, VOPC and VOP3 (isa guide 13.3).
#include "sim/isa/decode_fields.h"

namespace wavetwin::isa {
namespace {

constexpr unsigned kVccCode = 106;
constexpr unsigned kVopcE64 = 0x000, kVop2E64 = 0x100, kVop1E64 = 0x140, kNativeVop3 = 0x1c0;

const Row& take_row(Instruction& in, Format format, unsigned opcode) {
  in.format = format;
  in.row = row_of_opcode(format, opcode);
  if (in.row == kNoRow) refuse("no such opcode");
  return rows()[in.row];
}

Operand vcc() { return scalar_register(kVccCode, LANES, 2); }

// Destination of a short form: a VGPR, or an SGPR for v_readfirstlane.
Operand vector_destination(const Row& row, unsigned index) {
  if (row.has(SDST)) return scalar_destination(index, row.dst[0]);
  if (row.format == Format::vop1 && row.name == "V_ACCVGPR_MOV_B32")
    return vector_register(index, B32, 1, true);
  return vgpr(index, row.dst[0]);
}

// The 9-bit source of a short form, with the literal dword when the code asks for it.
Operand short_source(Instruction& in, const Cursor& code, unsigned value, OperandType type) {
  if (value != kCodeLiteral) return source(value, type, 0);
  in.size = 8;
  return source(value, type, code.word(1));
}

// Implicit VCC of the short forms: carry out, carry in, the selector of v_cndmask.
void add_implicit_vcc(Instruction& in, const Row& row) {
  if (row.dst[1] == LANES) in.sdst = vcc();
  if (row.src[2] == LANES) in.src[2] = vcc();
}

// Instructions that move data between lanes or registers.
bool takes_vgpr_only(const Row& row) {
  return row.has(SDST) || row.name == "V_SWAP_B32" || row.name.starts_with("V_PERMLANE");
}

// v_fmamk / v_fmaak and their f16 kin: the dword after the instruction is an operand.
void decode_with_constant(Instruction& in, const Row& row, const Cursor& code) {
  const uint32_t w = in.dwords[0];
  const bool constant_second = row.name == "V_FMAMK_F32" || row.name == "V_MADMK_F16";
  in.size = 8;
  const uint32_t constant = code.word(1);
  in.dst = vgpr(field(w, 24, 17), row.dst[0]);
  in.src[0] = source(field(w, 8, 0), row.src[0], constant);
  const Operand k = source(kCodeLiteral, row.src[1], constant);
  const Operand vsrc1 = vgpr(field(w, 16, 9), row.src[1]);
  in.src[1] = constant_second ? k : vsrc1;
  in.src[2] = constant_second ? vsrc1 : k;
}

bool carries_constant(const Row& row) {
  return row.format == Format::vop2 && row.src[2] != NONE && row.src[2] != LANES;
}

// SDWA or DPP follow a short form whose src0 field says so; true when it did.
bool decode_extended(Instruction& in, const Row& row, const Cursor& code, unsigned src0, unsigned vsrc1) {
  if (src0 != kCodeSdwa && src0 != kCodeDpp) return false;
  in.size = 8;
  const uint32_t control = code.word(1);
  if (src0 == kCodeSdwa) {
    decode_sdwa(in, row, vsrc1, control);
  } else {
    decode_dpp(in, row, vsrc1, control);
  }
  return true;
}

}  // namespace

void decode_vop1(Instruction& in, const Cursor& code) {
  const uint32_t w = in.dwords[0];
  const Row& row = take_row(in, Format::vop1, field(w, 16, 9));
  in.size = 4;
  const unsigned vdst = field(w, 24, 17), src0 = field(w, 8, 0);
  if (row.dst[0] == NONE) {
    require_zero(vdst, "vdst");
    if (!row.has(DPP) || src0 != kCodeDpp) return;
  } else {
    in.dst = vector_destination(row, vdst);
  }
  if (decode_extended(in, row, code, src0, 0)) return;
  if (row.src[0] == NONE) return;
  if (row.name == "V_ACCVGPR_MOV_B32") {
    if (src0 < kCodeVgpr) refuse("source must be an accumulation register");
    in.src[0] = vector_register(src0 - kCodeVgpr, B32, 1, true);
    return;
  }
  if (takes_vgpr_only(row) && src0 < kCodeVgpr && !(row.has(SDST) && src0 == kCodeLdsDirect)) {
    refuse("the source must be a VGPR");
  }
  in.src[0] = short_source(in, code, src0, row.src[0]);
}

void decode_vop2(Instruction& in, const Cursor& code) {
  const uint32_t w = in.dwords[0];
  const Row& row = take_row(in, Format::vop2, field(w, 30, 25));
  in.size = 4;
  if (carries_constant(row)) return decode_with_constant(in, row, code);
  in.dst = vgpr(field(w, 24, 17), row.dst[0]);
  add_implicit_vcc(in, row);
  const unsigned src0 = field(w, 8, 0), vsrc1 = field(w, 16, 9);
  if (decode_extended(in, row, code, src0, vsrc1)) return;
  in.src[0] = short_source(in, code, src0, row.src[0]);
  in.src[1] = vgpr(vsrc1, row.src[1]);
}

void decode_vopc(Instruction& in, const Cursor& code) {
  const uint32_t w = in.dwords[0];
  const Row& row = take_row(in, Format::vopc, field(w, 24, 17));
  in.size = 4;
  in.dst = vcc();
  const unsigned src0 = field(w, 8, 0), vsrc1 = field(w, 16, 9);
  if (decode_extended(in, row, code, src0, vsrc1)) return;
  in.src[0] = short_source(in, code, src0, row.src[0]);
  in.src[1] = vgpr(vsrc1, row.src[1]);
}

namespace {

const Row& vop3_row(Instruction& in, unsigned opcode) {
  if (opcode >= kNativeVop3) return take_row(in, Format::vop3, opcode);
  const Row& row = opcode < kVop2E64   ? take_row(in, Format::vopc, opcode - kVopcE64)
                   : opcode < kVop1E64 ? take_row(in, Format::vop2, opcode - kVop2E64)
                                       : take_row(in, Format::vop1, opcode - kVop1E64);
  in.form = Form::e64;
  if (!row.has(E64)) refuse("the instruction has no 64-bit encoding");
  return row;
}

// abs and neg of each source: modifiers, harmless bits, or fields that must be 0.
void take_source_modifiers(Instruction& in, const Row& row, uint32_t abs, uint32_t neg) {
  for (unsigned i = 0; i < 3; ++i) {
    const bool modifier = row.has(MOD0 << i);
    if (!modifier && !row.has(FREE0 << i)) require_zero(bit(abs, i) || bit(neg, i), "abs / neg");
    if (modifier) {
      in.abs |= static_cast<uint8_t>(abs & (1u << i));
      in.neg |= static_cast<uint8_t>(neg & (1u << i));
    }
  }
}

unsigned source_count(const Row& row) {
  unsigned count = 0;
  while (count < row.src.size() && row.src[count] != NONE) ++count;
  return count;
}

void take_op_sel(Instruction& in, const Row& row, uint32_t op_sel) {
  if (row.name == "V_PERMLANE16_SWAP_B32" || row.name == "V_PERMLANE32_SWAP_B32") {
    in.fetch_inactive = bit(op_sel, 0);
    in.bound_ctrl = bit(op_sel, 1);
  } else if (row.has(OPSEL)) {
    if (source_count(row) < 3 && !row.has(FREE2)) require_zero(bit(op_sel, 2), "op_sel");
    in.op_sel = static_cast<uint8_t>(op_sel);
  } else if (row.has(BITOP3)) {
    require_zero(op_sel, "op_sel");
  } else if (row.has(OPSEL_HIDDEN)) {
    require_zero(bit(op_sel, 2), "op_sel");
  }
}

// v_bitop3: the 8-bit truth table is spread over neg [2:0], abs [5:3] and omod [7:6].
void take_truth_table(Instruction& in, uint32_t abs, uint32_t omod, uint32_t neg) {
  in.simm16 = static_cast<uint16_t>(neg | abs << 3 | omod << 6);
}

Operand vop3_source(const Row& row, unsigned code, OperandType type) {
  if (code == kCodeSdwa || code == kCodeDpp || code == kCodeLiteral) {
    refuse("64-bit encodings take no literal, SDWA or DPP");
  }
  if (type == LANES && code >= kCodeIntegerZero) refuse("the lane mask must be a scalar register");
  if (type == LANESEL && code >= kCodeVgpr) refuse("the lane select must be scalar");
  if (row.name == "V_WRITELANE_B32" && code >= kCodeVgpr) refuse("the source must be scalar");
  const bool tuple_only = operand_dwords(type) > 2 || type == F32X2 || takes_vgpr_only(row);
  if (tuple_only && type != LANESEL && code < kCodeVgpr) refuse("the source must be a VGPR");
  return source(code, type, 0);
}

}  // namespace

void decode_vop3(Instruction& in, const Cursor& code) {
  const uint32_t w = in.dwords[0];
  const uint32_t w1 = in.dwords[1] = code.word(1);
  const Row& row = vop3_row(in, field(w, 25, 16));
  in.size = 8;
  const bool two_destinations = row.dst[1] != NONE;
  const unsigned vdst = field(w, 7, 0);

  if (row.format == Format::vopc) {
    in.dst = scalar_destination(vdst, LANES);
  } else if (row.dst[0] == NONE) {
    require_zero(vdst, "vdst");
  } else {
    in.dst = vector_destination(row, vdst);
  }
  if (two_destinations) in.sdst = scalar_destination(field(w, 14, 8), row.dst[1]);

  const unsigned codes[3] = {field(w1, 8, 0), field(w1, 17, 9), field(w1, 26, 18)};
  const unsigned count = source_count(row);
  for (unsigned i = 0; i < 3; ++i) {
    if (i < count) in.src[i] = vop3_source(row, codes[i], row.src[i]);
  }

  const uint32_t abs = two_destinations ? 0 : field(w, 10, 8);
  const uint32_t op_sel = two_destinations ? 0 : field(w, 14, 11);
  const uint32_t omod = field(w1, 28, 27), neg = field(w1, 31, 29);
  take_op_sel(in, row, op_sel);
  if (row.has(BITOP3)) {
    require_zero(bit(w, 15), "clamp");
    return take_truth_table(in, abs, omod, neg);
  }
  take_source_modifiers(in, row, abs, neg);
  if (!row.has(CLAMP)) require_zero(bit(w, 15), "clamp");
  if (!row.has(OMOD)) require_zero(omod, "omod");
  in.clamp = bit(w, 15);
  in.omod = static_cast<uint8_t>(omod);
}

}  // namespace wavetwin::isa
