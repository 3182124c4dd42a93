// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "golden/cases/back_frame.h"
#include "golden/harness/case.h"

namespace wavetwin::golden {

// What a stage, or the whole launch with every intermediate, must leave; reports name stage, task, wave and
// lane.
std::vector<RegionSpec> back_regions(const BackFrame& frame);

}  // namespace wavetwin::golden
