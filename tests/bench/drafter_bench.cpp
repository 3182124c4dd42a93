// SPDX-License-Identifier: MIT
// One persistent launch of the drafter attention at the longest context.
#include "golden/cases/drafter.h"
#include "tests/bench/launch_bench.h"

namespace wavetwin::golden {
namespace {

void drafter_attention(benchmark::State& state) {
  const DrafterProblem problem{.requests = static_cast<uint32_t>(state.range(2)), .p0 = 131071};
  bench_launches(state, *drafter_case(drafter::Stage::run, problem, {}), state.range(0) != 0,
                 static_cast<int>(state.range(1)));
}
BENCHMARK(drafter_attention)
    ->ArgNames({"isa", "threads", "requests"})
    ->ArgsProduct({{0, 1}, {1, 2}, {1, 16}})  // the smaller launch first: freed memory stays resident
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime()
    ->Iterations(2);

}  // namespace
}  // namespace wavetwin::golden

BENCHMARK_MAIN();
