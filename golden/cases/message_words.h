// SPDX-License-Identifier: MIT
#pragma once

#include "golden/harness/case.h"

namespace wavetwin::golden {

// primitives/memory/0 and primitives/mailbox-r<launches>/0.
CaseList message_word_cases();

}  // namespace wavetwin::golden
