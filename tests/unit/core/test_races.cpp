// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <initializer_list>

#include "tests/unit/core/one_wave.h"

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
