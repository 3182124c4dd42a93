// SPDX-License-Identifier: MIT
// back_mutant LIBRARY: runs persistent launches of the attention back with the simulated kernels of a library
// (mutant_plugin.cpp with a mutated sim/kernels/back*) in place of its own; exit 1 with the report when
// anything is wrong with one.
#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <string>

#include "common/kernels/back.h"
#include "golden/cases/back.h"
#include "golden/harness/judge.h"
#include "golden/harness/run.h"
#include "sim/core/wave_task.h"

namespace {

using namespace wavetwin;
using namespace wavetwin::golden;

using MutantKernel = void (*)(uint32_t, back::Stage, Wave&, const back::Args&, void (*)(void*, WaveTask),
                              void*);

// A case whose persistent launch runs the library's kernel.
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
      uint32_t form = 0;
      while (!launch.symbol.ends_with(back::kForms[form].name)) ++form;
      launch.sim = [form, mutant = mutant_](Wave& wave, std::span<const std::byte> kernarg) {
        back::Args args;
        std::memcpy(&args, kernarg.data(), sizeof args);
        std::optional<WaveTask> task;
        const auto take = [](void* taker, WaveTask made) {
          *static_cast<std::optional<WaveTask>*>(taker) = made;
        };
        mutant(form, back::Stage::run, wave, args, take, &task);
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
    return judgement.agreement == Agreement::equal ? "" : judgement.text + "\n" + judgement.report;
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace

int main(int argc, char** argv) {
  void* library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : nullptr;
  const auto mutant = library ? reinterpret_cast<MutantKernel>(dlsym(library, "mutant_kernel")) : nullptr;
  if (mutant == nullptr) {
    std::fprintf(stderr, "back_mutant LIBRARY: %s\n", argc == 2 ? dlerror() : "no library given");
    return 2;
  }
  const MutantCase kernel_case(back_run_case(4, 2, 1, 64), mutant);
  const std::string wrong = what_is_wrong(kernel_case);
  if (wrong.empty()) return 0;
  std::printf("%s: %s\n", kernel_case.name().c_str(), wrong.c_str());
  return 1;
}
