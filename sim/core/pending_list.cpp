// SPDX-License-Identifier: MIT
#include "sim/core/pending_list.h"

#include <algorithm>
#include <cstring>
#include <unordered_set>

#include "sim/core/relaxed_copy.h"
#include "sim/core/schedule_hash.h"

namespace wavetwin {

// ---- ByteOverlay

namespace {

size_t slot_of(uint64_t key, size_t table_size) {
  return (key * 0x9E3779B97F4A7C15ull >> 20) & (table_size - 1);
}

}  // namespace

void ByteOverlay::clear() {
  for (const uint32_t slot : used_) table_[slot] = Word{};
  used_.clear();
  lowest_ = ~uint64_t{0};
  highest_ = 0;
}

const ByteOverlay::Word* ByteOverlay::find(uint64_t key) const {
  if (key < lowest_ || key > highest_) return nullptr;
  for (size_t slot = slot_of(key, table_.size());; slot = (slot + 1) & (table_.size() - 1)) {
    if (table_[slot].key == key) return &table_[slot];
    if (table_[slot].key == 0) return nullptr;
  }
}

ByteOverlay::Word& ByteOverlay::insert(uint64_t key) {
  if (2 * (used_.size() + 1) > table_.size()) grow();
  size_t slot = slot_of(key, table_.size());
  while (table_[slot].key != 0 && table_[slot].key != key) slot = (slot + 1) & (table_.size() - 1);
  if (table_[slot].key == 0) {
    table_[slot].key = key;
    used_.push_back(static_cast<uint32_t>(slot));
    lowest_ = std::min(lowest_, key);
    highest_ = std::max(highest_, key);
  }
  return table_[slot];
}

void ByteOverlay::grow() {
  std::vector<Word> old = std::move(table_);
  table_.assign(std::max<size_t>(64, 2 * old.size()), Word{});
  used_.clear();
  for (const Word& word : old) {
    if (word.key != 0) insert(word.key) = word;
  }
}

void ByteOverlay::set(uint64_t address, unsigned bytes, const uint8_t* value) {
  for (unsigned i = 0; i < bytes;) {
    Word& word = insert((address + i) / 8 + 1);
    const unsigned at = (address + i) % 8;
    const unsigned count = std::min(8 - at, bytes - i);
    std::memcpy(reinterpret_cast<uint8_t*>(&word.value) + at, value + i, count);
    word.mask |= static_cast<uint8_t>(((1u << count) - 1) << at);
    i += count;
  }
}

uint32_t ByteOverlay::apply(uint64_t address, unsigned bytes, uint8_t* value) const {
  uint32_t covered = 0;
  for (unsigned i = 0; i < bytes;) {
    const unsigned at = (address + i) % 8;
    const unsigned count = std::min(8 - at, bytes - i);
    const Word* word = find((address + i) / 8 + 1);
    for (unsigned b = 0; word != nullptr && b < count; ++b) {
      if (((word->mask >> (at + b)) & 1) == 0) continue;
      value[i + b] = static_cast<uint8_t>(word->value >> (8 * (at + b)));
      covered |= 1u << (i + b);
    }
    i += count;
  }
  return covered;
}

// ---- PendingList

void PendingList::begin(uint32_t workgroup, std::optional<uint64_t> seed, uint32_t max_delay) {
  workgroup_ = workgroup;
  seed_ = seed;
  max_delay_ = max_delay;
  next_ticket_ = 1;
  entries_.clear();
  pieces_.clear();
  overlay_.clear();
}

bool PendingList::committed(PendingTicket ticket) const {
  const auto at = std::lower_bound(entries_.begin(), entries_.end(), ticket,
                                   [](const Entry& entry, PendingTicket t) { return entry.ticket < t; });
  return at == entries_.end() || at->ticket != ticket;
}

uint64_t PendingList::delay(PendingTicket ticket) const {
  if (!seed_ || max_delay_ == 0) return 0;
  return schedule_hash(*seed_, workgroup_, ticket) % (uint64_t{max_delay_} + 1);
}

PendingTicket PendingList::open(uint32_t wave, uint64_t round, unsigned bytes) {
  return open_atomic(wave, round, bytes, nullptr, nullptr);
}

PendingTicket PendingList::open_atomic(uint32_t wave, uint64_t round, unsigned bytes, AtomicFunction function,
                                       uint32_t* returned) {
  const PendingTicket ticket = next_ticket_++;
  entries_.push_back(
      {ticket, round + delay(ticket), round, pieces_.size(), 0, wave, bytes, function, returned});
  return ticket;
}

void PendingList::add_store(Region* region, uint64_t address, const uint8_t* value) {
  Entry& entry = entries_.back();
  Piece piece{address, region, {}, 0};
  std::memcpy(piece.data, value, entry.bytes);
  pieces_.push_back(piece);
  ++entry.count;
  show(entry, piece);
}

void PendingList::add_atomic(Region* region, unsigned lane, uint64_t address, uint64_t data,
                             uint64_t compare) {
  Entry& entry = entries_.back();
  pieces_.push_back({address, region, {data, compare}, lane});
  ++entry.count;
  show(entry, pieces_.back());
}

// Makes the workgroup's own loads see the piece.
void PendingList::show(const Entry& entry, const Piece& piece) {
  if (entry.function == nullptr) {
    overlay_.set(piece.address, entry.bytes, reinterpret_cast<const uint8_t*>(piece.data));
    return;
  }
  uint64_t visible = 0;
  uint8_t* bytes = reinterpret_cast<uint8_t*>(&visible);
  relaxed_read(piece.region->host(piece.address), entry.bytes, bytes);
  piece.region->poison_unwritten(piece.address, entry.bytes, bytes);
  overlay_.apply(piece.address, entry.bytes, bytes);
  const uint64_t next = entry.function(visible, piece.data[0], piece.data[1]);
  overlay_.set(piece.address, entry.bytes, reinterpret_cast<const uint8_t*>(&next));
}

bool PendingList::apply(const Entry& entry, uint32_t launch) {
  bool changed = false;
  const uint64_t writer = Region::pack_writer({launch, workgroup_, entry.wave, entry.round, true});
  for (size_t p = entry.first; p < entry.first + entry.count; ++p) {
    const Piece& piece = pieces_[p];
    uint8_t* memory = piece.region->host(piece.address);
    uint64_t old[2] = {};
    uint64_t next[2] = {piece.data[0], piece.data[1]};
    uint8_t* old_bytes = reinterpret_cast<uint8_t*>(old);
    relaxed_read(memory, entry.bytes, old_bytes);
    piece.region->poison_unwritten(piece.address, entry.bytes, old_bytes);
    if (entry.function != nullptr) {
      next[0] = entry.function(old[0], piece.data[0], piece.data[1]);
      for (unsigned d = 0; entry.returned != nullptr && d < entry.bytes / 4; ++d) {
        entry.returned[d * kWaveSize + piece.lane] = static_cast<uint32_t>(old[0] >> (32 * d));
      }
    }
    changed |= std::memcmp(old, next, entry.bytes) != 0;
    relaxed_write(memory, entry.bytes, reinterpret_cast<const uint8_t*>(next));
    piece.region->mark_written(piece.address, entry.bytes);
    piece.region->set_last_writer(piece.address, entry.bytes, writer);
    piece.region->note_stored(launch);
  }
  return changed;
}

PendingList::Commit PendingList::commit(uint64_t round, uint32_t launch) {
  Commit result;
  if (entries_.empty()) return result;
  std::unordered_set<uint64_t> held;  // 8-byte words of entries that stay
  std::vector<Entry> staying;
  std::vector<Piece> staying_pieces;
  for (const Entry& entry : entries_) {
    const auto first = pieces_.begin() + static_cast<std::ptrdiff_t>(entry.first);
    const auto last = first + static_cast<std::ptrdiff_t>(entry.count);
    const bool blocked = !held.empty() && std::any_of(first, last, [&](const Piece& p) {
      return held.count(p.address / 8) != 0 || held.count((p.address + entry.bytes - 1) / 8) != 0 ||
             (entry.bytes > 8 && held.count(p.address / 8 + 1) != 0);
    });
    if (entry.due <= round && !blocked) {
      result.changed |= apply(entry, launch);
      ++result.entries;
      continue;
    }
    for (auto p = first; p != last; ++p) {
      for (uint64_t word = p->address / 8; word <= (p->address + entry.bytes - 1) / 8; ++word)
        held.insert(word);
    }
    staying.push_back(entry);
    staying.back().first = staying_pieces.size();
    staying_pieces.insert(staying_pieces.end(), first, last);
  }
  overlay_.clear();
  if (staying.empty()) {  // the usual case: keep the capacity
    entries_.clear();
    pieces_.clear();
    return result;
  }
  entries_ = std::move(staying);
  pieces_ = std::move(staying_pieces);
  for (const Entry& entry : entries_) {
    for (size_t p = entry.first; p < entry.first + entry.count; ++p) show(entry, pieces_[p]);
  }
  return result;
}

}  // namespace wavetwin
