// SPDX-License-Identifier: MIT
// What counts as a missing fence, to the line, the byte and the round: LLVM's AMDGPU memory model for gfx942,
// which gfx950 shares (sim/core/held_lines.h, CDNA4 ISA guide 9.1.10.2).
#include <doctest/doctest.h>

#include "tests/unit/core/one_wave.h"
#include "tests/unit/core/scripted_kernel.h"

using namespace wavetwin;

namespace {

constexpr auto kLoad = ScriptStep::kLoad, kStore = ScriptStep::kStore, kScalarLoad = ScriptStep::kScalarLoad,
               kRelease = ScriptStep::kRelease, kAcquire = ScriptStep::kAcquire;
constexpr uint32_t kReader = 0, kWriter = 1, kOther = 2;

// The missing fences of a run, one line each.
std::vector<std::string> lines_of(const DispatchReport& report) {
  std::vector<std::string> lines;
  for (const Finding& finding : report.findings.kept()) {
    if (finding.kind == FindingKind::missing_fence) lines.push_back(finding.line());
  }
  CHECK(report.findings.total(FindingKind::missing_fence) == lines.size());
  return lines;
}
std::vector<std::string> missing(const Script& script) { return lines_of(run_script(script)); }

void check_missing(const Script& script, const std::string& part) {
  const std::vector<std::string> lines = missing(script);
  REQUIRE(lines.size() == 1);
  INFO(lines[0]);
  CHECK(contains(lines[0], part));
}

// The writer stores with device scope in round `round`.
ScriptStep published(uint64_t round, uint64_t byte, unsigned bytes = 4) {
  return {round, kWriter, kStore, byte, bytes, kCacheSc1};
}
// Another workgroup stores plainly in round 1.
ScriptStep stored(uint64_t byte, unsigned bytes, uint32_t workgroup = kWriter) {
  return {1, workgroup, kStore, byte, bytes};
}
// The reader loads plainly in `round`.
ScriptStep loaded(uint64_t round, uint64_t byte, unsigned bytes = 4) {
  return {round, kReader, kLoad, byte, bytes};
}

}  // namespace

TEST_CASE("fences: a load holds the lines of its own bytes, the first and the last, and no other") {
  check_missing({loaded(0, 0), published(1, 64), loaded(2, 64)}, "as it loaded it in round 0");
  check_missing({loaded(0, 120, 16), published(1, 128), loaded(2, 128)}, "as it loaded it in round 0");
  check_missing({loaded(0, 120, 16), published(1, 64), loaded(2, 64)}, "as it loaded it in round 0");
  CHECK(missing({loaded(0, 112, 16), published(1, 128), loaded(2, 128)}).empty());
  CHECK(missing({loaded(0, 128), published(1, 124), loaded(2, 124)}).empty());
}

TEST_CASE("fences: a load of all lanes side by side holds the lines of all of them") {
  const ScriptStep wide{0, kReader, kLoad, 0, 4, 0, true};  // 256 bytes
  check_missing({wide, published(1, 128), loaded(2, 128)}, "lane 0");
  CHECK(missing({wide, published(1, 256), loaded(2, 256)}).empty());
}

TEST_CASE("fences: an invalidation forgets every line, also the one loaded last; it is held again after") {
  const Script script{loaded(0, 0), {1, kReader, kAcquire}, loaded(2, 0), published(3, 0), loaded(4, 0)};
  check_missing(script, "as it loaded it in round 2");
  CHECK(missing({loaded(0, 0), published(1, 0), {2, kReader, kAcquire}, loaded(2, 0)}).empty());
}

TEST_CASE("fences: a line is as old as its first load") {
  check_missing({loaded(0, 0), published(1, 0), loaded(2, 512), loaded(2, 64), loaded(3, 0)},
                "as it loaded it in round 0");
}

TEST_CASE("fences: a load before the store's round or in it may have left the old line, one after it not") {
  check_missing({loaded(1, 0), published(1, 0), loaded(2, 0)}, "as it loaded it in round 1");
  CHECK(missing({published(1, 0), loaded(2, 0), loaded(3, 0)}).empty());
}

TEST_CASE("fences: a CU's share of the L2 is 1,024 lines; more loads push the oldest out") {
  for (const unsigned others : {1000u, 1030u}) {
    CAPTURE(others);
    Script script{loaded(0, 0)};
    for (unsigned line = 1; line <= others; ++line) script.push_back(loaded(0, 128 * line));
    script.push_back(published(1, 0));
    script.push_back(loaded(2, 0));
    CHECK(missing(script).size() == (others < 1024 ? 1 : 0));
  }
}

TEST_CASE("fences: a load with SC0 or SC1 neither hits a held line nor leaves one, a scalar load neither") {
  for (const uint32_t scope : {kCacheSc0, kCacheSc1}) {
    CAPTURE(scope);
    CHECK(missing({loaded(0, 0), published(1, 0), {2, kReader, kLoad, 0, 4, scope}}).empty());
    CHECK(missing({{0, kReader, kLoad, 0, 4, scope}, published(1, 0), loaded(2, 0)}).empty());
  }
  CHECK(missing({{0, kReader, kScalarLoad, 0}, published(1, 0), loaded(2, 0)}).empty());
  CHECK(missing({loaded(0, 0), published(1, 0), {2, kReader, kScalarLoad, 0}}).empty());
}

TEST_CASE("fences: only a write-back after the store counts, and only an invalidation after it") {
  const ScriptStep acquire{2, kReader, kAcquire}, release{1, kWriter, kRelease}, load = loaded(2, 0);
  CHECK(missing({stored(0, 4), release, acquire, load}).empty());
  check_missing({stored(0, 4), acquire, load}, "buffer_wbl2");
  check_missing({{0, kWriter, kRelease}, stored(0, 4), acquire, load}, "buffer_wbl2");
  check_missing({stored(0, 4), release, load}, "buffer_inv");
  check_missing({{0, kReader, kAcquire}, stored(0, 4), release, load}, "buffer_inv");
  check_missing({{1, kReader, kAcquire}, stored(0, 4), release, load}, "buffer_inv");
}

TEST_CASE("fences: SC1 on the load stands for the invalidation, SC0 does not") {
  const ScriptStep release{1, kWriter, kRelease};
  CHECK(missing({stored(0, 4), release, {2, kReader, kLoad, 0, 4, kCacheSc1}}).empty());
  check_missing({stored(0, 4), release, {2, kReader, kLoad, 0, 4, kCacheSc0}}, "buffer_inv");
}

TEST_CASE("fences: a store of the same round or the workgroup's own is a matter of other checks") {
  CHECK(missing({stored(0, 4), {1, kOther, kLoad, 0}}).empty());
  CHECK(missing({stored(0, 4), {3, kWriter, kLoad, 0}}).empty());
}

TEST_CASE("fences: a store of an earlier launch needs none") {
  GlobalMemory memory;
  const uint64_t buffer = memory.allocate("data", 4096);
  memory.fill(buffer, 4096, 0);
  run_script(memory, buffer, {stored(0, 4)}, 3);
  const auto lines = lines_of(run_script(memory, buffer, {stored(64, 4), loaded(3, 0)}, 3));
  CHECK(lines.empty());
}

TEST_CASE("fences: a load needs them for the bytes it takes, at any alignment and size") {
  struct Case {
    uint64_t stored_at;
    unsigned stored_bytes;
    uint64_t loaded_at;
    unsigned loaded_bytes;
  };
  for (const Case& c : {Case{4, 4, 0, 8},
                        {12, 4, 0, 16},
                        {4, 1, 3, 2},
                        {3, 1, 3, 2},
                        {0, 1, 0, 2},
                        {1, 1, 1, 1},
                        {1, 1, 0, 4},
                        {7, 1, 0, 8},
                        {0, 16, 13, 1},
                        {2, 4, 5, 1},
                        {2, 4, 2, 1}}) {
    CAPTURE(c.stored_at);
    CAPTURE(c.loaded_at);
    check_missing({stored(c.stored_at, c.stored_bytes), loaded(2, c.loaded_at, c.loaded_bytes)},
                  "buffer_wbl2");
  }
  for (const Case& c : {Case{0, 1, 1, 1},
                        {1, 1, 0, 1},
                        {0, 1, 3, 2},
                        {6, 1, 3, 2},
                        {8, 4, 0, 8},
                        {0, 4, 4, 4},
                        {2, 4, 6, 1},
                        {2, 4, 1, 1}}) {
    CAPTURE(c.stored_at);
    CAPTURE(c.loaded_at);
    CHECK(missing({stored(c.stored_at, c.stored_bytes), loaded(2, c.loaded_at, c.loaded_bytes)}).empty());
  }
}

TEST_CASE("fences: bytes that a workgroup stores one after the other all need them") {
  for (const uint64_t byte : {0u, 1u, 2u}) {
    CAPTURE(byte);
    CHECK(missing({stored(0, 1), stored(1, 1), loaded(2, byte, 1)}).size() == (byte < 2 ? 1 : 0));
  }
}

TEST_CASE("fences: of bytes of a dword stored by two workgroups, only a load of all is sure to need them") {
  const Script stores{stored(0, 1, kWriter), stored(1, 1, kOther)};
  for (const uint64_t byte : {0u, 1u, 2u}) {
    CAPTURE(byte);
    Script script = stores;
    script.push_back(loaded(2, byte, 1));
    CHECK(missing(script).empty());
  }
  Script script = stores;
  script.push_back(loaded(2, 0));
  check_missing(script, "workgroup 1 wave 0 stored in round 1");  // the lowest of them
}

TEST_CASE("fences: a write-back is the workgroup's, whatever slot it runs in") {
  // Workgroup 2 comes into the slot of workgroup 1, which ends in round 0.
  DispatchOptions options;
  options.resident = 2;
  const Script script{{0, 1, kLoad, 512},
                      {1, 2, kStore, 0},
                      {1, 2, kRelease},
                      {3, kReader, kAcquire},
                      {3, kReader, kLoad, 0}};
  CHECK(lines_of(run_script(script, 3, options)).empty());
}

TEST_CASE("last writers: parts of a dword add up in a round, of one workgroup and one kind of store") {
  Region region("data", 0x1000, 64, BufferAccess::read_write);
  const auto store = [&](uint32_t workgroup, uint64_t round, uint64_t byte, bool device = false) {
    region.set_last_writer(0x1000 + byte, 1, Region::pack_writer({1, workgroup, 0, round, device}));
    return *region.last_writer(0x1000);
  };
  CHECK(store(7, 1, 0).bytes == 1);
  CHECK(store(7, 1, 3).bytes == 9);
  CHECK(store(7, 2, 1).bytes == 2);  // another round: what was stored before counts no more
  // Stores of both kinds do not add up.
  CHECK(store(7, 2, 2, true).bytes == 4);
  CHECK(store(7, 2, 3, true).bytes == 12);
  CHECK(store(7, 2, 0).bytes == 1);
  // Two workgroups: the lower one, and no bytes in particular, in any order of their stores.
  CHECK(store(5, 3, 0).bytes == 1);
  CHECK(store(4, 3, 1).workgroup == 4);
  CHECK(store(5, 3, 2).workgroup == 4);
  const LastWriter both = store(4, 3, 3);
  CHECK(both.workgroup == 4);
  CHECK(both.bytes == 0);
  CHECK(store(6, 4, 0).bytes == 1);
}
