// SPDX-License-Identifier: MIT
// LDS accesses that a barrier leaves unordered, since their wave went there without having waited for them.
//
// s_barrier waits for the other waves only. LDS accesses of one wave are done in order, but those of
// different waves pass each other in the request queues of the compute unit's LDS, so that only a wait of the
// wave itself shows that its own are done (LLVM AMDGPUUsage, memory model of gfx942: it puts s_waitcnt
// lgkmcnt(0) before the barrier of a workgroup's fence; isa guide 4.4: what the counters say). What was not
// waited for may happen after anything that other waves do behind the barrier.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/lane.h"

namespace wavetwin {

enum class LdsUse : uint8_t { read, write, atomic };

// Of one instruction: `bytes` at the address of each lane in `mask`, all of them inside the allocation.
struct LdsAccess {
  LdsUse use;
  uint8_t bytes;
  LaneMask mask;
  std::array<uint32_t, kWaveSize> address;

  // A byte that both touch, if any: the first of this one's first lane.
  std::optional<uint32_t> shared_byte(const LdsAccess& other) const;
};

// What one instruction of a wave did.
struct LateLdsAccess {
  uint32_t wave;
  std::shared_ptr<const std::vector<LdsAccess>> accesses;
  // "ds_write_b32 v1, v0 at pc 0x10, without a wait for lgkmcnt before the barrier"
  std::function<std::string()> describe;
};

// The late accesses of one workgroup.
class LateLds {
 public:
  void begin(uint32_t lds_bytes);

  // The wave is at a barrier: in the interval behind it the access may still happen.
  void cross_barrier(LateLdsAccess late) { crossing_.push_back(std::move(late)); }
  // All live waves passed the barrier.
  void next_interval();

  // Whether there are any in this interval.
  bool any() const { return !late_.empty(); }

  struct Conflict {
    const LateLdsAccess* late;
    LdsUse use;
    uint32_t address;  // of the byte
  };
  // The late access of another wave whose order matters to what `wave` does with these bytes, which are
  // inside the allocation. Stores must be in order with everything, atomics with reads too; atomics commute.
  std::optional<Conflict> conflict(uint32_t wave, uint32_t address, unsigned bytes, LdsUse use) const;

 private:
  template <class F>
  static void for_each_byte(const std::vector<LateLdsAccess>& late, F f);

  std::vector<LateLdsAccess> crossing_, late_;
  uint32_t lds_bytes_ = 0;
  std::vector<uint8_t> marks_;  // per byte: a bit for each LdsUse of late_; empty until there are some
};

}  // namespace wavetwin
