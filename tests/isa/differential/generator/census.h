// SPDX-License-Identifier: MIT
// Kernels written by hand, in the same form as the random ones, for instructions that those miss.
#pragma once

#include <vector>

#include "tests/isa/differential/generator/kernel.h"

namespace wavetwin::differential {

// `group`: their index in the list of group names.
std::vector<Kernel> census_kernels(size_t group);

}  // namespace wavetwin::differential
