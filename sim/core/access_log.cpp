// SPDX-License-Identifier: MIT
#include "sim/core/access_log.h"

#include <algorithm>

namespace wavetwin {

namespace {

size_t slot_of(uint64_t key, size_t table_size) {
  return (key * 0x9E3779B97F4A7C15ull >> 24) & (table_size - 1);
}

}  // namespace

void AccessLog::clear() {
  constexpr size_t kKeep = 1024;  // pages worth keeping between rounds
  if (pages_.size() > kKeep) {
    pages_ = {};
    table_ = {};
  } else if (!pages_.empty()) {
    pages_.clear();
    std::fill(table_.begin(), table_.end(), 0);
  }
  std::fill(std::begin(recent_), std::end(recent_), 0);
  untracked_ = 0;
  has_stores_ = false;
}

void AccessLog::grow() {
  table_.assign(std::max<size_t>(256, 2 * table_.size()), 0);
  for (size_t i = 0; i < pages_.size(); ++i) {
    size_t slot = slot_of(pages_[i].key, table_.size());
    while (table_[slot] != 0) slot = (slot + 1) & (table_.size() - 1);
    table_[slot] = static_cast<uint32_t>(i + 1);
  }
}

AccessLog::Page* AccessLog::page(uint64_t key, bool must) {
  uint32_t& recent = recent_[key % kRecent];
  uint64_t& recent_key = recent_key_[key % kRecent];
  if (recent != 0 && recent_key == key) return &pages_[recent - 1];
  if (2 * (pages_.size() + 1) > table_.size()) grow();
  size_t slot = slot_of(key, table_.size());
  while (table_[slot] != 0 && pages_[table_[slot] - 1].key != key) slot = (slot + 1) & (table_.size() - 1);
  if (table_[slot] == 0) {
    if (pages_.size() >= capacity_ && !must) return nullptr;
    pages_.push_back({key, {}, {}});
    table_[slot] = static_cast<uint32_t>(pages_.size());
  }
  recent = table_[slot];
  recent_key = key;
  return &pages_[recent - 1];
}

template <bool kStore>
void AccessLog::mark(uint64_t address, uint64_t bytes) {
  const uint64_t end = address + bytes;
  while (address < end) {
    const uint64_t stop = std::min(end, (address | 63) + 1);  // end of the 64-byte word
    const uint64_t count = stop - address;
    const uint64_t bits = (count == 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1) << (address % 64);
    Page* p = page(address >> kPageBits, kStore);
    if (p == nullptr) {
      ++untracked_;
    } else {
      const unsigned word = (address >> 6) % kPageWords;
      p->touched[word] |= bits;
      if (kStore) p->stored[word] |= bits;
    }
    address = stop;
  }
}

template void AccessLog::mark<false>(uint64_t, uint64_t);
template void AccessLog::mark<true>(uint64_t, uint64_t);

}  // namespace wavetwin
