// SPDX-License-Identifier: MIT
// What `wavetwin trace` prints: the instructions one wave executes, and the registers each changed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/isa/isa_wave.h"

namespace wavetwin::golden {

// Prints to standard output. Lanes that were inactive when the instruction ran are in parentheses.
class TracePrinter : public isa::TraceObserver {
 public:
  // From the first instruction at `from` on (nothing: from the first one), at most `count` of them (0: all);
  // only `registers` (empty: all), by their names.
  TracePrinter(std::optional<uint64_t> from, uint64_t count, std::set<std::string> registers)
      : from_(from), count_(count), registers_(std::move(registers)) {}

  void begin(const isa::WaveState& state, const isa::Instruction& in) override;
  void end(const isa::WaveState& state, const isa::Instruction& in) override;

  uint64_t printed() const { return printed_; }

 private:
  bool done() const { return count_ != 0 && printed_ >= count_; }
  bool wanted(const std::string& name) const { return registers_.empty() || registers_.contains(name); }
  void print_scalars(const isa::WaveState& state) const;
  void print_rows(char file, const std::vector<uint32_t>& before, const uint32_t* after, uint64_t exec) const;

  std::optional<uint64_t> from_;
  uint64_t count_;
  std::set<std::string> registers_;
  bool printing_ = false;
  uint64_t printed_ = 0;
  // Before the instruction.
  std::vector<uint32_t> vgprs_, agprs_;
  std::array<uint32_t, isa::kScalarFileSize> scalar_{};
  bool scc_ = false;
  uint32_t mode_ = 0;
};

}  // namespace wavetwin::golden
