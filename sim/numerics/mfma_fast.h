// SPDX-License-Identifier: MIT
// The bulk path of the MFMA arithmetic: the same bits as mfma_reference.h, 16 columns at a time.
#pragma once

#include "sim/numerics/mfma_model.h"
#include "sim/numerics/mfma_packed.h"
#include "sim/numerics/mfma_steps.h"

namespace wavetwin::mfma {

// Whether mfma_fast() takes this instruction: inputs of at most 16 bits, 16 or 32 columns, and a model that
// keeps gfx942's constants. Step widths, orders, grouping, cuts of C, NaN bits and scale options may be
// anything.
bool fast_applies(const MfmaModel& model, const Shape& shape, const StepPlan& plan);

// D of one block. Operands as step_plan() saw them.
void mfma_fast(const MfmaModel& model, const Shape& shape, const StepPlan& plan, Format a_format,
               Format b_format, const PackedBlock& block);

}  // namespace wavetwin::mfma
