// SPDX-License-Identifier: MIT
// Operand sets in the manner of TestFloat: interesting exponents times interesting significands, interesting
// integers, and a seeded random rest.
#pragma once

#include <cstdint>
#include <vector>

namespace wavetwin::test {

// SplitMix64: a small generator whose sequence does not depend on a library.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t operator()() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
  }
  uint64_t below(uint64_t n) { return (*this)() % n; }

 private:
  uint64_t state_;
};

// Codes of a format with `e` exponent and `f` fraction bits.
inline std::vector<uint64_t> interesting_floats(int e, int f) {
  std::vector<uint64_t> codes;
  const uint64_t bias = (1u << (e - 1)) - 1, top = (1u << e) - 1;
  const uint64_t fraction_top = (uint64_t{1} << f) - 1;
  const uint64_t fractions[] = {0,
                                1,
                                2,
                                fraction_top,
                                fraction_top - 1,
                                uint64_t{1} << (f - 1),
                                (uint64_t{1} << (f - 1)) - 1,
                                (uint64_t{1} << (f - 1)) + 1,
                                0x5555555555555555ull & fraction_top};
  const uint64_t fields[] = {0,
                             1,
                             2,
                             bias - static_cast<uint64_t>(f) - 1,
                             bias - 1,
                             bias,
                             bias + 1,
                             bias + static_cast<uint64_t>(f) / 2,
                             bias + static_cast<uint64_t>(f),
                             top - 1,
                             top};
  for (uint64_t field : fields) {
    for (uint64_t fraction : fractions) {
      codes.push_back(field << f | fraction);
      codes.push_back(field << f | fraction | uint64_t{1} << (e + f));
    }
  }
  return codes;
}

// A random code: any, near another one's exponent, or with a short fraction.
inline uint64_t random_float(Random& random, int e, int f) {
  const uint64_t bits = random();
  const uint64_t all = e + f == 63 ? ~uint64_t{0} : (uint64_t{1} << (e + f + 1)) - 1;
  const uint64_t bias = (1u << (e - 1)) - 1;
  if (bits % 3 == 0) return random() & all;
  const uint64_t field = bias - 8 + random.below(17);
  uint64_t code = field << f | (random() & ((uint64_t{1} << f) - 1)) | (bits >> 8 & 1) << (e + f);
  if (bits % 3 == 1) code &= ~((uint64_t{1} << (f / 2)) - 1);
  return code;
}

inline uint64_t random_integer(Random& random, int width) {
  const uint64_t all = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  const uint64_t half = uint64_t{1} << (width - 1);
  switch (random.below(6)) {
    case 0:
      return random.below(70);
    case 1:
      return (half - 2 + random.below(4)) & all;
    case 2:
      return (all - random.below(40)) & all;
    case 3:
      return (uint64_t{1} << random.below(width)) & all;
    case 4:
      return random() & random() & all;
    default:
      return random() & all;
  }
}

}  // namespace wavetwin::test
