// SPDX-License-Identifier: MIT
// A and B of one block as the bulk path wants them: values in double, exponents apart.
#pragma once

#include <cstdint>

#include "sim/numerics/mfma_model.h"
#include "sim/numerics/mfma_packed.h"
#include "sim/numerics/mfma_simd.h"
#include "sim/numerics/mfma_steps.h"

namespace wavetwin::mfma {

// Exponents in 16 bits, each factor's raised by kRaise, so that one addition tells what a product is: finite
// nonzero products lie in 400 .. 1600; zeros are negative, which is above everything when read unsigned; NaNs
// and infinity times anything (zero included) are above kHuge.
inline constexpr int16_t kRaise = 500;
inline constexpr int16_t kZeroExponent = -8000;
inline constexpr int16_t kSpecialExponent = 12000;
inline constexpr int16_t kHuge = 2000;
inline constexpr int16_t kBf16Huge =
    126 + 2 * kRaise;                            // above it bf16 products reach 2^127, and some overflow
inline constexpr int16_t kNoProduct = 32767;     // smallest exponent when there is no nonzero product
inline constexpr int16_t kEmptyExponent = -600;  // of a sum without a nonzero product, no longer raised

inline constexpr unsigned kMaxRows = 32;
inline constexpr unsigned kMaxScaleBlocks = kMaxK / kScaleBlock;

// A, decoded. Positions run in the plan's order.
struct RowOperand {
  double value[kMaxRows * kMaxK / 2];  // 16 x 128, 32 x 64 or less: [row][position]
  int16_t exponent[kMaxRows * kMaxK / 2];
  int16_t scale[kMaxRows][kMaxScaleBlocks];
  bool special_scale[kMaxRows];  // the row's outputs need the reference

  void decode(const MfmaModel& model, const StepPlan& plan, Format format, unsigned rows,
              const PackedBlock& block);
};

// Sixteen columns of B, decoded.
struct ColumnOperand {
  alignas(64) double value[kMaxK][simd::kColumns];
  alignas(64) int16_t exponent[kMaxK][simd::kColumns];
  int16_t scale[kMaxScaleBlocks][simd::kColumns];
  unsigned special_scale;  // bit j: outputs of column j need the reference

  void decode(const MfmaModel& model, const StepPlan& plan, Format format, unsigned first,
              const PackedBlock& block);
};

}  // namespace wavetwin::mfma
