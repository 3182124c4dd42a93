// SPDX-License-Identifier: MIT
// The E8M0 arithmetic of vLLM's ROCm MXFP8 kernels, operation by operation, so that both twins give their
// bits. Source of every rule in this file: the fused decode kernels of vLLM for ROCm (FlyDSL), as published.
#pragma once

#include <cstdint>

#include "common/bits.h"
#include "common/format/e8m0.h"
#include "common/host_device.h"

namespace wavetwin {

inline constexpr float kMinNormalF32 = f32_from_bits(0x00800000);
inline constexpr float kFp8Max = 448.0f;
inline constexpr float kReciprocalFp8Max = f32_from_bits(0x3B124925);  // RN(1 / 448)

// The f32 whose exponent field is the code: 2^(c - 127) for c in 1..254. Unlike decode(), c = 0 gives +0 and
// c = 255 infinity.
WAVETWIN_HD constexpr float pow2(E8M0 code) { return f32_from_bits(static_cast<uint32_t>(code.bits) << 23); }

// What a value is multiplied by before it becomes e4m3: 2^(127 - c) for c in 0..253, +0 for c = 254.
WAVETWIN_HD constexpr float mx_mul(E8M0 code) { return f32_from_bits((254u - code.bits) << 23); }

// 1 / pow2(code) for codes 1..253; the same bits as mx_mul, for readers who divide.
WAVETWIN_HD constexpr float rcp_pow2(E8M0 code) { return mx_mul(code); }

// ceil(log2(v)) + 127 for a normal v > 0, from its bits. A subnormal gives 1 (its field 0, mantissa not
// zero).
WAVETWIN_HD constexpr int32_t ceil_exp(float v) {
  const uint32_t bits = f32_bits(v);
  const int32_t field = static_cast<int32_t>(extract_bits(bits, 23, 8));
  return field + (extract_bits(bits, 0, 23) != 0 ? 1 : 0);
}

// x / d by one Newton correction, r = RN(1 / d). Not the IEEE quotient for every x (not for 589,824 x in
// 0x008001A0..0x037FFFF1 at d = 448), so `/` must not replace it.
WAVETWIN_HD inline float div_rn(float x, float d, float r) {
  const float q = x * r;
  const float remainder = __builtin_fmaf(-q, d, x);
  return __builtin_fmaf(remainder, r, q);
}

// The scale code of a group whose largest magnitude is amax: the smallest c in 1..254 with 448 * 2^(c - 127)
// >= amax. A zero or tiny group gets code 1, not 0: the quotient is a subnormal that is not zero. A NaN or
// infinite amax is outside the source's contract; the arithmetic then gives 254.
WAVETWIN_HD inline E8M0 mx_code(float amax) {
  const float clamped = amax < kMinNormalF32 ? kMinNormalF32 : amax;  // maximum(): a NaN stays
  const int32_t code = ceil_exp(div_rn(clamped, kFp8Max, kReciprocalFp8Max));
  return E8M0{static_cast<uint8_t>(code > 254 ? 254 : code)};
}

// maximum(minimum(v, 448), -448); a NaN stays.
WAVETWIN_HD constexpr float clamp_fp8(float v) {
  if (v > kFp8Max) return kFp8Max;
  return v < -kFp8Max ? -kFp8Max : v;
}

}  // namespace wavetwin
