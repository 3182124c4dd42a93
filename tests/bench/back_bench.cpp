// SPDX-License-Identifier: MIT
// One persistent launch of the attention back.
#include "golden/cases/back.h"
#include "tests/bench/launch_bench.h"

namespace wavetwin::golden {
namespace {

void attention_back(benchmark::State& state) {
  const auto tp = static_cast<uint32_t>(state.range(1)), tokens = static_cast<uint32_t>(state.range(2));
  const auto kernel_case = back_case(back::Stage::run, {tp, tokens, 1, 64, BackData::model, 0}, {});
  bench_launches(state, *kernel_case, state.range(0) != 0, static_cast<int>(state.range(3)));
}
BENCHMARK(attention_back)
    ->ArgNames({"isa", "tp", "tokens", "threads"})
    ->ArgsProduct({{0, 1}, {4, 2}, {1, 48}, {1, 2}})
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime()
    ->Iterations(2);

}  // namespace
}  // namespace wavetwin::golden

BENCHMARK_MAIN();
