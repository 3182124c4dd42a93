// SPDX-License-Identifier: MIT
// The persistent launches of the attention back for kernel_mutant; built together with a copy of
// sim/kernels/back.cpp.
#include <string_view>

#include "sim/kernels/back_kernel.h"
#include "tests/kernels/mutant.h"

WAVETWIN_MUTANT_ENTRY(const char* symbol, wavetwin::Wave& wave, const std::byte* kernarg,
                      wavetwin::mutant::Take take, void* taker) {
  using namespace wavetwin;
  uint32_t form = 0;
  while (!std::string_view(symbol).ends_with(back::kForms[form].name)) ++form;
  take(taker, back::kernel(form, back::Stage::run, wave, mutant::arguments<back::Args>(kernarg)));
}
