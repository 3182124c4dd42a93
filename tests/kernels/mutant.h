// SPDX-License-Identifier: MIT
// What kernel_mutant asks a library of (mutated) simulated kernels for.
#pragma once

#include <cstddef>
#include <cstring>

#include "sim/core/wave_task.h"

namespace wavetwin::mutant {

// The library's function of this name makes the task of one wave of kernel `symbol` and hands it to `take`
// (a coroutine handle does not cross a C interface as a returned value).
inline constexpr const char* kEntry = "mutant_kernel";
using Take = void (*)(void* taker, WaveTask task);
using Entry = void (*)(const char* symbol, Wave& wave, const std::byte* kernarg, Take take, void* taker);

// The launch's argument struct.
template <class Args>
Args arguments(const std::byte* kernarg) {
  Args args;
  std::memcpy(&args, kernarg, sizeof args);
  return args;
}

}  // namespace wavetwin::mutant

// Heads the definition of the entry in a library.
#define WAVETWIN_MUTANT_ENTRY extern "C" __attribute__((visibility("default"))) void mutant_kernel
