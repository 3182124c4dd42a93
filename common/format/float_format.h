// SPDX-License-Identifier: MIT
// The small descriptor from which every conversion in this folder works.
#pragma once

#include <cstdint>

#include "common/host_device.h"

namespace wavetwin {

// How a format spells NaN, and which NaN a conversion writes.
enum class NanEncoding : uint8_t {
  none,            // no NaN: E2M1, E2M3, E3M2 (OCP MX v1.0 sections 5.3.2, 5.3.3)
  all_ones,        // one magnitude, all exponent and mantissa bits set: E4M3 (OCP OFP8 section 5.1)
  ieee_canonical,  // exponent all ones, mantissa not zero; written as all ones: E5M2 (see e5m2.h)
  ieee_payload,    // exponent all ones, mantissa not zero; written quiet with the payload's top bits kept
  negative_zero    // the code of -0: the FNUZ formats
};

// A sign bit, `exponent_bits`, `mantissa_bits`, from the top of the code down. value = (-1)^s *
// 2^(e - bias) * 1.m for exponent field e > 0, (-1)^s * 2^(1 - bias) * 0.m for e = 0.
struct FloatFormat {
  uint8_t exponent_bits;
  uint8_t mantissa_bits;
  int16_t bias;
  bool has_infinity;
  NanEncoding nan;
  // What Overflow::saturate does with an infinite input: false = largest finite value, true = infinity.
  bool keeps_infinity;

  WAVETWIN_HD constexpr unsigned bits() const { return 1u + exponent_bits + mantissa_bits; }
  WAVETWIN_HD constexpr uint64_t sign_mask() const { return uint64_t{1} << (exponent_bits + mantissa_bits); }
  WAVETWIN_HD constexpr uint64_t mantissa_mask() const { return (uint64_t{1} << mantissa_bits) - 1; }
  // The largest exponent field, all ones.
  WAVETWIN_HD constexpr uint64_t top_exponent_field() const { return (uint64_t{1} << exponent_bits) - 1; }

  // Magnitudes are codes without the sign bit; they order as the values do.
  WAVETWIN_HD constexpr uint64_t all_ones_magnitude() const { return sign_mask() - 1; }
  WAVETWIN_HD constexpr uint64_t max_finite_magnitude() const {
    if (has_infinity) return (top_exponent_field() << mantissa_bits) - 1;
    return nan == NanEncoding::all_ones ? all_ones_magnitude() - 1 : all_ones_magnitude();
  }
  // Meaningful only when has_infinity.
  WAVETWIN_HD constexpr uint64_t infinity_magnitude() const { return top_exponent_field() << mantissa_bits; }

  // floor(log2(largest finite value)); "emax" of OCP MX v1.0 section 6.3.
  WAVETWIN_HD constexpr int32_t max_exponent() const {
    return static_cast<int32_t>(max_finite_magnitude() >> mantissa_bits) - bias;
  }
  // Exponent of the smallest normal value.
  WAVETWIN_HD constexpr int32_t min_exponent() const { return 1 - bias; }

  WAVETWIN_HD friend constexpr bool operator==(const FloatFormat& a, const FloatFormat& b) {
    return a.exponent_bits == b.exponent_bits && a.mantissa_bits == b.mantissa_bits && a.bias == b.bias &&
           a.has_infinity == b.has_infinity && a.nan == b.nan && a.keeps_infinity == b.keeps_infinity;
  }
};

// IEEE 754 binary32 and binary64, the ends of most conversions.
inline constexpr FloatFormat kBinary32{8, 23, 127, true, NanEncoding::ieee_payload, true};
inline constexpr FloatFormat kBinary64{11, 52, 1023, true, NanEncoding::ieee_payload, true};

}  // namespace wavetwin
