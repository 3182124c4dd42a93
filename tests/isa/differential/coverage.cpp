// SPDX-License-Identifier: MIT
#include "tests/isa/differential/coverage.h"

#include "sim/isa/disassemble.h"

namespace wavetwin::differential {

void Coverage::add_to(std::set<std::string>& mnemonics) {
  for (const isa::Instruction* in : seen_) {
    const std::string text = isa::disassemble(*in);
    mnemonics.insert(text.substr(0, text.find(' ')));
  }
  seen_.clear();
}

}  // namespace wavetwin::differential
