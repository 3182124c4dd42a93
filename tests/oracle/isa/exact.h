// SPDX-License-Identifier: MIT
// Exact numbers for the instruction oracles: integer multiples of 2^-kUnit, wide enough for every sum and
// product of f64 numbers and a scale of 2^+-128. Slow and plain on purpose; nothing of sim/ or common/ is
// used here.
#pragma once

#include <array>
#include <cstdint>

namespace wavetwin::reference {

inline constexpr int kUnit = 2300;
inline constexpr int kWords = 74;  // 4736 bits

// A non-negative integer.
struct Big {
  std::array<uint64_t, kWords> w{};  // least significant word first

  // v * 2^shift
  static Big shifted(uint64_t v, int shift) {
    Big r;
    r.w[shift / 64] = v << (shift % 64);
    if (shift % 64 != 0) r.w[shift / 64 + 1] = v >> (64 - shift % 64);
    return r;
  }
  bool zero() const {
    for (uint64_t x : w)
      if (x != 0) return false;
    return true;
  }
};

inline int compare(const Big& a, const Big& b) {
  for (int i = kWords - 1; i >= 0; --i)
    if (a.w[i] != b.w[i]) return a.w[i] < b.w[i] ? -1 : 1;
  return 0;
}

inline Big plus(const Big& a, const Big& b) {
  Big r;
  uint64_t carry = 0;
  for (int i = 0; i < kWords; ++i) {
    const uint64_t s = a.w[i] + b.w[i];
    r.w[i] = s + carry;
    carry = (s < a.w[i] ? 1u : 0u) + (r.w[i] < s ? 1u : 0u);
  }
  return r;
}

// a - b, a >= b.
inline Big minus(const Big& a, const Big& b) {
  Big r;
  uint64_t borrow = 0;
  for (int i = 0; i < kWords; ++i) {
    const uint64_t d = a.w[i] - b.w[i];
    r.w[i] = d - borrow;
    borrow = (a.w[i] < b.w[i] ? 1u : 0u) + (d < borrow ? 1u : 0u);
  }
  return r;
}

// A number with a sign; zero has none of its own.
struct Exact {
  bool negative = false;
  Big magnitude;  // in units of 2^-kUnit
};

inline Exact operator+(const Exact& a, const Exact& b) {
  if (a.negative == b.negative) return {a.negative, plus(a.magnitude, b.magnitude)};
  const int order = compare(a.magnitude, b.magnitude);
  if (order == 0) return {};
  return order > 0 ? Exact{a.negative, minus(a.magnitude, b.magnitude)}
                   : Exact{b.negative, minus(b.magnitude, a.magnitude)};
}

// integer * 2^exponent, for |integer| < 2^64.
inline Exact exact(bool negative, uint64_t integer, int exponent) {
  return {negative && integer != 0, Big::shifted(integer, exponent + kUnit)};
}
// The product of two such numbers.
inline Exact exact_product(bool negative, uint64_t a, uint64_t b, int exponent) {
  const unsigned __int128 p = static_cast<unsigned __int128>(a) * b;
  const Exact low = exact(negative, static_cast<uint64_t>(p), exponent);
  const Exact high = exact(negative, static_cast<uint64_t>(p >> 64), exponent + 64);
  return {negative && p != 0, plus(low.magnitude, high.magnitude)};
}

}  // namespace wavetwin::reference
