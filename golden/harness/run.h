// SPDX-License-Identifier: MIT
// One case on one backend: poison, execute, check what was written, cut out the regions.
#pragma once

#include <string>
#include <vector>

#include "golden/harness/backend.h"
#include "golden/harness/case.h"

namespace wavetwin::golden {

// By region name, the elements that the kernel had to write and did not, ascending; no entry: none.
using NeverWritten = std::map<std::string, std::vector<uint64_t>>;

struct RunResult {
  Tensors regions;  // by region name
  NeverWritten never_written;
  std::vector<std::string> findings;  // never-written elements, stray writes, and what the backend observed
  std::vector<std::string> hints;     // what most likely made what the backend observed
  std::string device;
  uint64_t rounds = 0;
  double seconds = 0;
  double launch_seconds = 0;  // of these, in the launches
  FindingCounts allowed{};    // not among `findings`
};

// Throws Error for bad programs and for cases whose regions do not fit their buffers.
RunResult run_case(const KernelCase& kernel_case, const Tensors& inputs, Backend& backend,
                   const RunOptions& options);

// The bytes an output holds before the run: words that are signalling NaNs as f32 and bf16 and NaNs as e4m3,
// each different from its neighbours. The two variants differ in every byte.
std::byte poison_byte(uint64_t offset, bool second_variant);

}  // namespace wavetwin::golden
