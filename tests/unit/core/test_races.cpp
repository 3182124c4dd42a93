// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <initializer_list>
#include <random>

#include "tests/unit/core/one_wave.h"
#include "tests/unit/core/scripted_kernel.h"

using namespace wavetwin;

namespace {

struct Args {
  DevicePtr<uint32_t> data;  // 1024 dwords
  uint32_t variant;
};

DispatchReport run(WaveTask (*kernel)(Wave&, Args), uint32_t variant = 0, DispatchOptions options = {},
                   BufferAccess access = BufferAccess::read_write) {
  GlobalMemory memory;
  Args a{memory.allocate_array<uint32_t>("data", 1024, {.access = access}), variant};
  memory.fill(a.data.address, 4096, 0);
  return run_small(memory, kernel, a, 2, 64, options);
}

uint64_t races(const DispatchReport& report) { return report.findings.total(FindingKind::memory_race); }

enum Kind : uint32_t { kPlainStore, kDeviceStore, kAtomic, kPlainLoad, kDeviceLoad, kScalarLoad, kKinds };

void access(Wave& wave, const Args& a, uint32_t kind, uint32_t dword) {
  const LaneMask one = LaneMask::lane(0);
  const LaneU32 i = dword;
  if (kind == kPlainStore) wave.store_element(a.data, i, LaneU32(wave.workgroup_id() + 1), one);
  if (kind == kDeviceStore) wave.store_element(a.data, i, LaneU32(1u), one, kCacheSc1);
  if (kind == kAtomic)
    wave.atomic(LaneU64(a.data.offset(dword).address), atomic_op::add<uint32_t>, LaneU32(1u), one);
  if (kind == kPlainLoad) wave.load_element(a.data, i, one);
  if (kind == kDeviceLoad) wave.load_element(a.data, i, one, kCacheSc1);
  if (kind == kScalarLoad) wave.load_uniform(a.data, dword);
}

// Workgroup 0 does one access and workgroup 1 another, in one round.
WaveTask two_accesses(Wave& wave, Args a) {
  access(wave, a, wave.workgroup_id() == 0 ? a.variant % kKinds : a.variant / kKinds, 100);
  co_return;
}

WaveTask bytes_apart(Wave& wave, Args a) {
  wave.store_u8(LaneU64(a.data.address + wave.workgroup_id()), LaneU32(1u), LaneMask::lane(0));
  co_return;
}

WaveTask rounds_apart(Wave& wave, Args a) {
  if (wave.workgroup_id() == 1) co_await wave.sleep();
  access(wave, a, kPlainStore, 7);
}

WaveTask many_bytes(Wave& wave, Args a) {
  wave.stage("overlap");
  wave.store<4>(a.data.address + convert<uint64_t>(wave.lane() * 16) + uint64_t{wave.workgroup_id() * 32},
                Vgprs<4>::uniform(wave.workgroup_id() + 1));
  co_return;
}

WaveTask scattered_reads(Wave& wave, Args a) {
  for (unsigned i = 0; i < 4; ++i) wave.load_element(a.data, (wave.lane() * 129 + i * 331) % 1024);
  if (wave.workgroup_id() == 1)
    wave.store_element(a.data, LaneU32(129u * 5 % 1024), LaneU32(4u), LaneMask::lane(0));
  co_return;
}

WaveTask reads_only(Wave& wave, Args a) {
  wave.load<4>(a.data.address + convert<uint64_t>(wave.lane() * 16));
  co_return;
}

}  // namespace

TEST_CASE("races: exactly the pairs with a plain store race") {
  for (uint32_t first = 0; first < kKinds; ++first) {
    for (uint32_t second = 0; second < kKinds; ++second) {
      CAPTURE(first);
      CAPTURE(second);
      const bool expected = first == kPlainStore || second == kPlainStore;
      CHECK((races(run(two_accesses, first + kKinds * second)) != 0) == expected);
    }
  }
}

TEST_CASE("races: neighbouring bytes do not race") { CHECK(races(run(bytes_apart)) == 0); }

TEST_CASE("races: stores in different rounds do not race") { CHECK(races(run(rounds_apart)) == 0); }

TEST_CASE("races: the report names buffer, bytes and both workgroups") {
  const DispatchReport report = run(many_bytes);
  REQUIRE(races(report) > 0);
  const std::string line = report.findings.kept()[0].line();
  CHECK(contains(line, "memory race: workgroup 0 wave 0 lane 0 (overlap)"));
  CHECK(contains(line, "a plain store to 32 bytes at data + 0x20"));
  CHECK(contains(line, "workgroup 1 stored to them too"));
}

TEST_CASE("races: a store meets a scattered read of another workgroup") {
  CHECK(races(run(scattered_reads)) == 1);
}

TEST_CASE("races: the check can be turned off") {
  DispatchOptions options;
  options.check_races = false;
  CHECK(races(run(many_bytes, 0, options)) == 0);
}

TEST_CASE("races: findings are the same on 1, 2 and 7 threads") {
  std::string one;
  for (const unsigned threads : {1u, 2u, 7u}) {
    DispatchOptions options;
    options.threads = threads;
    options.oversubscribe = true;
    const DispatchReport report = run(two_accesses, kPlainStore + kKinds * kDeviceLoad, options);
    REQUIRE(races(report) == 1);
    const std::string line = report.findings.kept()[0].line();
    if (one.empty()) one = line;
    CHECK(line == one);
  }
}

TEST_CASE("races: read-only buffers need no check") {
  const DispatchReport report = run(reads_only, 0, {}, BufferAccess::read_only);
  CHECK(races(report) == 0);
  CHECK(report.untracked_reads == 0);
}

namespace {

// Pages of the access log are 512 bytes, words of a page 64.
constexpr uint64_t kAround[] = {512, 64, 4096};
constexpr uint32_t kWorkgroups = 3;
constexpr uint64_t kBufferBytes = 8192;

Script random_accesses(std::mt19937& random) {
  const auto pick = [&](uint32_t below) { return static_cast<uint32_t>(random() % below); };
  constexpr unsigned kSizes[] = {1, 2, 4, 8, 12, 16};
  const uint64_t place = kAround[pick(3)] - 16;
  Script script;
  for (unsigned s = 0; s < 9; ++s) {
    const uint32_t what = pick(8);
    ScriptStep step{s / 3, pick(kWorkgroups), ScriptStep::kLoad, place + pick(40), kSizes[pick(6)]};
    if (what < 4) step.what = ScriptStep::kStore;
    if (what == 6) step.what = ScriptStep::kAtomic, step.byte &= ~uint64_t{3}, step.bytes = 4;
    if (what == 7) step.what = ScriptStep::kScalarLoad, step.byte &= ~uint64_t{3}, step.bytes = 8;
    if (step.what <= ScriptStep::kStore && pick(3) == 0) step.cache = kCacheSc1;
    step.whole = what % 4 != 3 && pick(6) == 0;
    script.push_back(step);
  }
  for (uint32_t wg = 0; wg < kWorkgroups; ++wg)
    script.push_back({4, wg, ScriptStep::kLoad, 0});  // all live on
  return script;
}

// By round: runs of bytes inside a 64-byte word that two workgroups touched, one of them by a plain store.
uint64_t races_of(const Script& script) {
  uint64_t runs = 0;
  for (uint64_t round = 0; round <= 4; ++round) {
    std::vector<uint32_t> touched(kBufferBytes), stored(kBufferBytes);  // bit w: workgroup w
    for (const ScriptStep& step : script) {
      if (step.round != round) continue;
      const bool plain = step.what == ScriptStep::kStore && step.cache == 0;
      const uint64_t bytes = uint64_t{step.bytes} * (step.whole ? kWaveSize : 1);
      for (uint64_t byte = step.byte; byte < step.byte + bytes; ++byte) {
        touched[byte] |= 1u << step.workgroup;
        if (plain) stored[byte] |= 1u << step.workgroup;
      }
    }
    bool before = false;
    for (uint64_t byte = 0; byte < kBufferBytes; ++byte) {
      const bool conflict = stored[byte] != 0 && (touched[byte] & (touched[byte] - 1)) != 0;
      runs += conflict && (!before || byte % 64 == 0);
      before = conflict;
    }
  }
  return runs;
}

}  // namespace

TEST_CASE("races: random accesses race exactly where a look at every byte says") {
  constexpr uint32_t kSeed = 20262;
  CAPTURE(kSeed);
  std::mt19937 random(kSeed);
  uint64_t all = 0;
  for (unsigned n = 0; n < 2000; ++n) {
    const Script script = random_accesses(random);
    std::string text;
    for (const ScriptStep& s : script) {
      text += fmt::format("round {} workgroup {} what {} {:#x} +{} cache {}{}; ", s.round, s.workgroup,
                          static_cast<int>(s.what), s.byte, s.bytes, s.cache, s.whole ? " x64" : "");
    }
    CAPTURE(text);
    GlobalMemory memory;
    const uint64_t buffer = memory.allocate("data", kBufferBytes);
    memory.fill(buffer, kBufferBytes, 0);
    DispatchOptions options;
    options.threads = 1;
    CHECK(races(run_script(memory, buffer, script, kWorkgroups, options)) == races_of(script));
    all += races_of(script);
  }
  CHECK(all > 2000);
}

TEST_CASE("races: a plain store that waits behind a pending one of its workgroup is still plain") {
  const ScriptStep pending{0, 0, ScriptStep::kStore, 0, 4, kCacheSc1}, behind{0, 0, ScriptStep::kStore, 2, 4};
  const ScriptStep read{0, 1, ScriptStep::kLoad, 4, 2};
  CHECK(races(run_script({pending, behind, read}, 2)) == 1);
  CHECK(races(run_script({pending, read}, 2)) == 0);
}
