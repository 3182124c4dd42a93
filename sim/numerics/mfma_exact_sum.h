// SPDX-License-Identifier: MIT
// An exact fixed-point sum, wide enough for every product and scale of an MFMA and for C: of the debugging
// rules of MFMA, and of an option of v_dot2.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "common/format/convert.h"

namespace wavetwin::mfma {

// Two's complement, bit 0 worth 2^-kLow. Scaled products lie between 2^-286 and 2^288; bf16 products reach
// 2^256.
class ExactSum {
 public:
  // Adds (-1)^negative * significand * 2^exponent; significand below 2^48.
  void add(bool negative, uint64_t significand, int32_t exponent) {
    const auto bit = static_cast<unsigned>(exponent + kLow);
    Words term{};
    const unsigned __int128 shifted = static_cast<unsigned __int128>(significand) << bit % 64;
    term[bit / 64] = static_cast<uint64_t>(shifted);
    term[bit / 64 + 1] = static_cast<uint64_t>(shifted >> 64);
    if (negative) negate(term);
    unsigned __int128 carry = 0;
    for (unsigned i = 0; i < kWords; ++i) {
      carry += static_cast<unsigned __int128>(words_[i]) + term[i];
      words_[i] = static_cast<uint64_t>(carry);
      carry >>= 64;
    }
  }

  bool is_zero() const { return words_ == Words{}; }

  // To nearest even f32, gradual underflow; overflow gives Inf or, with `saturate`, the largest finite value.
  uint32_t round(bool saturate) const {
    const bool negative = words_[kWords - 1] >> 63;
    Words magnitude = words_;
    if (negative) negate(magnitude);
    int top = kWords - 1;
    while (magnitude[top] == 0) --top;
    // The top 62 bits or less, and one sticky bit for everything below.
    const int top_bit = 64 * top + 63 - std::countl_zero(magnitude[top]);
    const int low_bit = top_bit > 61 ? top_bit - 61 : 0;
    uint64_t kept = 0;
    for (int bit = top_bit; bit >= low_bit; --bit) kept = kept << 1 | (magnitude[bit / 64] >> bit % 64 & 1);
    bool sticky = false;
    for (int bit = 0; bit < low_bit; ++bit) sticky |= magnitude[bit / 64] >> bit % 64 & 1;
    const Unpacked value{NumberClass::finite, negative, low_bit - kLow - 1, kept << 1 | (sticky ? 1u : 0u)};
    return static_cast<uint32_t>(
        encode_bits(kBinary32, value, saturate ? Overflow::saturate : Overflow::ieee));
  }

 private:
  static constexpr int kLow = 384;
  static constexpr int kWords = 12;
  using Words = std::array<uint64_t, kWords>;

  static void negate(Words& words) {
    bool carry = true;
    for (uint64_t& word : words) {
      word = ~word + (carry ? 1u : 0u);
      carry = carry && word == 0;
    }
  }

  Words words_{};
};

}  // namespace wavetwin::mfma
