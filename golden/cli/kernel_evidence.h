// SPDX-License-Identifier: MIT
// What stands behind the bits that a kernel of a code object computes: the weakest of its instructions.
#pragma once

#include <string>

#include "common/evidence.h"
#include "golden/harness/backend.h"
#include "sim/isa/executable.h"

namespace wavetwin::golden {

struct KernelEvidence {
  Evidence level = Evidence::specified;
  std::string instruction;  // the first one of that level; empty when all are specified
};

// Of the instructions between the kernel's entry and its end (functions it calls are not looked at), under
// the MFMA model and the numeric options of `run`.
KernelEvidence kernel_evidence(const isa::Executable& executable, const isa::KernelInfo& kernel,
                               const RunOptions& run);

}  // namespace wavetwin::golden
