// SPDX-License-Identifier: MIT
// The operations of one format, for F16Layout, F32Layout and F64Layout alike. Operands and results are bits;
// source modifiers (ABS, NEG) have been applied to the bits before, CLAMP and OMOD come after.
#pragma once

#include "sim/numerics/soft_float.h"

namespace wavetwin::soft {

// NaN order of a sum or product: the first NaN among (src0, src1), then the invalid result.
// source: AMD's emulator for the fma path, and the guide's NaN constants; inferred.
template <class L>
constexpr Bits<L> add(Bits<L> a, Bits<L> b, const FloatRules& rules) {
  if (is_nan<L>(a)) return propagate<L>(a, rules);
  if (is_nan<L>(b)) return propagate<L>(b, rules);
  a = flush_input<L>(a, rules);
  b = flush_input<L>(b, rules);
  const bool opposite = sign<L>(a) != sign<L>(b);
  if (is_infinity<L>(a)) return is_infinity<L>(b) && opposite ? L::kDefaultNan : a;
  if (is_infinity<L>(b)) return b;
  return round_pack<L>(add(unpack<L>(a), unpack<L>(b), rules.round), rules);
}

// A NaN in the subtrahend passes on with its own sign, or with the other one (option sub_nan).
template <class L>
constexpr Bits<L> sub(Bits<L> a, Bits<L> b, const FloatRules& rules, bool flips_nan = false) {
  return add<L>(a, is_nan<L>(b) && !flips_nan ? b : negate<L>(b), rules);
}

template <class L>
constexpr Bits<L> mul(Bits<L> a, Bits<L> b, const FloatRules& rules) {
  if (is_nan<L>(a)) return propagate<L>(a, rules);
  if (is_nan<L>(b)) return propagate<L>(b, rules);
  a = flush_input<L>(a, rules);
  b = flush_input<L>(b, rules);
  const bool negative = sign<L>(a) != sign<L>(b);
  if (is_infinity<L>(a) || is_infinity<L>(b)) {
    return is_zero<L>(a) || is_zero<L>(b) ? L::kDefaultNan : with_sign<L>(negative, L::kInfinity);
  }
  return round_pack<L>(multiply(unpack<L>(a), unpack<L>(b)), rules);
}

// 2^scale * (a * b + c), rounded once. NaN order: first NaN among (a, b), then an invalid product, then c.
// source: AMD's emulator; inferred.
template <class L>
constexpr Bits<L> fma_scaled(Bits<L> a, Bits<L> b, Bits<L> c, int scale, const FloatRules& rules) {
  if (is_nan<L>(a)) return propagate<L>(a, rules);
  if (is_nan<L>(b)) return propagate<L>(b, rules);
  a = flush_input<L>(a, rules);
  b = flush_input<L>(b, rules);
  c = flush_input<L>(c, rules);
  const bool negative = sign<L>(a) != sign<L>(b);
  const bool product_infinite = is_infinity<L>(a) || is_infinity<L>(b);
  if (product_infinite && (is_zero<L>(a) || is_zero<L>(b))) return L::kDefaultNan;
  if (is_nan<L>(c)) return propagate<L>(c, rules);
  if (product_infinite) {
    return is_infinity<L>(c) && sign<L>(c) != negative ? L::kDefaultNan
                                                       : with_sign<L>(negative, L::kInfinity);
  }
  if (is_infinity<L>(c)) return c;
  Unrounded sum = add(multiply(unpack<L>(a), unpack<L>(b)), unpack<L>(c), rules.round);
  sum.exponent += scale;
  return round_pack<L>(sum, rules);
}
template <class L>
constexpr Bits<L> fma(Bits<L> a, Bits<L> b, Bits<L> c, const FloatRules& rules) {
  return fma_scaled<L>(a, b, c, 0, rules);
}

// a * b + c with the product rounded first (v_mac_f16, v_mad_f16). source: guide, V_MAC_F16, V_MAD_F16: two
// operations of the format, each with its rounding and flush.
template <class L>
constexpr Bits<L> mad(Bits<L> a, Bits<L> b, Bits<L> c, const FloatRules& rules) {
  return add<L>(mul<L>(a, b, rules), c, rules);
}

// A number's place in the order -inf .. -0 < +0 .. +inf, as a signed integer. Not for NaN.
template <class L>
constexpr auto order_key(Bits<L> x) {
  using Signed = std::make_signed_t<Bits<L>>;
  return sign<L>(x) ? static_cast<Signed>(~magnitude<L>(x)) : static_cast<Signed>(x);
}

// IEEE comparisons: with a NaN every one of them is false; +0 equals -0.
template <class L>
constexpr bool less(Bits<L> a, Bits<L> b) {
  if (is_nan<L>(a) || is_nan<L>(b) || (is_zero<L>(a) && is_zero<L>(b))) return false;
  return order_key<L>(a) < order_key<L>(b);
}
template <class L>
constexpr bool equal(Bits<L> a, Bits<L> b) {
  if (is_nan<L>(a) || is_nan<L>(b)) return false;
  return a == b || (is_zero<L>(a) && is_zero<L>(b));
}

// v_min / v_max. source: guide, V_MAX_F32: a signaling NaN is made quiet and wins when MODE.IEEE; otherwise
// the number wins over the NaN; -0 is below +0. The answer is flushed like any other result.
template <class L>
constexpr Bits<L> min_max(Bits<L> a, Bits<L> b, bool want_max, const FloatRules& rules) {
  if (rules.ieee && is_signaling<L>(a)) return quiet<L>(a);
  if (rules.ieee && is_signaling<L>(b)) return quiet<L>(b);
  a = flush_output<L>(flush_input<L>(a, rules), rules);
  b = flush_output<L>(flush_input<L>(b, rules), rules);
  if (is_nan<L>(a)) return b;
  if (is_nan<L>(b)) return a;
  const bool a_first = order_key<L>(a) < order_key<L>(b);
  return a_first == want_max ? b : a;
}
template <class L>
constexpr Bits<L> min(Bits<L> a, Bits<L> b, const FloatRules& rules) {
  return min_max<L>(a, b, false, rules);
}
template <class L>
constexpr Bits<L> max(Bits<L> a, Bits<L> b, const FloatRules& rules) {
  return min_max<L>(a, b, true, rules);
}
template <class L>
constexpr Bits<L> min3(Bits<L> a, Bits<L> b, Bits<L> c, const FloatRules& rules) {
  return min<L>(min<L>(a, b, rules), c, rules);
}
template <class L>
constexpr Bits<L> max3(Bits<L> a, Bits<L> b, Bits<L> c, const FloatRules& rules) {
  return max<L>(max<L>(a, b, rules), c, rules);
}

// source: guide, V_MED3_F32: with any NaN it is min3, else the larger of the two that are not the maximum.
template <class L>
constexpr Bits<L> med3(Bits<L> a, Bits<L> b, Bits<L> c, const FloatRules& rules) {
  if (is_nan<L>(a) || is_nan<L>(b) || is_nan<L>(c)) return min3<L>(a, b, c, rules);
  a = flush_input<L>(a, rules);
  b = flush_input<L>(b, rules);
  c = flush_input<L>(c, rules);
  const Bits<L> top = max3<L>(a, b, c, rules);
  if (equal<L>(top, a)) return max<L>(b, c, rules);
  if (equal<L>(top, b)) return max<L>(a, c, rules);
  return max<L>(a, b, rules);
}

// v_minimum3 / v_maximum3: IEEE 754-2019 minimum and maximum, where a NaN wins. source: guide,
// V_MINIMUM3_F32, which makes MODE.IEEE count as set: the NaN becomes quiet. assumption: of two NaNs the
// first wins, as in every other operation; no result is a number either way, so there is no option.
template <class L>
constexpr Bits<L> minimum_maximum(Bits<L> a, Bits<L> b, bool want_max, const FloatRules& rules) {
  if (is_nan<L>(a)) return quiet<L>(a);
  if (is_nan<L>(b)) return quiet<L>(b);
  return min_max<L>(a, b, want_max, rules);
}
template <class L>
constexpr Bits<L> minimum3(Bits<L> a, Bits<L> b, Bits<L> c, const FloatRules& rules) {
  return minimum_maximum<L>(minimum_maximum<L>(a, b, false, rules), c, false, rules);
}
template <class L>
constexpr Bits<L> maximum3(Bits<L> a, Bits<L> b, Bits<L> c, const FloatRules& rules) {
  return minimum_maximum<L>(minimum_maximum<L>(a, b, true, rules), c, true, rules);
}

// x * 2^power, rounded once.
template <class L>
constexpr Bits<L> ldexp(Bits<L> x, int32_t power, const FloatRules& rules) {
  if (is_nan<L>(x)) return propagate<L>(x, rules);
  x = flush_input<L>(x, rules);
  if (is_infinity<L>(x)) return x;
  Unrounded value = unpack<L>(x);
  constexpr int kReach = 3 * (L::kMaxField + L::kFractionBits);  // further than any exponent of the format
  value.exponent += power > kReach ? kReach : power < -kReach ? -kReach : power;
  return round_pack<L>(value, rules);
}

// The significand in +-[0.5, 1); zero and infinity unchanged. source: guide, V_FREXP_MANT_F32; a NaN is made
// quiet as everywhere (guide 3.5, IEEE; LLVM 22 counts on it).
template <class L>
constexpr Bits<L> frexp_mant(Bits<L> x, const FloatRules& rules) {
  if (is_nan<L>(x)) return propagate<L>(x, rules);
  x = flush_input<L>(x, rules);
  if (is_infinity<L>(x) || is_zero<L>(x)) return x;
  Unrounded value = unpack<L>(x);
  value.exponent = -1 - top_bit(value.significand);
  return round_pack<L>(value, rules);
}

// The exponent that goes with frexp_mant; 0 for zero, infinity and NaN.
template <class L>
constexpr int32_t frexp_exp(Bits<L> x, const FloatRules& rules) {
  x = flush_input<L>(x, rules);
  if (is_nan<L>(x) || is_infinity<L>(x) || is_zero<L>(x)) return 0;
  const Unrounded value = unpack<L>(x);
  return value.exponent + top_bit(value.significand) + 1;
}

// Rounds to an integral value in the given direction; the sign of a zero result is that of x. source: guide,
// V_TRUNC_F32, V_CEIL_F32, V_FLOOR_F32, V_RNDNE_F32.
template <class L>
constexpr Bits<L> round_to_integral(Bits<L> x, Round direction, const FloatRules& rules) {
  if (is_nan<L>(x)) return propagate<L>(x, rules);
  x = flush_input<L>(x, rules);
  if (is_infinity<L>(x)) return x;
  const Unrounded value = unpack<L>(x);
  if (value.exponent >= 0) return x;
  FloatRules exact = rules;
  exact.round = Round::nearest_even;
  return round_pack<L>(
      {value.negative, 0, round_shift(value.significand, -value.exponent, direction, value.negative)}, exact);
}

// x - floor(x), below 1 always. source: guide, V_FRACT_F32. The cap is the largest number below 1.
template <class L>
constexpr Bits<L> fract(Bits<L> x, const FloatRules& rules) {
  const Bits<L> below = round_to_integral<L>(x, Round::minus_infinity, rules);
  const Bits<L> rest = is_nan<L>(x) ? propagate<L>(x, rules) : sub<L>(x, below, rules);
  return !is_nan<L>(rest) && rest >= L::kOne && !sign<L>(rest) ? static_cast<Bits<L>>(L::kOne - 1) : rest;
}

// v_cmp_class: is the class of x among the ten bits of `mask`? source: guide, V_CMP_CLASS_F32, which looks at
// the exponent and the fraction of x as they are, whatever MODE.denorm.
template <class L>
constexpr bool in_class(Bits<L> x, uint32_t mask) {
  if (is_nan<L>(x)) return mask >> (is_signaling<L>(x) ? 0 : 1) & 1;
  const int kind = is_infinity<L>(x) ? 0 : exponent_field<L>(x) ? 1 : is_zero<L>(x) ? 3 : 2;
  return mask >> (sign<L>(x) ? 2 + kind : 9 - kind) & 1;
}

// CLAMP: to [0, 1]; a NaN becomes +0 with DX10_CLAMP and passes without. source: guide, VOP3 "CLAMP".
template <class L>
constexpr Bits<L> clamp_result(Bits<L> x, bool dx10_clamp) {
  if (is_nan<L>(x)) return dx10_clamp ? Bits<L>{0} : x;
  if (sign<L>(x)) return 0;
  return x > L::kOne ? L::kOne : x;
}

// OMOD: 1 doubles, 2 quadruples, 3 halves. source: guide 6.2.2: void when MODE.IEEE is set or subnormal
// outputs are kept; else subnormals are flushed and -0 becomes +0. assumption: it acts on the rounded result,
// and a scaled result that underflows is +0 too. No option: no compiler sets such a MODE.
template <class L>
constexpr Bits<L> apply_omod(Bits<L> x, int omod, const FloatRules& rules) {
  if (omod == 0 || rules.ieee || rules.keep_output) return x;
  if (is_zero<L>(x) || is_subnormal<L>(x)) return 0;
  const Bits<L> scaled = ldexp<L>(x, omod == 3 ? -1 : omod, rules);
  return is_zero<L>(scaled) ? 0 : scaled;
}

}  // namespace wavetwin::soft
