// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "tests/isa/exec/machine.h"

namespace wavetwin::isa {
namespace {

ExecuteOptions idle_limit(uint32_t rounds) {
  ExecuteOptions options;
  options.dispatch.max_idle_rounds = rounds;
  return options;
}

// A report of a run without progress names workgroup, wave, pc and the address that is polled.
void check_report(const std::string& text, uint64_t address) {
  INFO(text);
  CHECK(contains(text, "workgroup 0"));
  CHECK(contains(text, "wave 0"));
  CHECK(contains(text, "pc 0x"));
  CHECK((contains(text, "flag") || contains(text, hex_address("", address).substr(1))));
}

}  // namespace

TEST_CASE("returning atomics of several workgroups give each ticket once") {
  Machine machine("sync");
  constexpr uint32_t kGroups = 300;
  const uint64_t counter = machine.zeroed("counter", 4), out = machine.poisoned("tickets", 4 * kGroups);
  machine.run("tickets", kGroups, 64, {counter, out});
  CHECK(machine.words(counter, 1)[0] == kGroups);
  auto tickets = machine.words(out, kGroups);
  std::sort(tickets.begin(), tickets.end());
  for (uint32_t i = 0; i < kGroups; ++i) CHECK(tickets[i] == i);
}

TEST_CASE("a grid of 20,000 workgroups runs to its end") {
  Machine machine("sync");
  constexpr uint32_t kGroups = 20000;
  const uint64_t out = machine.poisoned("out", 4 * kGroups);
  machine.run("big_grid", kGroups, 64, {out});
  const auto words = machine.words(out, kGroups);
  for (uint32_t i = 0; i < kGroups; ++i) REQUIRE(words[i] == 3 * i + 1);
}

TEST_CASE("a spin on another workgroup's flag ends, and data stored before the flag is there") {
  Machine machine("sync");
  const uint64_t flag = machine.zeroed("flag", 4), data = machine.poisoned("data", 256);
  const uint64_t out = machine.poisoned("out", 256);
  machine.run("flag_wait", 2, 64, {flag, data, out});
  const auto words = machine.words(out, 64);
  for (uint32_t lane = 0; lane < 64; ++lane) CHECK(words[lane] == 0x700 + lane);
}

TEST_CASE("a store to one's own flag is seen at once") {
  Machine machine("sync");
  const uint64_t flag = machine.zeroed("flag", 64), out = machine.poisoned("out", 64);
  machine.run("own_flag", 16, 64, {flag, out});
  CHECK(machine.words(out, 16) == std::vector<uint32_t>(16, 77));
  CHECK(machine.words(flag, 16) == std::vector<uint32_t>(16, 77));
}

TEST_CASE("returning atomics in a loop: every old value is read once") {
  Machine machine("sync");
  constexpr uint32_t kGroups = 8;
  const uint64_t counter = machine.zeroed("counter", 4), out = machine.poisoned("out", 4 * kGroups);
  const auto report = machine.run("atomic_loop", kGroups, 64, {counter, out});
  CHECK(machine.words(counter, 1)[0] == 20 * kGroups);
  const auto sums = machine.words(out, kGroups);
  CHECK(std::accumulate(sums.begin(), sums.end(), 0u) == 160 * 159 / 2);
  CHECK(report.dispatch.findings.total(FindingKind::early_register_use) == 0);
}

TEST_CASE("the result of an atomic used without a wait is a finding, and its value is right") {
  Machine machine("sync");
  const uint64_t counter = machine.zeroed("counter", 4), out = machine.poisoned("out", 4);
  const auto report = machine.run("early_use", 1, 64, {counter, out});
  CHECK(machine.words(out, 1)[0] == 1000);
  CHECK(report.dispatch.findings.total(FindingKind::early_register_use) == 1);
  for (const Finding& finding : report.dispatch.findings.kept()) {
    if (finding.kind == FindingKind::early_register_use) CHECK(contains(finding.line(), "v_add_u32"));
  }
}

TEST_CASE("a flag that nobody stores ends in a report, and the recurrence is proven quickly") {
  Machine machine("sync");
  const uint64_t flag = machine.zeroed("flag", 64);
  for (const char* kernel : {"missing_flag", "missing_flag_sleep"}) {
    CAPTURE(kernel);
    check_report(machine.error_of(kernel, 2, 64, {flag}, idle_limit(1000000)), flag);
  }
}

TEST_CASE("a compare-and-swap that never succeeds ends in a report") {
  Machine machine("sync");
  const uint64_t flag = machine.zeroed("flag", 64);
  check_report(machine.error_of("cas_spin", 2, 64, {flag}, idle_limit(500)), flag);
}

TEST_CASE("a counted spin has no recurring state and ends at the limit of idle rounds") {
  Machine machine("sync");
  const uint64_t flag = machine.zeroed("flag", 64);
  check_report(machine.error_of("counted_spin", 2, 64, {flag}, idle_limit(200)), flag);
}

TEST_CASE("waves of a workgroup meet at a barrier") {
  Machine machine("sync");
  const uint64_t out = machine.poisoned("out", 32);
  machine.run("barriers", 1, 512, {out});
  CHECK(machine.words(out, 8) == std::vector<uint32_t>{1, 0, 3, 2, 5, 4, 7, 6});
}

TEST_CASE("scalar stores and atomics reach memory; the old value comes with the wait") {
  Machine machine("sync");
  const uint64_t words = machine.zeroed("words", 16);
  const uint32_t start = 30;
  machine.memory().write(words + 8, &start, 4);
  machine.run("scalar_memory", 1, 64, {words});
  CHECK(machine.words(words, 4) == std::vector<uint32_t>{0, 11, 35, 30});
}

TEST_CASE("a load into a register that an atomic still has to fill comes after it, and is no finding") {
  Machine machine("sync");
  const uint64_t counter = machine.zeroed("counter", 4), word = machine.zeroed("word", 4);
  const uint64_t out = machine.poisoned("out", 4);
  const uint32_t value = 0xabcd;
  machine.memory().write(word, &value, 4);
  const auto report = machine.run("overwritten_return", 1, 64, {counter, word, out});
  CHECK(machine.words(out, 1)[0] == value);
  CHECK(machine.words(counter, 1)[0] == 5);
  CHECK(report.dispatch.findings.total(FindingKind::early_register_use) == 0);
}

TEST_CASE("s_waitcnt vmcnt(n) waits for everything but the last n operations") {
  Machine machine("sync");
  const uint64_t flag = machine.zeroed("flag", 4), word = machine.zeroed("word", 4);
  const auto waits = machine.run("wait_for_store", 1, 64, {flag, word}).dispatch.rounds;
  const auto passes = machine.run("wait_for_nothing", 1, 64, {flag, word}).dispatch.rounds;
  CHECK(waits > passes);
}

TEST_CASE("delayed pending memory and permuted workgroups change no result of a correct kernel") {
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    CAPTURE(seed);
    Machine machine("sync");
    ExecuteOptions options;
    options.dispatch.schedule_seed = seed;
    const uint64_t counter = machine.zeroed("counter", 8), out = machine.zeroed("out", 4096);
    machine.run("atomic_loop", 8, 64, {counter, out}, options);
    CHECK(machine.words(counter, 1)[0] == 160);
    const auto sums = machine.words(out, 8);
    CHECK(std::accumulate(sums.begin(), sums.end(), 0u) == 160 * 159 / 2);
    const uint64_t flag = machine.zeroed("flag", 4), data = machine.zeroed("data", 256);
    machine.run("flag_wait", 2, 64, {flag, data, out}, options);
    const auto words = machine.words(out, 64);
    for (uint32_t lane = 0; lane < 64; ++lane) CHECK(words[lane] == 0x700 + lane);
  }
}

}  // namespace wavetwin::isa
