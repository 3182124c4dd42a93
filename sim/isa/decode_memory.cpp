// SPDX-License-Identifier: MIT
// DS (isa guide 13.4), MUBUF and MTBUF (13.5), FLAT / GLOBAL / SCRATCH (13.6).
#include "sim/isa/decode_fields.h"

namespace wavetwin::isa {
namespace {

const Row& take_row(Instruction& in, const Cursor& code, Format format, unsigned opcode) {
  in.format = format;
  in.row = row_of_opcode(format, opcode);
  if (in.row == kNoRow) refuse("no such opcode");
  in.dwords[1] = code.word(1);
  in.size = 8;
  return rows()[in.row];
}

// A data or result register: VGPRs, or AGPRs when the acc bit is set.
Operand data_register(unsigned index, OperandType type, bool accumulation) {
  return vector_register(index, type, operand_dwords(type), accumulation);
}

}  // namespace

void decode_ds(Instruction& in, const Cursor& code) {
  const uint32_t w = in.dwords[0];
  const Row& row = take_row(in, code, Format::ds, field(w, 24, 17));
  const uint32_t w1 = in.dwords[1];
  const bool accumulation = bit(w, 25);
  in.gds = row.has(GDS_ONLY) && bit(w, 16);  // there is no global data share: the bit means nothing elsewhere
  if (row.has(TWO_OFFSETS)) {
    in.offset = static_cast<int32_t>(field(w, 7, 0));
    in.offset1 = static_cast<uint8_t>(field(w, 15, 8));
  } else {
    in.offset = static_cast<int32_t>(field(w, 15, 0));
  }
  const bool no_operands = row.src[0] == NONE && row.src[1] == NONE && row.dst[0] == NONE;
  const bool is_gws = row.has(GDS_ONLY);
  const bool no_memory =
      row.name == "DS_NOP" || row.name == "DS_PERMUTE_B32" || row.name == "DS_BPERMUTE_B32";
  if (no_operands) require_zero((is_gws ? 0 : field(w, 15, 0)) | accumulation, "offset, acc");
  if (no_memory) require_zero(bit(w, 16), "gds");
  if (is_gws && !in.gds) refuse("global wave sync instructions need the gds bit");

  const unsigned fields[3] = {field(w1, 7, 0), field(w1, 15, 8), field(w1, 23, 16)};
  for (unsigned i = 0; i < 3; ++i) {
    if (row.src[i] == NONE) {
      require_zero(fields[i], "unused address or data");
    } else if (row.src[i] == ADDR) {
      in.src[i] = vector_register(fields[i], ADDR, 1, false);
    } else {
      in.src[i] = data_register(fields[i], row.src[i], accumulation);
    }
  }
  if (row.dst[0] == NONE) return require_zero(field(w1, 31, 24), "vdst");
  in.dst = data_register(field(w1, 31, 24), row.dst[0], accumulation);
}

namespace {

constexpr unsigned kNoSaddr = 0x7f;

// Address operands by segment: FLAT a 64-bit VGPR pair; GLOBAL the same, or a 32-bit offset with an SGPR
// base; SCRATCH a 32-bit VGPR if the sve bit is set, an SGPR if saddr names one.
void take_flat_address(Instruction& in, uint32_t w, uint32_t w1) {
  const unsigned vaddr = field(w1, 7, 0), saddr = field(w1, 22, 16);
  const bool has_saddr = saddr != kNoSaddr;
  switch (in.segment) {
    case Segment::flat:
      require_zero(saddr, "saddr");
      in.src[0] = vector_register(vaddr, ADDR, 2, false);
      break;
    case Segment::global:
      in.src[0] = vector_register(vaddr, ADDR, has_saddr ? 1 : 2, false);
      if (saddr == kCodeExec) refuse("saddr cannot be EXEC");
      if (has_saddr) in.src[2] = scalar_register(saddr, B64, 2);
      break;
    case Segment::scratch:
      if (bit(w, 13)) in.src[0] = vector_register(vaddr, ADDR, 1, false);
      if (has_saddr) in.src[2] = scalar_register(saddr, B32, 1);
      break;
  }
}

// 13-bit signed; FLAT proper has the 12 low bits, unsigned.
int32_t flat_offset(Segment segment, uint32_t w) {
  if (segment == Segment::flat) {
    require_zero(bit(w, 12), "offset bit 12");
    return static_cast<int32_t>(field(w, 11, 0));
  }
  return static_cast<int32_t>(w << 19) >> 19;
}

}  // namespace

void decode_flat(Instruction& in, const Cursor& code) {
  const uint32_t w = in.dwords[0];
  const Row& row = take_row(in, code, Format::flat, field(w, 24, 18));
  const uint32_t w1 = in.dwords[1];
  const unsigned segment = field(w, 15, 14);
  constexpr uint32_t kSegmentTrait[] = {SEG_FLAT, SEG_SCRATCH, SEG_GLOBAL};
  if (segment == 3 || !row.has(kSegmentTrait[segment])) refuse("no such opcode in this segment");
  in.segment = static_cast<Segment>(segment);
  in.offset = flat_offset(in.segment, w);
  if (in.segment != Segment::scratch) require_zero(bit(w, 13), "sve");
  in.sc0 = bit(w, 16);
  in.nt = bit(w, 17);
  in.sc1 = bit(w, 25);
  in.lds = row.has(LDS_DMA);
  take_flat_address(in, w, w1);

  const bool accumulation = bit(w1, 23);
  if (in.lds) require_zero(accumulation, "acc");
  const unsigned data = field(w1, 15, 8), vdst = field(w1, 31, 24);
  if (row.src[1] != NONE) in.src[1] = data_register(data, row.src[1], accumulation);
  const bool returns = row.dst[0] != NONE && (!row.has(RETURNS) || in.sc0);
  if (returns) in.dst = data_register(vdst, row.dst[0], accumulation);
}

namespace {

// vaddr (none, offset, index, or both), resource, soffset: common to MUBUF and MTBUF.
void take_buffer_address(Instruction& in, uint32_t w, uint32_t w1) {
  in.offset = static_cast<int32_t>(field(w, 11, 0));
  in.offen = bit(w, 12);
  in.idxen = bit(w, 13);
  const unsigned vaddr = field(w1, 7, 0);
  if (in.offen && in.idxen) {
    in.src[0] = vector_register(vaddr, ADDR, 2, false);  // index, offset
  } else if (in.offen || in.idxen) {
    in.src[0] = vector_register(vaddr, ADDR, 1, false);
  }
  in.src[2] = scalar_register(field(w1, 20, 16) * 4, RSRC, 4);
  const unsigned soffset = field(w1, 31, 24);
  if (soffset == kCodeLiteral || soffset == kCodeLdsDirect)
    refuse("soffset must be a register or inline constant");
  in.src[3] = source(soffset, B32, 0);
}

// vdata: the result of loads, the source of stores, both for returning atomics, absent for loads to LDS.
void take_buffer_data(Instruction& in, const Row& row, uint32_t w1) {
  const unsigned vdata = field(w1, 15, 8);
  const bool accumulation = bit(w1, 23);
  if (row.src[1] != NONE) in.src[1] = data_register(vdata, row.src[1], accumulation);
  const bool returns = row.dst[0] != NONE && (!row.has(RETURNS) || in.sc0);
  if (in.lds) {
    require_zero(accumulation, "acc");
  } else if (returns) {
    in.dst = data_register(vdata, row.dst[0], accumulation);
  }
}

}  // namespace

void decode_mubuf(Instruction& in, const Cursor& code) {
  const uint32_t w = in.dwords[0];
  const Row& row = take_row(in, code, Format::mubuf, field(w, 24, 18));
  const uint32_t w1 = in.dwords[1];
  in.sc0 = bit(w, 14);
  in.sc1 = bit(w, 15);
  in.nt = bit(w, 17);
  if (row.src[0] == NONE) {  // buffer_wbl2, buffer_inv
    require_zero(field(w, 13, 12) | bit(w, 16) | bit(w, 25), "idxen, offen, lds, reserved");
    require_zero(bit(w1, 23), "acc");
    return;
  }
  in.lds = bit(w, 16);
  if (in.lds && !row.has(LDS_DMA)) refuse("the instruction cannot write LDS");
  take_buffer_address(in, w, w1);
  take_buffer_data(in, row, w1);
}

void decode_mtbuf(Instruction& in, const Cursor& code) {
  const uint32_t w = in.dwords[0];
  const Row& row = take_row(in, code, Format::mtbuf, field(w, 18, 15));
  const uint32_t w1 = in.dwords[1];
  in.sc0 = bit(w, 14);
  in.sc1 = bit(w1, 21);
  in.nt = bit(w1, 22);
  in.dfmt = static_cast<uint8_t>(field(w, 22, 19));
  in.nfmt = static_cast<uint8_t>(field(w, 25, 23));
  take_buffer_address(in, w, w1);
  take_buffer_data(in, row, w1);
}

}  // namespace wavetwin::isa
