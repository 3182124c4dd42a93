// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "golden/cases/back_problem.h"
#include "golden/harness/case.h"

namespace wavetwin::golden {

// attention_back/<stage>-tp<ranks>-t<tokens>-r<ratio>-b<block>-<data>/<seed>, with the variations that
// back_case_name spells. Stages split, combine, woa, wob and push (wo_b's output sent to every rank) are
// launched on their own inputs; run is the whole persistent launch, with every intermediate compared. Labels:
//   run    the persistent launch of 6 tokens
//   test   the stages at 1 and 6 tokens; the persistent launch of 1 token, with exact data, with the clock's
//          stamps and 4 times in a row; keys built from block tables; cache pages past 4 GiB
//   slow   the rest: every token count, both rank counts, ratios 0, 1, 2, 4, every key count, 300 launches
//   opt    also run from the -O0 and -O1 code objects
//   exact  the data make every sum exact: the oracle fixes every bit that a product leaves
CaseList back_cases();

// One case, in the list or not. Throws Error for ranks other than 2 and 4, or no or more than 48 tokens.
std::unique_ptr<KernelCase> back_case(back::Stage stage, const BackProblem& problem,
                                      std::vector<std::string> labels);

}  // namespace wavetwin::golden
