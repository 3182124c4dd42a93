// SPDX-License-Identifier: MIT
// Fences at the level of lines and bytes: a plain load of data stored with device scope may hit a line that
// the workgroup loaded before the store; bytes of one dword have writers of their own.
#include <doctest/doctest.h>

#include "tests/isa/exec/fence_run.h"

namespace wavetwin::isa {
TEST_CASE("a plain load of a line held since before a device-scope store is a missing fence") {
  for (const unsigned threads : {1u, 2u}) {
    const auto lines = missing_fences("held_line", threads, DataBefore::zero);
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
    CHECK(missing_fences(kernel, 2, DataBefore::zero).empty());
  }
}

TEST_CASE("bytes stored without a write-back, or loaded without an invalidation, are missing fences") {
  for (const unsigned threads : {1u, 2u}) {
    const auto stored = missing_fences("bytes_no_release", threads, DataBefore::zero, 0x40);
    REQUIRE(stored.size() == 1);
    CHECK(contains(stored[0], "buffer_wbl2"));
    CHECK(contains(stored[0], "global_load_ubyte v6"));
    const auto loaded = missing_fences("bytes_no_acquire", threads, DataBefore::zero, 0x40);
    REQUIRE(loaded.size() == 1);
    CHECK(contains(loaded[0], "buffer_inv"));
    CHECK(missing_fences("bytes_both_fences", threads, DataBefore::zero, 0x40).empty());
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
