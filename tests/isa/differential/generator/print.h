// SPDX-License-Identifier: MIT
// The two printed forms of a kernel, and of the files that hold them.
#pragma once

#include <span>
#include <string>

#include "tests/isa/differential/generator/kernel.h"

namespace wavetwin::differential {

std::string device_source(std::span<const Kernel> kernels);
// `table`: name of the array of KernelEntry (corpus_table.h) that lists the kernels.
std::string host_source(std::span<const Kernel> kernels, const std::string& table);

}  // namespace wavetwin::differential
