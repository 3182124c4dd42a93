// SPDX-License-Identifier: MIT
#pragma once

#include "golden/harness/case.h"

namespace wavetwin::golden {

// drafter/<stage>-r<requests>-p<first position>/<seed> for the stages kv, rows, merge and run (the whole
// persistent launch), and drafter/<block kernel>-n<blocks>.../<seed> for the block math on tiles from memory.
CaseList drafter_cases();
// The block math by itself.
CaseList drafter_block_cases();

// One persistent launch outside the list. Throws Error for no or more than 16 requests.
std::unique_ptr<KernelCase> drafter_run_case(uint32_t requests, int32_t p0);

}  // namespace wavetwin::golden
