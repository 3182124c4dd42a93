// SPDX-License-Identifier: MIT
// The three helpers of the division macro: v_div_scale, v_div_fmas, v_div_fixup.
//
// The guide's pseudo-code is wrong about the conditions and the factor. These rules were verified on RDNA
// hardware by AMD's emulator and agree with an independent emulation; the whole macro with them is correctly
// rounded (tested). Evidence for gfx950: inferred. The f64 rules are the same with the guide's f64 numbers.
#pragma once

#include "sim/numerics/arithmetic.h"
#include "sim/numerics/f32.h"

namespace wavetwin {

struct DivScale32 {
  static constexpr int kScale = 64, kFar = 96, kHugeDenominator = 253, kTinyNumerator = 24;
};
struct DivScale64 {
  static constexpr int kScale = 128, kFar = 768, kHugeDenominator = 2045, kTinyNumerator = 53;
};

// D, and the flag of the lane that v_div_fmas reads. s0 equals the denominator or the numerator and is the
// one scaled.
template <class L, class P>
constexpr typename L::Bits div_scale(typename L::Bits s0, typename L::Bits denominator,
                                     typename L::Bits numerator, bool& flag, const FloatRules& rules) {
  using namespace soft;
  const int de = exponent_field<L>(denominator), ne = exponent_field<L>(numerator);
  const int difference = ne - de;
  const bool is_denominator = s0 == denominator;
  flag = false;
  int scale = 0;
  if (is_zero<L>(denominator) || is_zero<L>(numerator)) {
    return L::kDefaultNan;  // with the flag 0. source: guide, V_DIV_SCALE_F32
  }
  if (difference >= P::kFar) {
    flag = true;
    scale = is_denominator ? P::kScale : 0;
  } else if (de == 0) {
    scale = P::kScale;
  } else if (de >= P::kHugeDenominator) {
    flag = difference <= -P::kFar;
    scale = flag && !is_denominator ? 0 : -P::kScale;
  } else if (difference <= -P::kFar) {
    flag = true;
    scale = is_denominator ? 0 : P::kScale;
  } else if (ne <= P::kTinyNumerator) {
    scale = P::kScale;
  }
  FloatRules keep = rules;  // subnormals are what the scaling is for: never flushed
  keep.keep_input = keep.keep_output = true;
  return scale == 0 ? s0 : ldexp<L>(s0, scale, keep);
}

// fma(a, b, c), times 2^+-scale when the flag is set, rounded once; inputs are not flushed.
template <class L, class P>
constexpr typename L::Bits div_fmas(typename L::Bits a, typename L::Bits b, typename L::Bits c, bool flag,
                                    const FloatRules& rules) {
  FloatRules keep = rules;
  keep.keep_input = true;
  const int scale = !flag ? 0 : soft::exponent_field<L>(c) > L::kBias ? P::kScale : -P::kScale;
  return soft::fma_scaled<L>(a, b, c, scale, keep);
}

// The quotient's special cases. source: guide, V_DIV_FIXUP_F32, except below. `underflow_gap` is the exponent
// difference under which the quotient is what the guide calls UNDERFLOW (f16: none): a zero, the IEEE answer
// to nearest even, or the smallest subnormal (option div_underflow).
template <class L>
constexpr typename L::Bits div_fixup(typename L::Bits estimate, typename L::Bits denominator,
                                     typename L::Bits numerator, int underflow_gap, bool smallest) {
  using namespace soft;
  const bool negative = sign<L>(denominator) != sign<L>(numerator);
  if (is_nan<L>(numerator)) return quiet<L>(numerator);
  if (is_nan<L>(denominator)) return quiet<L>(denominator);
  const bool den_zero = is_zero<L>(denominator), num_zero = is_zero<L>(numerator);
  const bool den_inf = is_infinity<L>(denominator), num_inf = is_infinity<L>(numerator);
  if ((den_zero && num_zero) || (den_inf && num_inf)) return L::kDefaultNan;
  if (den_zero || num_inf) return with_sign<L>(negative, L::kInfinity);
  if (den_inf || num_zero) return with_sign<L>(negative, 0);
  if (exponent_field<L>(numerator) - exponent_field<L>(denominator) < -underflow_gap)
    return with_sign<L>(negative, smallest ? 1 : 0);
  // An estimate that is no number comes from an overflow on the way.
  if (is_nan<L>(estimate) || is_infinity<L>(estimate)) return with_sign<L>(negative, L::kInfinity);
  return with_sign<L>(negative, magnitude<L>(estimate));
}

inline uint32_t f32_div_scale(uint32_t s0, uint32_t den, uint32_t num, bool& flag, const Mode& m) {
  return div_scale<F32Layout, DivScale32>(s0, den, num, flag, m.f32());
}
inline uint32_t f32_div_fmas(uint32_t a, uint32_t b, uint32_t c, bool flag, const Mode& m) {
  return div_fmas<F32Layout, DivScale32>(a, b, c, flag, m.f32());
}
inline uint32_t f32_div_fixup(uint32_t q, uint32_t den, uint32_t num, const Mode& m) {
  return div_fixup<F32Layout>(q, den, num, 150, m.model->div_underflow_smallest);
}
// In the default MODE, for operands that need none of the special treatment.
inline uint32_t f32_div_scale(uint32_t s0, uint32_t den, uint32_t num, bool& flag, HostMode& host) {
  const int de = static_cast<int>(den >> 23 & 0xff), ne = static_cast<int>(num >> 23 & 0xff);
  const bool plain = (de > 0) & (de < DivScale32::kHugeDenominator) & (ne > DivScale32::kTinyNumerator) &
                     (ne - de < DivScale32::kFar) & (de - ne < DivScale32::kFar);
  host.retry |= plain ? 0u : 1u;
  flag = false;
  return s0;
}
inline uint32_t f32_div_fmas(uint32_t a, uint32_t b, uint32_t c, bool flag, HostMode& host) {
  host.retry |= flag ? 1u : 0u;
  return f32_fma(a, b, c, host);
}
inline uint32_t f32_div_fixup(uint32_t q, uint32_t den, uint32_t num, HostMode& host) {
  const int de = static_cast<int>(den >> 23 & 0xff), ne = static_cast<int>(num >> 23 & 0xff);
  const bool plain =
      (de > 0) & (de < 255) & (ne > 0) & (ne < 255) & (ne - de >= -150) & ((q & 0x7fffffffu) < 0x7f800000u);
  host.retry |= plain ? 0u : 1u;
  return (q & 0x7fffffffu) | ((den ^ num) & 0x80000000u);
}
inline uint64_t f64_div_scale(uint64_t s0, uint64_t den, uint64_t num, bool& flag, const Mode& m) {
  return div_scale<F64Layout, DivScale64>(s0, den, num, flag, m.f64());
}
inline uint64_t f64_div_fmas(uint64_t a, uint64_t b, uint64_t c, bool flag, const Mode& m) {
  return div_fmas<F64Layout, DivScale64>(a, b, c, flag, m.f64());
}
inline uint64_t f64_div_fixup(uint64_t q, uint64_t den, uint64_t num, const Mode& m) {
  return div_fixup<F64Layout>(q, den, num, 1075, m.model->div_underflow_smallest);
}
inline uint16_t f16_div_fixup(uint16_t q, uint16_t den, uint16_t num) {
  return div_fixup<F16Layout>(q, den, num, 1000, false);
}

}  // namespace wavetwin
