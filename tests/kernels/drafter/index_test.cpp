// SPDX-License-Identifier: MIT
// What both twins of the drafter attention agree on: tiles, windows, partitions.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <vector>

#include "common/kernels/drafter.h"

namespace wavetwin::drafter {

TEST_CASE("tiles: every word of the five tiles has its own place") {
  std::vector<bool> used(kLdsWords);
  for (uint32_t t = 0; t < kTiles; ++t) {
    for (uint32_t r = 0; r < kBlock; ++r) {
      for (uint32_t w = 0; w < kTileRow; ++w) {
        const uint32_t at = tw(t, r, w);
        REQUIRE(at < kLdsWords);
        CHECK_FALSE(used[at]);
        used[at] = true;
        CHECK(at / kTileRow == t * kBlock + r);
        CHECK(at % 4 == w % 4);
      }
    }
  }
}

TEST_CASE("tiles: a V row holds key 16 i + 4 g + e in byte 32 g + 4 i + e") {
  for (uint32_t i = 0; i < 8; ++i) {
    for (uint32_t g = 0; g < 4; ++g) {
      for (uint32_t e = 0; e < 4; ++e) {
        const uint32_t key = 16 * i + 4 * g + e;
        CHECK(4 * tv_word(key) + key % 4 == 32 * g + 4 * i + e);
      }
    }
  }
}

TEST_CASE("rows: the threads of a head row own each dim once, rotated partners together") {
  std::vector<uint32_t> owners(kDim);
  for (uint32_t tid = 0; tid < 16; ++tid) {
    for (uint32_t i = 0; i < 4; ++i) {
      ++owners[dims_a(tid) + i];
      ++owners[dims_a(tid) + kDimsB + i];
    }
    CHECK((dims_a(tid) < kRot) == (tid < 8));
    if (tid < 8) CHECK(dims_a(tid) + kDimsB < kRot);
  }
  CHECK(std::all_of(owners.begin(), owners.end(), [](uint32_t n) { return n == 1; }));
}

TEST_CASE("rows: the slots cover a request's q, k and v rows once") {
  std::set<std::array<uint32_t, 2>> seen;
  for (uint32_t t = 0; t < kSlots; ++t) {
    CHECK(slot_row(t) < kRows);
    CHECK(slot_column(t) + kDim <= kQkvRow);
    CHECK(seen.insert({slot_row(t), slot_column(t)}).second);
    if (t < kFirstK) CHECK(t == 16 * slot_row(t) + slot_column(t) / kDim);
  }
  CHECK(seen.size() == kRows * (kHeads + 2));
  for (uint32_t t = kSlots; t < 128; ++t) CHECK(slot_row(t) < kRows);
}

TEST_CASE("window: holds exactly the keys that some row sees") {
  for (const int32_t p0 : {0, 1, 6, 100, 127, 4088, 4095, 4096, 4102, 5000, 131071}) {
    CAPTURE(p0);
    const Window w = window_of(p0, p0 + 6, p0 + 7);
    CHECK(w.lo == std::max(p0 - 4095, 0));
    CHECK(w.hi == p0 + 6);
    CHECK(block_count(w) <= kMaxBlocks);
    for (int32_t block = w.first; block <= w.last; ++block) {
      bool everything = true;  // every row sees every key of the block
      for (int32_t key = 128 * block; key < 128 * block + 128; ++key) {
        for (int32_t row = 0; row < 7; ++row) {
          everything = everything && key > p0 + row - 4096 && key >= w.lo && key <= w.hi;
        }
      }
      CHECK(is_edge(w, block) == !everything);
    }
  }
}

TEST_CASE("window: a padded request has no blocks, whatever its stale positions") {
  for (const int32_t p0 : {0, 5, 4096, 131071}) {
    CHECK(block_count(window_of(p0, p0 + 6, 0)) == 0);
    CHECK(live_partitions(window_of(p0, p0 + 6, 0), 8) == 0);
  }
}

TEST_CASE("window: positions out of any range give no blocks, and no key of any block is visible") {
  for (const int32_t p0 : {INT32_MIN, -7, INT32_MAX - 6, 0x7FFFFFF0}) {
    const Window w = window_of(p0, p0 < 0 ? p0 : p0 + 6, 0);
    CHECK(block_count(w) == 0);
    for (const int32_t block : {w.first, w.first + static_cast<int32_t>(kMaxBlocks) - 1, -1, 0}) {
      for (uint32_t key = 0; key < kBlock; ++key) {
        const auto position = static_cast<int32_t>(block_start(block) + key);
        CHECK_FALSE((position >= w.lo && position <= w.hi));
      }
    }
  }
}

TEST_CASE("window: lengths past the last row are cut where the blocks end") {
  for (const int32_t p0 : {0, 127, 4096, 131071}) {
    const Window w = window_of(p0, p0 + 6, INT32_MAX);
    CHECK(block_count(w) == kMaxBlocks);
    CHECK((w.hi + 1) % static_cast<int32_t>(kBlock) == 0);
  }
}

TEST_CASE("window: block numbers out of any range stay inside the table row and the cache") {
  for (const int32_t block : {-2147483647, -1, 0, 3, 40, 2147483647}) {
    for (const int32_t hi : {-1, 0, 127, 128, 131071, 2147483647}) {
      CHECK(table_column(block, hi, 8) >= 0);
      CHECK(table_column(block, hi, 8) < 8);
    }
    CHECK(physical_block(block, 5) >= 0);
    CHECK(physical_block(block, 5) < 5);
  }
}

TEST_CASE("partitions: every block has one owner, new rows lie in its first block") {
  for (uint32_t requests = 1; requests <= kMaxRequests; ++requests) {
    CHECK(requests * partitions(requests) <= kBlocks);
    for (const int32_t p0 : {0, 1, 6, 100, 121, 127, 4090, 4096, 4102, 131071}) {
      CAPTURE(requests);
      CAPTURE(p0);
      const Window w = window_of(p0, p0 + 6, p0 + 7);
      std::multiset<int32_t> owned;
      for (uint32_t p = 0; p < partitions(requests); ++p) {
        const Partition part = partition(w, requests, p);
        CHECK((part.count > 0) == (p < live_partitions(w, requests)));
        for (uint32_t i = 0; i < part.count; ++i) {
          owned.insert(part.block(i));
          const bool has_new = part.block(i) == p0 / 128 || part.block(i) == (p0 + 6) / 128;
          CHECK((!has_new || i == 0));
        }
      }
      CHECK(owned.size() == block_count(w));
      for (int32_t block = w.first; block <= w.last; ++block) CHECK(owned.count(block) == 1);
    }
  }
}

}  // namespace wavetwin::drafter
