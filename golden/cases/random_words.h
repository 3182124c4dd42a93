// SPDX-License-Identifier: MIT
// A counter-based random generator: the same words on every host and compiler.
#pragma once

#include <cstdint>

namespace wavetwin::golden {

// 64 random bits, a function of (seed, stream, i) alone (splitmix64's finaliser over a counter).
constexpr uint64_t random_bits(uint64_t seed, uint64_t stream, uint64_t i) {
  uint64_t z = seed + 0x9E3779B97F4A7C15ull * (stream * 0x100000001ull + i + 1);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}
constexpr uint32_t random_word(uint64_t seed, uint64_t stream, uint64_t i) {
  return static_cast<uint32_t>(random_bits(seed, stream, i) >> 32);
}

}  // namespace wavetwin::golden
