// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "tests/unit/core/one_wave.h"
#include "tests/unit/core/ring.h"

using namespace wavetwin;

namespace {

Launch launch_of(uint32_t threads, uint32_t lds, uint32_t vgprs, uint32_t grid = 1) {
  Launch launch;
  launch.kernel = "resident";
  launch.grid = {grid};
  launch.block = {threads};
  launch.lds_bytes = lds;
  launch.vgprs = vgprs;
  return launch;
}

struct Args {
  DevicePtr<uint32_t> out;    // one word a workgroup
  DevicePtr<uint32_t> count;  // arrivals
  uint32_t workgroups;
};

// Counts itself in and waits for all the others: needs every workgroup resident.
WaveTask grid_barrier(Wave& wave, Args a) {
  wave.stage("grid barrier");
  const LaneMask one = LaneMask::lane(0);
  const LaneU64 count = a.count.address;
  wave.atomic(count, atomic_op::add<uint32_t>, LaneU32(1u), one);
  co_await wave.wait_stores();
  while (wave.load<1>(count, one, kCacheSc1)[0][0] != a.workgroups) {
    wave.awaiting(count, one, a.workgroups);
    co_await wave.sleep();
  }
  wave.store_element(a.out, LaneU32(wave.workgroup_id()), LaneU32(1u), one);
}

DispatchReport run_grid_barrier(uint32_t workgroups, uint32_t resident, uint32_t vgprs = 128) {
  GlobalMemory memory;
  Args a{memory.allocate_array<uint32_t>("out", workgroups), memory.allocate_array<uint32_t>("count", 1),
         workgroups};
  memory.fill(a.count.address, 4, 0);
  DispatchOptions options;
  options.resident = resident;
  const DispatchReport report =
      launch_kernel(memory, launch_of(64, 0, vgprs, workgroups), grid_barrier, a, options);
  CHECK(memory.never_written(a.out.address, 4 * workgroups).empty());
  return report;
}

WaveTask fill_lds(Wave& wave, Args a) {
  // Each workgroup finds its LDS never written, whoever had the slot before.
  wave.lds().store(wave.lane(), wave.lane() + wave.workgroup_id());
  co_await wave.sleep();
  const LaneU32 v = wave.lds().load(wave.lane());
  wave.store_element(a.out, LaneU32(wave.workgroup_id()), v, LaneMask::lane(0));
  if (wave.workgroup_id() % 2 == 1) wave.lds().load(64 + wave.lane(), LaneMask::lane(0));
}

}  // namespace

TEST_CASE("residency: waves, VGPRs and LDS each limit what 256 CUs hold") {
  CHECK(resident_workgroups(launch_of(512, 0, 64)) == 256 * 4);
  CHECK(resident_workgroups(launch_of(512, 0, 128)) == 256 * 2);
  CHECK(resident_workgroups(launch_of(512, 0, 256)) == 256);
  CHECK(resident_workgroups(launch_of(64, 0, 32)) == 256 * 32);
  CHECK(resident_workgroups(launch_of(64, 0, 512)) == 256 * 4);
  CHECK(resident_workgroups(launch_of(256, 160 * 1024, 64)) == 256);
  CHECK(resident_workgroups(launch_of(256, 80 * 1024, 64)) == 512);
  CHECK(resident_workgroups(launch_of(256, 80 * 1024 + 1, 64)) == 256);
}

TEST_CASE("residency: launches that do not fit the part are refused with the kernel's name") {
  const auto refusal = [](const Launch& launch) { return error_of([&] { check_launch(launch); }); };
  CHECK(contains(refusal(launch_of(1025, 0, 64)), "kernel 'resident': a workgroup of 1025 threads"));
  CHECK(contains(refusal(launch_of(0, 0, 64)), "0 threads"));
  CHECK(contains(refusal(launch_of(64, 160 * 1024 + 1, 64)), "163841 bytes of LDS"));
  CHECK(contains(refusal(launch_of(1024, 0, 256)), "16 waves with 256 VGPRs does not fit"));
  CHECK(contains(refusal(launch_of(64, 0, 513)), "513 VGPRs"));
  CHECK(contains(refusal(launch_of(64, 0, 64, 0)), "a grid of 0 workgroups"));
  CHECK(refusal(launch_of(1024, 160 * 1024, 128)).empty());
}

TEST_CASE("residency: a grid barrier works when all workgroups are resident") {
  CHECK(run_grid_barrier(1024, 0).resident == 1024);
  CHECK(run_grid_barrier(300, kResidentAll).resident == 300);
}

TEST_CASE("residency: a grid barrier over more workgroups than fit is a reported deadlock") {
  const std::string text = error_of([] { run_grid_barrier(1025, 0, 512); });
  CHECK(contains(text, "1 workgroups wait for a place among the 1024 resident ones"));
  CHECK(contains(text, "grid barrier: waits for count + 0x0"));
  CHECK(contains(text, "to be 0x00000401, holds 0x00000400"));
  CHECK(contains(error_of([] { run_grid_barrier(64, 63); }), "1 workgroups wait"));
  CHECK(run_grid_barrier(1025, kResidentAll, 512).resident == 1025);
}

TEST_CASE("residency: 20,000 workgroups pass through the slots in id order, each with fresh LDS") {
  constexpr uint32_t kWorkgroups = 20000;
  GlobalMemory memory;
  Args a{memory.allocate_array<uint32_t>("out", kWorkgroups), {}, kWorkgroups};
  DispatchOptions options;
  options.resident = 100;
  const DispatchReport report =
      launch_kernel(memory, launch_of(64, 1024, 64, kWorkgroups), fill_lds, a, options);
  const std::vector<uint32_t> out = memory.read_array(a.out, kWorkgroups);
  for (uint32_t w = 0; w < kWorkgroups; ++w) {
    if (out[w] != w) CHECK(out[w] == w);
  }
  CHECK(report.findings.total(FindingKind::lds_never_written) == kWorkgroups / 2);
  CHECK(report.findings.kept().size() == 16);
}

TEST_CASE("residency: a ring of flags needs no more than two resident workgroups") {
  DispatchOptions options;
  const uint64_t hash = run_ring(64, options).hash;
  options.resident = 2;
  CHECK(run_ring(64, options).hash == hash);
}

TEST_CASE("residency: VGPRs are handed out in 8, LDS in 1,280 bytes; what there is least of decides") {
  constexpr uint32_t kCus = 256;
  CHECK(resident_workgroups(launch_of(64, 0, 65)) == kCus * 4 * (512 / 72));
  CHECK(resident_workgroups(launch_of(64, 5121, 64)) == kCus * (163840 / 6400));
  CHECK(resident_workgroups(launch_of(1024, 1280, 64)) == kCus * 2);
  CHECK(resident_workgroups(launch_of(1024, 100000, 64)) == kCus);
}

namespace {

WaveTask write_place(Wave& wave, Args a) {
  const uint32_t id = wave.workgroup().id();
  const uint32_t place = wave.workgroup_id(0) | wave.workgroup_id(1) << 8 | wave.workgroup_id(2) << 16 |
                         wave.workgroup().xcc_id() << 24;
  wave.store_element(a.out, LaneU32(id), LaneU32(place), LaneMask::lane(0));
  co_return;
}

}  // namespace

TEST_CASE("residency: a workgroup's coordinates count x fastest, its XCC is its id modulo 8, in any slot") {
  GlobalMemory memory;
  Args a{memory.allocate_array<uint32_t>("out", 60), {}, 60};
  Launch launch = launch_of(64, 0, 64);
  launch.grid = {3, 4, 5};
  DispatchOptions options;
  options.resident = 7;
  launch_kernel(memory, launch, write_place, a, options);
  const std::vector<uint32_t> out = memory.read_array(a.out, 60);
  for (uint32_t id = 0; id < 60; ++id) {
    CAPTURE(id);
    CHECK(out[id] == (id % 3 | id / 3 % 4 << 8 | id / 12 << 16 | id % 8 << 24));
  }
}
