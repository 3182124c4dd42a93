// SPDX-License-Identifier: MIT
// What the scalar ALU instructions compute, bit by bit, from the CDNA4 ISA guide's descriptions
// (sections 12.1 to 12.4). Nothing of sim/ or common/ is used here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace wavetwin::reference {

struct ScalarState {
  uint64_t d = 0;  // the destination's old value, then the result
  bool scc = false;
  uint64_t exec = 0;
};

// The state after `name` (S_ADD_U32, ...) with sources s0, s1 and the immediate simm16. Nothing when the
// instruction is not an ALU operation (branches, system registers, relative moves).
std::optional<ScalarState> scalar_oracle(const std::string& name, uint64_t s0, uint64_t s1, uint16_t simm16,
                                         ScalarState before);

}  // namespace wavetwin::reference
