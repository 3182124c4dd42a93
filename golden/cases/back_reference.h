// SPDX-License-Identifier: MIT
#pragma once

#include "golden/cases/back_frame.h"
#include "golden/harness/case.h"

namespace wavetwin::golden {

// Every stage judged on its actual input, and the output of the whole launch end to end.
Reference back_reference(const BackFrame& frame, const Tensors& inputs, const Tensors& produced);

}  // namespace wavetwin::golden
