// SPDX-License-Identifier: MIT
// What every device word means, a wave of 64 lanes at a time, from tables, ldexp and exact host arithmetic.
#pragma once

#include <cstdint>
#include <vector>

#include "common/kernels/primitives.h"

namespace wavetwin::oracle {

// Result words [result word][n]. Either exact bits, or (`bound` not empty) f32 results within bound of value.
struct PrimitiveReference {
  std::vector<uint32_t> bits;
  std::vector<double> value, bound;
};

// `in` holds the operand words [operand word][n], n a multiple of 64. Throws std::logic_error for a word
// without a meaning here.
PrimitiveReference primitive(const Primitive& word, const std::vector<uint32_t>& in, uint32_t n);

}  // namespace wavetwin::oracle
