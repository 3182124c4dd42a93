// SPDX-License-Identifier: MIT
// The one conversion behind every format: unpack -> (scale) -> round -> pack.
//
// unpack() is exact, encode() rounds once, to nearest, ties to even. To scale by a power of two on the way,
// as the v_cvt_scalef32_* family does, add to Unpacked::exponent between the two; no second rounding happens.
// Overflow follows the table of the CDNA4 ISA guide for v_cvt_pk_fp8_f32 / v_cvt_pk_bf8_f32 (FP16_OVFL).
#pragma once

#include <cstdint>

#include "common/bits.h"
#include "common/format/float_format.h"
#include "common/host_device.h"

namespace wavetwin {

// What becomes of a magnitude that rounds above the largest finite value.
enum class Overflow : uint8_t {
  saturate,  // FP16_OVFL = 1: the largest finite value; so does an infinite input unless keeps_infinity
  ieee       // FP16_OVFL = 0: infinity, or NaN where the format has no infinity
};
// The 4- and 6-bit formats have neither infinity nor NaN and always saturate (CDNA4 ISA guide,
// v_cvt_scalef32_* to FP4 / FP6 / BF6).

enum class NumberClass : uint8_t { zero, finite, infinity, nan };

// (-1)^negative * significand * 2^exponent for a finite number; the significand is not normalised.
// A NaN keeps its mantissa field in the top bits of `significand`.
struct Unpacked {
  NumberClass kind;
  bool negative;
  int32_t exponent;
  uint64_t significand;
};

WAVETWIN_HD constexpr bool is_nan_magnitude(const FloatFormat& format, uint64_t magnitude) {
  switch (format.nan) {
    case NanEncoding::all_ones:
      return magnitude == format.all_ones_magnitude();
    case NanEncoding::ieee_canonical:
    case NanEncoding::ieee_payload:
      return magnitude > format.infinity_magnitude();
    default:
      return false;
  }
}

// The exact value of a code of at most 64 bits.
WAVETWIN_HD constexpr Unpacked unpack(const FloatFormat& format, uint64_t code) {
  const uint64_t magnitude = code & format.all_ones_magnitude();
  const uint64_t mantissa = code & format.mantissa_mask();
  const auto field = static_cast<int32_t>(magnitude >> format.mantissa_bits);
  const bool negative = (code & format.sign_mask()) != 0;

  const bool is_fnuz_nan = format.nan == NanEncoding::negative_zero && negative && magnitude == 0;
  const bool is_nan = is_fnuz_nan || is_nan_magnitude(format, magnitude);
  const bool is_infinity = format.has_infinity && magnitude == format.infinity_magnitude();
  if (is_nan) return {NumberClass::nan, negative && !is_fnuz_nan, 0, mantissa << (64 - format.mantissa_bits)};
  if (is_infinity) return {NumberClass::infinity, negative, 0, 0};
  if (magnitude == 0) return {NumberClass::zero, negative, 0, 0};

  const bool is_subnormal = field == 0;
  const uint64_t hidden_bit = is_subnormal ? 0 : uint64_t{1} << format.mantissa_bits;
  const int32_t exponent = (is_subnormal ? 1 : field) - format.bias - format.mantissa_bits;
  return {NumberClass::finite, negative, exponent, hidden_bit | mantissa};
}

WAVETWIN_HD constexpr Unpacked unpack(float value) { return unpack(kBinary32, f32_bits(value)); }
WAVETWIN_HD constexpr Unpacked unpack(double value) { return unpack(kBinary64, f64_bits(value)); }

// significand * 2^-shift to the nearest integer, ties to even. A negative shift is exact. `significand` is
// below 2^63, and the caller knows that a left shift does not overflow.
WAVETWIN_HD constexpr uint64_t shift_right_rne(uint64_t significand, int32_t shift) {
  if (shift <= 0) return significand << -shift;
  if (shift >= 64) return 0;  // below one half
  const uint64_t half = uint64_t{1} << (shift - 1);
  const uint64_t quotient = significand >> shift;
  const uint64_t is_odd = quotient & 1;
  return (significand + half - 1 + is_odd) >> shift;
}

WAVETWIN_HD constexpr uint64_t nan_code(const FloatFormat& format, const Unpacked& x) {
  const uint64_t sign = x.negative ? format.sign_mask() : 0;
  const uint64_t quiet_bit = uint64_t{1} << (format.mantissa_bits - 1);
  switch (format.nan) {
    // assumption: NaN to a 4- or 6-bit format gives the largest finite value with the NaN's sign. OCP MX v1.0
    // section 5.3 leaves it to the implementation; gfx950 gives "max finite or zero", nobody says which.
    case NanEncoding::none:
      return sign | format.max_finite_magnitude();
    case NanEncoding::negative_zero:
      return format.sign_mask();
    case NanEncoding::ieee_payload:
      return sign | format.infinity_magnitude() | quiet_bit | (x.significand >> (64 - format.mantissa_bits));
    default:
      return sign | format.all_ones_magnitude();
  }
}

// The magnitude for a value above the largest finite one.
WAVETWIN_HD constexpr uint64_t overflow_magnitude(const FloatFormat& format, Overflow overflow,
                                                  bool is_infinity) {
  const bool has_no_special = !format.has_infinity && format.nan != NanEncoding::all_ones;
  const bool saturates = overflow == Overflow::saturate && !(is_infinity && format.keeps_infinity);
  if (has_no_special || saturates) return format.max_finite_magnitude();
  return format.has_infinity ? format.infinity_magnitude() : format.all_ones_magnitude();
}

// The code nearest to x (ties to even). Not for the FNUZ formats, which are decode only.
WAVETWIN_HD constexpr uint64_t encode_bits(const FloatFormat& format, const Unpacked& x, Overflow overflow) {
  const uint64_t sign = x.negative ? format.sign_mask() : 0;
  if (x.kind == NumberClass::nan) return nan_code(format, x);
  if (x.kind == NumberClass::infinity) return sign | overflow_magnitude(format, overflow, true);
  if (x.kind == NumberClass::zero) return sign;

  // 1. The exponent field: that of floor(log2|x|), or 1 for everything below the smallest normal.
  const int32_t top_exponent = x.exponent + 63 - leading_zeros(x.significand);
  const int32_t normal_field = top_exponent + format.bias;
  const int32_t field = normal_field > 1 ? normal_field : 1;
  // 2. Round to a multiple of the quantum, the value of the last mantissa bit at that exponent.
  const int32_t quantum_exponent = field - format.bias - format.mantissa_bits;
  const uint64_t rounded = shift_right_rne(x.significand, quantum_exponent - x.exponent);
  // 3. Pack by adding: the hidden bit of a normal number, or a carry out of the rounding, lifts field - 1.
  const uint64_t magnitude = (static_cast<uint64_t>(field - 1) << format.mantissa_bits) + rounded;
  // 4. "Above the largest finite value" is judged after rounding with an unbounded exponent.
  if (magnitude > format.max_finite_magnitude()) return sign | overflow_magnitude(format, overflow, false);
  return sign | magnitude;
}

// x as the nearest f32. Exact for every value of a format of this folder; a NaN becomes quiet, sign kept.
WAVETWIN_HD constexpr float to_float(const Unpacked& x) {
  return f32_from_bits(static_cast<uint32_t>(encode_bits(kBinary32, x, Overflow::ieee)));
}

// A format F is a struct { uint8_t or uint16_t bits; static constexpr FloatFormat kFormat; }.
template <class F>
WAVETWIN_HD constexpr Unpacked unpack(F code) requires requires {
  F::kFormat;
}
{ return unpack(F::kFormat, code.bits); }

// The value of a code. NaN gives sign | 0x7FC00000 for the 8-bit formats (inferred: AMD's rocjitsu,
// v_cvt_f32_fp8).
template <class F>
WAVETWIN_HD constexpr float decode(F code) requires requires {
  F::kFormat;
}
{
  const Unpacked x = unpack(code);
  const bool drops_payload = F::kFormat.nan != NanEncoding::ieee_payload;
  return to_float(drops_payload && x.kind == NumberClass::nan ? Unpacked{x.kind, x.negative, 0, 0} : x);
}

template <class F>
WAVETWIN_HD constexpr F encode(const Unpacked& x, Overflow overflow) {
  static_assert(F::kFormat.nan != NanEncoding::negative_zero, "the FNUZ formats are decode only");
  return F{static_cast<decltype(F::bits)>(encode_bits(F::kFormat, x, overflow))};
}
template <class F>
WAVETWIN_HD constexpr F encode(float value, Overflow overflow) {
  return encode<F>(unpack(value), overflow);
}
// One rounding from f64, not two by way of f32.
template <class F>
WAVETWIN_HD constexpr F encode(double value, Overflow overflow) {
  return encode<F>(unpack(value), overflow);
}

}  // namespace wavetwin
