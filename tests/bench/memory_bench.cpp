// SPDX-License-Identifier: MIT
// Reading a buffer back: GiB a second of GlobalMemory::read and never_written, by how much of it was written.
#include <benchmark/benchmark.h>

#include <vector>

#include "sim/core/global_memory.h"

namespace wavetwin {
namespace {

constexpr uint64_t kBytes = uint64_t{256} << 20;

// Writes `run` bytes of every `period`. A period of 0: all but the first byte; a run of 0: nothing.
void write_runs(GlobalMemory& memory, uint64_t base, uint64_t run, uint64_t period) {
  if (run == 0) return;
  if (period == 0) return memory.fill(base + 1, kBytes - 1, 7);
  for (uint64_t at = 0; at + run <= kBytes; at += period) memory.fill(base + at, run, 7);
}

void read(benchmark::State& state) {
  GlobalMemory memory;
  const uint64_t base = memory.allocate("buffer", kBytes);
  write_runs(memory, base, static_cast<uint64_t>(state.range(0)), static_cast<uint64_t>(state.range(1)));
  std::vector<uint8_t> out(kBytes);
  for ([[maybe_unused]] auto _ : state) {
    memory.read(base, out.data(), kBytes);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetBytesProcessed(static_cast<int64_t>(kBytes) * state.iterations());
}

void never_written(benchmark::State& state) {
  GlobalMemory memory;
  const uint64_t base = memory.allocate("buffer", kBytes);
  write_runs(memory, base, static_cast<uint64_t>(state.range(0)), static_cast<uint64_t>(state.range(1)));
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(memory.never_written(base, kBytes, ~size_t{0}).size());
  }
  state.SetBytesProcessed(static_cast<int64_t>(kBytes) * state.iterations());
}

void patterns(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"run", "period"})->Unit(benchmark::kMillisecond);
  for (const auto& [run, period] : {std::pair{1, 0}, {0, 0}, {4096, 8192}, {64, 256}, {2, 4}, {1, 2}})
    bench->Args({run, period});
}
BENCHMARK(read)->Apply(patterns);
BENCHMARK(never_written)->Apply(patterns);

}  // namespace
}  // namespace wavetwin

BENCHMARK_MAIN();
