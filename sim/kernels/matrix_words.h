// SPDX-License-Identifier: MIT
// The matrix words one by one; twin of hip/kernels/matrix_words.hip.
#pragma once

#include "common/kernels/matrix_words.h"
#include "sim/core/wave_task.h"

namespace wavetwin {

// The kernel of kMatrixKernels[word].
WaveTask matrix_kernel(uint32_t word, Wave& wave, const MatrixArgs& args);

}  // namespace wavetwin
