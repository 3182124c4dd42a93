// SPDX-License-Identifier: MIT
// Runs a few GEMV cases on the simulated kernels it is linked with; exit 1 when anything is wrong with one. Linked with
// mutated kernels by mutations.sh, which expects just that.
#include <cstdio>
#include <exception>
#include <memory>
#include <string>

#include "golden/cases/gemv.h"
#include "golden/harness/judge.h"
#include "golden/harness/run.h"

using namespace wavetwin::golden;

namespace {

// Empty when the case is right.
std::string what_is_wrong(const KernelCase& kernel_case) {
  try {
    const Tensors inputs = kernel_case.generate();
    const RunResult result = run_case(kernel_case, inputs, *make_sim_backend(), {});
    if (!result.findings.empty()) return result.findings.front();
    const Reference reference = kernel_case.reference(inputs, result.regions);
    const Judgement judgement = judge_against_oracle(kernel_case, reference, "sim", result.regions, false);
    return judgement.agreement == Agreement::equal ? "" : judgement.text;
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace

int main() {
  for (const char* name : {"gemv/masked-t17-exact_pm1/0", "gemv/masked-t6-nan/0", "gemv/wo_a-t1-exact_pm1/0",
                           "gemv/split4-t1-exact_pm1/0", "gemv/wqkv-t1-exact_pm1/0"}) {
    for (const auto& kernel_case : gemv_cases()) {
      if (kernel_case->name() != name) continue;
      const std::string wrong = what_is_wrong(*kernel_case);
      if (wrong.empty()) continue;
      std::printf("%s: %s\n", name, wrong.c_str());
      return 1;
    }
  }
  return 0;
}
