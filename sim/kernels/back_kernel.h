// SPDX-License-Identifier: MIT
#pragma once

#include "common/kernels/back.h"
#include "sim/core/wave_task.h"

namespace wavetwin::back {

// One stage (or all) of the attention back, in form kForms[form].
WaveTask kernel(uint32_t form, Stage stage, Wave& wave, Args args);

}  // namespace wavetwin::back
