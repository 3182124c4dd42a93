// SPDX-License-Identifier: MIT
// A memory layout drawn.
#pragma once

#include <optional>
#include <string>

#include "golden/layout/memory_layout.h"

namespace wavetwin::golden {

// An SVG: part `part` as a matrix on the left, its buffer on the right, 64 bytes a line. An element has one
// colour in both: a hue for its 16 rows, lighter along them. `chosen` (an element of that part) is framed.
std::string memory_picture(const std::string& title, const MemoryLayout& layout, unsigned part,
                           const std::optional<MemoryElement>& chosen);

}  // namespace wavetwin::golden
