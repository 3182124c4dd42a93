// SPDX-License-Identifier: MIT
// Runs the compiled kernels of one generated file on the executor.
#pragma once

#include <string>

#include "sim/isa/isa_kernel.h"
#include "tests/isa/differential/buffers.h"
#include "tests/isa/differential/coverage.h"

namespace wavetwin::differential {

class ObjectRun {
 public:
  explicit ObjectRun(const std::string& path);

  struct Run {
    Result result;
    uint64_t instructions = 0;
    std::string findings;  // of the executor's checks, empty if none
  };
  // The first wave of the first workgroup is traced into `coverage`.
  Run run(const KernelEntry& kernel, const std::vector<uint8_t>& input, Coverage& coverage);

 private:
  isa::Executable executable_;
};

}  // namespace wavetwin::differential
