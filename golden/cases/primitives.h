// SPDX-License-Identifier: MIT
#pragma once

#include "golden/harness/case.h"

namespace wavetwin::golden {

// One case a device word: primitives/<word>/0.
CaseList primitives_cases();

}  // namespace wavetwin::golden
