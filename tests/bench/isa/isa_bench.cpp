// SPDX-License-Identifier: MIT
#include <benchmark/benchmark.h>

#include <cstring>
#include <random>

#include "tests/bench/isa/lane_loop.h"
#include "tests/isa/exec/machine.h"

namespace wavetwin::isa {
namespace {

constexpr uint64_t kLoops = 2000;
constexpr double kInstructionsPerLoop = 128;

// Vector instructions a second on one thread; s_nop and scalar instructions are executed but not counted.
void executed_mix(benchmark::State& state) {
  Machine machine("valu_mix");
  const uint64_t out = machine.zeroed("out", 256);
  ExecuteOptions options;
  options.dispatch.threads = 1;
  double instructions = 0;
  for ([[maybe_unused]] auto _ : state) {
    const auto report = machine.run("valu_mix", 1, 64, {out, kLoops}, options);
    instructions += static_cast<double>(report.of(InstructionKind::vector));
  }
  state.counters["wave_instructions"] = benchmark::Counter(instructions, benchmark::Counter::kIsRate);
}
BENCHMARK(executed_mix)->Unit(benchmark::kMillisecond);

void hand_written_mix(benchmark::State& state) {
  bench::LaneRegisters registers{};
  for ([[maybe_unused]] auto _ : state) {
    for (uint64_t i = 0; i < kLoops; ++i) {
      bench::lane_loop(registers);
      benchmark::DoNotOptimize(registers);
    }
  }
  state.counters["wave_instructions"] = benchmark::Counter(
      kLoops * kInstructionsPerLoop * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(hand_written_mix)->Unit(benchmark::kMillisecond);

// 1024 x 1024 x 1024 in e4m3: 32,768 MFMAs.
void gemm_fp8(benchmark::State& state) {
  constexpr uint64_t kSize = 1024;
  GlobalMemory memory;
  const Executable executable(CodeObject::load(HIP_DIR "gemm_fp8.co"));
  const uint64_t load_address = load_image(memory, executable.object(), "code object");
  std::mt19937 random(1);
  std::vector<uint8_t> codes(kSize * kSize);
  uint64_t address[3];
  for (const unsigned i : {0u, 1u}) {
    for (uint8_t& code : codes) code = static_cast<uint8_t>(random() % 0x50 | (random() & 0x80));
    address[i] = memory.allocate(i == 0 ? "a" : "b", codes.size());
    memory.write(address[i], codes.data(), codes.size());
  }
  address[2] = memory.allocate("c", 4 * kSize * kSize);
  LaunchShape shape;
  shape.grid = {kSize / 64, kSize / 64, 1};
  shape.block = {256, 1, 1};
  std::vector<uint8_t> raw(32);
  const uint32_t sizes[2] = {kSize, kSize};
  std::memcpy(raw.data(), address, 24);
  std::memcpy(raw.data() + 24, sizes, 8);
  const KernelInfo& kernel = executable.object().kernel("gemm_fp8");
  const auto kernarg = pad_kernarg(kernel, shape, raw, kQueueAddress);
  ExecuteOptions options;
  options.dispatch.threads = 2;
  double mfmas = 0;
  for ([[maybe_unused]] auto _ : state) {
    mfmas +=
        static_cast<double>(execute_kernel(memory, executable, load_address, kernel, shape, kernarg, options)
                                .of(InstructionKind::mfma));
  }
  state.counters["mfmas"] = benchmark::Counter(mfmas, benchmark::Counter::kIsRate);
}
BENCHMARK(gemm_fp8)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace wavetwin::isa

BENCHMARK_MAIN();
