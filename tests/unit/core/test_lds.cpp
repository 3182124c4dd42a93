// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "tests/unit/core/one_wave.h"

using namespace wavetwin;

namespace {

struct Out {
  DevicePtr<uint32_t> out;  // [waves][64]
};

void put(Wave& wave, const Out& a, const LaneU32& v) { wave.store_element(a.out, wave.thread_id(), v); }

struct Ran {
  DispatchReport report;
  std::vector<uint32_t> out;
};

Ran run(WaveTask (*kernel)(Wave&, Out), uint32_t threads = 64, DispatchOptions options = {}) {
  GlobalMemory memory;
  Out a{memory.allocate_array<uint32_t>("out", threads)};
  Ran r;
  r.report = run_small(memory, kernel, a, 1, threads, options);
  r.out = memory.read_array(a.out, threads);
  return r;
}

// ---- kernels

WaveTask widths(Wave& wave, Out a) {
  const LaneU32 lane = wave.lane();
  Vgprs<4> q;
  for (unsigned d = 0; d < 4; ++d) q[d] = lane * 4 + d;
  wave.lds().store<4>(lane * 4, q);
  const Vgprs<3> t = wave.lds().load<3>(lane * 4 + 1, lane < 63);
  wave.lds().store_u8(lane * 16 + 2, LaneU32(0x1234u));
  wave.lds().store_u16(lane * 16 + 5, LaneU32(0xABCDEFu));
  const LaneU32 b = wave.lds().load_u8(lane * 16 + 2);
  const LaneU32 h = wave.lds().load_u16(lane * 16 + 5);
  const Vgprs<2> u = wave.lds().load_at_byte<2>(lane * 16 + 2);
  LaneU32 bad = select(b == 0x34, LaneU32(0u), LaneU32(1u));
  bad |= select(h == 0xCDEF, LaneU32(0u), LaneU32(2u));
  bad |= select((t[2] == lane * 4 + 3) | (lane == 63), LaneU32(0u), LaneU32(4u));
  const LaneU32 expected =
      ((lane * 4) >> 16 & 0xFF00) | 0x34 | ((lane * 4 + 1) << 16 & 0xFF0000) | 0xEF000000u;
  bad |= select(u[0] == expected, LaneU32(0u), LaneU32(8u));
  put(wave, a, bad);
  co_return;
}

WaveTask unwritten(Wave& wave, Out a) {
  wave.lds().store(wave.lane(), wave.lane(), wave.lane() < 32);
  put(wave, a, wave.lds().load(wave.lane()));
  co_return;
}

WaveTask past_the_end(Wave& wave, Out a) {
  wave.stage("reach");
  const LaneU32 index = 1000 + wave.lane();  // 4096 bytes hold indices below 1024
  wave.lds().store(index, wave.lane() + 7);
  put(wave, a, wave.lds().load(index));
  co_return;
}

WaveTask straddles_the_end(Wave& wave, Out a) {
  wave.lds().store<4>(LaneU32(1021u), Vgprs<4>::uniform(1), LaneMask::lane(0));
  put(wave, a, LaneU32(0u));
  co_return;
}

WaveTask without_barrier(Wave& wave, Out a) {
  wave.stage("exchange");
  wave.lds().store(wave.thread_id(), wave.thread_id());
  put(wave, a, wave.lds().load((wave.thread_id() + 64) % 128));
  co_return;
}

WaveTask with_barrier(Wave& wave, Out a) {
  wave.lds().store(wave.thread_id(), wave.thread_id());
  co_await wave.barrier();
  const LaneU32 v = wave.lds().load((wave.thread_id() + 64) % 128);
  co_await wave.barrier();
  wave.lds().store(wave.thread_id(), v);
  put(wave, a, v);
}

WaveTask neighbour_bytes(Wave& wave, Out a) {
  wave.lds().store_u8(wave.lane() * 2 + wave.wave_id(), wave.lane());  // interleaved bytes, none shared
  put(wave, a, wave.lds().load_u8(wave.lane() * 2 + wave.wave_id()));
  co_return;
}

WaveTask atomics(Wave& wave, Out a) {
  wave.lds().store(LaneU32(0u), LaneU32(0u), LaneMask::lane(0) & (wave.wave_id() == 0));
  co_await wave.barrier();
  const LaneU32 old = wave.lds().atomic(LaneU32(0u), atomic_op::add<uint32_t>, LaneU32(1u));
  put(wave, a, old);
}

WaveTask read_while_updated(Wave& wave, Out a) {
  wave.lds().store(LaneU32(0u), LaneU32(0u), LaneMask::lane(0) & (wave.wave_id() == 0));
  co_await wave.barrier();
  if (wave.wave_id() == 0) {
    wave.lds().atomic(LaneU32(0u), atomic_op::add<uint32_t>, LaneU32(1u));
  } else {
    put(wave, a, wave.lds().load(LaneU32(0u)));
  }
}

// Wave 0 reads 16 initialised bytes that wave 1 then overwrites, in one interval.
WaveTask read_then_overwrite(Wave& wave, Out a) {
  wave.lds().store<4>(LaneU32(0u), Vgprs<4>::uniform(5), LaneMask::lane(0) & (wave.wave_id() == 0));
  co_await wave.barrier();
  if (wave.wave_id() == 0) wave.lds().load<4>(LaneU32(0u), LaneMask::lane(0));
  if (wave.wave_id() == 1) wave.lds().store<4>(LaneU32(0u), Vgprs<4>::uniform(6), LaneMask::lane(0));
  put(wave, a, LaneU32(0u));
}

// Both waves store the 16 bytes around 1024, a barrier between them.
WaveTask take_turns(Wave& wave, Out a) {
  for (uint32_t turn = 0; turn < 2; ++turn) {
    wave.lds().store<4>(LaneU32(254u), Vgprs<4>::uniform(5), LaneMask::lane(0) & (wave.wave_id() == turn));
    co_await wave.barrier();
  }
  put(wave, a, LaneU32(0u));
}

// Both waves read one byte, then the second one stores to it.
WaveTask both_read_one_stores(Wave& wave, Out a) {
  wave.lds().store_u8(LaneU32(3u), LaneU32(5u), LaneMask::lane(0) & (wave.wave_id() == 0));
  co_await wave.barrier();
  wave.lds().load_u8(LaneU32(3u), LaneMask::lane(0));
  if (wave.wave_id() == 1) wave.lds().store_u8(LaneU32(3u), LaneU32(6u), LaneMask::lane(0));
  put(wave, a, LaneU32(0u));
}

}  // namespace

TEST_CASE("lds: a store to bytes that another wave read since the barrier is a race, reported once") {
  const Ran r = run(read_then_overwrite, 128);
  CHECK(r.report.findings.total(FindingKind::lds_race) == 1);
  CHECK(contains(r.report.findings.kept()[0].text, "stores to LDS byte 0x0, which wave 0 read"));
}

TEST_CASE("lds: a wave's own read does not hide that another wave read too") {
  const Ran r = run(both_read_one_stores, 128);
  CHECK(r.report.findings.total(FindingKind::lds_race) == 1);
  CHECK(contains(r.report.findings.kept()[0].text, "which other waves read"));
}

TEST_CASE("lds: accesses of 1, 2, 4, 8, 12 and 16 bytes at any address") {
  const Ran r = run(widths);
  CHECK(r.report.findings.empty());
  for (unsigned l = 0; l < 64; ++l) {
    CAPTURE(l);
    CHECK(r.out[l] == 0);
  }
}

TEST_CASE("lds: never-written bytes read as poison and are a finding") {
  const Ran r = run(unwritten);
  CHECK(r.out[31] == 31);
  CHECK(r.out[32] == kPoison);
  CHECK(r.report.findings.total(FindingKind::lds_never_written) == 32);
  REQUIRE_FALSE(r.report.findings.kept().empty());
  CHECK(r.report.findings.kept()[0].lane == 32);
  CHECK(contains(r.report.findings.kept()[0].line(), "workgroup 0 wave 0 lane 32, round 0"));
}

TEST_CASE("lds: the check of never-written bytes can be turned off") {
  DispatchOptions options;
  options.check_never_written = false;
  const Ran r = run(unwritten, 64, options);
  CHECK(r.report.findings.empty());
  CHECK(r.out[63] == kPoison);
}

TEST_CASE("lds: out of range is an error for simulated kernels") {
  const std::string error = error_of([] { run(past_the_end); });
  CHECK(contains(error,
                 "kernel 'small', workgroup 0, wave 0 (reach): lane 24: store of 4 LDS bytes at 0x1000"));
  CHECK(contains(error, "has 0x1000"));
}

TEST_CASE("lds: out of range reads zero and drops stores under the hardware rule") {
  DispatchOptions options;
  options.lds_range = LdsRange::hardware;
  const Ran r = run(past_the_end, 64, options);
  CHECK(r.out[23] == 30);
  CHECK(r.out[24] == 0);
  CHECK(r.report.findings.total(FindingKind::lds_out_of_range) == 80);
}

TEST_CASE("lds: an access that starts inside and ends outside is out of range") {
  CHECK(contains(error_of([] { run(straddles_the_end); }), "store of 16 LDS bytes at 0xff4"));
}

TEST_CASE("lds: two waves that exchange without a barrier race") {
  const Ran r = run(without_barrier, 128);
  CHECK(r.report.findings.total(FindingKind::lds_race) >= 64);
  bool named = false;
  for (const Finding& f : r.report.findings.kept()) {
    named |= f.kind == FindingKind::lds_race && contains(f.line(), "workgroup 0 wave 1 lane 0 (exchange)") &&
             contains(f.line(), "wave 0 ");
  }
  CHECK(named);
}

TEST_CASE("lds: accesses separated by barriers do not race") {
  const Ran r = run(with_barrier, 128);
  CHECK(r.report.findings.empty());
  CHECK(r.out[3] == 67);
  CHECK(r.out[100] == 36);
}

TEST_CASE("lds: a barrier ends the interval of every byte of an access") {
  CHECK(run(take_turns, 128).report.findings.empty());
}

TEST_CASE("lds: the race check is exact to the byte") {
  CHECK(run(neighbour_bytes, 128).report.findings.empty());
}

TEST_CASE("lds: the race check can be turned off") {
  DispatchOptions options;
  options.check_lds_races = false;
  CHECK(run(without_barrier, 128, options).report.findings.total(FindingKind::lds_race) == 0);
}

TEST_CASE("lds: atomics apply in lane order and do not race with each other") {
  const Ran r = run(atomics, 128);
  CHECK(r.report.findings.empty());
  for (unsigned i = 0; i < 128; ++i) CHECK(r.out[i] == i);
}

TEST_CASE("lds: a plain read of a byte that another wave updates atomically is no race") {
  CHECK(run(read_while_updated, 128).report.findings.empty());
}
