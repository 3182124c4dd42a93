// SPDX-License-Identifier: MIT
#include "tests/isa/differential/coverage.h"

#include "sim/isa/disassemble.h"

namespace wavetwin::differential {

std::string mnemonic_of(const isa::Instruction& in) {
  const std::string text = isa::disassemble(in);
  return text.substr(0, text.find(' '));
}

std::set<std::string> Coverage::take() {
  std::set<std::string> mnemonics;
  for (const isa::Instruction* in : seen_) mnemonics.insert(mnemonic_of(*in));
  seen_.clear();
  return mnemonics;
}

}  // namespace wavetwin::differential
