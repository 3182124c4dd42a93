// SPDX-License-Identifier: MIT
// What the wait counters leave to the program: loads whose registers may be used before they are waited for,
// and LDS accesses that may still be under way where others count on them. Found once for a program, so that
// instructions that every path waits for cost nothing at run time.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/isa/program_paths.h"

namespace wavetwin::isa {

// What the counters can hold: issue waits beyond.
inline constexpr unsigned kMostVm = 63, kMostLgkm = 15;

// The wait counters that an instruction is counted in (isa guide 4.4), and whether it is a load whose
// register is there only after a wait. Returning atomics are not among these: they are watched whenever they
// are executed.
struct CounterUse {
  bool vm = false, lgkm = false;
  // Scalar memory and FLAT: only a wait for 0 covers it (isa guide 4.4, 10.2). What shares a counter is of
  // one type otherwise (vector memory, LDS), which returns in order; instructions of different types do not.
  bool unordered = false;
  bool load = false;

  bool counted() const { return vm || lgkm; }
};
// With threadgroup split FLAT finds no LDS: it is counted as GLOBAL, and in order with it (LLVM,
// SIInsertWaitcnts).
CounterUse counter_use(const Instruction& in, bool threadgroup_split = false);

// Whether what `second` loads is written after what `first`, issued before it, loads.
inline bool returns_before(const CounterUse& first, const CounterUse& second) {
  return first.counted() && second.counted() && !first.unordered && !second.unordered &&
         first.vm == second.vm;
}

// Indices of instructions, in order.
struct UnwaitedOperations {
  // Loads for which some path through the program reads, or overwrites other than by a load that returns
  // after it, a register of theirs before an s_waitcnt that covers them.
  std::vector<uint32_t> loads;
  // Accesses to LDS that some path takes across an s_barrier before an s_waitcnt that covers them (what that
  // means: late_lds.h), and loads to LDS that some path does not wait for before it accesses LDS, with the
  // accesses that it does: a wave's own accesses pass its loads to LDS (LLVM, SIInsertWaitcnts; they are of
  // different types).
  std::vector<uint32_t> lds;
};
// A path may be one that no run takes. Code that flow_graph.h finds no way to begins with nothing
// outstanding.
UnwaitedOperations unwaited_operations(const ProgramPaths& paths);

}  // namespace wavetwin::isa
