// SPDX-License-Identifier: MIT
// IEEE binary arithmetic in integers: unpack, compute exactly (a lost bit is jammed into bit 0), round and
// pack once. Correct in every MODE; f16.h, f32.h and f64.h name the three formats and add host fast paths.
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include "sim/numerics/mode.h"

namespace wavetwin {

__extension__ typedef unsigned __int128 Uint128;

// A binary interchange format: 1 sign bit, `kExponentBits`, `kFractionBits` (IEEE 754-2008 section 3.4).
template <class B, int kExponentBitsT, int kFractionBitsT>
struct FloatLayout {
  using Bits = B;
  static constexpr int kExponentBits = kExponentBitsT;
  static constexpr int kFractionBits = kFractionBitsT;
  static constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
  static constexpr int kMaxField = (1 << kExponentBits) - 1;
  static constexpr int kMinExponent = 1 - kBias;  // of the smallest normal number
  static constexpr B kSign = static_cast<B>(B{1} << (kExponentBits + kFractionBits));
  static constexpr B kHidden = static_cast<B>(B{1} << kFractionBits);
  static constexpr B kFractionMask = static_cast<B>(kHidden - 1);
  static constexpr B kInfinity = static_cast<B>(static_cast<B>(kMaxField) << kFractionBits);
  static constexpr B kQuiet = static_cast<B>(B{1} << (kFractionBits - 1));
  static constexpr B kMaxFinite = static_cast<B>(kInfinity - 1);
  // The result of an invalid operation: negative and quiet. source: guide, the NaN constants of v_log, v_rsq,
  // v_div_fixup.
  static constexpr B kDefaultNan = static_cast<B>(kSign | kInfinity | kQuiet);
  static constexpr B kOne = static_cast<B>(static_cast<B>(kBias) << kFractionBits);
};
using F16Layout = FloatLayout<uint16_t, 5, 10>;
using F32Layout = FloatLayout<uint32_t, 8, 23>;
using F64Layout = FloatLayout<uint64_t, 11, 52>;
using Bf16Layout = FloatLayout<uint16_t, 8, 7>;

namespace soft {

template <class L>
using Bits = typename L::Bits;

template <class L>
constexpr bool sign(Bits<L> x) {
  return (x & L::kSign) != 0;
}
template <class L>
constexpr int exponent_field(Bits<L> x) {
  return static_cast<int>(x >> L::kFractionBits) & L::kMaxField;
}
template <class L>
constexpr Bits<L> magnitude(Bits<L> x) {
  return static_cast<Bits<L>>(x & ~L::kSign);
}
template <class L>
constexpr bool is_nan(Bits<L> x) {
  return magnitude<L>(x) > L::kInfinity;
}
template <class L>
constexpr bool is_signaling(Bits<L> x) {
  return is_nan<L>(x) && (x & L::kQuiet) == 0;
}
template <class L>
constexpr bool is_infinity(Bits<L> x) {
  return magnitude<L>(x) == L::kInfinity;
}
template <class L>
constexpr bool is_zero(Bits<L> x) {
  return magnitude<L>(x) == 0;
}
template <class L>
constexpr bool is_subnormal(Bits<L> x) {
  return magnitude<L>(x) < L::kHidden && !is_zero<L>(x);
}
template <class L>
constexpr Bits<L> quiet(Bits<L> x) {
  return static_cast<Bits<L>>(x | L::kQuiet);
}
template <class L>
constexpr Bits<L> with_sign(bool negative, Bits<L> magnitude_bits) {
  return static_cast<Bits<L>>(negative ? (magnitude_bits | L::kSign) : magnitude_bits);
}
template <class L>
constexpr Bits<L> negate(Bits<L> x) {
  return static_cast<Bits<L>>(x ^ L::kSign);
}

// A NaN that an operation passes on. source: guide, MODE.IEEE "quiet and propagate signaling NaN inputs".
template <class L>
constexpr Bits<L> propagate(Bits<L> nan, const FloatRules& rules) {
  return rules.ieee ? quiet<L>(nan) : nan;
}

template <class L>
constexpr Bits<L> flush_input(Bits<L> x, const FloatRules& rules) {
  return !rules.keep_input && is_subnormal<L>(x) ? static_cast<Bits<L>>(x & L::kSign) : x;
}
template <class L>
constexpr Bits<L> flush_output(Bits<L> x, const FloatRules& rules) {
  return !rules.keep_output && is_subnormal<L>(x) ? static_cast<Bits<L>>(x & L::kSign) : x;
}

// A finite number before rounding: (-1)^negative * significand * 2^exponent. Bit 0 may be a jammed (sticky)
// bit.
struct Unrounded {
  bool negative = false;
  int exponent = 0;
  Uint128 significand = 0;
};

constexpr int top_bit(Uint128 v) {
  const uint64_t high = static_cast<uint64_t>(v >> 64);
  return high ? 127 - std::countl_zero(high) : 63 - std::countl_zero(static_cast<uint64_t>(v));
}

constexpr Uint128 shift_right_jam(Uint128 v, int count) {
  if (count <= 0) return v;
  if (count > 127) return v != 0;
  const Uint128 lost = v & ((Uint128{1} << count) - 1);
  return v >> count | (lost != 0);
}

// x finite.
template <class L>
constexpr Unrounded unpack(Bits<L> x) {
  const int field = exponent_field<L>(x);
  const Uint128 fraction = x & L::kFractionMask;
  if (field == 0) return {sign<L>(x), L::kMinExponent - L::kFractionBits, fraction};
  return {sign<L>(x), field - L::kBias - L::kFractionBits, fraction | L::kHidden};
}

// +1 when a magnitude with the discarded part (half, sticky) is rounded away from zero.
constexpr bool rounds_up(Round round, bool negative, bool odd, bool half, bool sticky) {
  switch (round) {
    case Round::nearest_even:
      return half && (sticky || odd);
    case Round::plus_infinity:
      return !negative && (half || sticky);
    case Round::minus_infinity:
      return negative && (half || sticky);
    case Round::zero:
      return false;
  }
  return false;
}

template <class L>
constexpr Bits<L> overflow(bool negative, const FloatRules& rules) {
  const bool to_max = rules.clamp_overflow || rules.round == Round::zero ||
                      (rules.round == Round::plus_infinity && negative) ||
                      (rules.round == Round::minus_infinity && !negative);
  return with_sign<L>(negative, to_max ? L::kMaxFinite : L::kInfinity);
}

// The quotient of v by 2^count, rounded.
constexpr Uint128 round_shift(Uint128 v, int count, Round round, bool negative) {
  if (count <= 0) return v << -count;
  if (count > 127) return rounds_up(round, negative, false, false, v != 0);
  const Uint128 kept = v >> count;
  const bool half = (v >> (count - 1) & 1) != 0;
  const bool sticky = (v & ((Uint128{1} << (count - 1)) - 1)) != 0;
  return kept + rounds_up(round, negative, (kept & 1) != 0, half, sticky);
}

// Rounds once and packs; a zero significand gives a zero of the value's sign.
template <class L>
constexpr Bits<L> round_pack(const Unrounded& value, const FloatRules& rules) {
  if (value.significand == 0) return with_sign<L>(value.negative, 0);
  const int exponent = value.exponent + top_bit(value.significand);  // of the leading bit
  if (exponent > L::kBias) return overflow<L>(value.negative, rules);
  const bool tiny = exponent < L::kMinExponent;
  if (tiny && rules.flush_exact && !rules.keep_output) return with_sign<L>(value.negative, 0);
  const int last_place = (tiny ? L::kMinExponent : exponent) - L::kFractionBits;
  const Uint128 kept =
      round_shift(value.significand, last_place - value.exponent, rules.round, value.negative);
  // The hidden bit adds 1 to the exponent field, and so does a carry out of the significand.
  const uint64_t base = tiny ? 0 : static_cast<uint64_t>(exponent + L::kBias - 1) << L::kFractionBits;
  const uint64_t packed = base + static_cast<uint64_t>(kept);
  if (packed >= L::kInfinity) return overflow<L>(value.negative, rules);
  return flush_output<L>(with_sign<L>(value.negative, static_cast<Bits<L>>(packed)), rules);
}

// The sum, with the sign of an exact zero as IEEE 754 section 6.3 gives it.
constexpr Unrounded add(Unrounded a, Unrounded b, Round round) {
  if (a.significand == 0 && b.significand == 0) {
    return {a.negative == b.negative ? a.negative : round == Round::minus_infinity, 0, 0};
  }
  if (a.significand == 0) return b;
  if (b.significand == 0) return a;
  // Both leading bits to bit 125: one bit for the carry, and at least 20 zero bits below a 106-bit product.
  for (Unrounded* v : {&a, &b}) {
    const int up = 125 - top_bit(v->significand);
    v->significand <<= up;
    v->exponent -= up;
  }
  if (a.exponent < b.exponent) {
    const Unrounded t = a;
    a = b;
    b = t;
  }
  b.significand = shift_right_jam(b.significand, a.exponent - b.exponent);
  if (a.negative == b.negative) return {a.negative, a.exponent, a.significand + b.significand};
  if (a.significand == b.significand) return {round == Round::minus_infinity, 0, 0};
  const bool swap = b.significand > a.significand;
  return {swap ? b.negative : a.negative, a.exponent,
          swap ? b.significand - a.significand : a.significand - b.significand};
}

constexpr Unrounded multiply(const Unrounded& a, const Unrounded& b) {
  return {a.negative != b.negative, a.exponent + b.exponent, a.significand * b.significand};
}

}  // namespace soft
}  // namespace wavetwin
