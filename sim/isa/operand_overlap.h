// SPDX-License-Identifier: MIT
#pragma once

#include "sim/isa/instruction.h"

namespace wavetwin::isa {

// Whether two operands share a register.
inline bool overlaps(const Operand& a, const Operand& b) {
  return a.kind == b.kind && a.index < b.index + b.dwords && b.index < a.index + a.dwords;
}

}  // namespace wavetwin::isa
