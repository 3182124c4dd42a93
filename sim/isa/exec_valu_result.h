// SPDX-License-Identifier: MIT
// What becomes of a vector result: omod and clamp, the destination half or byte, the lanes that EXEC leaves
// enabled.
#pragma once

#include <cstdint>

#include "sim/isa/rows.h"
#include "sim/isa/wave_state.h"
#include "sim/numerics/mode.h"

namespace wavetwin::isa {

// omod and clamp of a floating-point result, in place on its registers.
void apply_output_modifiers(uint32_t* words, OperandType type, const Instruction& in, const Mode& mode);

// Where a 16-bit result goes. On GFX9 the old encodings zero the other half; instructions that exist only
// with op_sel keep it, and so does the packed format. source: guide, the *_LEGACY_* pairs; LLVM relies on it.
enum class HalfRule : uint8_t { whole, low, high };
HalfRule half_rule(const Instruction& in, const Row& row);

// One register of the result to the lanes of `mask`; SDWA's destination select and the half rule apply.
void merge_register(uint32_t* destination, const uint32_t* result, uint64_t mask, const Instruction& in,
                    HalfRule half);

// The lanes of `mask` from `result`, the others kept.
void blend_lanes(uint32_t* destination, const uint32_t* result, uint64_t mask);

// A result of one bit a lane: an SGPR pair, or VCC when the encoding names none.
void write_lane_mask(WaveState& wave, const Operand& operand, uint64_t mask);

}  // namespace wavetwin::isa
