// SPDX-License-Identifier: MIT
// Big fixed-point numbers: enough bits that every MFMA value, of any input format and scale, is exact.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

namespace wavetwin::reference {

// A two's complement integer of kWords * 64 bits, counting units of 2^-kFraction. Clearing low bits is
// rounding toward minus infinity, which is most of what the rules ask for.
template <int kWords, int kFraction>
class Wide {
 public:
  Wide() = default;

  // Any finite double whose last bit is at least 2^-kFraction.
  static Wide from(double value) {
    Wide result;
    int exponent = 0;
    const double fraction = std::frexp(std::fabs(value), &exponent);  // |value| = fraction * 2^exponent
    auto integer = static_cast<uint64_t>(std::ldexp(fraction, 53));
    int bit = exponent - 53 + kFraction;
    for (; bit < 0; ++bit) integer >>= 1;  // only zeros leave
    result.words_[bit / 64] = integer << bit % 64;
    if (bit % 64 != 0) result.words_[bit / 64 + 1] = integer >> (64 - bit % 64);
    return value < 0 ? -result : result;
  }

  Wide operator-() const {
    Wide result;
    bool carry = true;
    for (int i = 0; i < kWords; ++i) {
      result.words_[i] = ~words_[i] + (carry ? 1 : 0);
      carry = carry && result.words_[i] == 0;
    }
    return result;
  }

  Wide operator+(const Wide& other) const {
    Wide result;
    bool carry = false;
    for (int i = 0; i < kWords; ++i) {
      const uint64_t partial = words_[i] + other.words_[i];
      const bool first = partial < words_[i];
      result.words_[i] = partial + (carry ? 1 : 0);
      carry = first || (carry && result.words_[i] == 0);
    }
    return result;
  }

  // This number times 2^exponent. What falls off the low end must be zeros.
  Wide times_power_of_two(int exponent) const {
    Wide result;
    for (int bit = 0; bit < kBits; ++bit) {
      const int source = bit - exponent;
      if (source >= 0 && source < kBits ? this->bit(source) : (source >= kBits && negative()))
        result.set(bit);
    }
    return result;
  }

  bool zero() const { return words_ == std::array<uint64_t, kWords>{}; }
  bool negative() const { return words_[kWords - 1] >> 63; }

  // The largest multiple of 2^exponent that is not above this number.
  Wide floor_to(int exponent) const {
    Wide result = *this;
    const int bits = exponent + kFraction;
    for (int i = 0; i < kWords && i * 64 < bits; ++i) {
      const int in_word = bits - i * 64;
      result.words_[i] &= in_word >= 64 ? 0 : ~uint64_t{0} << in_word;
    }
    return result;
  }
  // The multiple of 2^exponent next to it toward zero.
  Wide truncate_to(int exponent) const {
    return negative() ? -(-*this).floor_to(exponent) : floor_to(exponent);
  }

  // floor(log2 |x|), x not zero.
  int top_exponent() const {
    const Wide magnitude = negative() ? -*this : *this;
    int bit = kBits - 1;
    while (!magnitude.bit(bit)) --bit;
    return bit - kFraction;
  }

  // The nearest number with `precision` significant bits and exponents from `min_exponent` up, ties to even,
  // gradual underflow, as a double (precision at most 53). Overflow is the caller's business.
  double nearest(int precision, int min_exponent) const {
    if (zero()) return 0;
    const Wide magnitude = negative() ? -*this : *this;
    int top = magnitude.top_exponent();
    if (top < min_exponent) top = min_exponent;
    const int quantum = top - (precision - 1);
    uint64_t kept = 0;
    for (int e = top; e >= quantum; --e) kept = 2 * kept + (magnitude.bit(e + kFraction) ? 1 : 0);
    const bool half = magnitude.bit(quantum - 1 + kFraction);
    bool rest = false;
    for (int e = quantum - 2; e >= -kFraction; --e) rest = rest || magnitude.bit(e + kFraction);
    if (half && (rest || kept % 2 == 1)) ++kept;
    const double value = std::ldexp(static_cast<double>(kept), quantum);
    return negative() ? -value : value;
  }

 private:
  static constexpr int kBits = 64 * kWords;

  bool bit(int index) const { return index >= 0 && (words_[index / 64] >> index % 64 & 1); }
  void set(int index) { words_[index / 64] |= uint64_t{1} << index % 64; }

  std::array<uint64_t, kWords> words_{};
};

}  // namespace wavetwin::reference
