// SPDX-License-Identifier: MIT
// What one workgroup stores and another loads needs a write-back and an invalidation between, or device scope
// on both sides (CDNA4 ISA guide 9.1.10.2, tables 49 to 52; LLVM's memory model for gfx950).
#include <doctest/doctest.h>

#include "tests/isa/exec/fence_run.h"

namespace wavetwin::isa {
TEST_CASE("a missing write-back or invalidation is found where the data is loaded") {
  struct Mistake {
    const char *kernel, *missing;
  };
  for (const Mistake& m :
       {Mistake{"no_release", "buffer_wbl2"}, Mistake{"no_acquire", "buffer_inv"},
        Mistake{"device_load_no_release", "buffer_wbl2"}, Mistake{"write_back_of_workgroup", "buffer_wbl2"},
        Mistake{"invalidate_of_workgroup", "buffer_inv"}, Mistake{"invalidate_for_write_back", "buffer_wbl2"},
        Mistake{"write_back_for_invalidate", "buffer_inv"}}) {
    for (const unsigned threads : {1u, 2u}) {
      CAPTURE(m.kernel);
      const auto lines = missing_fences(m.kernel, threads, DataBefore::never_written);
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
    CHECK(missing_fences(kernel, 2, DataBefore::never_written).empty());
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
