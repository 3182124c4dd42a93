// SPDX-License-Identifier: MIT
// Loads and stores by element or 64-bit address; their twin is hip/device/memory.h. Buffers are methods of
// Wave.
#pragma once

#include "sim/core/atomic_op.h"
#include "sim/core/wave_task.h"
#include "sim/kernels/device_arithmetic.h"

namespace wavetwin {

inline LaneI32 ld_i32(Wave& wave, DevicePtr<const int32_t> p, const LaneU32& i, LaneMask in = kAllLanes) {
  return wave.load_element(p, i, in);
}
inline LaneF32 ld_f32(Wave& wave, DevicePtr<const float> p, const LaneU32& i, LaneMask in = kAllLanes) {
  return wave.load_element(p, i, in);
}
inline LaneF32 ld_bf(Wave& wave, DevicePtr<const uint16_t> p, const LaneU32& i, LaneMask in = kAllLanes) {
  return bf_lo(convert<uint32_t>(wave.load_element(p, i, in)));
}
// Words 2 i (low, unsigned) and 2 i + 1 (high).
inline LaneI64 ld_i64(Wave& wave, DevicePtr<const uint32_t> p, const LaneU32& i, LaneMask in = kAllLanes) {
  return lane_cast<int64_t>(combine(wave.load_element(p, 2 * i, in), wave.load_element(p, 2 * i + 1, in)));
}

// 1, 2 or 4 words at a 64-bit device address aligned to their size; kNt is a cache hint.
template <uint32_t kWords, bool kNt = false>
Vgprs<kWords> gload(Wave& wave, const LaneU64& address, LaneMask in = kAllLanes) {
  static_assert(kWords == 1 || kWords == 2 || kWords == 4);
  return wave.load<kWords>(address, in, kNt ? kCmNt : kCmPlain);
}
template <uint32_t kWords>
void gstore(Wave& wave, const LaneU64& address, const Vgprs<kWords>& v, LaneMask in = kAllLanes) {
  static_assert(kWords == 1 || kWords == 2 || kWords == 4);
  wave.store<kWords>(address, v, in);
}

// Relaxed device-scope add; the value before it: `const LaneU32 old = co_await atomic_add_dev(...)`.
inline Wave::ReturningAtomic atomic_add_dev(Wave& wave, const LaneU64& address, const LaneU32& v,
                                            LaneMask in = kAllLanes) {
  return wave.atomic_return(address, atomic_op::add<uint32_t>, v, in);
}

// use(v, load(v), in) for v = tid, tid + kThreads, ... below n; the loads of kBatch rounds are in flight
// together, their index held inside.
template <uint32_t kCount, uint32_t kBatch = kLoadBatch, class Load, class Use>
void batched_rounds(const LaneU32& tid, Load load, Use use) {
  constexpr uint32_t kRounds = (kCount + kThreads - 1) / kThreads;
  for (uint32_t first = 0; first < kRounds; first += kBatch) {
    decltype(load(tid)) loaded[kBatch];
    for (uint32_t i = 0; i < kBatch; ++i) {
      const LaneU32 v = tid + kThreads * (first + i);
      if (first + i < kRounds) loaded[i] = load(min(v, kCount - 1));
    }
    for (uint32_t i = 0; i < kBatch; ++i) {
      const LaneU32 v = tid + kThreads * (first + i);
      if (first + i < kRounds) use(v, loaded[i], v < kCount);
    }
  }
}

}  // namespace wavetwin
