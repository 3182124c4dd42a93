// SPDX-License-Identifier: MIT
// From the largest magnitude of an MX block to its E8M0 scale, by named rules.
//
//   floor      2^(floor(log2 amax) - emax): OCP MX v1.0 section 6.3, torchao FLOOR, AITER RoundDown. The
//   largest
//              elements may saturate.
//   rceil      ceil(log2(amax / max_finite)): torchao RCEIL, AITER RoundUp. Nothing saturates.
//   ceil       ceil(log2 amax) - emax: torchao CEIL, AITER Ceil. Nothing saturates, coarser than rceil.
//   even       amax first rounded half up to the element's mantissa width, then as floor: torchao EVEN, AITER
//   Even,
//              Quark even.
//   vllm_rocm  the arithmetic of mx_code.h; E4M3 only.
//
// emax is FloatFormat::max_exponent(). Sources read: torchao mx_tensor.py (to_mx), AITER fp4_utils.py
// (f32_to_mx_e8m0_scale), 2026. Where the two differ, torchao's meaning is taken:
//   - a subnormal amax or quotient under rceil / ceil: AITER's code is 1 for every value that is not zero;
//   torchao's is
//     0 as long as 2^-127 suffices;
//   - rceil multiplies by RN(1 / max_finite) (torchao) where AITER divides: the same code for every normal
//   quotient.
// Zero block: code 0 (2^-127) under floor, rceil, ceil and even; 1 under vllm_rocm.
// NaN or infinity in the block: scale NaN (0xFF) under all but vllm_rocm, whose source excludes it (see
// mx_code.h). even also gives 0xFF when a finite amax rounds up to 2^128, in both sources.
#pragma once

#include <cstdint>
#ifndef __HIP__  // these two pull in headers that do not compile for the device
#include <optional>
#include <string_view>
#endif

#include "common/bits.h"
#include "common/format/convert.h"
#include "common/format/e4m3.h"
#include "common/format/e8m0.h"
#include "common/format/mx_code.h"
#include "common/host_device.h"

namespace wavetwin {

enum class ScaleRule : uint8_t { floor, rceil, ceil, even, vllm_rocm };
inline constexpr int kScaleRuleCount = 5;

constexpr const char* to_string(ScaleRule rule) {
  constexpr const char* kNames[kScaleRuleCount] = {"floor", "rceil", "ceil", "even", "vllm_rocm"};
  return kNames[static_cast<uint8_t>(rule)];
}

#ifndef __HIP__

// The rule of this name, or nothing.
constexpr std::optional<ScaleRule> parse_scale_rule(std::string_view name) {
  for (int i = 0; i < kScaleRuleCount; ++i) {
    if (name == to_string(static_cast<ScaleRule>(i))) return static_cast<ScaleRule>(i);
  }
  return std::nullopt;
}

#endif

// Whether a rule is defined for blocks of this element format.
WAVETWIN_HD constexpr bool supports(ScaleRule rule, const FloatFormat& element) {
  return rule != ScaleRule::vllm_rocm || element == E4M3::kFormat;
}

WAVETWIN_HD constexpr float max_finite(const FloatFormat& format) {
  return to_float(unpack(format, format.max_finite_magnitude()));
}

namespace detail {

// An exponent field moved down by emax, held in the codes of finite scales.
WAVETWIN_HD constexpr E8M0 scale_from_field(int32_t field, int32_t max_exponent) {
  const int32_t code = field - max_exponent;
  return E8M0{static_cast<uint8_t>(code < 0 ? 0 : code)};
}

// The smallest code whose value is at least v, v >= 0 and finite.
WAVETWIN_HD constexpr E8M0 round_up_to_e8m0(float v) {
  const uint32_t bits = f32_bits(v);
  const uint32_t field = extract_bits(bits, 23, 8);
  const uint32_t mantissa = extract_bits(bits, 0, 23);
  const bool is_above = field == 0 ? mantissa > 0x400000u : mantissa != 0;  // 0x400000 is 2^-127, code 0
  return E8M0{static_cast<uint8_t>(field + is_above)};
}

}  // namespace detail

// The scale of a block of `element` codes whose largest magnitude is amax (>= 0, or NaN). Needs
// supports(rule, element).
WAVETWIN_HD inline E8M0 scale_code(ScaleRule rule, const FloatFormat& element, float amax) {
  if (rule == ScaleRule::vllm_rocm) return mx_code(amax);
  if (rule == ScaleRule::even) {
    const uint32_t half_ulp = uint32_t{1} << (23 - element.mantissa_bits - 1);
    amax = amax == amax ? f32_from_bits(f32_bits(amax) + half_ulp) : amax;
  }
  const uint32_t bits = f32_bits(amax);
  if (extract_bits(bits, 23, 8) == 0xFF) return E8M0{E8M0::kNan};
  switch (rule) {
    case ScaleRule::rceil:
      return detail::round_up_to_e8m0(amax * (1.0f / max_finite(element)));
    case ScaleRule::ceil:
      return detail::scale_from_field(ceil_exp(amax), element.max_exponent());
    default:
      return detail::scale_from_field(exponent_field(amax).bits, element.max_exponent());
  }
}

}  // namespace wavetwin
