// SPDX-License-Identifier: MIT
// `wavetwin list FILE.co`.
#pragma once

#include <string>

namespace wavetwin::golden {

// Kernels of a code object with registers, LDS, scratch, MODE and arguments, as text. Throws FileError.
std::string code_object_listing(const std::string& path);

}  // namespace wavetwin::golden
