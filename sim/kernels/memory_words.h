// SPDX-License-Identifier: MIT
// The memory words in one workgroup; twin of hip/kernels/memory_words.hip.
#pragma once

#include "common/kernels/memory_words.h"
#include "sim/core/wave_task.h"

namespace wavetwin {

WaveTask primitives_memory(Wave& wave, MemoryArgs args);

}  // namespace wavetwin
