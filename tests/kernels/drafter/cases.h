// SPDX-License-Identifier: MIT
// Running the drafter's cases in tests.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "golden/cases/drafter.h"
#include "golden/harness/judge.h"
#include "golden/harness/registry.h"
#include "golden/harness/run.h"

namespace wavetwin::drafter {

inline std::unique_ptr<golden::KernelCase> find_case(const std::string& name) {
  for (auto& candidate : golden::drafter_cases()) {
    if (candidate->name() == name) return std::move(candidate);
  }
  FAIL("no case ", name);
  return nullptr;
}

// On the simulated backend; findings of the machine are failures.
inline golden::RunResult run(const golden::KernelCase& kernel_case, const golden::RunOptions& options = {}) {
  INFO(kernel_case.name());
  golden::RunResult result =
      run_case(kernel_case, kernel_case.generate(), *golden::make_sim_backend(), options);
  for (const std::string& finding : result.findings) FAIL_CHECK(finding);
  return result;
}

}  // namespace wavetwin::drafter
