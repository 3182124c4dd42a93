// SPDX-License-Identifier: MIT
// Device-scope stores and atomics of one workgroup that are not yet in memory, in program order, and the
// bytes that its own loads see of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/core/atomic_op.h"
#include "sim/core/global_memory.h"
#include "sim/core/lane.h"
#include "sim/core/workgroup_memory.h"

namespace wavetwin {

// Byte values by address: an open hash of 8-byte words.
class ByteOverlay {
 public:
  bool empty() const { return used_.empty(); }
  void clear();
  void set(uint64_t address, unsigned bytes, const uint8_t* value);
  // Replaces covered bytes of `value`; bit i of the result: byte address + i was covered.
  uint32_t apply(uint64_t address, unsigned bytes, uint8_t* value) const;

 private:
  struct Word {
    uint64_t key = 0;  // address / 8 + 1; 0: free
    uint64_t value = 0;
    uint8_t mask = 0;
  };
  const Word* find(uint64_t key) const;
  Word& insert(uint64_t key);
  void grow();

  std::vector<Word> table_;
  std::vector<uint32_t> used_;
  uint64_t lowest_ = ~uint64_t{0};  // keys lie in [lowest_, highest_]
  uint64_t highest_ = 0;
};

class PendingList {
 public:
  // With a seed, every entry waits a further 0 .. max_delay rounds before its commit.
  void begin(uint32_t workgroup, std::optional<uint64_t> seed, uint32_t max_delay);

  bool empty() const { return entries_.empty(); }
  const ByteOverlay& overlay() const { return overlay_; }
  bool committed(PendingTicket ticket) const;

  // Adding: open an entry, then its lanes in order. Lanes' bytes lie in `region`.
  PendingTicket open(uint32_t wave, uint64_t round, unsigned bytes);
  void add_store(Region* region, uint64_t address, const uint8_t* value);
  PendingTicket open_atomic(uint32_t wave, uint64_t round, unsigned bytes, AtomicFunction function,
                            uint32_t* returned);
  void add_atomic(Region* region, unsigned lane, uint64_t address, uint64_t data, uint64_t compare);

  struct Commit {
    uint64_t entries = 0;
    bool changed = false;  // a byte of memory has another value now
  };
  // Applies every entry that is due in `round`, in order; an entry that overlaps an earlier one that stays,
  // stays too.
  Commit commit(uint64_t round, uint32_t launch);

 private:
  struct Entry {
    PendingTicket ticket;
    uint64_t due;         // round at whose end it may be applied
    uint64_t round;       // round it was issued in
    size_t first, count;  // pieces
    uint32_t wave;
    uint32_t bytes;
    AtomicFunction function;  // null: a store
    uint32_t* returned;
  };
  struct Piece {
    uint64_t address;
    Region* region;
    uint64_t data[2];  // of an atomic: data, compare
    uint32_t lane;
  };

  bool apply(const Entry& entry, uint32_t launch);
  void show(const Entry& entry, const Piece& piece);
  uint64_t delay(PendingTicket ticket) const;

  uint32_t workgroup_ = 0;
  std::optional<uint64_t> seed_;
  uint32_t max_delay_ = 0;
  PendingTicket next_ticket_ = 1;
  std::vector<Entry> entries_;
  std::vector<Piece> pieces_;
  ByteOverlay overlay_;
};

}  // namespace wavetwin
