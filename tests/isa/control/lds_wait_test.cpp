// SPDX-License-Identifier: MIT
// LDS accesses that a wave takes across s_barrier before it waited for them, or that meet its own load to
// LDS: what another wave does behind the barrier is not in order with them (late_lds.h; CDNA4 ISA guide 4.4).
#include <doctest/doctest.h>

#include "tests/isa/exec/machine.h"

namespace wavetwin::isa {
namespace {

// `plain`: races within an interval that are there besides.
std::vector<std::string> races(const std::string& kernel, uint32_t items = 128,
                               const ExecuteOptions& options = {}, uint64_t plain = 0) {
  Machine machine("lds_waits");
  const uint64_t in = machine.zeroed("in", 512), out = machine.poisoned("out", 512);
  const ExecuteReport report = machine.run(kernel, 1, items, {in, out}, options);
  std::vector<std::string> lines;
  for (const Finding& finding : report.dispatch.findings.kept()) {
    CHECK((finding.kind == FindingKind::unwaited_lds || finding.kind == FindingKind::lds_race));
    lines.push_back(finding.line());
  }
  CHECK(report.dispatch.findings.total(FindingKind::lds_race) == plain);
  return lines;
}

}  // namespace

TEST_CASE("LDS waits: what was not waited for before the barrier races with the other wave behind it") {
  struct Mistake {
    const char *kernel, *access, *done, *late, *counter;
  };
  const Mistake mistakes[] = {
      {"store_missing", "reads", "stored to", "ds_write_b32 v1, v0", "lgkmcnt"},
      {"store_only_vm_waited", "reads", "stored to", "ds_write_b32", "lgkmcnt"},
      {"store_waited_after", "reads", "stored to", "ds_write_b32", "lgkmcnt"},
      {"store_missing_twice", "reads", "stored to", "ds_write_b32", "lgkmcnt"},
      {"store_partly_waited", "reads", "stored to", "ds_write_b32 v1, v0 offset:512", "lgkmcnt"},
      {"store_behind_scalar", "reads", "stored to", "ds_write_b32", "lgkmcnt"},
      {"loop_missing", "reads", "stored to", "ds_write_b32 v5, v0", "lgkmcnt"},
      {"wide_missing", "reads", "stored to", "ds_write2_b32", "lgkmcnt"},
      {"atomic_missing", "reads", "updated", "ds_add_u32", "lgkmcnt"},
      {"read_missing", "stores to", "read", "ds_read_b32 v10, v2", "lgkmcnt"},
      {"read_then_atomic", "updates", "read", "ds_read_b32 v10, v2", "lgkmcnt"},
      {"lds_load_missing", "reads", "stored to", "global_load_lds_dword", "vmcnt"},
      {"lds_load_only_lgkm_waited", "reads", "stored to", "global_load_lds_dword", "vmcnt"},
      {"lds_load_partly_waited", "reads", "stored to", "global_load_lds_dword", "vmcnt"},
      {"buffer_lds_load_missing", "reads", "stored to", "buffer_load_dword", "vmcnt"},
      {"flat_store_missing", "reads", "stored to", "flat_store_dword", "lgkmcnt"},
      {"flat_store_counted_down", "reads", "stored to", "flat_store_dword", "lgkmcnt"},
      {"flat_store_before_many", "reads", "stored to", "flat_store_dword", "lgkmcnt"},
      {"store_before_nine", "reads", "stored to", "ds_write_b32 v1, v0 at", "lgkmcnt"},
      {"lds_load_before_many", "reads", "stored to", "global_load_lds_dword", "vmcnt"}};
  for (const Mistake& m : mistakes) {
    CAPTURE(std::string(m.kernel));
    const auto lines = races(m.kernel);
    REQUIRE_FALSE(lines.empty());
    for (const std::string& line : lines) {
      INFO(line);
      const unsigned wave = contains(line, "wave 0 lane") ? 0 : 1;
      CHECK(contains(line, std::string(": ") + m.access + " LDS byte 0x"));
      CHECK(contains(line, "which wave " + std::to_string(1 - wave) + " " + m.done + " with " + m.late));
      CHECK(contains(line, " at pc 0x"));
      CHECK(contains(line, std::string(" and did not wait for ") + m.counter + " before the barrier"));
    }
  }
}

TEST_CASE("LDS waits: every lane's byte is named, of every wave") {
  ExecuteOptions options;
  options.dispatch.findings_kept = 1000;
  CHECK(races("store_missing", 128, options).size() == 128);
  CHECK(races("store_on_branch", 128, options).size() == 64);
  // Both waves' reads and the second one's store, each of them once.
  CHECK(races("store_missing_and_again", 128, options, 2 * 64).size() == 3 * 64);
  for (const std::string& line : races("store_on_branch", 128, options)) {
    CHECK(contains(line, "wave 0 lane"));
    CHECK(contains(line, "which wave 1 stored to"));
  }
  CHECK(contains(races("store_missing", 128, options)[5], "wave 0 lane 5"));
  CHECK(contains(races("store_missing", 128, options)[5], "reads LDS byte 0x114,"));
}

TEST_CASE("LDS waits: waits before the barrier, accesses in order and paths not taken are no findings") {
  for (const std::string kernel : {"store_waited",
                                   "store_waited_before_second",
                                   "store_partly_waited_first",
                                   "store_on_dead_branch",
                                   "loop_waited",
                                   "atomic_waited",
                                   "atomic_and_atomic",
                                   "read_waited",
                                   "read_then_read",
                                   "own_read",
                                   "lds_load_waited",
                                   "lds_load_partly_waited_first",
                                   "own_lds_load_waited",
                                   "own_lds_load_elsewhere",
                                   "flat_store_waited",
                                   "store_and_end",
                                   "own_lds_load_twice",
                                   "own_read_before",
                                   "store_before_many",
                                   "lds_load_before_very_many"}) {
    CAPTURE(kernel);
    CHECK(races(kernel).empty());
  }
}

TEST_CASE("LDS waits: with one wave no barrier has anything to order") {
  CHECK(races("own_read", 64).empty());
}

TEST_CASE("LDS waits: a wave's own accesses pass its loads to LDS") {
  for (const std::string kernel : {"own_lds_load_missing", "own_lds_load_overwritten"}) {
    for (const uint32_t items : {64u, 128u}) {
      CAPTURE(kernel);
      const auto lines = races(kernel, items);
      REQUIRE(lines.size() == items / 64);
      INFO(lines[0]);
      CHECK(contains(lines[0], "accesses LDS byte 0x0, which global_load_lds_dword v1, s[4:5] at pc 0x"));
      CHECK(contains(lines[0], "without a wait for vmcnt between them"));
    }
  }
}

TEST_CASE("LDS waits: the byte that is named is one that the load fills") {
  for (const auto& [kernel, byte] :
       {std::pair{"own_lds_load_from_below", "0x1fc"}, {"own_lds_load_from_within", "0x2"}}) {
    CAPTURE(std::string(kernel));
    const auto lines = races(kernel, 64);
    REQUIRE(lines.size() == 1);
    INFO(lines[0]);
    CHECK(contains(lines[0], std::string("accesses LDS byte ") + byte + ", which global_load_lds_dword"));
  }
}

TEST_CASE("LDS waits: only accesses that some path takes across a barrier are watched") {
  Machine machine("lds_waits");
  const Executable& executable = machine.executable();
  const auto watched_in = [&](const std::string& name) {
    const KernelInfo& kernel = executable.object().kernel(name);
    size_t count = 0;
    for (const auto& [in, run] : executable.watched_lds())
      count += in->pc >= kernel.entry_address && in->pc < executable.object().end_of(kernel);
    return count;
  };
  for (const std::string kernel : {"store_waited", "loop_waited", "atomic_waited", "read_waited",
                                   "lds_load_waited", "own_lds_load_waited", "flat_store_waited"}) {
    CAPTURE(kernel);
    CHECK(watched_in(kernel) == 0);
  }
  CHECK(watched_in("store_missing") == 1);
  CHECK(watched_in("store_on_dead_branch") == 1);
  CHECK(watched_in("store_partly_waited") == 1);
  CHECK(watched_in("own_lds_load_missing") == 2);
}

}  // namespace wavetwin::isa
