// SPDX-License-Identifier: MIT
// Quantise and dequantise MX blocks: n elements that share one E8M0 scale (n is 32 in OCP MX; any size works
// here). One code a byte; pack.h packs 4- and 6-bit codes. The scale rules and what they do to zero blocks,
// NaN and infinity are in mx_scale.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/bits.h"
#include "common/format/convert.h"
#include "common/format/e8m0.h"
#include "common/format/mx_code.h"
#include "common/format/mx_scale.h"
#include "common/host_device.h"

namespace wavetwin {

// The largest magnitude; NaN if any element is NaN, 0 for an empty block. Magnitude bits order as numbers do,
// with infinity and then NaN on top, so an integer maximum does it.
WAVETWIN_HD constexpr float block_amax(const float* values, size_t count) {
  uint32_t largest = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t magnitude = f32_bits(values[i]) & 0x7FFFFFFFu;
    if (magnitude > largest) largest = magnitude;
  }
  return f32_from_bits(largest);
}

// One element: value * 2^(127 - scale) in f32, then RNE with saturation. Where the product is NaN (NaN input,
// NaN scale, or infinity * 0 under vllm_rocm) the code is the format's positive NaN, or its largest finite
// value where it has none (assumption, see nan_code in convert.h); the scale is then NaN too, except under
// vllm_rocm.
WAVETWIN_HD constexpr uint8_t quantize_element(ScaleRule rule, const FloatFormat& element, float value,
                                               E8M0 scale) {
  const bool is_vllm = rule == ScaleRule::vllm_rocm;
  const float scaled = is_vllm ? clamp_fp8(value * mx_mul(scale)) : value * decode_reciprocal(scale);
  const bool is_nan_product = scaled != scaled;
  const Unpacked x = is_nan_product ? Unpacked{NumberClass::nan, false, 0, 0} : unpack(scaled);
  return static_cast<uint8_t>(encode_bits(element, x, Overflow::saturate));
}

// Writes `count` codes and returns the block's scale. Needs supports(rule, element).
WAVETWIN_HD inline E8M0 quantize_block(ScaleRule rule, const FloatFormat& element, const float* values,
                                       size_t count, uint8_t* codes) {
  const E8M0 scale = scale_code(rule, element, block_amax(values, count));
  for (size_t i = 0; i < count; ++i) codes[i] = quantize_element(rule, element, values[i], scale);
  return scale;
}

// code * 2^(scale - 127) as the nearest f32 (exact unless it leaves the normal range); NaN if either is NaN.
WAVETWIN_HD constexpr float dequantize_element(const FloatFormat& element, uint8_t code, E8M0 scale) {
  if (is_nan(scale)) return decode(scale);
  Unpacked x = unpack(element, code);
  if (x.kind == NumberClass::finite) x.exponent += scale.bits - E8M0::kBias;
  return to_float(x);
}

WAVETWIN_HD constexpr void dequantize_block(const FloatFormat& element, const uint8_t* codes, size_t count,
                                            E8M0 scale, float* values) {
  for (size_t i = 0; i < count; ++i) values[i] = dequantize_element(element, codes[i], scale);
}

}  // namespace wavetwin
