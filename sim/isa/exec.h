// SPDX-License-Identifier: MIT
// From a decoded instruction to the function that executes it. Chosen once, when a program is decoded, so a
// function may be specialised by encoding form and modifiers as well as by row.
#pragma once

#include "sim/isa/instruction.h"
#include "sim/isa/wave_state.h"

namespace wavetwin::isa {

// The function of any instruction; execute_missing for a row without an expression and for dwords that are no
// instruction.
ExecFn execute_function(const Instruction& in);

// One per family of formats; each is defined in the exec_*.cpp of its name.
ExecFn salu_function(const Instruction& in);    // SOP1, SOP2, SOPC, SOPK, SOPP
ExecFn smem_function(const Instruction& in);    // SMEM
ExecFn valu_function(const Instruction& in);    // VOP1, VOP2, VOPC, VOP3, VOP3P, MAI, VOP3PX in every form
ExecFn ds_function(const Instruction& in);      // DS
ExecFn flat_function(const Instruction& in);    // FLAT, GLOBAL, SCRATCH
ExecFn buffer_function(const Instruction& in);  // MUBUF, MTBUF

// Throws Error with pc, dwords and disassembly.
void execute_missing(WaveState& wave, const Instruction& in);

}  // namespace wavetwin::isa
