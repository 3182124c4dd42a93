// SPDX-License-Identifier: MIT
// A memory layout drawn. Of one that is too large for a picture, the part around an element
// (memory_window.h).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "golden/layout/memory_layout.h"

namespace wavetwin::golden {

// An SVG: part `part` as a matrix on the left, its buffer on the right, 64 bytes a line. An element has one
// colour in both: a hue for its 16 rows, lighter along them. `chosen` (an element of that part) is framed.
std::string memory_picture(const std::string& title, const MemoryLayout& layout, unsigned part,
                           const std::optional<MemoryElement>& chosen);

// What stands above the page of a layout.
struct MemoryPageTitle {
  std::string name, evidence;
  std::vector<std::pair<std::string, std::string>> facts;
  std::string command;  // that draws another part of it, with --i and --k
};

// One self-contained HTML page: the matrices and their buffers, the element under the pointer shown in both
// with its scale and the other elements of its block, or of its lane. The fragment selects an element:
// page.html#data,3,70. `chosen` is inside.
std::string memory_page(const MemoryPageTitle& title, const MemoryLayout& layout,
                        const std::optional<MemoryElement>& chosen);

}  // namespace wavetwin::golden
