// SPDX-License-Identifier: MIT
#pragma once

#include "golden/harness/case.h"

namespace wavetwin::golden {

// primitives/mfma_scaled_fp8_fp4/0 and the other matrix words.
CaseList matrix_word_cases();

}  // namespace wavetwin::golden
