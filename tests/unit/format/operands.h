// SPDX-License-Identifier: MIT
// Operand sets in the manner of TestFloat: every exponent with the significands that break things.
#pragma once

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

#include "tests/oracle/format/format_oracle.h"

namespace wavetwin {

// Mantissa fields: none, one bit, runs of ones from the top and from the bottom, and neighbours of these.
inline std::vector<uint32_t> interesting_mantissas() {
  std::vector<uint32_t> mantissas{0};
  for (int bit = 0; bit < 23; ++bit) {
    const uint32_t one = 1u << bit;
    const uint32_t from_bottom = one - 1;
    const uint32_t from_top = 0x7FFFFFu & ~from_bottom;
    mantissas.insert(mantissas.end(),
                     {one, one | 1, one - 1, from_top, from_top | 1, from_top - 1, 0x7FFFFFu ^ one});
  }
  return mantissas;
}

// The bits of every sign and exponent with every interesting mantissa: 82,944 words, NaNs and infinities
// included.
inline std::vector<uint32_t> interesting_f32() {
  std::vector<uint32_t> words;
  for (uint32_t mantissa : interesting_mantissas()) {
    for (uint32_t sign_and_exponent = 0; sign_and_exponent < 512; ++sign_and_exponent) {
      words.push_back(sign_and_exponent << 23 | (mantissa & 0x7FFFFFu));
    }
  }
  return words;
}

// For every gap between neighbouring values of a format: both ends, the middle and the f32 beside each, both
// signs.
inline std::vector<uint32_t> rounding_boundaries(const reference::Format& format) {
  std::vector<uint32_t> words;
  for (size_t i = 0; i < format.magnitudes.size(); ++i) {
    const double low = format.magnitudes[i];
    const double high = i + 1 < format.magnitudes.size() ? format.magnitudes[i + 1] : format.beyond;
    for (double point : {low, (low + high) / 2}) {
      const uint32_t bits = std::bit_cast<uint32_t>(static_cast<float>(point));
      for (uint32_t word : {bits == 0 ? 0u : bits - 1, bits, bits + 1}) {
        words.push_back(word);
        words.push_back(word | 0x80000000u);
      }
    }
  }
  return words;
}

// The seed of this run's random operands: WAVETWIN_TEST_SEED if set, else new every time. Printed, to be
// repeated.
inline uint64_t test_seed() {
  const char* wanted = std::getenv("WAVETWIN_TEST_SEED");
  const uint64_t seed = wanted != nullptr ? std::strtoull(wanted, nullptr, 0) : std::random_device{}();
  MESSAGE("WAVETWIN_TEST_SEED=", seed);
  return seed;
}

}  // namespace wavetwin
