// SPDX-License-Identifier: MIT
// SOP1, SOP2, SOPC, SOPK, SOPP (isa guide 13.1) and SMEM (13.2).
#include "sim/isa/decode_fields.h"

namespace wavetwin::isa {
namespace {

const Row& take_row(Instruction& in, Format format, unsigned opcode) {
  in.format = format;
  in.row = row_of_opcode(format, opcode);
  if (in.row == kNoRow) refuse("no such opcode");
  in.size = 4;
  return rows()[in.row];
}

Operand immediate(OperandType type, uint64_t value) {
  Operand out;
  out.kind = OperandKind::constant;
  out.type = type;
  out.index = kCodeLiteral;
  out.value = value;
  return out;
}

// An 8-bit source field, with the literal dword when the code asks for it.
Operand scalar_source(Instruction& in, const Cursor& code, unsigned field_value, OperandType type) {
  if (field_value == kCodeLdsDirect) refuse("scalar instructions cannot read LDS");
  if (field_value != kCodeLiteral) return source(field_value, type, 0);
  in.size = 8;
  return source(field_value, type, code.word(1));
}

void decode_sop2(Instruction& in, const Cursor& code) {
  const uint32_t w = in.dwords[0];
  const Row& row = take_row(in, Format::sop2, field(w, 29, 23));
  if (row.dst[0] != NONE) in.dst = scalar_destination(field(w, 22, 16), row.dst[0]);
  in.src[0] = scalar_source(in, code, field(w, 7, 0), row.src[0]);
  in.src[1] = scalar_source(in, code, field(w, 15, 8), row.src[1]);
}

void decode_sop1(Instruction& in, const Cursor& code) {
  const uint32_t w = in.dwords[0];
  const Row& row = take_row(in, Format::sop1, field(w, 15, 8));
  if (row.dst[0] != NONE) in.dst = scalar_destination(field(w, 22, 16), row.dst[0]);
  if (row.src[0] == NONE) return;
  const unsigned ssrc0 = field(w, 7, 0);
  // The source is a register number plus M0, or an address: a constant makes no sense.
  const bool register_only = row.name.starts_with("S_MOVRELS") || row.name == "S_SETPC_B64" ||
                             row.name == "S_RFE_B64" || row.name == "S_CBRANCH_JOIN";
  if (register_only && ssrc0 >= kCodeIntegerZero) refuse("the source must be a scalar register");
  in.src[0] = scalar_source(in, code, ssrc0, row.src[0]);
}

void decode_sopc(Instruction& in, const Cursor& code) {
  const uint32_t w = in.dwords[0];
  const Row& row = take_row(in, Format::sopc, field(w, 22, 16));
  in.src[0] = scalar_source(in, code, field(w, 7, 0), row.src[0]);
  if (row.src[1] == GPRIDX) {
    in.simm16 = static_cast<uint16_t>(field(w, 15, 8));
  } else {
    in.src[1] = scalar_source(in, code, field(w, 15, 8), row.src[1]);
  }
}

void decode_sopk(Instruction& in, const Cursor& code) {
  const uint32_t w = in.dwords[0];
  const Row& row = take_row(in, Format::sopk, field(w, 27, 23));
  in.simm16 = static_cast<uint16_t>(field(w, 15, 0));
  const unsigned sdst = field(w, 22, 16);
  if (row.dst[0] != NONE) in.dst = scalar_destination(sdst, row.dst[0]);
  for (unsigned i = 0; i < in.src.size(); ++i) {
    const OperandType type = row.src[i];
    if (type == SIMM16) {
      in.src[i] = immediate(type, static_cast<uint32_t>(static_cast<int16_t>(in.simm16)));
    } else if (type == UIMM16) {
      in.src[i] = immediate(type, in.simm16);
    } else if (type == IMM32) {
      in.size = 8;
      in.src[i] = immediate(type, code.word(1));
    } else if (operand_dwords(type) != 0) {
      in.src[i] = scalar_destination(sdst, type);  // the field is a source here
    }
  }
}

void decode_sopp(Instruction& in) {
  const Row& row = take_row(in, Format::sopp, field(in.dwords[0], 22, 16));
  in.simm16 = static_cast<uint16_t>(field(in.dwords[0], 15, 0));
  if (row.src[0] == NONE) require_zero(in.simm16, "simm16");
  if (row.src[0] == UIMM16) in.src[0] = immediate(UIMM16, in.simm16);
}

// The data of a scalar memory instruction. A tuple may run past its registers: the instruction is one, and
// says what happens then (isa guide 8.4).
Operand scalar_data(unsigned code, OperandType type) {
  const unsigned dwords = operand_dwords(type);
  Operand data = scalar_register(code, type, 1);
  require_scalar_alignment(code, dwords);
  data.dwords = static_cast<uint8_t>(dwords);
  return data;
}

}  // namespace

void decode_sop(Instruction& in, const Cursor& code) {
  const uint32_t w = in.dwords[0];
  switch (field(w, 31, 23)) {
    case 0b101111101:
      return decode_sop1(in, code);
    case 0b101111110:
      return decode_sopc(in, code);
    case 0b101111111:
      return decode_sopp(in);
    default:
      break;
  }
  if (field(w, 31, 28) == 0b1011) return decode_sopk(in, code);
  decode_sop2(in, code);
}

// SMEM: sbase counts pairs; imm and soffset_en choose the offset: a 21-bit signed immediate, an SGPR, or
// both.
void decode_smem(Instruction& in, const Cursor& code) {
  const uint32_t w = in.dwords[0];
  const uint32_t w1 = in.dwords[1] = code.word(1);
  const Row& row = take_row(in, Format::smem, field(w, 25, 18));
  in.size = 8;
  in.sc0 = bit(w, 16);
  const bool immediate_offset = bit(w, 17);
  const bool register_offset = bit(w, 14);
  const unsigned sdata = field(w, 12, 6);

  const OperandType base = row.src[0];
  if (base == NONE) {
    require_zero(immediate_offset, "imm");
    in.sc0 = false;
  } else {
    in.src[0] = scalar_register(field(w, 5, 0) * 2, base, operand_dwords(base));
    in.imm_offset = immediate_offset;
    if (immediate_offset) in.offset = static_cast<int32_t>(w1 << 11) >> 11;
    if (register_offset) in.src[2] = source(field(w1, 31, 25), B32, 0);
    if (!immediate_offset && !register_offset) in.src[2] = source(field(w1, 6, 0), B32, 0);
  }
  const bool has_data = row.dst[0] != NONE || (row.src[1] != NONE && row.src[1] != SIMM16);
  if (!has_data) in.sc0 = false;
  if (has_data && sdata >= kCodeM0) refuse("the data of a scalar memory instruction cannot be M0 or EXEC");
  if (row.src[1] == SIMM16) {
    in.simm16 = static_cast<uint16_t>(sdata);
  } else if (row.src[1] != NONE) {
    in.src[1] = scalar_data(sdata, row.src[1]);
    if (row.has(RETURNS) && in.sc0) in.dst = scalar_data(in.src[1].index, row.dst[0]);
  } else if (row.dst[0] != NONE) {
    in.dst = scalar_data(sdata, row.dst[0]);
  }
}

}  // namespace wavetwin::isa
