// SPDX-License-Identifier: MIT
#pragma once

#include "golden/harness/case.h"

namespace wavetwin::golden {

// gemv/<shape>-t<tokens>-<data>/<seed>: every shape of common/kernels/gemv.h at 1, 6, 16, 17 and 48 tokens
// with every generator of gemv_inputs.h. Labels:
//   run    every shape, 6 tokens, model data: 1.37 GMAC in MFMAs
//   test   the other token counts and generators of wqkv and wq_b, and all of masked and small_*
//   slow   the rest
//   small  masked and small_*: a second or less on every backend
//   opt    small at 17 tokens: also run from the -O0 and -O1 code objects
//   exact  exactness-conditioned data: the oracle fixes every bit
//   full   the tensors themselves are kept as goldens
CaseList gemv_cases();

}  // namespace wavetwin::golden
