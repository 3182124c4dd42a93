// SPDX-License-Identifier: MIT
// A plain load of data stored with device scope may hit a line that the workgroup loaded before the store.
#include <doctest/doctest.h>

#include "tests/isa/exec/machine.h"

namespace wavetwin::isa {
namespace {

std::vector<std::string> missing_fences(const std::string& kernel, unsigned threads) {
  Machine machine("fences");
  const uint64_t flag = machine.zeroed("flag", 64), data = machine.zeroed("data", 256);
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

TEST_CASE("a plain load of a line held since before a device-scope store is a missing fence") {
  for (const unsigned threads : {1u, 2u}) {
    const auto lines = missing_fences("held_line", threads);
    REQUIRE(lines.size() == 1);
    INFO(lines[0]);
    CHECK(contains(lines[0], "may still hold the line as it loaded it in round 0"));
    CHECK(contains(lines[0], "workgroup 1 wave 0 stored in round"));
    CHECK(contains(lines[0], "buffer_inv sc1"));
    CHECK(contains(lines[0], "data + 0x0"));
  }
}

TEST_CASE("an invalidation, a load of device scope, or never having held the line is no finding") {
  for (const char* kernel : {"held_line_invalidated", "held_line_device_load", "device_load_before"}) {
    CAPTURE(kernel);
    CHECK(missing_fences(kernel, 2).empty());
  }
}

}  // namespace wavetwin::isa
