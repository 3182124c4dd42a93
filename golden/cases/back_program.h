// SPDX-License-Identifier: MIT
#pragma once

#include "golden/cases/back_frame.h"
#include "golden/cases/back_keys.h"
#include "golden/harness/case.h"

namespace wavetwin::golden {

// Names of a second layer's own inputs in replays begin with this.
inline constexpr const char* kOtherPrefix = "other_";

// Keys of one layer as the kernel reads them (near slots): inputs, or built from them.
BackKeyList back_keys(const BackFrame& frame, const Tensors& inputs, const std::string& prefix = "");

// Buffers and launches. Throws Error for inputs that break the kernel's contract with each other.
Program back_program(const BackFrame& frame, const Tensors& inputs);

// The f32 bits of what turns a dot product into a score.
uint32_t back_qk_scale(const BackProblem& problem);

}  // namespace wavetwin::golden
