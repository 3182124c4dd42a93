// SPDX-License-Identifier: MIT
// The private segment (scratch) of one wave. The layout is the hardware's: dword-interleaved, so that lanes
// that use the same offset lie side by side (isa guide, "Scratch memory: swizzled addressing").
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/lane.h"

namespace wavetwin::isa {

class PrivateMemory {
 public:
  // `bytes` a lane; contents are kPoison until written.
  void reset(uint32_t bytes);
  uint32_t bytes_per_lane() const { return bytes_; }
  const std::vector<uint32_t>& words() const { return words_; }

  // Per-lane byte offsets; data is dword-major as in WorkgroupMemory. Sub-dword loads zero-extend. Error past
  // the end.
  void load(const uint32_t* offset, LaneMask mask, unsigned bytes, uint32_t* out) const;
  void store(const uint32_t* offset, LaneMask mask, unsigned bytes, const uint32_t* data);

 private:
  void check(const char* what, const uint32_t* offset, LaneMask mask, unsigned bytes) const;

  uint32_t bytes_ = 0;
  std::vector<uint32_t> words_;  // [bytes / 4][64]
};

}  // namespace wavetwin::isa
