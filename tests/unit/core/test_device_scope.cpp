// SPDX-License-Identifier: MIT
// The visibility rules of device-scope memory, one by one. Workgroup 0 writes, the others watch by rounds.
#include <doctest/doctest.h>

#include "tests/unit/core/one_wave.h"

using namespace wavetwin;

namespace {

struct Args {
  DevicePtr<uint32_t> word;  // [64], zero at the start
  DevicePtr<uint32_t> log;   // [workgroups][16] of what lane 0 saw
};

constexpr uint32_t kLog = 16;

struct Ran {
  DispatchReport report;
  std::vector<uint32_t> word, log;
  uint32_t at(uint32_t workgroup, uint32_t entry) const { return log[workgroup * kLog + entry]; }
};

Ran run(WaveTask (*kernel)(Wave&, Args), uint32_t workgroups = 2, DispatchOptions options = {}) {
  GlobalMemory memory;
  Args a;
  a.word = memory.allocate_array<uint32_t>("word", 64);
  a.log = memory.allocate_array<uint32_t>("log", workgroups * kLog);
  memory.fill(a.word.address, 256, 0);
  Ran r;
  r.report = run_small(memory, kernel, a, workgroups, 64, options);
  r.word = memory.read_array(a.word, 64);
  r.log = memory.read_array(a.log, workgroups * kLog);
  return r;
}

uint32_t peek(Wave& wave, const Args& a, uint32_t index = 0, uint32_t cache = 0) {
  return wave.load_element(a.word, LaneU32(index), LaneMask::lane(0), cache)[0];
}
void poke(Wave& wave, const Args& a, uint32_t value, uint32_t cache, uint32_t index = 0) {
  wave.store_element(a.word, LaneU32(index), LaneU32(value), LaneMask::lane(0), cache);
}
void note(Wave& wave, const Args& a, uint32_t entry, uint32_t value) {
  wave.store_element(a.log, LaneU32(wave.workgroup_id() * kLog + entry), LaneU32(value), LaneMask::lane(0));
}

WaveTask device_store(Wave& wave, Args a) {
  if (wave.workgroup_id() == 0) poke(wave, a, 5, kCacheSc1);
  note(wave, a, 0, peek(wave, a));  // round 0
  note(wave, a, 1, peek(wave, a, 0, kCacheSc1));
  note(wave, a, 2, wave.load_uniform(a.word));
  co_await wave.sleep();
  note(wave, a, 3, peek(wave, a));  // round 1
}

WaveTask plain_then_flag(Wave& wave, Args a) {
  if (wave.workgroup_id() == 0) {
    poke(wave, a, 11, 0, 1);         // data, plain
    poke(wave, a, 1, kCacheSc1, 0);  // flag
  } else {
    while (peek(wave, a, 0, kCacheSc1) == 0) co_await wave.sleep();
    note(wave, a, 0, peek(wave, a, 1));
  }
}

WaveTask sc0_and_nt_are_plain(Wave& wave, Args a) {
  if (wave.workgroup_id() == 0) {
    poke(wave, a, 5, kCacheSc0, 0);
    poke(wave, a, 6, kCacheNt, 1);
    co_await wave.wait_stores();  // nothing is pending
    note(wave, a, 0, static_cast<uint32_t>(wave.workgroup().round()));
  }
}

WaveTask wait_blocks(Wave& wave, Args a) {
  if (wave.workgroup_id() != 0) co_return;
  poke(wave, a, 5, kCacheSc1);
  co_await wave.wait_stores();
  note(wave, a, 0, static_cast<uint32_t>(wave.workgroup().round()));
  co_await wave.wait_stores();  // nothing left
  note(wave, a, 1, static_cast<uint32_t>(wave.workgroup().round()));
}

WaveTask plain_joins(Wave& wave, Args a) {
  if (wave.workgroup_id() == 0) {
    poke(wave, a, 1, kCacheSc1);
    poke(wave, a, 2, 0);  // same bytes: after the first in program order
    note(wave, a, 0, peek(wave, a));
    // The low half only: the rest of the word is still the pending 2.
    wave.store_u16(LaneU64(a.word.address + 2), LaneU32(0xBEEFu), LaneMask::lane(0));
    note(wave, a, 1, peek(wave, a));
    co_await wave.wait_stores();
    note(wave, a, 2, static_cast<uint32_t>(wave.workgroup().round()));
  }
  co_await wave.sleep();
  co_await wave.sleep();
  note(wave, a, 3, peek(wave, a));
}

WaveTask tickets(Wave& wave, Args a) {
  const LaneU32 old = co_await wave.atomic_return(LaneU64(a.word.address), atomic_op::add<uint32_t>,
                                                  LaneU32(1u), wave.lane() < 4);
  note(wave, a, 0, old[0]);
  note(wave, a, 1, old[3]);
  note(wave, a, 2, old[4]);  // masked off: untouched zero
  note(wave, a, 3, static_cast<uint32_t>(wave.workgroup().round()));
}

WaveTask atomic_sees_own_store(Wave& wave, Args a) {
  if (wave.workgroup_id() != 0) co_return;
  poke(wave, a, 40, kCacheSc1);
  const LaneU32 old = co_await wave.atomic_return(LaneU64(a.word.address), atomic_op::add<uint32_t>,
                                                  LaneU32(2u), LaneMask::lane(0));
  note(wave, a, 0, old[0]);
  note(wave, a, 1, peek(wave, a));
}

WaveTask own_atomic_is_visible(Wave& wave, Args a) {
  if (wave.workgroup_id() != 0) co_return;
  wave.atomic(LaneU64(a.word.address), atomic_op::add<uint32_t>, LaneU32(3u), wave.lane() < 5);
  note(wave, a, 0, peek(wave, a));
}

WaveTask commit_order(Wave& wave, Args a) {
  // Two workgroups store to one word in one round: the later workgroup is applied last.
  poke(wave, a, 100 + wave.workgroup_id(), kCacheSc1);
  // Inside a wave the later store is applied last, inside a store the higher lane.
  wave.store_element(a.word, LaneU32(wave.workgroup_id() + 1), wave.lane(), kAllLanes, kCacheSc1);
  poke(wave, a, 7, kCacheSc1, wave.workgroup_id() + 10);
  poke(wave, a, 8, kCacheSc1, wave.workgroup_id() + 10);
  co_return;
}

WaveTask ends_with_pending(Wave& wave, Args a) {
  if (wave.workgroup_id() == 0) poke(wave, a, 77, kCacheSc1);
  co_return;
}

WaveTask pair_store(Wave& wave, Args a) {
  // Lane l holds pair {value, tag} number l: one 8-byte store each.
  if (wave.workgroup_id() == 0) {
    wave.store<2>(a.word.address + convert<uint64_t>(wave.lane() * 8),
                  Vgprs<2>{{wave.lane() + 1, LaneU32(9u)}}, wave.lane() < 32, kCacheSc1);
    co_return;
  }
  Vgprs<2> pair = Vgprs<2>::uniform(0);
  const LaneMask in = wave.lane() < 32;
  while (true) {
    pair = wave.load<2>(a.word.address + convert<uint64_t>(wave.lane() * 8), in, kCacheSc1);
    if (((pair[1] == 9) | ~in).is_all()) break;
    co_await wave.sleep();
  }
  note(wave, a, 0, pair[0][31]);
}

// Publishes by device-scope data and flag, with or without the wait between them.
SubTask<> publish_and_read(Wave& wave, Args a, bool waits) {
  if (wave.workgroup_id() == 0) {
    poke(wave, a, 11, kCacheSc1, 40);
    if (waits) co_await wave.wait_stores();
    poke(wave, a, 1, kCacheSc1, 0);
  } else {
    while (peek(wave, a, 0, kCacheSc1) == 0) co_await wave.sleep();
    note(wave, a, 0, peek(wave, a, 40));
  }
}
WaveTask publish_with_wait(Wave& wave, Args a) { co_await publish_and_read(wave, a, true); }
WaveTask publish_without_wait(Wave& wave, Args a) { co_await publish_and_read(wave, a, false); }

WaveTask two_clocks(Wave& wave, Args a) {
  const uint64_t t0 = wave.memrealtime();
  co_await wave.sleep();
  const uint64_t t1 = wave.memrealtime();
  note(wave, a, 0, t1 > t0 ? 1 : 0);
  note(wave, a, 1, static_cast<uint32_t>(t1));
}

}  // namespace

TEST_CASE("device scope: a store is seen at once by its workgroup and after the commit by others") {
  const Ran r = run(device_store);
  for (uint32_t entry = 0; entry < 4; ++entry) CHECK(r.at(0, entry) == 5);
  for (uint32_t entry = 0; entry < 3; ++entry) CHECK(r.at(1, entry) == 0);
  CHECK(r.at(1, 3) == 5);
  CHECK(r.report.pending_entries == 1);
}

TEST_CASE("device scope: plain data written before a flag is visible after the flag") {
  const Ran r = run(plain_then_flag);
  CHECK(r.at(1, 0) == 11);
  CHECK(r.report.findings.empty());
}

TEST_CASE("device scope: SC0 and NT stores are plain") {
  const Ran r = run(sc0_and_nt_are_plain);
  CHECK(r.at(0, 0) == 0);
  CHECK(r.report.pending_entries == 0);
}

TEST_CASE("device scope: a wait blocks until the commit, and only then") {
  const Ran r = run(wait_blocks);
  CHECK(r.at(0, 0) == 1);
  CHECK(r.at(0, 1) == 1);
}

TEST_CASE("device scope: a plain store to a pending byte joins the list in program order") {
  const Ran r = run(plain_joins);
  CHECK(r.at(0, 0) == 2);
  CHECK(r.at(0, 1) == 0xBEEF0002u);
  CHECK(r.at(0, 2) == 1);
  CHECK(r.at(1, 3) == 0xBEEF0002u);
  CHECK(r.report.pending_entries == 3);
}

TEST_CASE("device scope: atomic tickets go by workgroup, then lane, and arrive after the commit") {
  const Ran r = run(tickets, 40);
  for (uint32_t w = 0; w < 40; ++w) {
    CAPTURE(w);
    CHECK(r.at(w, 0) == 4 * w);
    CHECK(r.at(w, 1) == 4 * w + 3);
    CHECK(r.at(w, 2) == 0);
    CHECK(r.at(w, 3) == 1);
  }
  CHECK(r.word[0] == 160);
  CHECK(r.report.findings.empty());
}

TEST_CASE("device scope: an atomic follows the workgroup's own earlier store") {
  const Ran r = run(atomic_sees_own_store);
  CHECK(r.at(0, 0) == 40);
  CHECK(r.at(0, 1) == 42);
}

TEST_CASE("device scope: a workgroup's loads see its pending atomics") {
  CHECK(run(own_atomic_is_visible).at(0, 0) == 15);
}

TEST_CASE("device scope: commits go by workgroup, program order and lane order") {
  const Ran r = run(commit_order, 3);
  CHECK(r.word[0] == 102);
  CHECK(r.word[1] == 63);
  CHECK(r.word[3] == 63);
  CHECK(r.word[10] == 8);
  CHECK(r.word[12] == 8);
}

TEST_CASE("device scope: what a wave left pending lands after its end") {
  CHECK(run(ends_with_pending).word[0] == 77);
}

TEST_CASE("device scope: tagged pairs arrive whole") { CHECK(run(pair_store).at(1, 0) == 32); }

TEST_CASE("device scope: under a schedule seed entries are late, and waits and order still hold") {
  bool delayed = false;
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    CAPTURE(seed);
    DispatchOptions options;
    options.schedule_seed = seed;
    const Ran joins = run(plain_joins, 1, options);
    CHECK(joins.word[0] == 0xBEEF0002u);
    delayed |= joins.at(0, 2) > 1;
    CHECK(run(wait_blocks, 2, options).word[0] == 5);
    CHECK(run(plain_then_flag, 2, options).at(1, 0) == 11);
    CHECK(run(pair_store, 2, options).at(1, 0) == 32);
    CHECK(run(tickets, 20, options).word[0] == 80);
  }
  CHECK(delayed);
}

TEST_CASE("device scope: schedule seeds find a publish that does not wait for its data") {
  unsigned stale = 0;
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    CAPTURE(seed);
    DispatchOptions options;
    options.schedule_seed = seed;
    CHECK(run(publish_with_wait, 2, options).at(1, 0) == 11);
    stale += run(publish_without_wait, 2, options).at(1, 0) != 11;
  }
  CHECK(stale > 5);
  CHECK(run(publish_without_wait).at(1, 0) == 11);  // the default schedule hides it
}

TEST_CASE("device scope: a schedule seed is a schedule: the same one gives the same run") {
  DispatchOptions options;
  options.schedule_seed = 12345;
  const Ran a = run(tickets, 40, options), b = run(tickets, 40, options);
  CHECK(a.log == b.log);
  CHECK(a.report.rounds == b.report.rounds);
  options.schedule_seed = 54321;
  CHECK(run(tickets, 40, options).log != a.log);
}

TEST_CASE("device scope: guest clocks follow rounds") {
  const Ran r = run(two_clocks);
  CHECK(r.at(0, 0) == 1);
  CHECK(r.at(0, 1) == r.at(1, 1));
}

TEST_CASE("atomics: every operation on 32 and 64 bits") {
  using namespace atomic_op;
  CHECK(swap<uint32_t>(1, 2, 0) == 2);
  CHECK(cmpswap<uint32_t>(1, 9, 1) == 9);
  CHECK(cmpswap<uint32_t>(1, 9, 2) == 1);
  CHECK(add<uint32_t>(0xFFFFFFFF, 2, 0) == 1);
  CHECK(add<uint64_t>(0xFFFFFFFF, 2, 0) == 0x100000001ull);
  CHECK(sub<uint32_t>(1, 2, 0) == 0xFFFFFFFFu);
  CHECK(rsub<uint32_t>(1, 3, 0) == 2);
  CHECK(umin<uint32_t>(0x80000000u, 1, 0) == 1);
  CHECK(smin<uint32_t>(0x80000000u, 1, 0) == 0x80000000u);
  CHECK(umax<uint32_t>(0x80000000u, 1, 0) == 0x80000000u);
  CHECK(smax<uint32_t>(0x80000000u, 1, 0) == 1);
  CHECK(smax<uint64_t>(~uint64_t{0}, 0, 0) == 0);
  CHECK(bit_and<uint32_t>(6, 3, 0) == 2);
  CHECK(bit_or<uint32_t>(6, 3, 0) == 7);
  CHECK(bit_xor<uint32_t>(6, 3, 0) == 5);
  CHECK(inc<uint32_t>(4, 5, 0) == 5);
  CHECK(inc<uint32_t>(5, 5, 0) == 0);
  CHECK(dec<uint32_t>(0, 5, 0) == 5);
  CHECK(dec<uint32_t>(6, 5, 0) == 5);
  CHECK(dec<uint32_t>(3, 5, 0) == 2);
}
