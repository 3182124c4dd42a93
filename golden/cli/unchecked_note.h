// SPDX-License-Identifier: MIT
#pragma once

#include "sim/isa/code_object.h"

namespace wavetwin::golden {

// A line on standard error for a code object with rules that no check here looks at: those of memory clauses
// in code for xnack+ (sim/isa/wait_rules.h).
void note_unchecked(const isa::CodeObject& object);

}  // namespace wavetwin::golden
