// SPDX-License-Identifier: MIT
// v_dot2 / dot4 / dot8 and their accumulating forms.
#pragma once

#include <cstdint>

#include "common/bits.h"
#include "sim/numerics/arithmetic.h"
#include "sim/numerics/convert.h"

namespace wavetwin {

// The guide says of the floating-point dot products that subnormals are flushed and MODE.round is ignored.
// Order and roundings inside are unknown. assumption: a chain of fused multiply-adds in the order of the
// guide's pseudo-code.
inline constexpr FloatRules kDotRules{Round::nearest_even, false, false, true, false};

// v_dot2_f32_bf16: the products first, c last.
constexpr uint32_t dot2_f32_bf16_then_c(uint32_t a, uint32_t b, uint32_t c) {
  const uint32_t low = soft::mul<F32Layout>(a << 16, b << 16, kDotRules);
  const uint32_t both = soft::fma<F32Layout>(a & 0xffff0000u, b & 0xffff0000u, low, kDotRules);
  return soft::add<F32Layout>(both, c, kDotRules);
}
// v_dot2c_f32_bf16: c + a.lo * b.lo, then + a.hi * b.hi; v_dot2_f32_f16 and v_dot2c_f32_f16 likewise.
constexpr uint32_t dot2_f32_bf16(uint32_t a, uint32_t b, uint32_t c) {
  const uint32_t low = soft::fma<F32Layout>(a << 16, b << 16, c, kDotRules);
  return soft::fma<F32Layout>(a & 0xffff0000u, b & 0xffff0000u, low, kDotRules);
}
constexpr uint32_t dot2_f32_f16(uint32_t a, uint32_t b, uint32_t c) {
  constexpr FloatRules kExact{};
  const auto wide = [kExact](uint32_t half) {
    return convert_float<F16Layout, F32Layout>(static_cast<uint16_t>(half), kDotRules, kExact);
  };
  const uint32_t low = soft::fma<F32Layout>(wide(a), wide(b), c, kDotRules);
  return soft::fma<F32Layout>(wide(a >> 16), wide(b >> 16), low, kDotRules);
}

// Integer dot products of 32 / `width` signed or unsigned elements. CLAMP saturates the exact sum. source:
// guide, VOP3P.
constexpr uint32_t dot_signed(uint32_t a, uint32_t b, uint32_t c, int width, bool clamp) {
  int64_t sum = static_cast<int32_t>(c);
  for (int i = 0; i < 32; i += width) sum += int64_t{sign_extend(a >> i, width)} * sign_extend(b >> i, width);
  if (clamp) sum = std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX);
  return static_cast<uint32_t>(sum);
}
constexpr uint32_t dot_unsigned(uint32_t a, uint32_t b, uint32_t c, int width, bool clamp) {
  const uint32_t mask = low_mask<uint32_t>(width);
  uint64_t sum = c;
  for (int i = 0; i < 32; i += width) sum += uint64_t{a >> i & mask} * (b >> i & mask);
  return static_cast<uint32_t>(clamp ? std::min<uint64_t>(sum, UINT32_MAX) : sum);
}

}  // namespace wavetwin
