// SPDX-License-Identifier: MIT
// What a kernel asks of its surroundings: given, or refused by name.
#include <doctest/doctest.h>

#include <numeric>

#include "tests/isa/foreign/run_object.h"

namespace wavetwin::isa {

TEST_CASE("a debug trap goes on without a debugger, a trap ends the run") {
  Machine machine(foreign("services"));
  const uint64_t out = machine.zeroed("out", 4 * 64);
  machine.run("debug_trap", 1, 64, {out});
  CHECK(machine.words(out, 64) == std::vector<uint32_t>(64, 5));
  machine.run("trap", 1, 64, {out});  // every word is 5: nobody traps
  machine.memory().fill(out + 4 * 17, 4, 0);
  CHECK(contains(machine.error_of("trap", 1, 64, {out}),
                 "s_trap 2 (the program called abort or __builtin_trap)"));
}

TEST_CASE("services of a host runtime that launch kernels are refused by name when a kernel uses them") {
  Machine machine(foreign("services"));
  const uint64_t out = machine.zeroed("out", 4 * 64);
  for (const std::string name : {"hidden_default_queue", "hidden_completion_action"}) {
    const std::string text = machine.error_of(name, 1, 64, {out});
    CAPTURE(text);
    CHECK(contains(text, name + " ("));
    CHECK(contains(text, "not simulated"));
  }
}

TEST_CASE("a barrier of the grid lets every workgroup see what the others wrote before it") {
  constexpr uint32_t kGroups = 40, kItems = 128;
  Machine machine(foreign("services"));
  const uint64_t out = machine.zeroed("out", 4 * kGroups * kItems);
  const ExecuteReport report = machine.run("grid_sync", kGroups, kItems, {out, kGroups});
  CHECK(report.dispatch.findings.total() == 0);
  const auto words = machine.words(out, kGroups * kItems);
  for (uint32_t group = 0; group < kGroups; ++group) {
    for (uint32_t item = 0; item < kItems; ++item) {
      CAPTURE(group);
      CAPTURE(item);
      CHECK(words[group * kItems + item] == 100 * ((group + 3) % kGroups) + item + 3);
    }
  }
}

TEST_CASE("flat loads of kernels with threadgroup split need no wait for LDS") {
  constexpr uint32_t kCount = 37;
  for (const char* build : {"services", "services.split"}) {
    CAPTURE(std::string(build));
    Machine machine(foreign(build));
    const uint64_t out = machine.zeroed("out", 4 * 64 * kCount), in = machine.zeroed("in", 4 * kCount);
    std::vector<uint32_t> numbers(kCount);
    std::iota(numbers.begin(), numbers.end(), 1000);
    machine.memory().write(in, numbers.data(), 4 * kCount);
    const ExecuteReport report = machine.run("copy_flat", 1, 64, {out, in, kCount});
    CHECK(report.dispatch.findings.total() == 0);
    const auto words = machine.words(out, 64 * kCount);
    for (uint32_t i = 0; i < words.size(); ++i) REQUIRE(words[i] == numbers[i % kCount]);
  }
}

}  // namespace wavetwin::isa
