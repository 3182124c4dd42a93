// SPDX-License-Identifier: MIT
// Which layout mistake would explain a difference, for mismatch reports.
//
// A run that differs is compared with what a mistake would have given: the same words at other places of the
// result, or the right kernel's words for an input whose elements stand at other places. An explanation is
// what fits the words found, no proof: it says where to look first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "golden/harness/backend.h"
#include "golden/harness/case.h"

namespace wavetwin::golden {

// How much of the difference of one region a mistake explains.
struct Explained {
  std::string region;
  uint64_t different = 0;  // elements that differ between the two runs
  uint64_t matched = 0;    // of these: the mistake gives exactly the words found
  uint64_t elsewhere = 0;  // elements that are right although the mistake would change them
};

struct Explanation {
  std::string text;                // "'w_scale' read with columns c and c ^ 1 exchanged"
  std::vector<Explained> regions;  // those that differ
};

// The runs of one case that differ: `right` comes from `backend`, which is run again on rearranged inputs.
struct Difference {
  const KernelCase& kernel_case;
  const Tensors& inputs;
  Backend& backend;
  const RunOptions& options;
  const Tensors& right;
  const Tensors& found;  // may lack regions; those are not looked at
};

// Lines for the report, each ended by a newline: the best explanation, or that none was found and how many
// mistakes were tried. Inputs are rearranged for at most `seconds`. An input that breaks its contract, and a
// run that ends in an error, explain nothing. "" when no region differs.
std::string explain(const Difference& difference, double seconds);

// The same from the words alone, for a tensor `name` without a kernel to run again: where the elements of
// `right` stand in `found`. "" when no rearrangement fits. Both have one dtype and shape.
std::string explain_result(const std::string& name, const Tensor& right, const Tensor& found);

}  // namespace wavetwin::golden
