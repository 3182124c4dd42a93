// SPDX-License-Identifier: MIT
#include "sim/isa/exec_valu_result.h"

#include "common/bits.h"
#include "sim/isa/exec_valu_source.h"
#include "sim/isa/scalar_operand.h"
#include "sim/numerics/arithmetic.h"

namespace wavetwin::isa {
namespace {

uint32_t modify_f16(uint32_t x, const Instruction& in, const Mode& mode) {
  uint16_t r = soft::apply_omod<F16Layout>(static_cast<uint16_t>(x), in.omod, mode.f16());
  if (in.clamp) r = soft::clamp_result<F16Layout>(r, mode.dx10_clamp);
  return r;
}
uint32_t modify_f32(uint32_t x, const Instruction& in, const Mode& mode) {
  const uint32_t r = soft::apply_omod<F32Layout>(x, in.omod, mode.f32());
  return in.clamp ? soft::clamp_result<F32Layout>(r, mode.dx10_clamp) : r;
}
uint64_t modify_f64(uint64_t x, const Instruction& in, const Mode& mode) {
  const uint64_t r = soft::apply_omod<F64Layout>(x, in.omod, mode.f64());
  return in.clamp ? soft::clamp_result<F64Layout>(r, mode.dx10_clamp) : r;
}

// SDWA: the result's low bits go to one byte or half; the rest is zero, a sign fill, or kept.
uint32_t place_selected(uint32_t result, uint32_t old, Select select, DstUnused unused) {
  if (select == Select::dword) return result;
  const unsigned width = select >= Select::word0 ? 16 : 8;
  const unsigned shift = width == 8 ? 8 * static_cast<unsigned>(select) : 16 * (select == Select::word1);
  const uint32_t field = result & low_mask<uint32_t>(width);
  if (unused == DstUnused::preserve) return insert_bits<uint32_t>(old, shift, width, field);
  const uint32_t extended =
      unused == DstUnused::sext ? static_cast<uint32_t>(sign_extend(field, width)) : field;
  return extended << shift;
}

}  // namespace

void apply_output_modifiers(uint32_t* words, OperandType type, const Instruction& in, const Mode& mode) {
  if ((in.omod == 0 && !in.clamp) || !is_float(type)) return;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    uint32_t& low = words[lane];
    uint32_t& high = words[kLanes + lane];
    if (type == F16) {
      low = modify_f16(low, in, mode);
    } else if (type == F16X2) {
      low = modify_f16(low & 0xffff, in, mode) | modify_f16(low >> 16, in, mode) << 16;
    } else if (type == F32 || type == F32X2) {
      low = modify_f32(low, in, mode);
      if (type == F32X2) high = modify_f32(high, in, mode);
    } else if (type == F64) {
      const uint64_t r = modify_f64(low | uint64_t{high} << 32, in, mode);
      low = static_cast<uint32_t>(r);
      high = static_cast<uint32_t>(r >> 32);
    }
  }
}

HalfRule half_rule(const Instruction& in, const Row& row) {
  if (!is_half(row.dst[0])) return HalfRule::whole;
  if (in.row == static_cast<uint16_t>(RowId::V_MAD_MIXHI_F16)) return HalfRule::high;
  if (row.format == Format::vop3p) return HalfRule::low;
  if (!row.has(OPSEL)) return HalfRule::whole;
  return in.op_sel & 8 ? HalfRule::high : HalfRule::low;
}

void blend_lanes(uint32_t* destination, const uint32_t* result, uint64_t mask) {
  alignas(64) uint32_t enabled[kLanes];
  expand_mask(enabled, mask);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    destination[lane] = enabled[lane] ? result[lane] : destination[lane];
}

void merge_register(uint32_t* destination, const uint32_t* result, uint64_t mask, const Instruction& in,
                    HalfRule half) {
  if (in.form != Form::sdwa && half == HalfRule::whole) return blend_lanes(destination, result, mask);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    uint32_t value = result[lane];
    const uint32_t old = destination[lane];
    if (in.form == Form::sdwa) value = place_selected(value, old, in.dst_sel, in.dst_unused);
    if (half == HalfRule::low) value = (old & 0xffff0000u) | (value & 0xffffu);
    if (half == HalfRule::high) value = (old & 0xffffu) | value << 16;
    destination[lane] = mask >> lane & 1 ? value : old;
  }
}

void write_lane_mask(WaveState& wave, const Operand& operand, uint64_t mask) {
  if (operand.kind == OperandKind::none) {
    wave.set_vcc(mask);
  } else {
    write_scalar64(wave, operand, mask);
  }
}

}  // namespace wavetwin::isa
