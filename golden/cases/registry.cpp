// SPDX-License-Identifier: MIT
#include "golden/cases/registry.h"

#include "golden/cases/back.h"
#include "golden/cases/drafter.h"
#include "golden/cases/gemv.h"
#include "golden/cases/primitive_words.h"
#include "golden/cases/primitives.h"

namespace wavetwin::golden {

// One line a kernel pair: name, what it is, its cases.
std::span<const KernelEntry> kernels() {
  static constexpr KernelEntry kKernels[] = {
      {"gemv", "MXFP8 matrix x vectors: e4m3 weights, E8M0 block scales, 1 to 48 tokens", gemv_cases},
      {"primitives", "The device words one by one: arithmetic, packing, lanes, memory, matrix, waiting",
       primitives_cases, primitive_words_text},
      {"attention_back", "attention of a decode step: split, combine, wo_a, wo_b in one persistent launch",
       back_cases},
      {"drafter", "sliding-window FP8 attention of a drafter: partitions, then MXFP8 merge, in one launch",
       drafter_cases},
  };
  return kKernels;
}

}  // namespace wavetwin::golden
