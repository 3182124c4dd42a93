// SPDX-License-Identifier: MIT
// The text of `wavetwin list --instructions`.
#pragma once

#include <string>

namespace wavetwin::golden {

// One line an instruction: encoding, opcode, name, executed or missing, evidence, source; then the counts.
std::string instruction_listing();

}  // namespace wavetwin::golden
