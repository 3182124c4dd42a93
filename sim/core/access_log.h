// SPDX-License-Identifier: MIT
// Which bytes of device memory one workgroup touched in a round, and which it stored to plainly: what the
// race check of the round compares. One bit a byte, in pages of 512 bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wavetwin {

class AccessLog {
 public:
  static constexpr unsigned kPageBits = 9;
  static constexpr unsigned kPageWords = (1u << kPageBits) / 64;

  struct Page {
    uint64_t key;  // address >> kPageBits
    uint64_t touched[kPageWords];
    uint64_t stored[kPageWords];
  };

  // Pages beyond `capacity` are not logged but counted, if they were only read; stores are always logged.
  void begin(size_t capacity) { capacity_ = capacity, clear(); }

  void touch(uint64_t address, uint64_t bytes) { mark<false>(address, bytes); }
  void store(uint64_t address, uint64_t bytes) { mark<true>(address, bytes), has_stores_ = true; }

  bool has_stores() const { return has_stores_; }
  const std::vector<Page>& pages() const { return pages_; }
  uint64_t untracked() const { return untracked_; }
  void clear();  // a new round; forgets `untracked` too

 private:
  static constexpr unsigned kRecent = 16;

  template <bool kStore>
  void mark(uint64_t address, uint64_t bytes);
  Page* page(uint64_t key, bool must);
  void grow();

  std::vector<Page> pages_;
  std::vector<uint32_t> table_;  // 1 + page index by hash of key; 0: free
  uint64_t recent_key_[kRecent] = {};
  uint32_t recent_[kRecent] = {};  // 1 + page index
  size_t capacity_ = 0;
  uint64_t untracked_ = 0;
  bool has_stores_ = false;
};

}  // namespace wavetwin
