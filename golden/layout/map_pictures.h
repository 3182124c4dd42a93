// SPDX-License-Identifier: MIT
// Pictures of the register map of one instruction.
#pragma once

#include <optional>
#include <string>

#include "golden/layout/register_map.h"

namespace wavetwin::golden {

// The element that a picture marks.
struct MapElement {
  std::string operand = "A";
  unsigned row = 0, column = 0, block = 0;
};

// One self-contained HTML page: the matrices and their registers, the element under the pointer shown in
// both. The fragment selects an element: page.html#A,3,70 or #D,1,2,5 (block 5). Throws Error for a `chosen`
// outside.
std::string map_page(const RegisterMap& map, const MapElement& chosen);

// An SVG: B above D, A left of D, scales or index bits beside their matrix. Every cell has a title: element
// and register.
std::string map_picture(const RegisterMap& map, const std::optional<MapElement>& chosen);

}  // namespace wavetwin::golden
