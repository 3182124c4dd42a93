// SPDX-License-Identifier: MIT
// Vector instructions that look across lanes or move whole registers.
#pragma once

#include "sim/isa/instruction.h"
#include "sim/isa/wave_state.h"

namespace wavetwin::isa {

// v_nop, v_clrexcp: exceptions are not modelled.
inline void exec_nothing() {}

// The lowest active lane, lane 0 when EXEC is 0 (guide, V_READFIRSTLANE_B32).
void exec_readfirstlane(WaveState& wave, const Instruction& in);
// The lane S1[5:0], whatever EXEC says.
void exec_readlane(WaveState& wave, const Instruction& in);
void exec_writelane(WaveState& wave, const Instruction& in);

void exec_swap(WaveState& wave, const Instruction& in);
void exec_accvgpr_move(WaveState& wave, const Instruction& in);

// v_permlane16_swap (rows) and v_permlane32_swap (halves).
void exec_permlane_swap(WaveState& wave, const Instruction& in, unsigned distance);

}  // namespace wavetwin::isa
