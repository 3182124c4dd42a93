// SPDX-License-Identifier: MIT
// Runs the compiled kernels of one generated file on the executor.
#pragma once

#include <string>

#include "sim/isa/isa_kernel.h"
#include "tests/isa/differential/buffers.h"

namespace wavetwin::differential {

// Where the build put the object of a file at an -O level.
std::string object_path(const CorpusFile& file, int level);

class ObjectRun {
 public:
  explicit ObjectRun(const std::string& path);

  struct Run {
    Result result;
    uint64_t instructions = 0;
    std::string findings;  // of the executor's checks, empty if none
  };
  // `observer` sees the first wave of the first workgroup.
  Run run(const KernelEntry& kernel, const std::vector<uint8_t>& input, isa::TraceObserver& observer);

 private:
  isa::Executable executable_;
};

}  // namespace wavetwin::differential
