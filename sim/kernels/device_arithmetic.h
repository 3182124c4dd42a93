// SPDX-License-Identifier: MIT
// Arithmetic and packing words; their twin is hip/device/arithmetic.h.
#pragma once

#include <cstdint>
#include <type_traits>

#include "common/bits.h"
#include "common/format/bf16.h"
#include "common/format/e4m3.h"
#include "common/format/mx_code.h"
#include "common/kernels/device.h"
#include "sim/core/lane.h"
#include "sim/kernels/device_rules.h"
#include "sim/numerics/convert.h"
#include "sim/numerics/f32.h"
#include "sim/numerics/numeric_model.h"
#include "sim/numerics/transcendental.h"

namespace wavetwin {

// The options that the conversions below follow; the defaults unless replaced. Replaced only between
// launches.
void set_numeric_model(const NumericModel& model);

// A scalar function in every lane: map_lanes(f, a, b)[l] = f(a[l], b[l]).
template <class F, class T, class... Ts>
auto map_lanes(F f, const Lane<T>& first, const Lane<Ts>&... rest) {
  Lane<std::decay_t<decltype(f(first.v[0], rest.v[0]...))>> r;
  for (unsigned l = 0; l < kWaveSize; ++l) r.v[l] = f(first.v[l], rest.v[l]...);
  return r;
}

inline float float_of(uint32_t bits) { return f32_from_bits(bits); }

// One rounding.
inline LaneF32 fma(const LaneF32& a, const LaneF32& b, const LaneF32& c) {
  return map_lanes([](float x, float y, float z) { return __builtin_fmaf(x, y, z); }, a, b, c);
}

// IEEE 754-2019 maximum and minimum: a NaN operand gives a NaN, +0 > -0.
LaneF32 max_nan(const LaneF32& a, const LaneF32& b);
LaneF32 min_nan(const LaneF32& a, const LaneF32& b);
inline LaneF32 abs_f32(const LaneF32& v) { return as_f32(as_u32(v) & 0x7FFFFFFFu); }

// ---- bf16 ----

// BF16(a) in bits 15..0, BF16(b) in bits 31..16; nearest even.
LaneU32 bf16_pair(const LaneF32& a, const LaneF32& b);
inline LaneF32 bf_lo(const LaneU32& word) { return as_f32(word << 16u); }
inline LaneF32 bf_hi(const LaneU32& word) { return as_f32(word & 0xFFFF0000u); }
inline LaneF32 bf16_round(const LaneF32& v) { return bf_lo(bf16_pair(v, v)); }

// ---- e4m3 ----

inline LaneF32 clamp_fp8(const LaneF32& v) {
  if (device_rules().no_clamp) return v;
  return max_nan(min_nan(v, float_of(kFp8MaxBits)), float_of(kFp8MaxBits | kSignBit));
}
// Byte i of the word is E4M3 of argument i.
LaneU32 fp8_pack4(const LaneF32& a, const LaneF32& b, const LaneF32& c, const LaneF32& d);
// Two f32 a lane.
struct F32Pair {
  LaneF32 v[2];
  const LaneF32& operator[](unsigned i) const { return v[i]; }
};
// Bytes 0, 1 (hi: 2, 3) of a word times 2^(exponent field of scale - 127), as bf16 in the low and high half.
template <bool kHi>
LaneU32 fp8_pair_bf16(const LaneU32& word, const LaneF32& scale);
// The same as f32.
template <bool kHi>
F32Pair fp8_pair_f32(const LaneU32& word, const LaneF32& scale);
// The 8 bytes of two words as 8 bf16 in 4 words, low half = lower byte.
inline Vgprs<4> fp8x8_bf16(const LaneU32& w0, const LaneU32& w1, const LaneF32& scale) {
  return {{fp8_pair_bf16<false>(w0, scale), fp8_pair_bf16<true>(w0, scale), fp8_pair_bf16<false>(w1, scale),
           fp8_pair_bf16<true>(w1, scale)}};
}

// ---- E8M0 codes ----

inline LaneF32 pow2(const LaneU32& code) {
  return as_f32((code + static_cast<uint32_t>(device_rules().scale_read_offset)) << 23u);
}
inline LaneF32 mx_mul(const LaneU32& code) {
  return as_f32((254u - static_cast<uint32_t>(device_rules().mx_mul_offset) - code) << 23u);
}
inline LaneF32 rcp_pow2(const LaneU32& code) { return mx_mul(code); }
inline LaneU32 ceil_exp(const LaneF32& v) {
  return map_lanes([](float x) { return static_cast<uint32_t>(ceil_exp(x)); }, v);
}
// x / d by one correction step, r = RN(1 / d); not the IEEE quotient everywhere.
inline LaneF32 div_rn(const LaneF32& x, float d, float r) {
  return map_lanes([d, r](float v) { return div_rn(v, d, r); }, x);
}
LaneU32 mx_code(const LaneF32& amax);

// ---- transcendentals ----

inline LaneF32 exp2_det(const LaneF32& x) {
  return map_lanes([](float v) { return exp2_det(v); }, x);
}
inline LaneF32 rsq_det(const LaneF32& x) {
  return map_lanes([](float v) { return rsq_det(v); }, x);
}
// The raw instructions, by the models of sim/numerics/transcendental.h (evidence: inferred).
inline LaneF32 hw_exp2(const LaneF32& x) { return as_f32(map_lanes(f32_exp2, as_u32(x))); }
inline LaneF32 hw_rcp(const LaneF32& x) { return as_f32(map_lanes(f32_rcp, as_u32(x))); }
inline LaneF32 hw_rsq(const LaneF32& x) { return as_f32(map_lanes(f32_rsq, as_u32(x))); }

// Build option exp2=det|hw (-DWAVETWIN_EXP2_HW): what the kernels call EXP2.
inline LaneF32 exp2_word(const LaneF32& x) {
#ifdef WAVETWIN_EXP2_HW
  constexpr bool kHardware = true;
#else
  constexpr bool kHardware = false;
#endif
  return kHardware != device_rules().other_exp2 ? hw_exp2(x) : exp2_det(x);
}

// Byte k of the result is byte sel_k of {a, b}, b the low dword, sel_k in 0..7.
LaneU32 perm(const LaneU32& a, const LaneU32& b, uint32_t sel);

// The same value; on the part it keeps the compiler from hoisting.
inline LaneU32 fresh(const LaneU32& v) { return v; }

}  // namespace wavetwin
