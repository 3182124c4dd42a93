// SPDX-License-Identifier: MIT
// The drafter's kernels for kernel_mutant; built together with a copy of sim/kernels/drafter.cpp.
#include <iterator>
#include <string_view>

#include "sim/kernels/drafter.h"
#include "tests/kernels/mutant.h"

WAVETWIN_MUTANT_ENTRY(const char* symbol, wavetwin::Wave& wave, const std::byte* kernarg,
                      wavetwin::mutant::Take take, void* taker) {
  using namespace wavetwin;
  const std::string_view name = std::string_view(symbol).substr(std::string_view("drafter_").size());
  for (uint32_t stage = 0; stage < std::size(drafter::kStages); ++stage) {
    if (name != drafter::kStages[stage]) continue;
    take(taker, drafter::kernel(static_cast<drafter::Stage>(stage), wave,
                                mutant::arguments<drafter::Args>(kernarg)));
  }
  for (uint32_t block = 0; block < std::size(drafter::kBlockKernels); ++block) {
    if (name != drafter::kBlockKernels[block]) continue;
    take(taker, drafter::block_kernel(block, wave, mutant::arguments<drafter::BlockArgs>(kernarg)));
  }
}
