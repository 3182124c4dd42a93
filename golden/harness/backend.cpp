// SPDX-License-Identifier: MIT
#include "golden/harness/backend.h"

namespace wavetwin::golden {

std::vector<std::unique_ptr<Backend>> all_backends() {
  std::vector<std::unique_ptr<Backend>> backends;
  backends.push_back(make_sim_backend());
  backends.push_back(make_isa_backend());
  backends.push_back(make_hip_backend());
  return backends;
}

}  // namespace wavetwin::golden
