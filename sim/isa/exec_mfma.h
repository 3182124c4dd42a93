// SPDX-License-Identifier: MIT
// MFMA: from the registers of a wave to sim/numerics/mfma.h.
#pragma once

#include "sim/isa/instruction.h"
#include "sim/isa/wave_state.h"

namespace wavetwin::isa {

// All 64 lanes take part whatever EXEC says (guide, chapter 7). The arithmetic is Environment::mfma_model's.
void exec_mfma(WaveState& wave, const Instruction& in);

// D += A * B with a 4:2 sparse A. Every lane spreads its elements of A over the k that its own elements of B
// have, by two index bits an element, then the dense rule of the same input width applies (guide, chapter 7
// "sparse").
void exec_smfmac(WaveState& wave, const Instruction& in);

}  // namespace wavetwin::isa
