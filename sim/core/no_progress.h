// SPDX-License-Identifier: MIT
// The report of a run that stopped moving: every wave, grouped by what it waits for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/global_memory.h"
#include "sim/core/workgroup.h"

namespace wavetwin {

struct Stall {
  std::string kernel;
  uint64_t round = 0;
  uint64_t idle_rounds = 0;
  bool proven = false;       // a recurrence, not the idle limit
  uint64_t not_started = 0;  // workgroups that found no slot
  uint32_t resident = 0;
};

// A summary line, then a line for each group of waves that are at the same place and await the same thing:
// waves that await memory first, then the others, in workgroup order. Long lists end in "and N more".
std::string no_progress_report(const GlobalMemory& memory, const std::vector<Workgroup*>& workgroups,
                               const Stall& stall);

}  // namespace wavetwin
