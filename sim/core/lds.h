// SPDX-License-Identifier: MIT
// The LDS of one workgroup: up to 160 KiB, byte addressed, with checks.
//
// Accesses are per lane: address[l] is the byte address in lane l, data is dword-major (data[64 * d + l] is
// dword d of lane l), which is the layout of both Vgprs<N> and a VGPR file. Sub-dword loads zero-extend;
// sub-dword stores take the low bits. Any byte alignment is accepted. Operations are immediate, in lane
// order.
//
// Checks: bytes nobody wrote since the workgroup started read as kPoison and are a finding; two waves that
// touch a byte between two barriers with a plain store among them are a finding, as is an access that a late
// one of another wave (late_lds.h) may follow; an access past the end reads 0 or is dropped with a finding
// (CDNA4 ISA guide, "LDS: out of range"), or is an Error when the rule is LdsRange::strict.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sim/core/atomic_op.h"
#include "sim/core/lane.h"
#include "sim/core/late_lds.h"

namespace wavetwin {

class Workgroup;

inline constexpr uint32_t kMaxLdsBytes =
    160 * 1024;  // LDS of a gfx950 CU, all of it for one workgroup if it asks

enum class LdsRange : uint8_t {
  hardware,  // out of range: loads give 0, stores are dropped
  strict,    // out of range: Error
};

class Lds {
 public:
  // A fresh allocation for a workgroup that starts: every byte counts as never written. Reuses the memory it
  // has.
  void begin(Workgroup* owner, uint32_t bytes, bool check_races, bool check_never_written);
  void set_range(LdsRange range) { range_ = range; }

  uint32_t size() const { return size_; }

  // bytes: 1, 2, 4, 8, 12 or 16. Lanes outside the mask are left alone in `out`.
  void load(const uint32_t* address, LaneMask mask, unsigned bytes, uint32_t* out);
  void store(const uint32_t* address, LaneMask mask, unsigned bytes, const uint32_t* data);
  // bytes: 4 or 8. `compare` and `returned` (the values before the operation) may be null.
  void atomic(const uint32_t* address, LaneMask mask, unsigned bytes, AtomicFunction function,
              const uint32_t* data, const uint32_t* compare, uint32_t* returned,
              LaneOrder order = LaneOrder::ascending);

  // All live waves passed a barrier: accesses before and after it do not race, but for the late ones.
  void next_interval();

  // Until record_to(nullptr), accesses are appended to the list, without lanes out of range.
  void record_to(std::vector<LdsAccess>* list) { recorded_ = list; }
  // The running wave goes to a barrier and does not know yet that this is done.
  void cross_barrier(LateLdsAccess late) {
    if (check_races_) late_.cross_barrier(std::move(late));
  }

  // Host side, for tests and traces: no checks. Never-written bytes read as poison.
  void peek(uint32_t address, uint32_t bytes, uint8_t* out) const;
  bool is_written(uint32_t address) const { return (written_[address / 64] >> (address % 64)) & 1; }

  // True once a byte changed value since the last call.
  bool take_changed() {
    const bool changed = changed_;
    changed_ = false;
    return changed;
  }

 private:
  static constexpr uint32_t kChunk = 1024;  // bytes whose race marks are cleared together

  bool in_range(uint32_t address, unsigned bytes) const {
    return address <= size_ && bytes <= size_ - address;
  }
  void out_of_range(unsigned lane, uint32_t address, unsigned bytes, const char* what);
  uint32_t unwritten_mask(uint32_t address, unsigned bytes) const;
  void mark_written(uint32_t address, unsigned bytes);
  void poison_unwritten(unsigned lane, uint32_t address, unsigned bytes, uint8_t* value);
  template <unsigned kBytes>
  void load_lane(unsigned lane, uint32_t address, uint32_t* out);
  template <unsigned kBytes>
  void store_lane(unsigned lane, uint32_t address, const uint32_t* data);
  template <unsigned kBytes>
  void mark_access(unsigned lane, uint32_t address, LdsUse use);
  void fresh_marks(uint32_t address, unsigned bytes);
  void clear_marks(uint32_t chunk);
  template <class T>
  bool mark_word(uint32_t address, uint8_t me, LdsUse use);
  void mark_byte(unsigned lane, uint32_t address, uint8_t me, LdsUse use);
  void report_race(unsigned lane, uint32_t address, uint8_t me, LdsUse use);
  void check_late(unsigned lane, uint32_t address, unsigned bytes, LdsUse use);
  void record(const uint32_t* address, LaneMask mask, unsigned bytes, LdsUse use);

  Workgroup* owner_ = nullptr;
  uint32_t size_ = 0;
  LdsRange range_ = LdsRange::hardware;
  bool check_races_ = false;
  bool check_never_written_ = true;
  bool changed_ = false;
  bool race_reported_ = false;  // of the lane's access at hand
  uint32_t interval_ = 1;
  std::vector<uint8_t> data_;      // size_ + 16: an access inside is one 16-byte copy at most
  std::vector<uint64_t> written_;  // one bit a byte
  std::vector<uint8_t> writer_;    // per byte: 1 + wave that stored it in this interval, 0 none
  std::vector<uint8_t> reader_;    // per byte: 1 + wave that read it in this interval, 0 none, 255 several
  std::vector<uint32_t> chunk_interval_;  // interval that the marks of a chunk belong to
  LateLds late_;
  std::vector<LdsAccess>* recorded_ = nullptr;
};

}  // namespace wavetwin
