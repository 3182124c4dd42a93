// SPDX-License-Identifier: MIT
// Which mistake would explain a difference, for mismatch reports.
//
// A run that differs is compared with what a mistake would have given: the same words at other places of the
// result or in another encoding, or the right kernel's words for an input whose elements stand at other
// places or have other values, or by other rules of rounding and adding. An explanation is what fits the
// words found to the bit, no proof: it says where to look first.
#pragma once

#include <string>

#include "golden/harness/backend.h"
#include "golden/harness/case.h"
#include "golden/harness/run.h"

namespace wavetwin::golden {

// The runs of one case that differ: `right` comes from `backend`, which is run again with mistakes.
struct Difference {
  const KernelCase& kernel_case;
  const Tensors& inputs;
  Backend& backend;
  const RunOptions& options;
  const Tensors& right;
  const Tensors& found;               // may lack regions; those are not looked at
  const NeverWritten& never_written;  // of the found run
};

// Lines for the report, each ended by a newline: where the differences lie, and the best explanation, or that
// none was found and how many mistakes were tried. Mistakes are run for at most `seconds`; a run that ends in
// an error explains nothing. "" when no region differs.
std::string explain(const Difference& difference, double seconds);

// The same from the words alone, for a tensor `name` without a kernel to run again. "" when there is nothing
// to say. Both have one dtype and shape.
std::string explain_result(const std::string& name, const Tensor& right, const Tensor& found);

}  // namespace wavetwin::golden
