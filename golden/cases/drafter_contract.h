// SPDX-License-Identifier: MIT
// What a user's own tensors must keep to stand in for the generated inputs of a drafter case.
#pragma once

#include <functional>
#include <string>

#include "golden/cases/drafter_plan.h"
#include "golden/harness/case.h"

namespace wavetwin::golden {

// Positions, lengths and slots are what a case is: its own. qkv, the norms' weights and the cosines and sines
// must be finite, the cache and partials free of NaN where they are read. The block table's entries may be
// anything but for the blocks that new rows go to, which are its slots', and no other entry may lead to one
// of those: it would be read while it is written.
std::function<std::string(const Tensor&)> drafter_contract(const DrafterPlan& plan, const std::string& name);

}  // namespace wavetwin::golden
