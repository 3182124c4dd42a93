// SPDX-License-Identifier: MIT
// One case's launches on a simulated backend as a benchmark: wall time of the launches alone, and the memory
// that the whole run took at its peak.
#pragma once

#include <benchmark/benchmark.h>

#include <fstream>
#include <memory>
#include <string>

#include "golden/harness/backend.h"
#include "golden/harness/run.h"

namespace wavetwin::golden {

// Linux keeps the peak of the resident set and lets a process set it back.
inline void reset_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }
inline double peak_mib() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    double kib = 0;
    if (word == "VmHWM:" && status >> kib) return kib / 1024;
  }
  return 0;
}

inline void bench_launches(benchmark::State& state, const KernelCase& kernel_case, bool isa, int threads) {
  const std::unique_ptr<Backend> backend = isa ? make_isa_backend() : make_sim_backend();
  const Tensors inputs = kernel_case.generate();
  RunOptions options;
  options.threads = threads;
  state.SetLabel(backend->name());
  reset_peak();
  for ([[maybe_unused]] auto _ : state) {
    const RunResult result = run_case(kernel_case, inputs, *backend, options);
    if (!result.findings.empty()) state.SkipWithError(result.findings.front().c_str());
    state.SetIterationTime(result.launch_seconds);
  }
  state.counters["peak_MiB"] = peak_mib();
}

}  // namespace wavetwin::golden
