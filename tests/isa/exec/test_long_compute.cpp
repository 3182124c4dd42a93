// SPDX-License-Identifier: MIT
// A computation may take any time without a store; a wait for a flag that nobody raises may not.
#include <doctest/doctest.h>

#include "tests/isa/exec/machine.h"

namespace wavetwin::isa {
namespace {

ExecuteOptions on_threads(unsigned threads, std::optional<uint64_t> seed = {}) {
  ExecuteOptions options;
  options.dispatch.threads = threads;
  options.dispatch.oversubscribe = true;
  options.dispatch.schedule_seed = seed;
  return options;
}

}  // namespace

TEST_CASE("20 million instructions of a wave without a store run to their end") {
  Machine machine("long_compute");
  const uint64_t out = machine.poisoned("out", 64), table = machine.zeroed("table", 64);
  const ExecuteReport plain = machine.run("compute", 1, 64, {out, table});
  CHECK(machine.words(out, 1)[0] == 42);
  CHECK(plain.instructions() > 20'000'000);
  const ExecuteReport reads = machine.run("compute_table", 1, 64, {out, table});
  CHECK(machine.words(out, 1)[0] == 2'000'000);  // the table holds zeros, LDS a one
  CHECK(reads.instructions() > 20'000'000);
}

TEST_CASE("waves wait for one that computes, in any schedule and on any number of threads") {
  uint64_t rounds = 0;
  for (const unsigned threads : {1u, 2u}) {
    Machine machine("long_compute");
    const uint64_t out = machine.poisoned("out", 64), flag = machine.zeroed("flag", 64);
    const ExecuteReport report = machine.run("compute_then_flag", 3, 64, {out, flag}, on_threads(threads));
    CHECK(machine.words(out, 3)[2] == 1);
    if (rounds != 0) CHECK(report.dispatch.rounds == rounds);
    rounds = report.dispatch.rounds;
    Machine seeded("long_compute");
    const uint64_t again = seeded.poisoned("out", 64), raised = seeded.zeroed("flag", 64);
    seeded.run("compute_then_flag", 3, 64, {again, raised}, on_threads(threads, 5));
    CHECK(seeded.words(again, 3)[1] == 1);
  }
}

TEST_CASE("a spin that counts its looks at a flag nobody raises ends by default, with one report") {
  std::string expected;
  for (const unsigned threads : {1u, 2u}) {
    Machine machine("sync");
    const uint64_t flag = machine.zeroed("flag", 64);
    const std::string text = machine.error_of("counted_spin", 2, 64, {flag}, on_threads(threads));
    INFO(text);
    CHECK(contains(text, "in 1000 rounds"));
    CHECK(contains(text, "waits for flag + 0x0"));
    CHECK(contains(text, "last writer: the host"));
    if (threads == 2) CHECK(text == expected);
    expected = text;
  }
}

}  // namespace wavetwin::isa
