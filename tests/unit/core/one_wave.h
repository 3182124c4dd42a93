// SPDX-License-Identifier: MIT
// Runs a small kernel once and gives its report: what most tests of the wave's words need.
#pragma once

#include <string>

#include "sim/core/dispatch.h"

namespace wavetwin {

template <class Args>
DispatchReport run_small(GlobalMemory& memory, WaveTask (*kernel)(Wave&, Args),
                         const std::type_identity_t<Args>& args, uint32_t workgroups = 1,
                         uint32_t threads = 64, DispatchOptions options = {}) {
  Launch launch;
  launch.kernel = "small";
  launch.grid = {workgroups};
  launch.block = {threads};
  launch.lds_bytes = 4096;
  return launch_kernel(memory, launch, kernel, args, options);
}

// The message of the Error that f throws; "" when it throws none.
template <class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace wavetwin
