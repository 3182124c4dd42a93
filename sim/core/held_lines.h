// SPDX-License-Identifier: MIT
// The cache lines that a workgroup loaded plainly since it last invalidated its caches, and when it first
// did: its CU's L1 or its XCD's L2 may still hold what they were then.
//
// What it models: LLVM's AMDGPU memory model for gfx942, which gfx950 shares. L1 and L2 keep lines of 128
// bytes; a plain load may hit in either; a store of another CU or XCD reaches memory, but not these caches;
// buffer_inv sc1 invalidates both; a load with SC0 or SC1 is not served by a stale line of the scope that it
// names. Level: inferred (nobody has published when a line is really evicted). assumption: a load with SC0 or
// SC1 leaves no line behind that a plain load could hit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace wavetwin {

class HeldLines {
 public:
  static constexpr unsigned kLineBits = 7;

  // The caches were invalidated.
  void clear() { first_.clear(), recent_ = ~uint64_t{0}; }

  // A plain load of `bytes` > 0 bytes in `round`.
  void load(uint64_t address, uint64_t bytes, uint64_t round) {
    const uint64_t last = (address + bytes - 1) >> kLineBits;
    for (uint64_t line = address >> kLineBits; line <= last; ++line) {
      if (line == recent_) continue;
      recent_ = line;
      // A CU's share of its XCD's L2: what was loaded before is forgotten, as if it had been evicted.
      if (first_.size() >= kMostLines) first_.clear();
      first_.try_emplace(line, round);
    }
  }

  // The round in which the line of `address` was loaded first, if it may be held.
  std::optional<uint64_t> since(uint64_t address) const {
    const auto at = first_.find(address >> kLineBits);
    return at == first_.end() ? std::nullopt : std::optional(at->second);
  }

 private:
  static constexpr size_t kMostLines = ((size_t{4} << 20) / 32) >> kLineBits;  // 4 MiB, 32 CUs

  std::unordered_map<uint64_t, uint64_t> first_;  // line -> round
  uint64_t recent_ = ~uint64_t{0};
};

}  // namespace wavetwin
