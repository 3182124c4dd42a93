// SPDX-License-Identifier: MIT
// kernel_mutant LIBRARY CASE...: runs registered cases with the simulated kernels of a library (a plugin of
// mutant.h built with mutated sources) in place of its own. Exit 0 when the oracle and the checks of the
// machine see nothing, 1 with the report of the first case that is wrong, 2 for bad usage.
#include <dlfcn.h>

#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <string>

#include "golden/cases/registry.h"
#include "golden/harness/judge.h"
#include "golden/harness/run.h"
#include "tests/kernels/forwarding_case.h"
#include "tests/kernels/mutant.h"

namespace {

using namespace wavetwin;
using namespace wavetwin::golden;

// A case whose launches run the library's kernels.
class MutantCase : public ForwardingCase {
 public:
  MutantCase(std::unique_ptr<KernelCase> original, mutant::Entry entry)
      : ForwardingCase(std::move(original)), entry_(entry) {}
  Program program(const Tensors& inputs) const override {
    Program program = ForwardingCase::program(inputs);
    for (golden::Launch& launch : program.launches) {
      launch.sim = [symbol = launch.symbol, entry = entry_](Wave& wave, std::span<const std::byte> kernarg) {
        std::optional<WaveTask> task;
        const auto take = [](void* taker, WaveTask made) {
          *static_cast<std::optional<WaveTask>*>(taker) = made;
        };
        entry(symbol.c_str(), wave, kernarg.data(), take, &task);
        return task.value();
      };
    }
    return program;
  }

 private:
  mutant::Entry entry_;
};

// Empty when the case is right.
std::string what_is_wrong(const KernelCase& kernel_case) {
  try {
    const Tensors inputs = kernel_case.generate();
    const RunResult result = run_case(kernel_case, inputs, *make_sim_backend(), {});
    if (!result.findings.empty()) return result.findings.front();
    const Reference reference = kernel_case.reference(inputs, result.regions);
    const Judgement judgement = judge_against_oracle(kernel_case, reference, "sim", result.regions, false);
    return judgement.agreement == Agreement::equal ? "" : judgement.text + "\n" + judgement.report;
  } catch (const std::exception& error) {
    return error.what();
  }
}

int run(mutant::Entry entry, int count, char** names) {
  for (int i = 0; i < count; ++i) {
    for (auto& kernel_case : select_cases(kernels(), names[i])) {
      const MutantCase mutated(std::move(kernel_case), entry);
      const std::string wrong = what_is_wrong(mutated);
      if (wrong.empty()) continue;
      std::printf("%s: %s\n", mutated.name().c_str(), wrong.c_str());
      return 1;
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  void* library = argc >= 3 ? dlopen(argv[1], RTLD_NOW) : nullptr;
  const auto entry = library ? reinterpret_cast<mutant::Entry>(dlsym(library, mutant::kEntry)) : nullptr;
  if (entry == nullptr) {
    std::fprintf(stderr, "kernel_mutant LIBRARY CASE...: %s\n",
                 argc >= 3 ? dlerror() : "no library or no case given");
    return 2;
  }
  try {
    return run(entry, argc - 2, argv + 2);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kernel_mutant: %s\n", error.what());
    return 2;
  }
}
