// SPDX-License-Identifier: MIT
// What one workgroup stores and another loads needs a write-back and an invalidation between, or device scope
// on both sides (CDNA4 ISA guide 9.1.10.2, tables 49 to 52; LLVM's memory model for gfx950).
#include <doctest/doctest.h>

#include "tests/isa/exec/machine.h"

namespace wavetwin::isa {
namespace {

std::vector<std::string> missing_fences(const std::string& kernel, unsigned threads) {
  Machine machine("fences");
  const uint64_t flag = machine.zeroed("flag", 64), data = machine.poisoned("data", 256);
  const uint64_t out = machine.poisoned("out", 256);
  ExecuteOptions options;
  options.dispatch.threads = threads;
  const ExecuteReport report = machine.run(kernel, 2, 64, {flag, data, out}, options);
  const auto words = machine.words(out, 64);
  for (uint32_t lane = 0; lane < 64; ++lane) CHECK(words[lane] == 0x700 + lane);
  std::vector<std::string> lines;
  for (const Finding& finding : report.dispatch.findings.kept()) {
    if (finding.kind == FindingKind::missing_fence) lines.push_back(finding.line());
  }
  return lines;
}

}  // namespace

TEST_CASE("a missing write-back or invalidation is found where the data is loaded") {
  struct Mistake {
    const char *kernel, *missing;
  };
  for (const Mistake& m : {Mistake{"no_release", "buffer_wbl2"}, Mistake{"no_acquire", "buffer_inv"},
                           Mistake{"device_load_no_release", "buffer_wbl2"}}) {
    for (const unsigned threads : {1u, 2u}) {
      CAPTURE(m.kernel);
      const auto lines = missing_fences(m.kernel, threads);
      REQUIRE(lines.size() == 1);
      INFO(lines[0]);
      CHECK(contains(lines[0], m.missing));
      CHECK(contains(lines[0], "workgroup 1"));
      CHECK(contains(lines[0], "data"));
      CHECK(contains(lines[0], "global_load_dword v6"));
    }
  }
}

TEST_CASE("both fences, or device scope on a side, are no findings") {
  for (const char* kernel :
       {"both_fences", "device_scope", "device_store", "device_store_cold_load", "device_load"}) {
    CAPTURE(kernel);
    CHECK(missing_fences(kernel, 2).empty());
  }
}

TEST_CASE("neighbouring dwords of other workgroups are not one's own") {
  Machine machine("fences");
  const uint64_t words = machine.poisoned("words", 1024), out = machine.poisoned("out", 1024);
  const ExecuteReport report = machine.run("own_words", 256, 64, {words, out});
  CHECK(report.dispatch.findings.empty());
  CHECK(machine.words(out, 256)[77] == 77);
}

}  // namespace wavetwin::isa
