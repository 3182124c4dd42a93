// SPDX-License-Identifier: MIT
// Operands of the device words: every exponent with interesting mantissas, paired off in several ways.
#pragma once

#include <cstdint>
#include <vector>

#include "common/kernels/primitives.h"

namespace wavetwin::golden {

inline constexpr uint32_t kPrimitiveInputsVersion = 1;

// Elements of every word: a multiple of kThreads.
inline constexpr uint32_t kPrimitiveElements = 12 * kThreads;

// Operand words [operand word][kPrimitiveElements].
std::vector<uint32_t> primitive_operands(const Primitive& word, uint64_t seed);

}  // namespace wavetwin::golden
