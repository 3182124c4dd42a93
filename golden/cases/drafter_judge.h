// SPDX-License-Identifier: MIT
// The oracle of a drafter stage, from its inputs and what it produced.
#pragma once

#include "golden/cases/drafter_plan.h"
#include "golden/harness/case.h"

namespace wavetwin::golden {

// Tag of launch `index` of a case.
constexpr uint32_t drafter_tag(uint32_t index) { return 64 * (9 + index) + 5; }

Reference judge_drafter(const DrafterPlan& plan, const Tensors& inputs, const Tensors& produced);

}  // namespace wavetwin::golden
