// SPDX-License-Identifier: MIT
// Random words for generated inputs: a pure function of (seed, stream name, index), so that inputs are the
// same on every machine, in any order and with any standard library.
#pragma once

#include <cstdint>
#include <string_view>

namespace wavetwin::golden {

// A bijective mix of 64 bits (the finaliser of Stafford's "variant 13", as used by SplitMix64).
constexpr uint64_t mix64(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

// The words of numbered streams: 64 bits and their upper half.
constexpr uint64_t random_bits(uint64_t seed, uint64_t stream, uint64_t i) {
  return mix64(seed + 0x9E3779B97F4A7C15u * (stream * 0x100000001u + i + 1));
}
constexpr uint32_t random_word(uint64_t seed, uint64_t stream, uint64_t i) {
  return static_cast<uint32_t>(random_bits(seed, stream, i) >> 32);
}

class Random {
 public:
  constexpr Random(uint64_t seed, std::string_view stream) : key_(mix64(seed)) {
    for (const char c : stream) key_ = mix64(key_ ^ static_cast<uint8_t>(c));
  }

  constexpr uint64_t word(uint64_t index) const { return mix64(key_ + (index + 1) * 0x9E3779B97F4A7C15u); }

  // 0 .. bound - 1; biased by less than bound / 2^32.
  constexpr uint32_t below(uint64_t index, uint32_t bound) const {
    return static_cast<uint32_t>((word(index) >> 32) * bound >> 32);
  }

  // Close to normal: the sum of eight uniform 16-bit integers less its mean, times 2^-16. Standard deviation
  // sqrt(8 / 12), largest magnitude 4.9 of them. Integer arithmetic and one exact scaling only.
  constexpr float normal(uint64_t index) const {
    int32_t sum = -8 * 0x7FFF - 4;  // the mean, 8 * 65535 / 2
    for (const uint64_t bits : {word(2 * index), word(2 * index + 1)}) {
      for (int shift = 0; shift < 64; shift += 16) sum += static_cast<int32_t>((bits >> shift) & 0xFFFF);
    }
    return static_cast<float>(sum) * 0x1p-16f;  // |sum| < 2^18: exact
  }

 private:
  uint64_t key_;
};

}  // namespace wavetwin::golden
