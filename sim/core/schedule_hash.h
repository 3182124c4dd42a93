// SPDX-License-Identifier: MIT
// The numbers behind a schedule seed: a fixed mixing function, so that a seed means the same schedule
// everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace wavetwin {

// The finaliser of MurmurHash3 (public domain), applied to a running sum.
constexpr uint64_t schedule_hash(uint64_t a, uint64_t b, uint64_t c = 0) {
  uint64_t h = a * 0x9E3779B97F4A7C15ull + b;
  for (const uint64_t next : {c, uint64_t{0x51}}) {
    h ^= h >> 33;
    h *= 0xFF51AFD7ED558CCDull;
    h ^= h >> 33;
    h *= 0xC4CEB9FE1A85EC53ull;
    h ^= h >> 33;
    h += next;
  }
  return h;
}

// A Fisher-Yates shuffle by hashes.
template <class T>
void schedule_shuffle(std::vector<T>& items, uint64_t a, uint64_t b, uint64_t c = 0) {
  for (size_t i = items.size(); i > 1; --i)
    std::swap(items[i - 1], items[schedule_hash(a, b, c * 65536 + i) % i]);
}

}  // namespace wavetwin
