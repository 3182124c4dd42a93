// SPDX-License-Identifier: MIT
// Expected values follow the CDNA4 ISA guide: 12.4 S_SETVSKIP, 4.6 fork and join, 12.5 S_SENDMSG.
#include <doctest/doctest.h>

#include "tests/isa/exec/machine.h"

namespace wavetwin::isa {

TEST_CASE("s_setvskip: vector instructions of every kind are skipped and not counted, scalar ones run") {
  Machine machine("control");
  const uint64_t out = machine.poisoned("out", 256), word = machine.zeroed("word", 64);
  const ExecuteReport report = machine.run("vskip", 1, 64, {out, word});
  const auto words = machine.words(out, 64);
  // v2 stays 5, the LDS word 5, s8 0; s10 is 5; MODE.VSKIP was 1, then 0.
  for (uint32_t lane = 0; lane < 64; ++lane) CHECK(words[lane] == 5 + 5 + 0 + 5 + 256);
  CHECK(machine.words(word, 1)[0] == 0);
  CHECK(report.dispatch.findings.empty());
}

TEST_CASE("s_setvskip: an outstanding load still counts while instructions are skipped") {
  Machine machine("control");
  const uint64_t out = machine.poisoned("out", 256), word = machine.zeroed("word", 64);
  for (const uint32_t quantum : {1u, 7u, 1000u}) {
    ExecuteOptions options;
    options.dispatch.quantum = quantum;
    machine.run("vskip", 1, 64, {out, word}, options);
    CHECK(machine.words(out, 1)[0] == 271);
  }
}

TEST_CASE("fork and join: every lane takes its path once, nested, whatever part is the smaller") {
  Machine machine("control");
  for (const uint64_t lanes : {uint64_t{0}, ~uint64_t{0}, uint64_t{1}, ~uint64_t{1}, uint64_t{0xffffffff},
                               uint64_t{0x123456789abcdef0}}) {
    for (const uint64_t inner : {uint64_t{0}, ~uint64_t{0}, uint64_t{0xf0f0f0f0f0f0f0f0}, uint64_t{2}}) {
      const uint64_t out = machine.poisoned("out", 256);
      machine.run("forks", 1, 64, {lanes, inner, out});
      const auto words = machine.words(out, 64);
      for (uint32_t lane = 0; lane < 64; ++lane) {
        CAPTURE(lanes);
        CAPTURE(inner);
        CAPTURE(lane);
        const bool taken = lanes >> lane & 1, deeper = inner >> lane & 1;
        CHECK(words[lane] == 10000u + (taken ? 100u + (deeper ? 1000u : 0u) : 1u));
      }
      machine.memory().free(out);
    }
  }
}

TEST_CASE("a join whose stack is empty is an error; an interrupt message has no effect") {
  Machine machine("control");
  CHECK(contains(machine.error_of("join_without_fork", 1, 64, {}), "without a fork"));
  CHECK(machine.error_of("interrupt", 1, 64, {}).empty());
}

TEST_CASE("rows without a meaning here are named with a reason, and there are no others") {
  std::vector<std::string> missing;
  for (const Row& row : rows()) {
    if (row.implemented) continue;
    CAPTURE(row.name);
    CHECK(row.reason.size() > 20);
    missing.emplace_back(row.name);
  }
  CHECK(missing == std::vector<std::string>{"S_RFE_RESTORE_B64", "S_RFE_B64", "S_SETKILL", "S_SENDMSGHALT",
                                            "S_ENDPGM_SAVED", "S_ENDPGM_ORDERED_PS_DONE",
                                            "DS_GWS_SEMA_RELEASE_ALL", "DS_GWS_INIT", "DS_GWS_SEMA_V",
                                            "DS_GWS_SEMA_BR", "DS_GWS_SEMA_P", "DS_GWS_BARRIER"});
}

}  // namespace wavetwin::isa
