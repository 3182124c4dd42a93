// SPDX-License-Identifier: MIT
// The race check of a round over the access logs of all workgroups.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/checks.h"
#include "sim/core/global_memory.h"
#include "sim/core/workgroup.h"

namespace wavetwin {

// Two workgroups race on a byte when both touched it in the round and one of them by a plain store. One
// finding for each run of such bytes within 64. `workgroups` are in id order.
void find_memory_races(const GlobalMemory& memory, const std::vector<Workgroup*>& workgroups, uint64_t round,
                       FindingLog& findings);

}  // namespace wavetwin
