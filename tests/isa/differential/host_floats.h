// SPDX-License-Identifier: MIT
// f16 and bf16 arithmetic of the host half: exactly rounded, whatever the host compiler makes of such types.
//
// Every f16 operation is done in double and rounded once: products and sums of f16 are exact there, and
// quotients and square roots have more than twice the precision, so rounding twice is harmless (Figueroa
// 1995: 53 >= 2 * 11 + 2). bf16 has no instructions of its own, it is done in f32 and then rounded, as the
// device does.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace wavetwin::differential {

// x rounded to nearest even, with `exponent_bits` and `fraction_bits`, as a code of that format.
inline uint16_t round_to_code(double x, int exponent_bits, int fraction_bits) {
  const uint64_t bits = std::bit_cast<uint64_t>(x);
  const auto sign = static_cast<uint16_t>(bits >> 63 << 15);
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const auto infinity = static_cast<uint16_t>(((1 << exponent_bits) - 1) << fraction_bits);
  if (std::isnan(x)) return infinity | static_cast<uint16_t>(1 << (fraction_bits - 1));
  if (std::isinf(x)) return sign | infinity;
  if (x == 0) return sign;
  // The unit in the last place that x has in the format; scaling by it is exact, nearbyint() rounds once.
  int exponent = std::ilogb(x);
  if (exponent < 1 - bias) exponent = 1 - bias;
  const double units = std::nearbyint(std::ldexp(std::fabs(x), fraction_bits - exponent));
  // A carry out of the fraction runs into the exponent field, where it belongs.
  const int64_t code =
      static_cast<int64_t>(units) + (static_cast<int64_t>(exponent + bias - 1) << fraction_bits);
  return sign | (code >= infinity ? infinity : static_cast<uint16_t>(code));
}

struct f16 {
  uint16_t code = 0;
  f16() = default;
  explicit f16(double x) : code(round_to_code(x, 5, 10)) {}
  explicit operator double() const {
    const double sign = code >> 15 ? -1 : 1;
    const int field = code >> 10 & 31, fraction = code & 1023;
    if (field == 31) return fraction ? std::nan("") : sign * HUGE_VAL;
    return sign * (field ? std::ldexp(1024 + fraction, field - 25) : std::ldexp(fraction, -24));
  }
  explicit operator float() const { return static_cast<float>(static_cast<double>(*this)); }
};

struct bf16 {
  uint16_t code = 0;
  bf16() = default;
  explicit bf16(double x) : code(round_to_code(x, 8, 7)) {}
  explicit operator float() const { return std::bit_cast<float>(uint32_t{code} << 16); }
  explicit operator double() const { return static_cast<float>(*this); }
};

#define WAVETWIN_SMALL_FLOAT(type, wide)                                                   \
  inline type operator+(type a, type b) { return type(wide(a) + wide(b)); }                \
  inline type operator-(type a, type b) { return type(wide(a) - wide(b)); }                \
  inline type operator*(type a, type b) { return type(wide(a) * wide(b)); }                \
  inline type operator/(type a, type b) { return type(wide(a) / wide(b)); }                \
  inline type operator-(type a) { return std::bit_cast<type>(uint16_t(a.code ^ 0x8000)); } \
  inline bool operator<(type a, type b) { return wide(a) < wide(b); }                      \
  inline bool operator<=(type a, type b) { return wide(a) <= wide(b); }                    \
  inline bool operator==(type a, type b) { return wide(a) == wide(b); }                    \
  inline bool operator!=(type a, type b) { return wide(a) != wide(b); }
WAVETWIN_SMALL_FLOAT(f16, double)
WAVETWIN_SMALL_FLOAT(bf16, float)
#undef WAVETWIN_SMALL_FLOAT

// a * b + c rounded once to f16: the product is exact in double, the sum is rounded to odd, so that the
// second rounding sees on which side of a tie the exact value lies.
inline f16 fused_f16(f16 a, f16 b, f16 c) {
  const double product = double(a) * double(b), addend = double(c);
  const double sum = product + addend;
  if (!std::isfinite(sum)) return f16(sum);
  const double part = sum - product;
  const double error = (product - (sum - part)) + (addend - part);  // exact (Knuth's TwoSum)
  if (error == 0 || (std::bit_cast<uint64_t>(sum) & 1)) return f16(sum);
  return f16(std::nextafter(sum, error > 0 ? HUGE_VAL : -HUGE_VAL));
}

}  // namespace wavetwin::differential
