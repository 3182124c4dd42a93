// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "common/kernels/drafter.h"
#include "golden/cases/drafter_inputs.h"
#include "golden/harness/case.h"

namespace wavetwin::golden {

// drafter/<stage>-r<requests>-p<first position>.../<seed> for the stages kv, rows, merge and run (the whole
// persistent launch), and drafter/block-<what>-n<blocks>/<seed> for the block math on tiles from memory.
// Labels:
//   run    one persistent launch of 33 partitions
//   test   every stage, and launches of one and two blocks
//   slow   persistent launches of 1, 2, 5, 8 and 16 requests at every first position
//   exact  the oracle fixes every bit
CaseList drafter_cases();
// The block math by itself.
CaseList drafter_block_cases();

// One case, in the list or not.
std::unique_ptr<KernelCase> drafter_case(drafter::Stage stage, const DrafterProblem& problem,
                                         std::vector<std::string> labels);

}  // namespace wavetwin::golden
