// SPDX-License-Identifier: MIT
// The kernels of the attention back for kernel_mutant; built together with a copy of
// sim/kernels/back.cpp.
#include <string>
#include <string_view>

#include "sim/kernels/back_kernel.h"
#include "tests/kernels/mutant.h"

WAVETWIN_MUTANT_ENTRY(const char* symbol, wavetwin::Wave& wave, const std::byte* kernarg,
                      wavetwin::mutant::Take take, void* taker) {
  using namespace wavetwin;
  const std::string_view name(symbol);
  uint32_t form = 0, stage = 0;
  while (!name.ends_with(back::kForms[form].name)) ++form;
  while (!name.starts_with(std::string("attention_back_") + back::kStageNames[stage])) ++stage;
  const auto args = mutant::arguments<back::Args>(kernarg);
  take(taker, back::kernel(form, static_cast<back::Stage>(stage), wave, args));
}
