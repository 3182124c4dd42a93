// SPDX-License-Identifier: MIT
#include "golden/cases/registry.h"

#include <array>

namespace wavetwin::golden {

// One line a kernel pair: name, what it is, its cases.
std::span<const KernelEntry> kernels() {
  static constexpr std::array<KernelEntry, 0> kKernels = {};
  return kKernels;
}

}  // namespace wavetwin::golden
