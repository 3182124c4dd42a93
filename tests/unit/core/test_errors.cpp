// SPDX-License-Identifier: MIT
// Errors and runs without progress: the same text on any number of threads, naming what a person needs.
#include <doctest/doctest.h>

#include <algorithm>
#include <initializer_list>

#include "tests/unit/core/one_wave.h"

using namespace wavetwin;

namespace {

struct Args {
  DevicePtr<uint32_t> data;   // [workgroups][64]
  DevicePtr<uint32_t> pairs;  // [workgroups][2]: value, tag
  uint32_t broken;            // the workgroup that does wrong
};

DispatchOptions on_threads(unsigned threads) {
  DispatchOptions options;
  options.threads = threads;
  options.oversubscribe = true;
  return options;
}

struct Setup {
  GlobalMemory memory;
  Args args;
  Setup(uint32_t workgroups, uint32_t broken) {
    args.data = memory.allocate_array<uint32_t>("data", workgroups * 64);
    const uint64_t scratch = memory.allocate("scratch", 4096 + workgroups * 8);
    args.pairs = {scratch + 4096};
    args.broken = broken;
    memory.fill(scratch, 4096 + workgroups * 8, 0);
    memory.name_range("srdy", args.pairs.address, workgroups * 8, 8);
  }
};

std::string error_on(WaveTask (*kernel)(Wave&, Args), unsigned threads, uint32_t workgroups, uint32_t broken,
                     uint32_t block = 128) {
  Setup s(workgroups, broken);
  return error_of([&] { run_small(s.memory, kernel, s.args, workgroups, block, on_threads(threads)); });
}

WaveTask many_errors(Wave& wave, Args a) {
  // From workgroup `broken` on, every workgroup fails in its second round, in its last wave first.
  co_await wave.sleep();
  wave.stage("second round");
  if (wave.workgroup_id() >= a.broken) wave.load<1>(LaneU64(a.data.address - 4 * (wave.workgroup_id() + 1)));
  co_await wave.sleep();
}

constexpr uint32_t kTag = 0x41;

SubTask<> await_pair(Wave& wave, DevicePtr<uint32_t> pairs, uint32_t pair) {
  wave.stage("combine: await_flags");
  const LaneMask one = LaneMask::lane(0);
  while (true) {
    const Vgprs<2> seen = wave.load<2>(LaneU64(pairs.offset(2 * pair).address), one, kCacheSc1);
    if (seen[1][0] == kTag) break;
    wave.awaiting(LaneU64(pairs.offset(2 * pair + 1).address), one, kTag);
    co_await wave.sleep();
  }
  wave.arrived();
}

// Wave 0 of each workgroup waits for the pair of the next one and then sets its own; the last one starts. The
// broken one never publishes, or leaves a stale tag.
WaveTask missing_publish(Wave& wave, Args a) {
  const uint32_t w = wave.workgroup_id();
  const uint32_t last = wave.workgroup().launch().grid.x - 1;
  if (wave.wave_id() == 0 && w != last) co_await await_pair(wave, a.pairs, w + 1);
  wave.stage("combine: barrier");
  co_await wave.barrier();
  wave.stage("combine: publish");
  const bool publishes = wave.wave_id() == 0 && w != a.broken;
  const Vgprs<2> pair{{LaneU32(1u), LaneU32(kTag)}};
  wave.store<2>(LaneU64(a.pairs.offset(2 * w).address), pair, LaneMask::lane(0) & publishes, kCacheSc1);
}

WaveTask stale_tag(Wave& wave, Args a) {
  const Vgprs<2> pair{{LaneU32(1u), LaneU32(kTag - 1)}};
  if (wave.workgroup_id() == 1) {
    wave.store<2>(LaneU64(a.pairs.offset(2).address), pair, LaneMask::lane(0), kCacheSc1);
  } else {
    co_await await_pair(wave, a.pairs, 1);
  }
}

WaveTask sleeps_forever(Wave& wave, Args) {
  wave.stage("nap");
  while (true) co_await wave.sleep();
}

WaveTask some_waves_leave(Wave& wave, Args a) {
  if (wave.wave_id() == 1) co_return;
  co_await wave.barrier();
  co_await wave.barrier();
  wave.store_element(a.data, 64 * wave.workgroup_id() + wave.lane(), LaneU32(3u),
                     wave.wave_id() == 0 ? kAllLanes : LaneMask::none());
}

WaveTask toggles(Wave& wave, Args a) {
  // Changes memory for ever: no deadlock, but it never ends.
  for (uint32_t i = 0;; ++i) {
    wave.store_element(a.data, wave.lane(), LaneU32(i));
    co_await wave.sleep();
  }
}

// Changes one kind of memory in each of 40 rounds.
enum Change : uint32_t { kPlain, kDevice, kAtomic, kLds, kBarrier, kSameValue, kSameAtomic };

WaveTask keeps_busy(Wave& wave, Args a) {
  const LaneMask one = LaneMask::lane(0);
  for (uint32_t i = 1; i <= 40; ++i) {
    if (a.broken == kPlain) wave.store_element(a.data, LaneU32(0u), LaneU32(i), one);
    if (a.broken == kDevice) wave.store_element(a.data, LaneU32(0u), LaneU32(i), one, kCacheSc1);
    if (a.broken == kAtomic)
      wave.atomic(LaneU64(a.pairs.address), atomic_op::add<uint32_t>, LaneU32(1u), one);
    if (a.broken == kLds) wave.lds().store(LaneU32(0u), LaneU32(i), one);
    if (a.broken == kBarrier) co_await wave.barrier();
    if (a.broken == kSameValue) wave.store_element(a.data, LaneU32(0u), LaneU32(7u), one);
    if (a.broken == kSameAtomic)
      wave.atomic(LaneU64(a.pairs.address), atomic_op::add<uint32_t>, LaneU32(0u), one);
    co_await wave.sleep();
  }
}

}  // namespace

TEST_CASE(
    "progress: a byte that changes by any kind of store, and a barrier, count; the same value does not") {
  for (const uint32_t change : {kPlain, kDevice, kAtomic, kLds, kBarrier, kSameValue, kSameAtomic}) {
    CAPTURE(change);
    Setup s(1, change);
    DispatchOptions options;
    options.max_idle_rounds = 10;
    const std::string text = error_of([&] { run_small(s.memory, keeps_busy, s.args, 1, 64, options); });
    CHECK(text.empty() == (change < kSameValue));
  }
}

TEST_CASE("errors: the lowest workgroup's error is reported on any number of threads") {
  const std::string one = error_on(many_errors, 1, 64, 17);
  CHECK(contains(one, "workgroup 17, wave 0 (second round): lane 0: load of 4 bytes"));
  CHECK(contains(one, "0x48 bytes before the start of data"));
  for (const unsigned threads : {2u, 7u}) CHECK(error_on(many_errors, threads, 64, 17) == one);
}

TEST_CASE("no progress: a missing publish names stage, region, pair, tag, value and last writer") {
  const std::string one = error_on(missing_publish, 1, 32, 20);
  CAPTURE(one);
  CHECK(contains(one, "kernel 'small': no progress in round"));
  CHECK(contains(one, "only polls"));
  CHECK(contains(
      one, "workgroup 19 wave 0: combine: await_flags: waits for scratch + 0x10a4 (srdy[20] + 4) at 0x"));
  CHECK(contains(one, "to be 0x00000041, holds 0x00000000, last writer: the host"));
  CHECK(contains(one, "workgroup 0 wave 1"));
  CHECK(contains(one, "combine: barrier: at a barrier"));
  for (const unsigned threads : {2u, 7u}) CHECK(error_on(missing_publish, threads, 32, 20) == one);
}

TEST_CASE("no progress: a stale tag names the value found and the workgroup that wrote it") {
  const std::string text = error_on(stale_tag, 2, 2, 0, 64);
  CHECK(contains(text, "srdy[1] + 4"));
  CHECK(contains(text, "holds 0x00000040, last writer: workgroup 1 wave 0 in round 0"));
}

TEST_CASE("no progress: the last writer of an earlier launch says so") {
  Setup s(2, 0);
  CHECK(contains(error_of([&] { run_small(s.memory, stale_tag, s.args, 2); }), "in round 0\n") == false);
  const std::string text = error_of([&] { run_small(s.memory, missing_publish, s.args, 2, 128); });
  s.memory.fill(s.args.pairs.offset(2).address, 8, 0);
  Args broken = s.args;
  broken.broken = 1;
  const std::string again = error_of([&] { run_small(s.memory, missing_publish, broken, 2, 128); });
  CHECK(contains(again, "of launch 2 (this is launch 3)"));
}

TEST_CASE("no progress: waves that sleep without saying what for end at the idle limit") {
  Setup s(4, 0);
  DispatchOptions options;
  options.max_idle_rounds = 50;
  const std::string text = error_of([&] { run_small(s.memory, sleeps_forever, s.args, 4, 128, options); });
  CHECK(contains(text, "no byte of memory changed, no barrier completed and no wave ended in 50 rounds"));
  CHECK(contains(text, "workgroup 0 waves 0-1, workgroup 1 waves 0-1"));
  CHECK(contains(text, "nap: sleeps"));
}

TEST_CASE("no progress: a long list is cut and counted") {
  const std::string text = error_on(sleeps_forever, 1, 200, 0);
  CHECK(contains(text, "and 384 more waves"));
}

TEST_CASE("no progress: a chain of 100 groups shows 64 of them") {
  // Every workgroup waits for another pair: one group of waves each.
  const std::string text = error_on(missing_publish, 1, 101, 100, 64);
  CHECK(std::count(text.begin(), text.end(), '\n') == 65);
  CHECK(contains(text, "and 36 more waves in 36 other states"));
}

TEST_CASE("barrier: waves that ended are not waited for") {
  Setup s(1, 0);
  run_small(s.memory, some_waves_leave, s.args, 1, 192);
  CHECK(s.memory.read_array(s.args.data, 1)[0] == 3);
}

TEST_CASE("errors: a limit of rounds ends a run that makes progress for ever") {
  Setup s(1, 0);
  DispatchOptions options;
  options.max_rounds = 100;
  CHECK(contains(error_of([&] { run_small(s.memory, toggles, s.args, 1, 64, options); }),
                 "not finished after 100 rounds"));
}

TEST_CASE("errors: memory can be allocated again after a failed launch") {
  Setup s(2, 0);
  error_of([&] { run_small(s.memory, many_errors, s.args, 2); });
  CHECK(s.memory.allocate("more", 16) != 0);
}
