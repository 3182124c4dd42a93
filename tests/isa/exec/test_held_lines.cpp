// SPDX-License-Identifier: MIT
// Fences at the level of lines and bytes: a plain load of data stored with device scope may hit a line that
// the workgroup loaded before the store; bytes of one dword have writers of their own.
#include <doctest/doctest.h>

#include "tests/isa/exec/machine.h"

namespace wavetwin::isa {
namespace {

std::vector<std::string> missing_fences(const std::string& kernel, unsigned threads,
                                        uint32_t first_word = 0x700) {
  Machine machine("fences");
  const uint64_t flag = machine.zeroed("flag", 64), data = machine.zeroed("data", 256);
  const uint64_t out = machine.poisoned("out", 256);
  ExecuteOptions options;
  options.dispatch.threads = threads;
  const ExecuteReport report = machine.run(kernel, 2, 64, {flag, data, out}, options);
  const auto words = machine.words(out, 64);
  for (uint32_t lane = 0; lane < 64; ++lane) CHECK(words[lane] == first_word + lane);
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

TEST_CASE("bytes stored without a write-back, or loaded without an invalidation, are missing fences") {
  for (const unsigned threads : {1u, 2u}) {
    const auto stored = missing_fences("bytes_no_release", threads, 0x40);
    REQUIRE(stored.size() == 1);
    CHECK(contains(stored[0], "buffer_wbl2"));
    CHECK(contains(stored[0], "global_load_ubyte v6"));
    const auto loaded = missing_fences("bytes_no_acquire", threads, 0x40);
    REQUIRE(loaded.size() == 1);
    CHECK(contains(loaded[0], "buffer_inv"));
    CHECK(missing_fences("bytes_both_fences", threads, 0x40).empty());
  }
}

TEST_CASE("neighbouring bytes of other workgroups are not one's own") {
  for (const unsigned threads : {1u, 2u}) {
    Machine machine("fences");
    const uint64_t bytes = machine.poisoned("bytes", 256), out = machine.poisoned("out", 1024);
    ExecuteOptions options;
    options.dispatch.threads = threads;
    const ExecuteReport report = machine.run("own_bytes", 256, 64, {bytes, out}, options);
    CHECK(report.dispatch.findings.empty());
    CHECK(machine.words(out, 256)[77] == 77);
  }
}

}  // namespace wavetwin::isa
