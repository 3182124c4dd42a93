// SPDX-License-Identifier: MIT
// One MFMA from the registers of a wave, in fp64.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/kernels/matrix_words.h"

namespace wavetwin::oracle {

struct MatrixRegisters {
  std::span<const uint32_t> a, b;              // [8][8][64]
  std::span<const uint32_t> scale_a, scale_b;  // [8][64]
  std::span<const uint32_t> c;                 // [8][4][64]
};
struct MatrixReference {
  std::vector<double> value, bound;  // of d [8][4][64]
};

// bound = 2^-19 of the sum of the terms' magnitudes (C among them): products are cut at 2^-24 of a step's
// largest, at most four steps, and one f32 rounding a step.
MatrixReference matrix_word(const MatrixKernel& kernel, const MatrixRegisters& registers);

}  // namespace wavetwin::oracle
