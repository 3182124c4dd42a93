// SPDX-License-Identifier: MIT
#include "golden/cases/primitives_inputs.h"

#include <cstddef>

#include "golden/cases/random.h"

namespace wavetwin::golden {
namespace {

// Every exponent field x mantissa {0, 1, all ones} x sign: both zeros, subnormals, infinities and NaNs among
// them.
uint32_t edge(uint64_t i) {
  constexpr uint32_t kMantissas[3] = {0, 1, 0x7FFFFF};
  i %= 2 * 3 * 256;
  return static_cast<uint32_t>(i & 1) << 31 | static_cast<uint32_t>(i / 6) << 23 | kMantissas[i / 2 % 3];
}

// The first operand walks through the edges; the others pass them in other strides, so that pairs of all
// distances occur; the second half is random with exponents near 1.
uint32_t float_operand(uint64_t seed, uint32_t operand, uint32_t i) {
  constexpr uint64_t kStrides[4] = {1, 7, 767, 383};
  if (i < kPrimitiveElements / 2) return edge(kStrides[operand] * i + (operand == 0 ? 0 : i / 1536 * 6));
  const uint64_t random = random_bits(seed, operand, i);
  const uint32_t exponent = 127 - 12 + static_cast<uint32_t>(random >> 40) % 24;
  return static_cast<uint32_t>(random >> 63) << 31 | exponent << 23 |
         (static_cast<uint32_t>(random) & 0x7FFFFF);
}

uint32_t finite_operand(uint64_t seed, uint32_t operand, uint32_t i) {
  const uint32_t v = float_operand(seed, operand, i);
  return (v >> 23 & 255) > 247 ? (v & 0x807FFFFFu) | 120u << 23 : v;  // sums of 64 stay finite
}

uint32_t operand_word(const Primitive& word, uint64_t seed, uint32_t operand, uint32_t i) {
  const auto random = static_cast<uint32_t>(random_bits(seed, 16 + operand, i));
  switch (word.input) {
    case PrimitiveInput::f32:
      return float_operand(seed, operand, i);
    case PrimitiveInput::finite:
      return finite_operand(seed, operand, i);
    case PrimitiveInput::bits:
      return random;
    case PrimitiveInput::fp8: {
      // Codes first, the scale last: 80 .. 174, where every result is a normal number (the contract). 0x7F
      // and 0xFF (NaN) are no contract either.
      if (operand == word.in - 1) return (80 + i % 95) << 23 | (random & 0x7FFFFF);
      uint32_t codes = i < 256 ? i * 0x01010101u : random;
      for (int byte = 0; byte < 4; ++byte) {
        if ((codes >> (8 * byte) & 127) == 127) codes ^= 1u << (8 * byte);
      }
      return codes;
    }
    case PrimitiveInput::code:
      return i % 255;  // 0 .. 254
    case PrimitiveInput::amax: {
      const uint32_t v = float_operand(seed, operand, i) & 0x7FFFFFFFu;
      return v >= 0x7F800000u ? 0x7F7FFFFFu : v;  // infinity and NaN are outside the contract
    }
    case PrimitiveInput::thread:
      return i % kThreads;
    case PrimitiveInput::task:
      return operand == 0 ? i % kBlocks : random % 1024;
  }
  return 0;
}

}  // namespace

std::vector<uint32_t> primitive_operands(const Primitive& word, uint64_t seed) {
  std::vector<uint32_t> operands;
  operands.reserve(std::size_t{word.in} * kPrimitiveElements);
  for (uint32_t operand = 0; operand < word.in; ++operand) {
    for (uint32_t i = 0; i < kPrimitiveElements; ++i)
      operands.push_back(operand_word(word, seed, operand, i));
  }
  return operands;
}

}  // namespace wavetwin::golden
