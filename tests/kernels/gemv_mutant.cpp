// SPDX-License-Identifier: MIT
// gemv_mutant LIBRARY: runs a few GEMV cases with the simulated kernels of a library (gemv_mutant_plugin.cpp
// with a mutated sim/kernels/gemv.cpp) in place of its own; exit 1 when anything is wrong with one.
#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <string>

#include "common/kernels/gemv.h"
#include "golden/cases/gemv.h"
#include "golden/harness/judge.h"
#include "golden/harness/run.h"
#include "sim/core/wave_task.h"

namespace {

using namespace wavetwin;
using namespace wavetwin::golden;

using MutantKernel = void (*)(uint32_t, Wave&, const GemvArgs&, void (*)(void*, WaveTask), void*);

// A case whose launches run the library's kernels.
class MutantCase : public KernelCase {
 public:
  MutantCase(std::unique_ptr<KernelCase> original, MutantKernel mutant)
      : original_(std::move(original)), mutant_(mutant) {}
  std::string name() const override { return original_->name(); }
  std::vector<std::string> labels() const override { return original_->labels(); }
  GeneratorId generator() const override { return original_->generator(); }
  std::vector<InputSpec> inputs() const override { return original_->inputs(); }
  Tensors generate() const override { return original_->generate(); }
  std::vector<RegionSpec> regions() const override { return original_->regions(); }
  Evidence evidence() const override { return original_->evidence(); }
  Reference reference(const Tensors& inputs, const Tensors& produced) const override {
    return original_->reference(inputs, produced);
  }
  Program program(const Tensors& inputs) const override {
    Program program = original_->program(inputs);
    for (golden::Launch& launch : program.launches) {
      uint32_t kernel = 0;
      while (kGemvKernels[kernel].symbol != launch.symbol) ++kernel;
      launch.sim = [kernel, mutant = mutant_](Wave& wave, std::span<const std::byte> kernarg) {
        GemvArgs args;
        std::memcpy(&args, kernarg.data(), sizeof args);
        std::optional<WaveTask> task;
        const auto take = [](void* taker, WaveTask made) {
          *static_cast<std::optional<WaveTask>*>(taker) = made;
        };
        mutant(kernel, wave, args, take, &task);
        return *task;
      };
    }
    return program;
  }

 private:
  std::unique_ptr<KernelCase> original_;
  MutantKernel mutant_;
};

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

int main(int argc, char** argv) {
  void* library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : nullptr;
  const auto mutant = library ? reinterpret_cast<MutantKernel>(dlsym(library, "mutant_kernel")) : nullptr;
  if (mutant == nullptr) {
    std::fprintf(stderr, "gemv_mutant LIBRARY: %s\n", argc == 2 ? dlerror() : "no library given");
    return 2;
  }
  for (const char* name : {"gemv/masked-t17-exact_pm1/0", "gemv/masked-t6-nan/0", "gemv/wo_a-t1-exact_pm1/0",
                           "gemv/split4-t1-exact_pm1/0", "gemv/wqkv-t1-exact_pm1/0"}) {
    for (auto& kernel_case : gemv_cases()) {
      if (kernel_case->name() != name) continue;
      const std::string wrong = what_is_wrong(MutantCase(std::move(kernel_case), mutant));
      if (wrong.empty()) continue;
      std::printf("%s: %s\n", name, wrong.c_str());
      return 1;
    }
  }
  return 0;
}
