// SPDX-License-Identifier: MIT
// What the checks of a run found: reads of bytes nobody wrote, races, out-of-range LDS accesses, register
// misuse. Findings do not stop a run and do not change its results; errors (sim/core/error.h) do.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace wavetwin {

// Bytes nobody wrote read as this dword, little endian, at dword-aligned addresses: a signalling NaN as f32,
// a NaN in both bf16 halves, and an e4m3 / E8M0 NaN in every other byte.
inline constexpr uint32_t kPoison = 0xFFA5FFA5u;
constexpr uint8_t poison_byte(uint64_t address) { return address & 1 ? 0xFF : 0xA5; }

enum class FindingKind : uint8_t {
  memory_never_written,  // a load of device memory covered a byte that nobody wrote
  lds_never_written,     // a load of LDS covered a byte that this workgroup did not write
  memory_race,           // two workgroups touched a byte in one round, one of them by a plain store
  lds_race,              // two waves touched an LDS byte, one by a plain store, and nothing orders them
  lds_out_of_range,      // an LDS access past the allocation: it read 0 or was dropped, as on the part
  unwaited_lds,        // an LDS access met one that its wave took past a barrier, or itself, without the wait
  early_register_use,  // a register was read before the wait that covers it (executor)
  missing_wait_states,  // an instruction follows another one too closely for the part (executor)
  missing_fence,        // a load of another workgroup's data that the part's caches may hide (executor)
  lost_scalar_store,    // the program ended without writing a scalar store back from its cache (executor)
};
constexpr size_t kFindingKinds = 10;
const char* finding_name(FindingKind kind);  // in words
const char* finding_key(FindingKind kind);   // as above, for options

// By FindingKind.
using FindingKinds = std::bitset<kFindingKinds>;
using FindingCounts = std::array<uint64_t, kFindingKinds>;

// One observation. `text` is a whole sentence without the place; `where` is the wave's own word for its
// place.
struct Finding {
  FindingKind kind;
  uint64_t round = 0;
  uint32_t workgroup = 0;
  uint32_t wave = 0;
  uint32_t lane = 0;
  uint64_t address = 0;  // device address, or LDS byte
  std::string where;
  std::string text;

  // "race: workgroup 3 wave 1 lane 7 (split: store): ..." on one line.
  std::string line() const;
};

// Keeps the first `capacity` findings of each kind and counts them all.
class FindingLog {
 public:
  explicit FindingLog(size_t capacity = 16) : capacity_(capacity) {}

  // Counts one, and says whether its text is wanted: if so, add() it.
  bool count(FindingKind kind) { return counts_[static_cast<size_t>(kind)]++ < capacity_; }
  void add(Finding finding) { kept_.push_back(std::move(finding)); }

  // Appends another log's findings, oldest first, up to this log's capacity.
  void merge(FindingLog&& other);
  void clear();

  const std::vector<Finding>& kept() const { return kept_; }
  uint64_t total(FindingKind kind) const { return counts_[static_cast<size_t>(kind)]; }
  uint64_t total() const;
  bool empty() const { return total() == 0; }

 private:
  size_t capacity_;
  std::vector<Finding> kept_;
  FindingCounts counts_{};
};

}  // namespace wavetwin
