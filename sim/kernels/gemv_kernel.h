// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "common/kernels/gemv.h"
#include "sim/core/wave_task.h"

namespace wavetwin {

// The kernel of kGemvKernels[kernel]: kThreads threads, the shape's grid, gemv_lds(form).bytes of LDS.
WaveTask gemv_kernel(uint32_t kernel, Wave& wave, GemvArgs args);

}  // namespace wavetwin
