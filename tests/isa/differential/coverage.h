// SPDX-License-Identifier: MIT
// Which instructions a traced wave executes, by the spelling of the disassembly (v_add_f32_e32 and
// v_add_f32_dpp are two).
#pragma once

#include <set>
#include <string>
#include <unordered_set>

#include "sim/isa/isa_wave.h"

namespace wavetwin::differential {

// The first word of its disassembly.
std::string mnemonic_of(const isa::Instruction& in);

class Coverage final : public isa::TraceObserver {
 public:
  void begin(const isa::WaveState&, const isa::Instruction& in) override { seen_.insert(&in); }
  void end(const isa::WaveState&, const isa::Instruction&) override {}

  // What was seen since the last call; call it while the program is still there.
  std::set<std::string> take();

 private:
  std::unordered_set<const isa::Instruction*> seen_;
};

}  // namespace wavetwin::differential
