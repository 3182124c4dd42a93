// SPDX-License-Identifier: MIT
// VOP3P (isa guide 13.3.6): packed math, the matrix instructions (MAI), and the 16-byte scaled MFMA whose
// first two dwords name the scales (7.2.1: they begin with 0xD3AC, as in LLVM 22; the table there has
// 0xCC35).
#include "sim/isa/decode_fields.h"

namespace wavetwin::isa {
namespace {

unsigned source_count(const Row& row) {
  unsigned count = 0;
  while (count < row.src.size() && row.src[count] != NONE) ++count;
  return count;
}

Operand packed_source(unsigned code, OperandType type) {
  if (code == kCodeSdwa || code == kCodeDpp || code == kCodeLiteral) {
    refuse("64-bit encodings take no literal, SDWA or DPP");
  }
  return source(code, type, 0);
}

// neg_lo / neg_hi and op_sel / op_sel_hi of the sources the row has.
void take_packed_modifiers(Instruction& in, const Row& row, uint32_t w, uint32_t w1) {
  const unsigned count = source_count(row);
  const uint32_t present = (1u << count) - 1;
  const uint32_t op_sel = field(w, 13, 11), op_sel_hi = field(w1, 28, 27) | bit(w, 14) << 2;
  const uint32_t neg_lo = field(w1, 31, 29), neg_hi = field(w, 10, 8);
  require_zero(neg_lo & ~present, "neg_lo");
  require_zero(neg_hi & ~present, "neg_hi");
  require_zero(op_sel & ~present, "op_sel");
  const bool dot_of_bytes =
      row.src[0] == I8X4 || row.src[0] == U8X4 || row.src[0] == I4X8 || row.src[0] == U4X8;
  if (dot_of_bytes) require_zero(op_sel, "op_sel");
  in.op_sel = static_cast<uint8_t>(op_sel);
  in.op_sel_hi = static_cast<uint8_t>(dot_of_bytes ? present : op_sel_hi & present);
  in.neg = static_cast<uint8_t>(neg_lo);
  in.neg_hi = static_cast<uint8_t>(neg_hi);
  if (row.has(MIX)) {  // the field is abs
    in.abs = in.neg_hi;
    in.neg_hi = 0;
  }
  in.clamp = bit(w, 15);
}

void decode_packed(Instruction& in, const Row& row, uint32_t w, uint32_t w1) {
  in.dst = vgpr(field(w, 7, 0), row.dst[0]);
  const unsigned codes[3] = {field(w1, 8, 0), field(w1, 17, 9), field(w1, 26, 18)};
  const unsigned count = source_count(row);
  for (unsigned i = 0; i < 3; ++i) {
    if (i < count) in.src[i] = packed_source(codes[i], row.src[i]);
  }
  take_packed_modifiers(in, row, w, w1);
}

// v_accvgpr_read / write: one side is an accumulation register by the opcode; every modifier field is 0.
void decode_accvgpr_move(Instruction& in, const Row& row, uint32_t w, uint32_t w1) {
  const bool read = row.name == "V_ACCVGPR_READ_B32";
  const unsigned src0 = field(w1, 8, 0);
  require_zero(field(w, 13, 8), "modifiers");
  require_zero(field(w1, 31, 29), "modifiers");
  in.dst = vector_register(field(w, 7, 0), B32, 1, !read);
  if (read) {
    if (src0 < kCodeVgpr) refuse("source must be an accumulation register");
    in.src[0] = vector_register(src0 - kCodeVgpr, B32, 1, true);
  } else {
    in.src[0] = packed_source(src0, B32);
  }
}

// A and B of an MFMA: VGPR or AGPR tuples, never constants.
Operand matrix_operand(unsigned code, OperandType type, bool accumulation) {
  if (code < kCodeVgpr) refuse("matrix operands must be vector registers");
  return vector_register(code - kCodeVgpr, type, operand_dwords(type), accumulation);
}

// The scale of A or B: a VGPR or an inline constant that is a float (isa guide 7.2.1).
Operand scale_operand(unsigned code, OperandType type) {
  if (code >= kCodeFloatFirst && code <= kCodeInverseTwoPi) return source(code, type, 0);
  if (code < kCodeVgpr) refuse("a scale must be a VGPR or a float constant");
  return vector_register(code - kCodeVgpr, type, 1, false);
}

// Registers of an f8f6f4 operand by its format code: fp8, bf8, fp6, bf6, fp4.
OperandType f8f6f4_type(unsigned format) {
  constexpr OperandType kTypes[] = {B256, B256, B192, B192, B128};
  if (format > 4) refuse("matrix format " + std::to_string(format) + " is reserved");
  return kTypes[format];
}

void decode_mfma(Instruction& in, const Row& row, uint32_t w, uint32_t w1) {
  const bool sparse = row.has(TIED);
  const bool accumulation = bit(w, 15);
  in.cbsz = static_cast<uint8_t>(field(w, 10, 8));
  in.abid = static_cast<uint8_t>(field(w, 14, 11));
  in.blgp = static_cast<uint8_t>(field(w1, 31, 29));
  OperandType a = row.src[0], b = row.src[1];
  if (row.has(F8F6F4)) {
    a = f8f6f4_type(in.cbsz);
    b = f8f6f4_type(in.blgp);
  }
  in.dst = vector_register(field(w, 7, 0), row.dst[0], operand_dwords(row.dst[0]), accumulation);
  in.src[0] = matrix_operand(field(w1, 8, 0), a, bit(w1, 27));
  in.src[1] = matrix_operand(field(w1, 17, 9), b, bit(w1, 28));
  const unsigned src2 = field(w1, 26, 18);
  if (sparse) {
    require_zero(in.blgp, "blgp");
    in.src[2] = matrix_operand(src2, row.src[2], false);
  } else if (src2 >= kCodeVgpr) {
    in.src[2] = matrix_operand(src2, row.src[2], accumulation);
  } else {
    in.src[2] = packed_source(src2, row.src[2]);
    if (in.src[2].kind != OperandKind::constant)
      refuse("matrix operand C must be a vector register or a constant");
  }
}

// Scales without a matrix instruction; no MFMA of gfx950 uses them outside the 16-byte form.
void decode_load_scale(Instruction& in, const Row& row, uint32_t w, uint32_t w1) {
  require_zero(field(w, 7, 0), "vdst");
  require_zero(bit(w, 10) || bit(w, 13) || bit(w, 15) || bit(w1, 31), "modifiers");
  in.src[0] = packed_source(field(w1, 8, 0), row.src[0]);
  in.src[1] = packed_source(field(w1, 17, 9), row.src[1]);
  in.op_sel = static_cast<uint8_t>(field(w, 12, 11));
  in.op_sel_hi = static_cast<uint8_t>(field(w1, 28, 27));
}

}  // namespace

void decode_vop3p(Instruction& in, const Cursor& code) {
  const uint32_t w = in.dwords[0];
  const uint32_t w1 = in.dwords[1] = code.word(1);
  in.size = 8;
  const unsigned opcode = field(w, 22, 16);
  in.format = Format::vop3p;
  in.row = row_of_opcode(Format::vop3p, opcode);
  if (in.row != kNoRow) return decode_packed(in, rows()[in.row], w, w1);
  in.format = Format::mai;
  in.row = row_of_opcode(Format::mai, opcode);
  if (in.row == kNoRow) refuse("no such opcode");
  const Row& row = rows()[in.row];
  if (row.name.starts_with("V_ACCVGPR")) return decode_accvgpr_move(in, row, w, w1);
  if (row.dst[0] == NONE) return decode_load_scale(in, row, w, w1);
  decode_mfma(in, row, w, w1);
  if (row.has(F8F6F4)) require_zero(in.abid, "abid");
}

// The prefix of a scaled MFMA is the encoding of v_mfma_ld_scale_b32; what follows tells them apart.
bool is_scaled_mfma(const Cursor& code) {
  if (!code.has(3)) return false;
  const uint32_t mfma = code.word(2);
  return field(mfma, 31, 23) == 0b110100111 && row_of_opcode(Format::vop3px, field(mfma, 22, 16)) != kNoRow &&
         field(mfma, 14, 11) == 1;
}

// dword 0: byte select low bits of scale A (11) and B (12); dword 1: scale sources, byte select high bits
// (59, 60); dwords 2, 3: the MFMA, with ABID = 1.
void decode_vop3px(Instruction& in, const Cursor& code) {
  if (!is_scaled_mfma(code)) return decode_vop3p(in, code);
  const uint32_t w = in.dwords[0];
  for (unsigned i = 1; i < 4; ++i) in.dwords[i] = code.word(i);
  const uint32_t w1 = in.dwords[1], mfma = in.dwords[2];
  in.size = 16;
  in.format = Format::vop3px;
  in.row = row_of_opcode(Format::vop3px, field(mfma, 22, 16));
  const Row& row = rows()[in.row];
  decode_mfma(in, row, mfma, in.dwords[3]);
  in.abid = 0;
  in.src[3] = scale_operand(field(w1, 8, 0), row.src[3]);
  in.src[4] = scale_operand(field(w1, 17, 9), row.src[4]);
  in.op_sel = static_cast<uint8_t>(field(w, 12, 11));
  in.op_sel_hi = static_cast<uint8_t>(field(w1, 28, 27));
}

}  // namespace wavetwin::isa
