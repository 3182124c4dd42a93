// SPDX-License-Identifier: MIT
// What back_mutant asks a library of (mutated) kernels for; built together with a copy of
// sim/kernels/back.cpp.
#include "sim/kernels/back_kernel.h"

extern "C" __attribute__((visibility("default"))) void mutant_kernel(
    uint32_t form, wavetwin::back::Stage stage, wavetwin::Wave& wave, const wavetwin::back::Args& args,
    void (*take)(void*, wavetwin::WaveTask), void* taker) {
  take(taker, wavetwin::back::kernel(form, stage, wave, args));
}
