// SPDX-License-Identifier: MIT
// Instructions that follow another one too closely (wait_rules.h): found once for a program, along every
// path, so that programs that keep the distances, as compiled ones do, cost nothing at run time; and found
// exactly in the history of a running wave.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/isa/program_paths.h"
#include "sim/isa/wait_rules.h"

namespace wavetwin::isa {

// `second` needs `need.states` wait states after `first`, and some path has `found`.
struct CloseFollower {
  uint32_t first, second;  // indices of the instructions
  WaitNeed need;
  uint8_t found;
  bool depends_on_index;  // only if VGPR indexing brings their registers together
};

// By `second`, then `first`; the shortest path of each pair. A path may be one that no run takes, but on one
// that a branch takes when EXEC is 0, what was done under the same EXEC did nothing. Code that flow_graph.h
// finds no way to begins without a history and with VGPR indexing off. `ignored`: indices of instructions
// that count no wait states (for tests: as if an s_nop were not there).
std::vector<CloseFollower> close_followers(const ProgramPaths& paths, std::span<const uint32_t> ignored = {});

// The instructions a wave executed last.
class WaitHistory {
 public:
  // `in` is executed next: the worst that it does to an earlier one, rule none if it keeps its distance.
  struct Violation {
    const Instruction* first = nullptr;
    WaitNeed need;
    unsigned found = 0;
  };
  Violation next(const Instruction& in, uint64_t exec) { return next(in, &in, exec); }
  // The same for what VGPR indexing made of an instruction.
  Violation next_indexed(const Instruction& in, uint64_t exec);

 private:
  // Enough for every distance: an instruction is at least one wait state.
  template <typename T>
  using Ring = std::array<T, kMostWaitStates>;

  Violation next(const Instruction& in, const Instruction* kept, uint64_t exec);
  const Instruction* back(uint32_t n) const { return last_[(count_ - n) % kMostWaitStates]; }

  Ring<const Instruction*> last_{};  // null: one wait state that nobody has to keep a distance from
  std::unique_ptr<Ring<Instruction>> indexed_;  // what last_ points to, of indexed instructions
  uint32_t count_ = 0;
};

}  // namespace wavetwin::isa
