// SPDX-License-Identifier: MIT
// The SDWA (isa guide 13.3.7, 13.3.8) and DPP (13.3.9) dwords.
#include "common/lane_map.h"
#include "sim/isa/decode_fields.h"

namespace wavetwin::isa {
namespace {

constexpr unsigned kReservedSelect = 7;

Select take_select(uint32_t value) {
  if (value == kReservedSelect) refuse("SDWA select 7 is reserved");
  return static_cast<Select>(value);
}

// An SDWA source: a VGPR, or with the S bit a scalar register or inline constant.
Operand sdwa_source(uint32_t index, bool scalar, OperandType type) {
  if (!scalar) return vgpr(index, type);
  if (index == kCodeLiteral || index == kCodeSdwa || index == kCodeDpp) refuse("SDWA takes no literal");
  return source(index, type, 0);
}

// sext belongs to integer sources, neg and abs to floating-point ones.
void take_sdwa_modifiers(Instruction& in, const Row& row, unsigned i, bool sext, bool neg, bool abs) {
  if (row.has(MOD0 << i)) {
    require_zero(sext, "sext");
    // Packed sources have the modifier bits without a meaning.
    if (row.src[i] == F16X2) return;
    if (neg) in.neg |= static_cast<uint8_t>(1u << i);
    if (abs) in.abs |= static_cast<uint8_t>(1u << i);
  } else {
    require_zero(neg | abs, "abs / neg");
    if (sext) in.src_sext |= static_cast<uint8_t>(1u << i);
  }
}

void take_sdwa_destination(Instruction& in, const Row& row, uint32_t control) {
  in.clamp = bit(control, 13);
  in.omod = static_cast<uint8_t>(field(control, 15, 14));
  if (!is_float(row.dst[0])) require_zero(in.omod, "omod");
  const uint32_t dst_sel = field(control, 10, 8), unused = field(control, 12, 11);
  if (row.has(NO_DST_SEL)) {
    if (dst_sel != static_cast<uint32_t>(Select::dword)) refuse("dst_sel must be DWORD");
    return;
  }
  in.dst_sel = take_select(dst_sel);
  if (unused == 3) refuse("SDWA dst_unused 3 is reserved");
  in.dst_unused = static_cast<DstUnused>(unused);
}

void take_sdwa_compare_destination(Instruction& in, uint32_t control) {
  if (bit(control, 15)) in.dst = scalar_destination(field(control, 14, 8), LANES);
}

}  // namespace

void decode_sdwa(Instruction& in, const Row& row, uint32_t vsrc1, uint32_t control) {
  if (!row.has(SDWA)) refuse("the instruction has no SDWA form");
  in.form = Form::sdwa;
  in.dwords[1] = control;
  if (row.format == Format::vopc) {
    take_sdwa_compare_destination(in, control);
  } else if (row.dst[0] != NONE) {
    take_sdwa_destination(in, row, control);
  }
  if (row.src[0] == NONE) return;
  in.src[0] = sdwa_source(field(control, 7, 0), bit(control, 23), row.src[0]);
  in.src_sel[0] = take_select(field(control, 18, 16));
  take_sdwa_modifiers(in, row, 0, bit(control, 19), bit(control, 20), bit(control, 21));
  if (row.src[1] == NONE) return require_zero(field(control, 31, 24), "src1 selects");
  in.src[1] = sdwa_source(vsrc1, bit(control, 31), row.src[1]);
  in.src_sel[1] = take_select(field(control, 26, 24));
  take_sdwa_modifiers(in, row, 1, bit(control, 27), bit(control, 28), bit(control, 29));
}

void decode_dpp(Instruction& in, const Row& row, uint32_t vsrc1, uint32_t control) {
  if (!row.has(DPP)) refuse("the instruction has no DPP form");
  in.form = Form::dpp;
  in.dwords[1] = control;
  in.dpp_ctrl = static_cast<uint16_t>(field(control, 16, 8));
  in.bound_ctrl = bit(control, 19);
  in.bank_mask = static_cast<uint8_t>(field(control, 27, 24));
  in.row_mask = static_cast<uint8_t>(field(control, 31, 28));
  if (!dpp_is_valid(in.dpp_ctrl)) refuse("reserved DPP control");
  if (row.src[0] == NONE) {
    if (field(control, 23, 20) != 0) refuse("DPP modifiers without a source");
    return;
  }
  const bool wide =
      operand_dwords(row.src[0]) == 2 || (operand_dwords(row.dst[0]) == 2 && row.dst[0] != LANES);
  if (wide && !is_row_newbcast(in.dpp_ctrl)) {
    refuse("64-bit DPP takes row_newbcast only");
  }
  in.src[0] = vgpr(field(control, 7, 0), row.src[0]);
  if (row.src[1] != NONE) in.src[1] = vgpr(vsrc1, row.src[1]);
  const uint32_t neg = bit(control, 20) | bit(control, 22) << 1;
  const uint32_t abs = bit(control, 21) | bit(control, 23) << 1;
  for (unsigned i = 0; i < 2; ++i) {
    const bool modifier = row.has(MOD0 << i);
    if (!modifier && !row.has(FREE0 << i)) require_zero(bit(abs, i) || bit(neg, i), "abs / neg");
    if (modifier) {
      in.neg |= static_cast<uint8_t>(neg & (1u << i));
      in.abs |= static_cast<uint8_t>(abs & (1u << i));
    }
  }
}

}  // namespace wavetwin::isa
