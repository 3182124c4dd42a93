// SPDX-License-Identifier: MIT
// Vector operand fetch: registers, scalars, constants and lane masks as arrays of 64 lanes, with the source
// modifiers of every encoding applied.
#pragma once

#include <cstdint>

#include "sim/isa/exec_dpp.h"
#include "sim/isa/rows.h"
#include "sim/isa/wave_state.h"
#include "sim/numerics/numeric_model.h"

namespace wavetwin::isa {

inline constexpr unsigned kMaxOperandDwords = 32;

inline void broadcast(uint32_t* out, uint32_t value) {
  for (unsigned lane = 0; lane < kLanes; ++lane) out[lane] = value;
}

// A lane mask as one dword a lane.
inline void expand_mask(uint32_t* out, uint64_t mask) {
  const uint32_t low = static_cast<uint32_t>(mask), high = static_cast<uint32_t>(mask >> 32);
  for (unsigned lane = 0; lane < 32; ++lane) out[lane] = low >> lane & 1;
  for (unsigned lane = 0; lane < 32; ++lane) out[32 + lane] = high >> lane & 1;
}

inline bool is_packed_32(OperandType type) { return type == F32X2 || type == B32X2; }
inline bool is_packed_16(OperandType type) {
  return type == F16X2 || type == BF16X2 || type == U16X2 || type == I16X2 || type == B16X2;
}
inline bool is_half(OperandType type) {
  return type == B16 || type == U16 || type == I16 || type == F16 || type == BF16;
}

// Whether the row's sources have no absolute value: neg changes the sign of the low half, abs that of the
// high one. source: guide 12.7, V_DOT2C_F32_BF16, "ABS[1:0] are used as NEG_HI[1:0]"; that DPP's abs is used
// so too is an assumption. Of v_dot2c_f32_f16 the guide does not say it: option dot2c_abs.
inline bool abs_is_neg_hi(const Row& row, const NumericModel& model) {
  return row.has(ABS_NEG_HI) && (row.src[0] == BF16X2 || model.dot2c_abs_is_neg_hi);
}

// abs, then neg, on the sign bits of every element; `out` may be `words`.
void copy_abs_neg(uint32_t* out, const uint32_t* words, OperandType type, unsigned dwords, bool abs, bool neg,
                  bool neg_hi_by_abs);

// Source `i` as the row sees it: its registers in place, or a copy in `buffer` (kMaxOperandDwords * 64
// dwords) when it is scalar or modified. `dpp` permutes source 0; null without DPP.
const uint32_t* fetch_source(const WaveState& wave, const Instruction& in, const Row& row, unsigned i,
                             const DppLanes* dpp, uint32_t* buffer);

}  // namespace wavetwin::isa
