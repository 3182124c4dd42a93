// SPDX-License-Identifier: MIT
// Which loads may be used before they are waited for, found once for a program so that the others cost
// nothing at run time.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/isa/decode.h"

namespace wavetwin::isa {

// The wait counters that an instruction is counted in (isa guide 4.4), and whether it is a load whose
// register is there only after a wait. Returning atomics are not among these: they are watched whenever they
// are executed.
struct CounterUse {
  bool vm = false, lgkm = false;
  // Scalar memory and FLAT: only a wait for 0 covers it. What shares a counter is of one type otherwise
  // (vector memory, LDS), which returns in order; instructions of different types do not.
  bool unordered = false;
  bool load = false;
};
CounterUse counter_use(const Instruction& in);

// Indices of the loads for which some path through the program reads, or overwrites other than by a load, a
// register of theirs before an s_waitcnt that covers them. A path may be one that no run takes. Code that is
// reached by s_setpc, s_swappc or s_call begins without outstanding loads.
std::vector<uint32_t> unguarded_loads(const Program& program);

}  // namespace wavetwin::isa
