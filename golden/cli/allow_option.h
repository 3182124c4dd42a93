// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "golden/cli/command.h"

namespace wavetwin::golden {

// --allow missing_wait_states,lds_race: findings that are counted and do not make a run different.
class AllowOption {
 public:
  void add_to(CLI::App& command);
  // Throws Error for a kind that there is not.
  void apply(RunOptions& options) const;

 private:
  std::vector<std::string> kinds_;
};

}  // namespace wavetwin::golden
