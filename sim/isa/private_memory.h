// SPDX-License-Identifier: MIT
// The private segment (scratch) of one wave. The layout is the hardware's: dword-interleaved, so that lanes
// that use the same offset lie side by side (isa guide, "Scratch memory: swizzled addressing").
//
// Memory is taken by pages, when they are first stored to: the frames of unoptimised kernels and dynamic
// stacks are far larger than what a wave uses of them, and thousands of waves are resident at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/core/lane.h"

namespace wavetwin::isa {

class PrivateMemory {
 public:
  // `bytes` a lane; contents are kPoison until written.
  void reset(uint32_t bytes);
  uint32_t bytes_per_lane() const { return bytes_; }
  // What the pages in use take on the host.
  size_t resident_bytes() const { return words_.size() * sizeof(uint32_t); }
  // The same size, the same pages in use and the same contents.
  bool operator==(const PrivateMemory&) const = default;

  // Per-lane byte offsets; data is dword-major as in WorkgroupMemory. Sub-dword loads zero-extend. Error past
  // the end.
  void load(const uint32_t* offset, LaneMask mask, unsigned bytes, uint32_t* out) const;
  void store(const uint32_t* offset, LaneMask mask, unsigned bytes, const uint32_t* data);

 private:
  static constexpr size_t kPageRows = 16;  // a row is one dword of each lane
  static constexpr size_t kPageWords = kPageRows * kWaveSize;
  static constexpr uint32_t kUnused = UINT32_MAX;

  void check(const char* what, const uint32_t* offset, LaneMask mask, unsigned bytes) const;
  // The 64 dwords at byte offset `at`; nullptr where nothing was stored.
  const uint32_t* row(uint32_t at) const;
  uint32_t* row_to_store(uint32_t at);

  uint32_t bytes_ = 0;
  std::vector<uint32_t> pages_;  // [rows / kPageRows]: the page's number in words_
  std::vector<uint32_t> words_;  // pages in the order of their first store: [page][kPageRows][64]
};

}  // namespace wavetwin::isa
