// SPDX-License-Identifier: MIT
// Hardware registers that say how the wave was started: guide 3.4, 3.10.1 and tables 19 to 22.
#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "sim/core/error.h"
#include "sim/isa/exec.h"
#include "tests/isa/memory/probe.h"
#include "tests/isa/tested_rows.h"

namespace wavetwin::isa {
namespace {

constexpr unsigned kStatusId = 2, kTrapStatusId = 3, kGprAllocId = 5, kLdsAllocId = 6;

// s_getreg_b32 s4, hwreg(id, offset, size)
uint32_t get(WaveState& state, unsigned id, unsigned offset = 0, unsigned size = 32) {
  const Instruction in =
      decode_tested(std::vector<uint32_t>{0xb8800000u | 4 << 16 | (size - 1) << 11 | offset << 6 | id});
  execute_function(in)(state, in);
  return state.scalar[4];
}

// Runs `body` on each wave of a workgroup.
void run_waves(uint32_t waves, uint32_t lds_bytes, const ProbeWave::Body& body) {
  GlobalMemory memory;
  Launch launch;
  launch.kernel = "probe";
  launch.block = {64 * waves, 1, 1};
  launch.lds_bytes = lds_bytes;
  DispatchOptions options;
  options.threads = 1;
  dispatch(memory, launch, ProbeKernel(body, [](WaveState&, Environment&) {}), options);
}

}  // namespace

TEST_CASE("STATUS: SCC, EXECZ, VCCZ, a group of several waves, scratch") {
  run_waves(1, 0, [](WaveState& state, Environment& env) {
    state.set_exec(1);
    state.set_vcc(1);
    CHECK(get(state, kStatusId) == (1u << 16 | 1u << 28));
    state.scc = true;
    state.set_exec(0);
    CHECK(get(state, kStatusId) == (1u << 16 | 1u << 28 | 1u << 9 | 1));
    state.set_vcc(0);
    CHECK(get(state, kStatusId, 9, 3) == 3);
    env.scratch.reset(0);
    CHECK(get(state, kStatusId, 28, 1) == 0);
  });
  run_waves(2, 0, [](WaveState& state, Environment&) { CHECK(get(state, kStatusId, 11, 1) == 1); });
}

TEST_CASE(
    "GPR_ALLOC: all VGPRs in eights, the architectural ones in fours, SGPRs in sixteens, each less one") {
  run_waves(1, 0, [](WaveState& state, Environment&) {
    CHECK(get(state, kGprAllocId, 0, 6) == 0);
    CHECK(get(state, kGprAllocId, 6, 6) == 2 * kProbeVgprs / 8 - 1);
    CHECK(get(state, kGprAllocId, 12, 6) == kProbeVgprs / 4 - 1);
    CHECK(get(state, kGprAllocId, 24, 4) == 6);
    const uint32_t count = state.vgpr_count;
    state.vgpr_count = state.agpr_count = 256;  // nothing is read of them
    CHECK(get(state, kGprAllocId) == (63u << 6 | 63u << 12 | 6u << 24));
    state.vgpr_count = state.agpr_count = count;
  });
}

TEST_CASE("LDS_ALLOC: units of 64 dwords of the blocks of 1280 bytes that are allocated") {
  for (const auto& [bytes, units] :
       {std::pair{0u, 0u}, {4u, 5u}, {1280u, 5u}, {1284u, 10u}, {163840u, 640u}}) {
    CAPTURE(bytes);
    run_waves(1, bytes, [&, units = units](WaveState& state, Environment&) {
      CHECK(get(state, kLdsAllocId) == units << 12);
    });
  }
}

TEST_CASE("TRAPSTS: nothing is pending, and exceptions that are not gathered are not said to be none") {
  run_waves(1, 0, [](WaveState& state, Environment&) {
    CHECK(get(state, kTrapStatusId, 9, 23) == 0);
    for (const unsigned bit : {0u, 5u, 8u})
      CHECK_THROWS_WITH_AS(get(state, kTrapStatusId, bit, 1),
                           doctest::Contains("exceptions are not gathered"), Error);
    CHECK_THROWS_AS(get(state, kTrapStatusId), Error);
  });
}

}  // namespace wavetwin::isa
