// SPDX-License-Identifier: MIT
// A livelock is proven when every wave goes round the same states, however many turns that takes.
#include <doctest/doctest.h>

#include "tests/isa/exec/machine.h"

namespace wavetwin::isa {
namespace {

// The limit of idle rounds is out of reach, so only a proof ends the run.
ExecuteOptions no_limit(uint32_t quantum) {
  ExecuteOptions options;
  options.dispatch.max_idle_rounds = 1000000;
  options.dispatch.quantum = quantum;
  return options;
}

}  // namespace

TEST_CASE("a spin whose states recur after several turns is proven, at every quantum") {
  Machine machine("livelock");
  for (const char* kernel : {"three_places", "two_states"}) {
    for (const uint32_t quantum : {3u, 7u, 64u, 1000u}) {
      CAPTURE(kernel);
      CAPTURE(quantum);
      const uint64_t flag = machine.zeroed("flag", 64);
      const std::string text = machine.error_of(kernel, 2, 128, {flag}, no_limit(quantum));
      CHECK(contains(text, "every wave that can move only polls"));
      CHECK(contains(text, "workgroup 0"));
      CHECK(contains(text, "flag"));
      machine.memory().free(flag);
    }
  }
}

TEST_CASE("a count in any part of a wave's state tells its turns apart") {
  Machine machine("livelock");
  for (const char* kernel : {"counted_vgpr", "counted_agpr", "counted_scratch", "counted_mode"}) {
    for (const uint32_t quantum : {5u, 1000u}) {
      CAPTURE(kernel);
      CAPTURE(quantum);
      const uint64_t flag = machine.zeroed("flag", 64);
      CHECK(machine.error_of(kernel, 2, 64, {flag}, no_limit(quantum)) == "");
      CHECK(machine.words(flag, 1)[0] == 1);
      machine.memory().free(flag);
    }
  }
}

TEST_CASE("a spin that begins after a long count is proven, too") {
  Machine machine("livelock");
  const uint64_t flag = machine.zeroed("flag", 64);
  ExecuteOptions options = no_limit(1000);
  options.dispatch.max_idle_rounds = 5000;
  CHECK(contains(machine.error_of("late_cycle", 1, 64, {flag}, options), "only polls"));
}

TEST_CASE("a single turn's spin in turns of a few instructions is proven, too") {
  Machine machine("sync");
  const uint64_t flag = machine.zeroed("flag", 64);
  for (const uint32_t quantum : {1u, 2u, 4u}) {
    CAPTURE(quantum);
    CHECK(contains(machine.error_of("missing_flag", 2, 64, {flag}, no_limit(quantum)), "only polls"));
  }
}

TEST_CASE("a wave that waits long for one that counts is no livelock") {
  Machine machine("livelock");
  for (const uint32_t quantum : {3u, 64u, 1000u}) {
    const uint64_t flag = machine.zeroed("flag", 64);
    CHECK(machine.error_of("late_flag", 2, 64, {flag}, no_limit(quantum)).empty());
    machine.memory().free(flag);
  }
}

}  // namespace wavetwin::isa
