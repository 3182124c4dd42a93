// SPDX-License-Identifier: MIT
// Which instructions a traced wave executes, by the spelling of the disassembly (v_add_f32_e32 and
// v_add_f32_dpp are two).
#pragma once

#include <set>
#include <string>
#include <unordered_set>

#include "sim/isa/isa_wave.h"

namespace wavetwin::differential {

class Coverage final : public isa::TraceObserver {
 public:
  void begin(const isa::WaveState&, const isa::Instruction& in) override { seen_.insert(&in); }
  void end(const isa::WaveState&, const isa::Instruction&) override {}

  // Adds what was seen since the last call; call it while the program is still there.
  void add_to(std::set<std::string>& mnemonics);

 private:
  std::unordered_set<const isa::Instruction*> seen_;
};

}  // namespace wavetwin::differential
