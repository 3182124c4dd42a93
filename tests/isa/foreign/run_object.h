// SPDX-License-Identifier: MIT
// Blocks of kernel arguments, and shapes.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "tests/isa/exec/machine.h"

namespace wavetwin::isa {

inline std::string foreign(const std::string& name) { return FOREIGN_DIR + name + ".co"; }

// Puts `value` at the next offset that is a multiple of its size.
template <typename T>
void push(std::vector<uint8_t>& block, T value) {
  const size_t at = (block.size() + sizeof value - 1) / sizeof value * sizeof value;
  block.resize(at + sizeof value);
  std::memcpy(block.data() + at, &value, sizeof value);
}

inline LaunchShape shape_of(std::array<uint32_t, 3> grid, std::array<uint32_t, 3> block,
                            uint32_t dynamic_lds = 0) {
  LaunchShape shape;
  shape.grid = grid;
  shape.block = block;
  shape.dynamic_lds = dynamic_lds;
  return shape;
}

}  // namespace wavetwin::isa
