// SPDX-License-Identifier: MIT
#include "golden/harness/backend.h"

#include "golden/harness/install.h"
#include "sim/core/error.h"

namespace wavetwin::golden {

std::filesystem::path code_object_file(const std::string& stem, const RunOptions& options) {
  const auto replaced = options.code_objects.find(stem);
  const std::filesystem::path path =
      replaced == options.code_objects.end() ? code_object_path(stem, options.build) : replaced->second;
  if (!std::filesystem::exists(path)) throw FileError(path.string(), "the code object is not there");
  return path;
}

std::vector<std::unique_ptr<Backend>> all_backends() {
  std::vector<std::unique_ptr<Backend>> backends;
  backends.push_back(make_sim_backend());
  backends.push_back(make_isa_backend());
  backends.push_back(make_hip_backend());
  return backends;
}

}  // namespace wavetwin::golden
