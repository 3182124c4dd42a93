// SPDX-License-Identifier: MIT
#include "sim/isa/exec_valu_source.h"

#include <cstring>

#include "common/bits.h"
#include "sim/isa/environment.h"
#include "sim/isa/scalar_operand.h"
#include "sim/numerics/convert.h"

namespace wavetwin::isa {
namespace {

// A scalar or constant in every lane. Packed f32 pairs replicate a constant (AMD's emulator).
void broadcast_scalar(const WaveState& wave, const Operand& operand, OperandType type, unsigned dwords,
                      uint32_t* out) {
  uint64_t value = dwords >= 2 ? read_scalar64(wave, operand) : read_scalar32(wave, operand);
  if (is_packed_32(type) && operand.kind == OperandKind::constant) {
    value = static_cast<uint32_t>(value) | value << 32;
  }
  broadcast(out, static_cast<uint32_t>(value));
  if (dwords >= 2) broadcast(out + kLanes, static_cast<uint32_t>(value >> 32));
  for (unsigned r = 2; r < dwords; ++r) broadcast(out + r * kLanes, 0);
}

// Registers of a source in place, or copied into `buffer` when they are scalar or leave the allocation.
const uint32_t* raw_source(const WaveState& wave, const Operand& operand, OperandType type, unsigned dwords,
                           uint32_t* buffer) {
  const bool agpr = operand.kind == OperandKind::agpr;
  if (!agpr && operand.kind != OperandKind::vgpr) {
    broadcast_scalar(wave, operand, type, dwords, buffer);
    return buffer;
  }
  const auto at = [&](unsigned r) { return agpr ? wave.agpr_source(r) : wave.vgpr_source(r); };
  if (dwords == 1 || operand.index + dwords <= (agpr ? wave.agpr_count : wave.vgpr_count))
    return at(operand.index);
  for (unsigned r = 0; r < dwords; ++r) std::memcpy(buffer + r * kLanes, at(operand.index + r), kLanes * 4);
  return buffer;
}

// --- source modifiers, in place on a buffer

void apply_select(uint32_t* words, Select select, bool sign_extended) {
  const unsigned width = select == Select::dword ? 32 : select >= Select::word0 ? 16 : 8;
  if (width == 32) return;
  const unsigned shift = width == 8 ? 8 * static_cast<unsigned>(select) : 16 * (select == Select::word1);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint32_t field = words[lane] >> shift & low_mask<uint32_t>(width);
    words[lane] = sign_extended ? static_cast<uint32_t>(sign_extend(field, width)) : field;
  }
}

// VOP3P: which half (or dword of a pair) feeds the low and the high result, and their signs.
void apply_packed(uint32_t* words, const Instruction& in, unsigned i, OperandType type) {
  const bool low_from_high = in.op_sel >> i & 1, high_from_high = in.op_sel_hi >> i & 1;
  const bool signs = is_float(type) && row_of(in).has(MOD0 << i);
  const bool neg_low = signs && (in.neg >> i & 1), neg_high = signs && (in.neg_hi >> i & 1);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (is_packed_32(type)) {
      const uint32_t low = words[lane + low_from_high * kLanes], high = words[lane + high_from_high * kLanes];
      words[lane] = low ^ (neg_low ? 0x80000000u : 0u);
      words[kLanes + lane] = high ^ (neg_high ? 0x80000000u : 0u);
    } else if (is_packed_16(type)) {
      const uint32_t low = words[lane] >> (16 * low_from_high) & 0xffff,
                     high = words[lane] >> (16 * high_from_high) & 0xffff;
      words[lane] = (low | high << 16) ^ (neg_low ? 0x8000u : 0u) ^ (neg_high ? 0x80000000u : 0u);
    } else if (neg_low) {
      words[lane] ^= 0x80000000u;
    }
  }
}

// v_mad_mix: op_sel_hi chooses f16, op_sel its half; the field of neg_hi is abs. source: guide,
// V_MAD_MIX_F32.
void apply_mix(uint32_t* words, const Instruction& in, unsigned i, const Mode& mode) {
  const bool half = in.op_sel_hi >> i & 1;
  const unsigned shift = in.op_sel >> i & 1 ? 16 : 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    uint32_t x = words[lane];
    if (half) x = mix_source_to_f32(static_cast<uint16_t>(x >> shift), mode);
    if (in.abs >> i & 1) x &= 0x7fffffff;
    if (in.neg >> i & 1) x ^= 0x80000000;
    words[lane] = x;
  }
}

// The half of a 16-bit source that op_sel names, for rows with op_sel.
bool takes_high_half(const Instruction& in, const Row& row, unsigned i) {
  return row.has(OPSEL) && is_half(row.src[i]) && (in.op_sel >> i & 1);
}

// Sign bits of an element type, by register.
uint32_t sign_bits(OperandType type, unsigned dword) {
  if (is_half(type)) return 0x8000;
  if (is_packed_16(type)) return 0x80008000;
  if (type == F64 || type == B64) return dword == 1 ? 0x80000000 : 0;
  return 0x80000000;
}

}  // namespace

void copy_abs_neg(uint32_t* out, const uint32_t* words, OperandType type, unsigned dwords, bool abs, bool neg,
                  bool neg_hi_by_abs) {
  for (unsigned r = 0; r < dwords; ++r) {
    const uint32_t sign = sign_bits(type, r);
    uint32_t keep = abs ? ~sign : ~0u, flip = neg ? sign : 0u;
    if (neg_hi_by_abs) {
      keep = ~0u;
      flip = (neg ? 0x8000u : 0u) | (abs ? 0x80000000u : 0u);
    }
#pragma GCC ivdep
    for (unsigned lane = r * kLanes; lane < (r + 1) * kLanes; ++lane) out[lane] = (words[lane] & keep) ^ flip;
  }
}

const uint32_t* fetch_source(const WaveState& wave, const Instruction& in, const Row& row, unsigned i,
                             const DppLanes* dpp, uint32_t* buffer) {
  const OperandType type = row.src[i];
  if (type == NONE) return buffer;
  if (type == LANES) {
    const bool implicit = in.src[i].kind == OperandKind::none;
    expand_mask(buffer, implicit ? wave.vcc() : read_scalar64(wave, in.src[i]));
    return buffer;
  }
  const unsigned dwords = operand_dwords(type);
  const uint32_t* base = raw_source(wave, in.src[i], type, dwords, buffer);
  const bool packed = row.format == Format::vop3p;
  const bool permuted = dpp != nullptr && i == 0;
  const bool selected = in.form == Form::sdwa && i < 2 && in.src_sel[i] != Select::dword;
  const bool abs = !packed && row.has(MOD0 << i) && (in.abs >> i & 1);
  const bool neg = !packed && row.has(MOD0 << i) && (in.neg >> i & 1);
  const bool high = takes_high_half(in, row, i);
  if (!packed && !permuted && !selected && !abs && !neg && !high) return base;

  if (permuted) {
    alignas(64) uint32_t moved[2 * kLanes];
    for (unsigned r = 0; r < dwords; ++r) gather_lanes(*dpp, base + r * kLanes, moved + r * kLanes);
    std::memcpy(buffer, moved, dwords * kLanes * 4);
  } else if (base != buffer) {
    std::memcpy(buffer, base, dwords * kLanes * 4);
  }
  if (selected) apply_select(buffer, in.src_sel[i], in.src_sext >> i & 1);
  if (high) {
    for (unsigned lane = 0; lane < kLanes; ++lane) buffer[lane] >>= 16;
  }
  if (abs || neg)
    copy_abs_neg(buffer, buffer, type, dwords, abs, neg, abs_is_neg_hi(row, *numeric_model_of(wave)));
  if (packed && row.has(MIX)) {
    apply_mix(buffer, in, i, Mode::from_register(wave.mode.bits, numeric_model_of(wave)));
  } else if (packed) {
    apply_packed(buffer, in, i, type);
  }
  return buffer;
}

}  // namespace wavetwin::isa
