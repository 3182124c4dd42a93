// SPDX-License-Identifier: MIT
// What gemv_mutant asks a library of (mutated) kernels for; built together with a copy of
// sim/kernels/gemv.cpp.
#include "sim/kernels/gemv_kernel.h"

extern "C" __attribute__((visibility("default"))) void mutant_kernel(uint32_t kernel, wavetwin::Wave& wave,
                                                                     const wavetwin::GemvArgs& args,
                                                                     void (*take)(void*, wavetwin::WaveTask),
                                                                     void* taker) {
  take(taker, wavetwin::gemv_kernel(kernel, wave, args));
}
