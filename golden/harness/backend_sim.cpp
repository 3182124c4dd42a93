// SPDX-License-Identifier: MIT
// The backend `sim`: the wave-level C++ kernels on the machine model of sim/core.
#include "golden/harness/backend.h"
#include "golden/harness/finding_hints.h"
#include "golden/harness/simulated_memory.h"
#include "sim/core/dispatch.h"
#include "sim/kernels/device.h"
#include "sim/kernels/device_arithmetic.h"

namespace wavetwin::golden {
namespace {

// Makes waves that run a case's SimEntry.
class EntryProgram : public KernelProgram {
 public:
  EntryProgram(const SimEntry& entry, std::span<const std::byte> kernarg)
      : entry_(entry), kernarg_(kernarg) {}
  std::unique_ptr<WaveProgram> make_wave(Workgroup& workgroup, uint32_t wave) const override {
    auto program = std::make_unique<CoroutineWave>(workgroup, wave);
    program->start(entry_(program->wave(), kernarg_));
    return program;
  }

 private:
  const SimEntry& entry_;
  std::span<const std::byte> kernarg_;
};

class SimBackend : public Backend {
 public:
  const char* name() const override { return "sim"; }
  std::optional<std::string> unavailable() override { return std::nullopt; }

  Execution execute(const Program& program, std::vector<BufferImage>& images,
                    const RunOptions& options) override {
    set_mfma_model(options.model);
    set_numeric_model(options.numeric);
    set_device_rules(options.rules);
    SimulatedMemory memory(images);
    Execution execution;
    for (const Launch& launch : program.launches) {
      const std::vector<std::byte> kernarg = launch.kernarg(memory);
      const DispatchReport report = timed(execution.launch_seconds, [&] {
        return dispatch(memory.memory(), machine_launch(launch), EntryProgram(launch.sim, kernarg),
                        dispatch_options(options));
      });
      execution.rounds += report.rounds;
      append_findings(report.findings, options.allowed, execution.findings, execution.allowed);
      append_hints(report.findings, options.allowed, execution.hints);
    }
    memory.read_back(images);
    return execution;
  }
};

}  // namespace

std::unique_ptr<Backend> make_sim_backend() { return std::make_unique<SimBackend>(); }

}  // namespace wavetwin::golden
