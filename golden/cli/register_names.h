// SPDX-License-Identifier: MIT
// Registers by the names that disassembly gives them, for `wavetwin trace`.
#pragma once

#include <set>
#include <string>

namespace wavetwin::isa {
struct KernelInfo;
}

namespace wavetwin::golden {

// "s12", "vcc_lo", "m0", "exec_hi": the scalar register with this operand code (0 to 127; CDNA4 ISA guide,
// "SALU operands").
std::string scalar_register_name(unsigned code);

// Names of the registers that "v0,v4-v7,s[4:5],vcc,scc" means; ranges and pairs are spelled out. Throws Error
// for text that names no register.
std::set<std::string> parse_registers(const std::string& text);

// What is wrong with asking this kernel for the register, or empty: it has fewer of them.
std::string register_problem(const std::string& name, const isa::KernelInfo& kernel);

}  // namespace wavetwin::golden
