// SPDX-License-Identifier: MIT
// Typed buffer accesses: BUFFER_LOAD / STORE_FORMAT_* take the formats and the component selects from the V#,
// TBUFFER_* the formats from the instruction (isa guide 9.1.4). An element is in range or out of it as a
// whole (9.1.5.1).
#pragma once

#include "sim/isa/exec_memory.h"

namespace wavetwin::isa {

void load_format_registers(WaveState& wave, const Instruction& in, const MemoryOp& op);
void load_format_lds(WaveState& wave, const Instruction& in, const MemoryOp& op);
void store_format_registers(WaveState& wave, const Instruction& in, const MemoryOp& op);

}  // namespace wavetwin::isa
