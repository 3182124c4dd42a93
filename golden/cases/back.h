// SPDX-License-Identifier: MIT
#pragma once

#include "golden/harness/case.h"

namespace wavetwin::golden {

// attention_back/<stage>-tp<ranks>-t<tokens>-r<ratio>-b<block>-<data>/<seed>. Stages split, combine, woa and
// wob are launched on their own inputs; run is the whole persistent launch, with every intermediate compared.
// Labels:
//   run    the persistent launch of 6 tokens
//   test   the stages at 1 and 6 tokens, the persistent launch of 1 token
//   slow   the rest: every token count, both rank counts, ratios 0, 1, 2
//   exact  the oracle fixes every bit
CaseList back_cases();

// One case outside the list. Throws Error for ranks other than 2 and 4, or no or more than 48 tokens.
std::unique_ptr<KernelCase> back_run_case(uint32_t tp, uint32_t tokens, uint32_t ratio, uint32_t block);

}  // namespace wavetwin::golden
