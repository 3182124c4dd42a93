// SPDX-License-Identifier: MIT
// Neither the number of host threads nor the quantum changes what a kernel leaves in memory, how many
// instructions it executes, and which error comes first.
#include <doctest/doctest.h>

#include "tests/isa/exec/machine.h"

namespace wavetwin::isa {
namespace {

struct Outcome {
  std::vector<uint32_t> memory;
  uint64_t instructions;
  bool operator==(const Outcome&) const = default;
};

Outcome run_all(unsigned threads, uint64_t quantum) {
  Machine machine("sync");
  ExecuteOptions options;
  options.dispatch.threads = threads;
  options.dispatch.oversubscribe = true;
  options.dispatch.quantum = quantum;
  const uint64_t counter = machine.zeroed("counter", 8), out = machine.zeroed("out", 4096);
  const uint64_t flag = machine.zeroed("flag", 4), data = machine.zeroed("data", 256);
  uint64_t instructions = machine.run("tickets", 200, 64, {counter, out}, options).instructions();
  instructions += machine.run("atomic_loop", 40, 64, {counter + 4, out + 1024}, options).instructions();
  // How often the consumer looks depends on the quantum, so its instructions are not counted.
  machine.run("flag_wait", 2, 64, {flag, data, out + 2048}, options);
  instructions += machine.run("barriers", 1, 512, {out + 3072}, options).instructions();
  return {machine.words(out, 1024), instructions};
}

}  // namespace

TEST_CASE("threads 1, 2 and 7 and quanta 64, 1000 and unlimited give the same memory") {
  const Outcome expected = run_all(1, 1000);
  for (const unsigned threads : {1u, 2u, 7u}) {
    for (const uint64_t quantum : {uint64_t{64}, uint64_t{1000}, uint64_t{0}}) {
      CAPTURE(threads);
      CAPTURE(quantum);
      CHECK(run_all(threads, quantum) == expected);
    }
  }
}

TEST_CASE("the first error is the same on any number of threads") {
  std::string expected;
  for (const unsigned threads : {1u, 2u, 7u}) {
    Machine machine("memory");
    const uint64_t buffer = machine.zeroed("results", 1024);
    ExecuteOptions options;
    options.dispatch.threads = threads;
    options.dispatch.oversubscribe = true;
    const std::string text = machine.error_of("out_of_bounds", 100, 64, {buffer}, options);
    if (expected.empty()) expected = text;
    CHECK(text == expected);
  }
  CHECK(contains(expected, "workgroup 0"));
}

}  // namespace wavetwin::isa
