// SPDX-License-Identifier: MIT
// Spoils one instruction of the executor while a wave runs: what it writes gets a wrong bit, a store stores
// one, a load to LDS goes to another place, a branch goes the other way. A test that then still sees the
// right result does not look at that instruction.
#pragma once

#include <string>
#include <unordered_map>

#include "sim/isa/isa_wave.h"

namespace wavetwin::differential {

class Saboteur final : public isa::TraceObserver {
 public:
  // `mnemonic` as the disassembly spells it; `bits` of each register that it writes are inverted; the wave is
  // stopped by an Error after `most` instructions.
  Saboteur(std::string mnemonic, uint32_t bits, uint64_t most)
      : mnemonic_(std::move(mnemonic)), bits_(bits), most_(most) {}

  void begin(const isa::WaveState& state, const isa::Instruction& in) override;
  void end(const isa::WaveState& state, const isa::Instruction& in) override;
  // Whether the instruction has anything that was spoilt; s_nop and s_waitcnt have not.
  bool acted() const { return acted_; }

 private:
  bool concerned(const isa::Instruction& in);
  void spoil(isa::WaveState& state, const isa::Operand& operand) const;
  bool spoil_other(isa::WaveState& state, const isa::Instruction& in) const;

  std::string mnemonic_;
  uint32_t bits_;
  uint64_t most_, executed_ = 0;
  uint32_t fall_through_ = 0;
  bool acted_ = false;
  std::unordered_map<const isa::Instruction*, bool> concerned_;
};

}  // namespace wavetwin::differential
