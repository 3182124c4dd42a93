// SPDX-License-Identifier: MIT
// Options of the commands that run a launch file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "golden/cli/command.h"
#include "golden/io/launch_file.h"
#include "sim/isa/isa_kernel.h"

namespace wavetwin::golden {

// --grid, --grid-items, --block, --mode, --quantum, --register-seed
class ExecuteOptionsParser {
 public:
  void add_to(CLI::App& command);
  // Refers to `run`, whose options it takes over. Throws Error for a MODE setting that is not legal.
  isa::ExecuteOptions options(const isa::KernelInfo& kernel, const RunOptions& run) const;
  // The shapes given take the place of the launch file's. Throws Error for text that is no shape.
  void apply(LaunchFile& launch) const;
  bool given() const { return !modes_.empty() || quantum_ || register_seed_ || reshapes(); }

 private:
  bool reshapes() const { return !grid_.empty() || !grid_items_.empty() || !block_.empty(); }

  std::string grid_, grid_items_, block_;
  std::vector<std::string> modes_;
  std::optional<uint64_t> quantum_, register_seed_;
};

}  // namespace wavetwin::golden
