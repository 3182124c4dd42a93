// SPDX-License-Identifier: MIT
// The backend `isa`: the code objects that `hip` loads, executed instruction by instruction.
#include "golden/harness/backend_isa.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "golden/harness/backend.h"
#include "golden/harness/finding_hints.h"
#include "golden/harness/install.h"
#include "golden/harness/simulated_memory.h"
#include "sim/core/error.h"
#include "sim/isa/isa_kernel.h"

namespace wavetwin::golden {
namespace {

class IsaBackend : public Backend {
 public:
  explicit IsaBackend(const TracedWave& traced) : traced_(traced) {}

  const char* name() const override { return "isa"; }
  std::optional<std::string> unavailable() override { return std::nullopt; }

  // Cases with the label "opt" also run what -O0 and -O1 made of the kernel.
  std::vector<std::string> builds(const KernelCase& kernel_case) const override {
    const auto labels = kernel_case.labels();
    if (std::find(labels.begin(), labels.end(), "opt") == labels.end()) return {""};
    return {"", ".O0", ".O1"};
  }

  Execution execute(const Program& program, std::vector<BufferImage>& images,
                    const RunOptions& options) override {
    SimulatedMemory memory(images);
    Execution execution;
    std::map<std::string, uint64_t> loaded;  // code object stem -> load address
    for (const Launch& launch : program.launches) {
      const isa::Executable& executable =
          executable_of(code_object_file(launch.code_object, options).string());
      auto at = loaded.find(launch.code_object);
      if (at == loaded.end()) {
        const std::string name = "code object " + launch.code_object;
        at = loaded.emplace(launch.code_object, isa::load_image(memory.memory(), executable.object(), name))
                 .first;
      }
      const auto report = timed(execution.launch_seconds,
                                [&] { return run(executable, at->second, launch, memory, options); });
      execution.rounds += report.rounds;
      append_findings(report.findings, options.allowed, execution.findings, execution.allowed);
      append_hints(report.findings, options.allowed, execution.hints);
    }
    memory.read_back(images);
    return execution;
  }

 private:
  // Decoding is not repeated from case to case.
  const isa::Executable& executable_of(const std::string& path) {
    auto& entry = executables_[path];
    if (entry == nullptr) entry = std::make_unique<isa::Executable>(isa::CodeObject::load(path));
    return *entry;
  }

  // A case and a code object of different versions would read each other's arguments wrongly.
  static void check_kernarg(const std::string& file, const isa::KernelInfo& kernel, size_t bytes) {
    uint64_t end = 0;
    for (const isa::KernelArgumentInfo& argument : kernel.metadata.arguments) {
      if (!argument.hidden()) end = std::max<uint64_t>(end, argument.offset + argument.size);
    }
    if (kernel.has_metadata && end != bytes) {
      throw Error(fmt::format("{}: kernel '{}' takes {} bytes of explicit arguments, the case passes {}",
                              file, kernel.name, end, bytes));
    }
  }

  DispatchReport run(const isa::Executable& executable, uint64_t load_address, const Launch& launch,
                     SimulatedMemory& memory, const RunOptions& options) {
    const isa::KernelInfo& kernel = executable.object().kernel(launch.symbol);
    const uint32_t lds = kernel.descriptor.group_segment_fixed_size;
    if (lds != launch.static_lds_bytes) {
      throw Error(fmt::format("{}: kernel '{}' has {} bytes of static LDS, the case states {}",
                              executable.object().file(), launch.symbol, lds, launch.static_lds_bytes));
    }
    const std::vector<std::byte> bytes = launch.kernarg(memory);
    check_kernarg(executable.object().file(), kernel, bytes.size());
    isa::LaunchShape shape;
    shape.grid = launch.grid;
    shape.block = launch.block;
    shape.dynamic_lds = launch.dynamic_lds_bytes;
    const std::span<const uint8_t> raw(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
    const auto kernarg = isa::pad_kernarg(kernel, shape, raw, isa::kQueueAddress);
    isa::ExecuteOptions execute;
    execute.dispatch = dispatch_options(options);
    execute.mfma_model = &options.model;
    execute.numeric_model = &options.numeric;
    execute.observer = traced_.observer;
    execute.traced_workgroup = traced_.workgroup;
    execute.traced_wave = traced_.wave;
    return isa::execute_kernel(memory.memory(), executable, load_address, kernel, shape, kernarg, execute)
        .dispatch;
  }

  TracedWave traced_;
  std::map<std::string, std::unique_ptr<isa::Executable>> executables_;
};

}  // namespace

std::unique_ptr<Backend> make_isa_backend() { return make_traced_isa_backend({}); }

std::unique_ptr<Backend> make_traced_isa_backend(const TracedWave& traced) {
  return std::make_unique<IsaBackend>(traced);
}

}  // namespace wavetwin::golden
