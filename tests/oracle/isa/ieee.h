// SPDX-License-Identifier: MIT
// IEEE 754 formats by definition: a code's value is written down from the standard's formula, and rounding
// picks between the two neighbouring codes by comparing exact numbers.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "tests/oracle/isa/exact.h"

namespace wavetwin::reference {

struct Spec {
  int exponent_bits, fraction_bits;
  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  uint64_t sign() const { return uint64_t{1} << (exponent_bits + fraction_bits); }
  uint64_t infinity() const { return ((uint64_t{1} << exponent_bits) - 1) << fraction_bits; }
  uint64_t one() const { return static_cast<uint64_t>(bias()) << fraction_bits; }
  uint64_t quiet() const { return uint64_t{1} << (fraction_bits - 1); }
  uint64_t default_nan() const { return sign() | infinity() | quiet(); }
};
inline constexpr Spec kHalf{5, 10}, kSingle{8, 23}, kDouble{11, 52}, kBfloat{8, 7};

inline uint64_t mag(const Spec& s, uint64_t c) { return c & (s.sign() - 1); }
inline bool neg(const Spec& s, uint64_t c) { return (c & s.sign()) != 0; }
inline bool nan(const Spec& s, uint64_t c) { return mag(s, c) > s.infinity(); }
inline bool snan(const Spec& s, uint64_t c) { return nan(s, c) && (c & s.quiet()) == 0; }
inline bool inf(const Spec& s, uint64_t c) { return mag(s, c) == s.infinity(); }
inline bool zero(const Spec& s, uint64_t c) { return mag(s, c) == 0; }
inline bool denormal(const Spec& s, uint64_t c) { return !zero(s, c) && mag(s, c) >> s.fraction_bits == 0; }
inline uint64_t signed_code(const Spec& s, bool negative, uint64_t magnitude) {
  return magnitude | (negative ? s.sign() : 0);
}

// Significand and exponent of a finite code: value = integer * 2^exponent (IEEE 754-2008 section 3.4).
struct Parts {
  bool negative;
  uint64_t integer;
  int exponent;
};
inline Parts parts(const Spec& s, uint64_t c) {
  const uint64_t field = mag(s, c) >> s.fraction_bits;
  const uint64_t fraction = c & ((uint64_t{1} << s.fraction_bits) - 1);
  const int smallest = 1 - s.bias() - s.fraction_bits;
  if (field == 0) return {neg(s, c), fraction, smallest};
  return {neg(s, c), fraction + (uint64_t{1} << s.fraction_bits), smallest + static_cast<int>(field) - 1};
}
inline Exact value(const Spec& s, uint64_t c) {
  const Parts p = parts(s, c);
  return exact(p.negative, p.integer, p.exponent);
}

enum Direction { kNearest = 0, kUp = 1, kDown = 2, kTruncate = 3 };

// The code of x, x != 0. The code above the largest finite one is infinity and counts as the next number of
// the grid.
inline uint64_t rounded(const Spec& s, const Exact& x, int direction) {
  const auto grid = [&](uint64_t magnitude_code) {
    if (magnitude_code < s.infinity()) return value(s, magnitude_code).magnitude;
    return exact(false, 1, s.bias() + 1).magnitude;
  };
  uint64_t low = 0, high = s.infinity();  // grid(low) <= |x|; find the largest such
  if (compare(grid(high), x.magnitude) <= 0) {
    low = high;
  } else {
    while (high - low > 1) {
      const uint64_t middle = low + (high - low) / 2;
      (compare(grid(middle), x.magnitude) <= 0 ? low : high) = middle;
    }
  }
  if (low == s.infinity()) {  // at or beyond 2^(emax + 1): out of the grid, rounds as any overflow
    const bool stay =
        direction == kTruncate || (direction == kUp && x.negative) || (direction == kDown && !x.negative);
    return signed_code(s, x.negative, stay ? s.infinity() - 1 : s.infinity());
  }
  const Big below = grid(low), above = grid(low + 1);
  bool up = false;
  if (compare(below, x.magnitude) != 0) {
    if (direction == kNearest) {
      const int order = compare(plus(x.magnitude, x.magnitude), plus(below, above));
      up = order > 0 || (order == 0 && low % 2 == 1);
    } else {
      up = direction == (x.negative ? kDown : kUp);
    }
  }
  return signed_code(s, x.negative, low + (up ? 1 : 0));
}

// Named choices where no document fixes the answer, by the texts of the command line: "dot2_sum" -> "exact".
using Choices = std::map<std::string, std::string>;

// MODE as the guide's table of the register gives it, and the choices in force (null: the first of each).
struct ModeBits {
  uint32_t bits = 0x3f0;
  const Choices* choices = nullptr;
  bool chosen(const char* name, const char* value) const {
    if (choices == nullptr) return false;
    const auto found = choices->find(name);
    return found != choices->end() && found->second == value;
  }
  int direction(const Spec& s) const { return s.fraction_bits == 23 ? bits & 3 : bits >> 2 & 3; }
  bool keeps_input(const Spec& s) const { return bits >> (s.fraction_bits == 23 ? 4 : 6) & 1; }
  bool keeps_output(const Spec& s) const { return bits >> (s.fraction_bits == 23 ? 5 : 7) & 1; }
  bool dx10_clamp() const { return bits >> 8 & 1; }
  bool ieee() const { return bits >> 9 & 1; }
  bool fp16_ovfl() const { return bits >> 23 & 1; }
};

inline uint64_t take(const Spec& s, uint64_t c, const ModeBits& m) {  // flushes a source
  return denormal(s, c) && !m.keeps_input(s) ? c & s.sign() : c;
}
inline uint64_t pass(const Spec& s, uint64_t c, const ModeBits& m) {  // a NaN that goes through
  return m.ieee() ? c | s.quiet() : c;
}
// Rounds and finishes a result; `zero_negative` is the sign of an exact zero.
inline uint64_t finish(const Spec& s, const Exact& x, bool zero_negative, const ModeBits& m, int direction) {
  if (x.magnitude.zero()) return signed_code(s, zero_negative, 0);
  if (!m.keeps_output(s) && m.chosen("flush_test", "exact") &&
      compare(x.magnitude, exact(false, 1, 1 - s.bias()).magnitude) < 0)
    return signed_code(s, x.negative, 0);
  uint64_t c = rounded(s, x, direction);
  if (inf(s, c) && s.fraction_bits == 10 && m.fp16_ovfl()) c -= 1;
  if (denormal(s, c) && !m.keeps_output(s)) c &= s.sign();
  return c;
}

// isa guide, V_ADD_F32; NaN order: sources in order, then the invalid operation.
inline uint64_t add(const Spec& s, uint64_t a, uint64_t b, const ModeBits& m) {
  if (nan(s, a)) return pass(s, a, m);
  if (nan(s, b)) return pass(s, b, m);
  a = take(s, a, m), b = take(s, b, m);
  if (inf(s, a) && inf(s, b)) return neg(s, a) == neg(s, b) ? a : s.default_nan();
  if (inf(s, a)) return a;
  if (inf(s, b)) return b;
  const bool both_zero = zero(s, a) && zero(s, b);
  const bool zero_negative =
      both_zero && neg(s, a) == neg(s, b) ? neg(s, a) : m.direction(s) == kDown;  // IEEE 754 section 6.3
  return finish(s, value(s, a) + value(s, b), zero_negative, m, m.direction(s));
}

// isa guide, V_FMA_F32, with the product scaled by 2^scale (V_DIV_FMAS).
inline uint64_t fma(const Spec& s, uint64_t a, uint64_t b, uint64_t c, int scale, const ModeBits& m) {
  if (nan(s, a)) return pass(s, a, m);
  if (nan(s, b)) return pass(s, b, m);
  a = take(s, a, m), b = take(s, b, m), c = take(s, c, m);
  const bool negative = neg(s, a) != neg(s, b);
  if ((inf(s, a) && zero(s, b)) || (zero(s, a) && inf(s, b))) return s.default_nan();
  if (nan(s, c)) return pass(s, c, m);
  const uint64_t product_infinity = signed_code(s, negative, s.infinity());
  if (inf(s, a) || inf(s, b)) return inf(s, c) && c != product_infinity ? s.default_nan() : product_infinity;
  if (inf(s, c)) return c;
  const Parts p = parts(s, a), q = parts(s, b), r = parts(s, c);
  const Exact product = exact_product(negative, p.integer, q.integer, p.exponent + q.exponent + scale);
  const bool both_zero = product.magnitude.zero() && zero(s, c);
  const bool zero_negative = both_zero && negative == neg(s, c) ? negative : m.direction(s) == kDown;
  return finish(s, product + exact(r.negative, r.integer, r.exponent + scale), zero_negative, m,
                m.direction(s));
}

inline uint64_t mul(const Spec& s, uint64_t a, uint64_t b, const ModeBits& m) {
  if (nan(s, a)) return pass(s, a, m);
  if (nan(s, b)) return pass(s, b, m);
  a = take(s, a, m), b = take(s, b, m);
  const bool negative = neg(s, a) != neg(s, b);
  if (inf(s, a) || inf(s, b)) {
    return zero(s, a) || zero(s, b) ? s.default_nan() : signed_code(s, negative, s.infinity());
  }
  const Parts p = parts(s, a), q = parts(s, b);
  return finish(s, exact_product(negative, p.integer, q.integer, p.exponent + q.exponent), negative, m,
                m.direction(s));
}

// -1, 0, 1; numbers only. Zeros of both signs are equal.
inline int order(const Spec& s, uint64_t a, uint64_t b) {
  const auto rank = [&](uint64_t c) {
    const int64_t r = static_cast<int64_t>(mag(s, c));
    return neg(s, c) ? -r : r;
  };
  return rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0;
}

// isa guide, V_MIN_F32 and V_MAX_F32, line by line.
inline uint64_t min_or_max(const Spec& s, uint64_t a, uint64_t b, bool max, const ModeBits& m) {
  if (m.ieee() && snan(s, a)) return a | s.quiet();
  if (m.ieee() && snan(s, b)) return b | s.quiet();
  a = take(s, a, m), b = take(s, b, m);
  if (denormal(s, a) && !m.keeps_output(s)) a &= s.sign();
  if (denormal(s, b) && !m.keeps_output(s)) b &= s.sign();
  if (nan(s, a)) return b;
  if (nan(s, b)) return a;
  if (zero(s, a) && zero(s, b)) {
    const bool negative = max ? neg(s, a) && neg(s, b) : neg(s, a) || neg(s, b);
    return signed_code(s, negative, 0);
  }
  if (max) return order(s, a, b) >= 0 ? a : b;
  return order(s, a, b) < 0 ? a : b;
}

}  // namespace wavetwin::reference
