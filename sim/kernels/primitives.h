// SPDX-License-Identifier: MIT
// Every device word as a kernel of its own; twin of hip/kernels/primitives.hip.
#pragma once

#include "common/kernels/primitives.h"
#include "sim/core/wave_task.h"

namespace wavetwin {

// The kernel of kPrimitives[word], word < std::size(kPrimitives).
WaveTask primitive_kernel(uint32_t word, Wave& wave, const PrimitiveArgs& args);

}  // namespace wavetwin
