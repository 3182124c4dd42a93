// SPDX-License-Identifier: MIT
// Arithmetic and packing words; their twin is sim/kernels/device_arithmetic.h. Written on the hardware's own
// conversions and maxima, and sharing nothing with common/format, so that comparing the twins means
// something.
#pragma once

#include "common/kernels/device.h"
#include "hip/device/intrinsics.h"

namespace wavetwin {

WAVETWIN_INLINE uint32_t bits_of(float v) { return __builtin_bit_cast(uint32_t, v); }
WAVETWIN_INLINE float float_of(uint32_t bits) { return __builtin_bit_cast(float, bits); }

// One rounding.
WAVETWIN_INLINE float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
// IEEE 754-2019 maximum and minimum: a NaN operand gives a NaN, +0 > -0 (v_maximum3_f32, v_minimum3_f32).
WAVETWIN_INLINE float max_nan(float a, float b) { return __builtin_elementwise_maximum(a, b); }
WAVETWIN_INLINE float min_nan(float a, float b) { return __builtin_elementwise_minimum(a, b); }
WAVETWIN_INLINE float abs_f32(float v) { return float_of(bits_of(v) & 0x7FFFFFFFu); }

// ---- bf16 ----

// BF16(a) in bits 15..0, BF16(b) in bits 31..16; nearest even (v_cvt_pk_bf16_f32).
WAVETWIN_INLINE uint32_t bf16_pair(float a, float b) {
  using Bf16x2 = __bf16 __attribute__((ext_vector_type(2)));
  return __builtin_bit_cast(uint32_t, Bf16x2{static_cast<__bf16>(a), static_cast<__bf16>(b)});
}
WAVETWIN_INLINE float bf_lo(uint32_t word) { return float_of(word << 16); }
WAVETWIN_INLINE float bf_hi(uint32_t word) { return float_of(word & 0xFFFF0000u); }
WAVETWIN_INLINE float bf16_round(float v) { return bf_lo(bf16_pair(v, v)); }

// ---- e4m3 ----

WAVETWIN_INLINE float clamp_fp8(float v) {
  return max_nan(min_nan(v, float_of(kFp8MaxBits)), float_of(kFp8MaxBits | kSignBit));
}
// Byte i of the word is E4M3 of argument i (two v_cvt_pk_fp8_f32, low half first).
WAVETWIN_INLINE uint32_t fp8_pack4(float a, float b, float c, float d) {
  const int low = __builtin_amdgcn_cvt_pk_fp8_f32(a, b, 0, false);
  return static_cast<uint32_t>(__builtin_amdgcn_cvt_pk_fp8_f32(c, d, low, true));
}
// Bytes 0, 1 (hi: 2, 3) of a word times 2^(exponent field of scale - 127), as bf16 in the low and high half.
template <bool kHi>
WAVETWIN_INLINE uint32_t fp8_pair_bf16(uint32_t word, float scale) {
  return __builtin_bit_cast(uint32_t, __builtin_amdgcn_cvt_scalef32_pk_bf16_fp8(word, scale, kHi));
}
// The same as f32.
template <bool kHi>
WAVETWIN_INLINE F32x2 fp8_pair_f32(uint32_t word, float scale) {
  return __builtin_bit_cast(F32x2, __builtin_amdgcn_cvt_scalef32_pk_f32_fp8(word, scale, kHi));
}
// The 8 bytes of two words as 8 bf16 in 4 words, low half = lower byte.
WAVETWIN_INLINE U32x4 fp8x8_bf16(uint32_t w0, uint32_t w1, float scale) {
  return U32x4{fp8_pair_bf16<false>(w0, scale), fp8_pair_bf16<true>(w0, scale),
               fp8_pair_bf16<false>(w1, scale), fp8_pair_bf16<true>(w1, scale)};
}

// ---- E8M0 codes ----

WAVETWIN_INLINE float pow2(uint32_t code) { return float_of(code << 23); }
WAVETWIN_INLINE float mx_mul(uint32_t code) { return float_of((254u - code) << 23); }
WAVETWIN_INLINE float rcp_pow2(uint32_t code) { return mx_mul(code); }
WAVETWIN_INLINE uint32_t ceil_exp(float v) {
  const uint32_t bits = bits_of(v);
  return (bits >> 23 & 255) + ((bits & 0x7FFFFF) != 0 ? 1 : 0);
}
// x / d by one correction step, r = RN(1 / d); not the IEEE quotient everywhere.
WAVETWIN_INLINE float div_rn(float x, float d, float r) {
  const float q = x * r;
  return fma(fma(-q, d, x), r, q);
}
WAVETWIN_INLINE uint32_t mx_code(float amax) {
  const float a = max_nan(amax, float_of(kFltMinBits));
  const uint32_t code = ceil_exp(div_rn(a, float_of(kFp8MaxBits), float_of(kR448Bits)));
  return code < 254 ? code : 254;
}

// ---- transcendentals ----

// 2^x by a polynomial in fma; the bits need no knowledge of the part. x >= 128 gives +inf, x < -126 gives +0.
WAVETWIN_INLINE float exp2_det(float x) {
  const bool inside = x >= -126.0f && x < 128.0f;
  const float in = inside ? x : 0.0f;
  const float n = __builtin_rintf(in);
  const float f = in - n;
  float p = float_of(kExp2C6);
  p = fma(p, f, float_of(kExp2C5));
  p = fma(p, f, float_of(kExp2C4));
  p = fma(p, f, float_of(kExp2C3));
  p = fma(p, f, float_of(kExp2C2));
  p = fma(p, f, float_of(kExp2C1));
  p = fma(p, f, 1.0f);
  const int exponent = static_cast<int>(n);
  const bool top = exponent == 128;  // 2^128 is no f32: two exact steps
  const float scaled = p * float_of(static_cast<uint32_t>((top ? 127 : exponent) + 127) << 23);
  const float value = top ? scaled * 2.0f : scaled;
  const float outside = x >= 128.0f ? float_of(0x7F800000u) : 0.0f;
  return inside ? value : (x != x ? float_of(0x7FC00000u) : outside);
}
WAVETWIN_INLINE float rsq_det(float x) { return 1.0f / __builtin_sqrtf(x); }

// The raw instructions; their low bits are not published for gfx950 (evidence: inferred).
WAVETWIN_INLINE float hw_exp2(float x) { return __builtin_amdgcn_exp2f(x); }
WAVETWIN_INLINE float hw_rcp(float x) { return __builtin_amdgcn_rcpf(x); }
WAVETWIN_INLINE float hw_rsq(float x) { return __builtin_amdgcn_rsqf(x); }

// Build option exp2=det|hw (-DWAVETWIN_EXP2_HW): what the kernels call EXP2.
WAVETWIN_INLINE float exp2_word(float x) {
#ifdef WAVETWIN_EXP2_HW
  return hw_exp2(x);
#else
  return exp2_det(x);
#endif
}

// Byte k of the result is byte sel_k of {a, b}, b the low dword, sel_k in 0..7 (v_perm_b32).
WAVETWIN_INLINE uint32_t perm(uint32_t a, uint32_t b, uint32_t sel) {
  return __builtin_amdgcn_perm(a, b, sel);
}

// The same value, opaque to the compiler's hoisting.
WAVETWIN_INLINE uint32_t fresh(uint32_t v) {
  uint32_t out;
  __asm__ volatile("v_mov_b32 %0, %1" : "=v"(out) : "v"(v));
  return out;
}

}  // namespace wavetwin
