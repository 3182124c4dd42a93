// SPDX-License-Identifier: MIT
// What `wavetwin trace --banks` shows: the LDS bank conflicts of the instructions that one wave executes.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "golden/layout/bank_report.h"
#include "sim/isa/isa_wave.h"

namespace wavetwin::golden {

// Counts reads, writes and atomics of LDS; the two-element forms as two of them, ds_append and ds_consume as
// one lane. DS instructions that touch no memory are named and not counted; flat accesses and loads straight
// into LDS are not seen.
class BankTrace : public isa::TraceObserver {
 public:
  void begin(const isa::WaveState& state, const isa::Instruction& in) override;
  void end(const isa::WaveState&, const isa::Instruction&) override { ++executed_; }

  // One an instruction of the code, by pc, with all of its executions.
  std::vector<BankAccess> accesses() const;
  std::vector<UncountedAccess> uncounted() const;
  uint64_t executed() const { return executed_; }  // instructions of any kind

 private:
  std::map<uint64_t, BankAccess> accesses_;        // by pc
  std::map<uint64_t, UncountedAccess> uncounted_;  // by pc
  std::map<uint64_t, uint64_t> worst_;             // by pc: cycles of the execution that is drawn
  uint64_t executed_ = 0;
};

}  // namespace wavetwin::golden
