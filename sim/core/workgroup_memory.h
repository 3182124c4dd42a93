// SPDX-License-Identifier: MIT
// One workgroup's view of device memory, used by simulated kernels and by the executor.
//
// Rules (a workgroup runs on one thread at a time; rounds and commits are those of sim/core/dispatch.h):
// - A plain store (no SC1) changes memory at once. A device-scope store (SC1) and every atomic enter the
// workgroup's
//   pending list and change memory when the round is committed: workgroup by workgroup, in program order, in
//   lane order.
// - The workgroup's own loads of every kind see memory overlaid by its own pending bytes. A plain store that
// touches a
//   pending byte joins the list.
// - An operation that entered the list gives a PendingTicket; its counter (vmcnt, lgkmcnt) stays up until the
// ticket
//   is committed. The values of a returning atomic are delivered at commit.
// - SC0 and NT change nothing here. buffer_wbl2 / buffer_inv move no data, but are noted: a load of what
// another
//   workgroup stored plainly in an earlier round is a finding when the part's caches may hide it, that is
//   when the writer has not written back since, or the reader loads without device scope and has not
//   invalidated since. Device-scope stores are in memory, and a reader that never held the line sees them
//   with a plain load; one that loaded the line plainly before the store, and has not invalidated since, may
//   see the old bytes: a finding, too (sim/core/held_lines.h). Program order counts to the round.
//
// Lane data is dword-major: data[64 * d + l] is dword d of lane l (the layout of Vgprs<N> and of a VGPR
// file). Sub-dword loads zero-extend. An access that no buffer holds is an Error naming lane, address and
// nearest buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/core/atomic_op.h"
#include "sim/core/global_memory.h"
#include "sim/core/held_lines.h"
#include "sim/core/lane.h"

namespace wavetwin {

class AccessLog;
class PendingList;
class Workgroup;

// Cache policy bits, as in the aux operand of buffer builtins.
inline constexpr uint32_t kCacheSc0 = 1;
inline constexpr uint32_t kCacheNt = 2;
inline constexpr uint32_t kCacheSc1 = 16;  // device scope

// 0: nothing is pending, the operation is complete.
using PendingTicket = uint64_t;

class WorkgroupMemory {
 public:
  WorkgroupMemory();
  ~WorkgroupMemory();

  // Called by the scheduler when a workgroup starts.
  struct Checks {
    bool races = true;
    bool never_written = true;
    size_t race_pages = 0;  // capacity of the access log
    // 1 + the round of each workgroup's last write-back, as of the last commit; null: fences are not checked.
    const std::vector<uint64_t>* released = nullptr;
  };
  void begin(Workgroup* owner, GlobalMemory* memory, uint32_t launch_number, const Checks& checks);

  // bytes: 1, 2, 4, 8, 12 or 16 a lane, any alignment. Lanes outside the mask are left alone in `out`.
  void load(const uint64_t* address, LaneMask mask, unsigned bytes, uint32_t* out, uint32_t cache);
  PendingTicket store(const uint64_t* address, LaneMask mask, unsigned bytes, const uint32_t* data,
                      uint32_t cache);
  // bytes: 4 or 8, naturally aligned. `compare` and `returned` may be null; `returned` gets the values before
  // the operation, in the lanes of the mask, at commit, and must stay valid until then (or the end of the
  // launch).
  PendingTicket atomic(const uint64_t* address, LaneMask mask, unsigned bytes, AtomicFunction function,
                       const uint32_t* data, const uint32_t* compare, uint32_t* returned,
                       LaneOrder order = LaneOrder::ascending);

  // Scalar memory: consecutive dwords at a dword-aligned address (the low two bits are ignored, as the part
  // does).
  void load_scalar(uint64_t address, unsigned dwords, uint32_t* out);
  PendingTicket store_scalar(uint64_t address, unsigned dwords, const uint32_t* data, uint32_t cache);

  // buffer_wbl2 and buffer_inv at device scope.
  void note_release();
  void note_acquire();

  // True once the operation's effect is in memory (and its values are delivered).
  bool committed(PendingTicket ticket) const;
  bool has_pending() const;

  // ---- for the scheduler

  PendingList& pending() { return *pending_; }
  AccessLog& accesses() { return *accesses_; }
  uint64_t released() const { return released_; }  // 1 + round, 0: never
  // True once a plain store changed a byte since the last call.
  bool take_changed() {
    const bool changed = changed_;
    changed_ = false;
    return changed;
  }

 private:
  // The region that holds `bytes` at each masked address, or null: several regions, or out of bounds.
  Region* common_region(const uint64_t* address, LaneMask mask, unsigned bytes);
  Region& region_of(const char* what, unsigned lane, uint64_t address, unsigned bytes);
  Region& writable_region(const char* what, unsigned lane, uint64_t address, unsigned bytes);

  void load_from(Region& region, const uint64_t* address, LaneMask mask, unsigned bytes, uint32_t* out,
                 uint32_t cache);
  void hold_lines(const uint64_t* address, LaneMask mask, unsigned bytes);
  void check_fences(const Region& region, const uint64_t* address, LaneMask mask, unsigned bytes,
                    uint32_t cache);
  std::string missing_fence(const Region& region, uint64_t address, uint32_t bytes, uint32_t cache) const;
  void check_loaded(Region& region, const uint64_t* address, LaneMask mask, unsigned bytes, uint32_t* out);
  void overlay_lane(Region& region, unsigned lane, uint64_t address, unsigned bytes, uint32_t* out);
  void store_plain(Region& region, uint64_t address, unsigned bytes, const uint8_t* value);
  uint64_t packed_writer() const;

  Workgroup* owner_ = nullptr;
  GlobalMemory* memory_ = nullptr;
  Region* last_region_ = nullptr;
  uint32_t launch_number_ = 0;
  Checks checks_;
  bool changed_ = false;
  uint64_t released_ = 0, acquired_ = 0;  // 1 + round
  HeldLines held_;
  std::unique_ptr<PendingList> pending_;
  std::unique_ptr<AccessLog> accesses_;
};

// An in-order counter of outstanding operations of one wave (vmcnt; with a wait for 0 also lgkmcnt): every
// operation issued after an uncommitted one counts as outstanding too.
class MemoryCounter {
 public:
  void issue(PendingTicket ticket) {
    ++issued_;
    if (ticket != 0) open_.push_back({issued_, ticket});
  }
  // What the hardware counter would show.
  uint64_t outstanding(const WorkgroupMemory& memory) {
    while (first_ < open_.size() && memory.committed(open_[first_].ticket)) ++first_;
    if (first_ == open_.size()) {
      open_.clear();
      first_ = 0;
      return 0;
    }
    return issued_ - open_[first_].sequence + 1;
  }

 private:
  struct Open {
    uint64_t sequence;
    PendingTicket ticket;
  };
  uint64_t issued_ = 0;
  size_t first_ = 0;
  std::vector<Open> open_;
};

}  // namespace wavetwin
