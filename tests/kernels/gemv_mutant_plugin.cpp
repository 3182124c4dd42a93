// SPDX-License-Identifier: MIT
// The GEMV kernels for kernel_mutant; built together with a copy of sim/kernels/gemv.cpp.
#include <string_view>

#include "sim/kernels/gemv_kernel.h"
#include "tests/kernels/mutant.h"

WAVETWIN_MUTANT_ENTRY(const char* symbol, wavetwin::Wave& wave, const std::byte* kernarg,
                      wavetwin::mutant::Take take, void* taker) {
  using namespace wavetwin;
  uint32_t kernel = 0;
  while (kGemvKernels[kernel].symbol != std::string_view(symbol)) ++kernel;
  take(taker, gemv_kernel(kernel, wave, mutant::arguments<GemvArgs>(kernarg)));
}
