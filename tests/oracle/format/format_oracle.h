// SPDX-License-Identifier: MIT
// Slow, plain models of the number formats: a table of every finite value built with ldexp, and encoding by
// searching it. Independent of common/format on purpose; every constant below is written down again from the
// documents.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace wavetwin::reference {

enum class Special : uint8_t {
  none,          // every code is a finite number (OCP MX v1.0: E2M1, E2M3, E3M2)
  fn,            // the last magnitude is NaN (OCP OFP8: E4M3)
  ieee,          // the last exponent field is infinity and NaN (OCP OFP8: E5M2; binary16; bfloat16)
  unsigned_zero  // the code of -0 is NaN (CDNA3 ISA guide: FNUZ)
};

struct Format {
  const char* name;
  int bits;
  Special special;
  uint32_t sign;                   // the sign bit
  std::vector<double> magnitudes;  // the finite values >= 0; the index is the code
  double beyond;                   // what the next code would be, were it finite

  uint32_t max_finite() const { return static_cast<uint32_t>(magnitudes.size()) - 1; }
};

// finite_count: how many magnitudes are finite, from the format's own document.
inline Format make_format(const char* name, int exponent_bits, int mantissa_bits, int bias,
                          uint32_t finite_count, Special special) {
  Format format{name, 1 + exponent_bits + mantissa_bits, special, 1u << (exponent_bits + mantissa_bits), {},
                0.0};
  for (uint32_t code = 0; code <= finite_count; ++code) {
    const int field = static_cast<int>(code >> mantissa_bits);
    const double fraction = std::ldexp(static_cast<double>(code % (1u << mantissa_bits)), -mantissa_bits);
    const double value =
        field == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1.0 + fraction, field - bias);
    if (code < finite_count) {
      format.magnitudes.push_back(value);
    } else {
      format.beyond = value;
    }
  }
  return format;
}

inline const Format& e4m3() {
  static const Format format = make_format("e4m3", 4, 3, 7, 0x7F, Special::fn);
  return format;
}
inline const Format& e5m2() {
  static const Format format = make_format("e5m2", 5, 2, 15, 0x7C, Special::ieee);
  return format;
}
inline const Format& e3m2() {
  static const Format format = make_format("e3m2", 3, 2, 3, 0x20, Special::none);
  return format;
}
inline const Format& e2m3() {
  static const Format format = make_format("e2m3", 2, 3, 1, 0x20, Special::none);
  return format;
}
inline const Format& e2m1() {
  static const Format format = make_format("e2m1", 2, 1, 1, 0x8, Special::none);
  return format;
}
inline const Format& e4m3fnuz() {
  static const Format format = make_format("e4m3fnuz", 4, 3, 8, 0x80, Special::unsigned_zero);
  return format;
}
inline const Format& e5m2fnuz() {
  static const Format format = make_format("e5m2fnuz", 5, 2, 16, 0x80, Special::unsigned_zero);
  return format;
}
inline const Format& f16() {
  static const Format format = make_format("f16", 5, 10, 15, 0x7C00, Special::ieee);
  return format;
}
inline const Format& bf16() {
  static const Format format = make_format("bf16", 8, 7, 127, 0x7F80, Special::ieee);
  return format;
}

// The value of a code; NaN and infinity as double has them.
inline double decode(const Format& format, uint32_t code) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const bool negative = (code & format.sign) != 0;
  const uint32_t magnitude = code & (format.sign - 1);
  if (format.special == Special::unsigned_zero && code == format.sign) return nan;
  if (magnitude > format.max_finite()) {
    const bool is_infinity = format.special == Special::ieee && magnitude == format.max_finite() + 1;
    if (!is_infinity) return nan;
    return negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  }
  const double value = format.magnitudes[magnitude];
  return negative ? -value : value;
}

inline double decode_e8m0(uint8_t code) {
  return code == 0xFF ? std::numeric_limits<double>::quiet_NaN() : std::ldexp(1.0, code - 127);
}

// The finite magnitude nearest to `value` >= 0, ties to the even code; max_finite() + 1 stands for everything
// that rounds past the end of the table on the grid continued upwards.
inline uint32_t nearest_magnitude(const Format& format, double value) {
  const auto& table = format.magnitudes;
  const auto above = std::lower_bound(table.begin(), table.end(), value);  // first >= value
  const auto index = static_cast<uint32_t>(above - table.begin());
  if (index < table.size() && *above == value) return index;
  const double upper = index < table.size() ? table[index] : format.beyond;
  const double lower = table[index - 1];
  const double middle = lower + (upper - lower) / 2;  // exact: one bit more than the format has
  if (value != middle) return value < middle ? index - 1 : index;
  return index % 2 == 0 ? index : index - 1;
}

// What a conversion must give. A NaN result is any NaN code of the format: see is_nan_code. Formats without
// NaN turn it into the largest value, which is wavetwin's stated assumption.
inline uint32_t encode(const Format& format, double value, bool saturate) {
  const uint32_t sign = std::signbit(value) ? format.sign : 0;
  const bool has_no_nan = format.special == Special::none;
  const bool is_16_bit = format.bits == 16;  // FP16_OVFL = 1 leaves a true infinity alone in f16 and bf16
  if (std::isnan(value)) return sign | (has_no_nan ? format.max_finite() : format.sign - 1);
  uint32_t magnitude = format.max_finite() + 1;
  if (!std::isinf(value)) magnitude = nearest_magnitude(format, std::fabs(value));
  if (magnitude <= format.max_finite()) return sign | magnitude;
  const bool stays_infinite = std::isinf(value) && is_16_bit;
  if (has_no_nan || (saturate && !stays_infinite)) return sign | format.max_finite();
  return sign | (format.max_finite() + 1);  // infinity, or E4M3's NaN
}

inline bool is_nan_code(const Format& format, uint32_t code) { return std::isnan(decode(format, code)); }

}  // namespace wavetwin::reference
