// SPDX-License-Identifier: MIT
// What the analyses of a program along its paths share, so that it is found once.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/isa/decode.h"
#include "sim/isa/flow_graph.h"
#include "sim/isa/vgpr_indexing.h"

namespace wavetwin::isa {

// Keeps a reference to the program.
struct ProgramPaths {
  explicit ProgramPaths(const Program& program)
      : code(program.instructions), flow(program), indexed(indexed_operands(program, flow)) {}

  const std::vector<Instruction>& code;
  FlowGraph flow;
  std::vector<uint8_t> indexed;  // operands of each instruction, see vgpr_indexing.h
};

}  // namespace wavetwin::isa
