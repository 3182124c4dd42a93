// SPDX-License-Identifier: MIT
// Which products of one output meet in one step, for an instruction under a model.
#pragma once

#include <array>
#include <cstdint>

#include "common/mfma/shape.h"
#include "sim/numerics/mfma_model.h"

namespace wavetwin::mfma {

inline constexpr unsigned kMaxK = 128;

// The K products are taken in `order`, `width` to a step. A step's products are summed in runs of `segment`,
// each with its own maximum exponent (and, with even_odd, in two groups by position parity), before they meet
// each other and C.
struct StepPlan {
  unsigned k;
  unsigned width;
  unsigned segment;
  bool even_odd;
  unsigned c_cut;  // kNoCut: C is never dropped
  bool ascending;  // order[i] == i
  std::array<uint8_t, kMaxK> order;

  unsigned steps() const { return k / width; }
};

// For the shapes whose input is narrower than 32 bits and not i8. Formats matter for f8f6f4 only.
StepPlan step_plan(const MfmaModel& model, const Shape& shape, Format a_format, Format b_format);

}  // namespace wavetwin::mfma
