// SPDX-License-Identifier: MIT
// Instruction -> the text that llvm-objdump 22 prints for it.
#pragma once

#include <string>

#include "sim/isa/instruction.h"

namespace wavetwin::isa {

// One line without comments, for example "v_add_f32_e32 v1, v2, v3". Branches show their displacement in
// dwords, as LLVM does. An instruction without a row gives ".long 0x...".
std::string disassemble(const Instruction& instruction);

}  // namespace wavetwin::isa
