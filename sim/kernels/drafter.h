// SPDX-License-Identifier: MIT
// The drafter attention; twin of hip/kernels/drafter.hip.
#pragma once

#include "common/kernels/drafter.h"
#include "sim/core/wave_task.h"

namespace wavetwin::drafter {

WaveTask kernel(Stage stage, Wave& wave, Args args);
// kBlockKernels[index].
WaveTask block_kernel(uint32_t index, Wave& wave, BlockArgs args);

}  // namespace wavetwin::drafter
