// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "golden/harness/registry.h"

namespace wavetwin::golden {

// Every kernel pair of the project.
std::span<const KernelEntry> kernels();

}  // namespace wavetwin::golden
