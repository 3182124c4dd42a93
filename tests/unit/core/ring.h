// SPDX-License-Identifier: MIT
// A kernel that exercises flags, barriers, LDS and atomics between 256 workgroups, and a hash of all it
// wrote.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/dispatch.h"

namespace wavetwin {

struct RingArgs {
  DevicePtr<uint32_t> data;   // [workgroups][512]
  DevicePtr<uint32_t> flags;  // [workgroups]
  DevicePtr<uint32_t> sum;    // one counter
  uint32_t workgroups;
  uint32_t tag;
};

// Waits until flags[index] is the tag, in every lane of the wave.
inline SubTask<> ring_await(Wave& wave, DevicePtr<uint32_t> flags, uint32_t index, uint32_t tag) {
  wave.stage("ring: await neighbour");
  const LaneU32 at = index;
  while (true) {
    const LaneU32 seen = wave.load_element(flags, at, LaneMask::lane(0), kCacheSc1);
    if (seen[0] == tag) break;
    wave.awaiting(LaneU64(flags.offset(index).address), LaneMask::lane(0), tag);
    co_await wave.sleep(1);
  }
  wave.arrived();
}

// Workgroup w waits for w - 1 (workgroup 0 starts), adds its id to the neighbour's words through LDS,
// publishes.
inline WaveTask ring_kernel(Wave& wave, RingArgs a) {
  const uint32_t w = wave.workgroup_id();
  const LaneU32 tid = wave.thread_id();
  LaneU32 v = 1u;
  if (w != 0) {
    co_await ring_await(wave, a.flags, w - 1, a.tag);
    v = wave.load_element(a.data, 512 * (w - 1) + tid);
  }
  wave.stage("ring: mix");
  wave.lds().store(tid, v * 3 + w);
  co_await wave.barrier();
  const LaneU32 mixed = wave.lds().load((tid + 64) % 512) + tid;
  wave.store_element(a.data, 512 * w + tid, mixed, kAllLanes, kCacheSc1);
  wave.atomic(LaneU64(a.sum.address), atomic_op::add<uint32_t>, mixed);
  wave.stage("ring: publish");
  co_await wave.wait_stores();
  co_await wave.barrier();
  wave.store_element(a.flags, LaneU32(w), LaneU32(a.tag), LaneMask::lane(0) & (wave.wave_id() == 0),
                     kCacheSc1);
}

struct RingResult {
  uint64_t hash;
  uint64_t rounds;
  DispatchReport report;
};

inline RingResult run_ring(uint32_t workgroups, const DispatchOptions& options) {
  GlobalMemory memory;
  RingArgs a;
  a.data = memory.allocate_array<uint32_t>("data", 512 * workgroups);
  a.flags = memory.allocate_array<uint32_t>("flags", workgroups);
  a.sum = memory.allocate_array<uint32_t>("sum", 1);
  memory.fill(a.flags.address, 4 * workgroups, 0);
  memory.fill(a.sum.address, 4, 0);
  a.workgroups = workgroups;
  a.tag = 7;
  Launch launch{"ring", {workgroups}, {512}, 2048, 128};
  DispatchReport report = launch_kernel(memory, launch, ring_kernel, a, options);
  uint64_t hash = 1469598103934665603ull;
  const auto mix = [&](uint32_t word) { hash = (hash ^ word) * 1099511628211ull; };
  for (const uint32_t word : memory.read_array(a.data, 512 * workgroups)) mix(word);
  mix(memory.read_array(a.sum, 1)[0]);
  return {hash, report.rounds, report};
}

}  // namespace wavetwin
