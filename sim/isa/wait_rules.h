// SPDX-License-Identifier: MIT
// The distances that gfx950 leaves to the program: an instruction that follows another one too closely may
// see a value that is not there yet, and only other instructions or s_nop between them help.
//
// Sources: CDNA4 ISA guide 4.5, table 11 (manually inserted wait states) and table 12 (transcendental
// instructions), and 7.6, table 38 (matrix instructions); where the guide is short, LLVM 22's hazard
// recognizer for gfx950, with which every rule is compared by a test, and for vector skip and VCCZ / EXECZ
// Mesa's ACO. Where they differ the guide rules: LLVM keeps 2 wait states between a carry and the instruction
// that takes it as its carry, the guide none. Assumption: loads need not keep the 1 wait state that the guide
// wants between a wide store and other writers of its data than vector ALU, since they return later.
//
// Not here: a clause of memory instructions must not write a register that another one of it reads, since
// XNACK replays it from its begin. That matters only where XNACK is on: it is off on gfx950 unless the host
// asks for it (HSA_XNACK=1), and code for xnack- never runs then. The program says of code for xnack+ that it
// is not checked; LLVM inserts an s_nop between such instructions unless it compiles for xnack-.
#pragma once

#include <cstdint>

#include "sim/isa/instruction.h"

namespace wavetwin::isa {

enum class WaitRule : uint8_t {
  none,
  matrix_read,           // a matrix result is read, by another matrix instruction as A, B, index or scale
  matrix_accumulate,     // a matrix result is read as C in other registers than it was written to
  matrix_overwrite,      // a matrix result is overwritten
  matrix_c_overwrite,    // C of a matrix instruction is overwritten
  matrix_then_f64,       // f64 fma after an f64 matrix instruction
  vector_to_matrix,      // a vector ALU result is read by a matrix instruction
  dot_result,            // the result of a dot product is read or overwritten
  transcendental,        // a transcendental result is read
  partial_result,        // a result that fills a part of its register is read or overwritten
  vector_to_lane_move,   // a vector ALU result is read by DPP, permlane swap, v_readlane
  exec_to_lanes,         // EXEC written by a vector instruction, then one that looks at other lanes
  vector_scalar_result,  // an SGPR or VCC written by a vector instruction is read by a vector instruction
  lane_select,           // ... as the lane of v_readlane or v_writelane
  div_scale_flag,        // ... as the flag of v_div_fmas
  condition_zero,        // ... as VCCZ or EXECZ
  memory_scalar,         // ... as a scalar operand of a buffer, FLAT or global instruction
  store_data,            // data of a wide store are overwritten
  m0,                    // M0 written by a scalar instruction, then an instruction that takes it from M0
  hardware_register,     // s_setreg (or s_setvskip of MODE), then s_getreg or s_setreg of the same register
  vector_skip,           // vector skip is switched, then a vector instruction
};

// "its result is read by a matrix instruction" and the like: what the second does to the first.
const char* wait_rule_name(WaitRule rule);

struct WaitNeed {
  WaitRule rule = WaitRule::none;
  uint8_t states = 0;  // wait states that must lie between the two
};

// What `second` needs after `first`; the rule with the most wait states.
WaitNeed wait_need(const Instruction& first, const Instruction& second);

// The most that any instruction can need after `first`; 0 for most.
unsigned most_wait_states_after(const Instruction& first);
// The most that any instruction can need after any other.
inline constexpr unsigned kMostWaitStates = 20;

// Wait states that an instruction is worth: 1, and s_nop its immediate more.
unsigned wait_states_of(const Instruction& in);

// Whether nobody has to keep a distance from `in` when EXEC was 0: it wrote no vector register and read no
// data to store, and it writes nothing else.
bool does_nothing_without_lanes(const Instruction& in);
bool writes_exec(const Instruction& in);

// Whether it is an MFMA or SMFMAC.
bool is_matrix(const Instruction& in);

// Passes of 4 cycles that an MFMA or SMFMAC takes: 2, 4, 8 or 16.
unsigned matrix_passes(const Instruction& in);

}  // namespace wavetwin::isa
