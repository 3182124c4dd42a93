// SPDX-License-Identifier: MIT
// What `wavetwin trace --banks` prints: the LDS bank conflicts of the instructions that one wave executes.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "golden/layout/bank_model.h"
#include "golden/layout/table.h"
#include "sim/isa/isa_wave.h"

namespace wavetwin::golden {

// Counts reads and writes of LDS that the bank model knows; the two-element forms as two of them.
class BankTrace : public isa::TraceObserver {
 public:
  void begin(const isa::WaveState& state, const isa::Instruction& in) override;
  void end(const isa::WaveState&, const isa::Instruction&) override { ++executed_; }

  // A row an instruction of the code: how often, worst degree, cycles with and without conflicts; then what
  // the model does not know, and the total.
  TextTable report() const;
  uint64_t executed() const { return executed_; }  // instructions of any kind

 private:
  struct Site {
    std::string text;  // of the instruction
    uint64_t times = 0, cycles = 0, unhindered = 0;
    unsigned degree = 0;
    bool known = false;
    Evidence evidence = Evidence::specified;
  };
  std::map<uint64_t, Site> sites_;  // by pc
  uint64_t executed_ = 0;
};

}  // namespace wavetwin::golden
