// SPDX-License-Identifier: MIT
// Cache blocks into LDS tiles; twin of hip/device/drafter_kv.h.
#pragma once

#include "common/kernels/drafter.h"
#include "sim/kernels/device.h"
#include "sim/kernels/device_sync.h"

namespace wavetwin::drafter {

// Request r's window, from the low words of its positions.
inline Window window(Wave& wave, const Args& args, uint32_t r) {
  const uint32_t p0 = wave.load_uniform(args.positions, 2 * (kRows * r));
  const uint32_t p6 = wave.load_uniform(args.positions, 2 * (kRows * r + kRows - 1));
  const int32_t seq = wave.load_uniform(args.seq_lens, r);
  return window_of(static_cast<int32_t>(p0), static_cast<int32_t>(p6), seq);
}

// A thread's part of a block: 8 words of one key's K, two words of V of four keys.
struct KvWords {
  Vgprs<4> k[2];
  Vgprs<2> v[4];
};

inline LaneMask is_live(const LaneU32& key, const Window& w) {
  return (as_i32(key) >= w.lo) & (as_i32(key) <= w.hi);
}

// Block `block` of request r; keys outside the window are zeros.
inline KvWords kv_load(Wave& wave, const Args& args, uint32_t r, int32_t block, const Window& w) {
  const int32_t column = table_column(block, w.hi, args.bt_width);
  const int32_t entry = wave.load_uniform(
      args.block_table, r * static_cast<uint32_t>(args.bt_width) + static_cast<uint32_t>(column));
  const int32_t physical = physical_block(entry, args.nblk);
  const uint64_t base = args.cache + static_cast<uint64_t>(physical) * kBlockBytes;
  const LaneU32 tid = wave.thread_id();
  const uint32_t first = block_start(block);
  KvWords out;
  const LaneU32 key = tid / 4;
  const LaneU64 k_at = base + convert<uint64_t>(key * kKeyBytes + tid % 4 * 32);
  const LaneMask k_live = is_live(first + key, w);
  for (uint32_t h = 0; h < 2; ++h) {
    const Vgprs<4> words = gload<4>(wave, k_at + uint64_t{16} * h);
    out.k[h] = select(k_live, words, Vgprs<4>::uniform(0));
  }
  for (uint32_t j = 0; j < 4; ++j) {
    const LaneU32 v_key = tid / 16 * 4 + j;
    const Vgprs<2> words = gload<2>(wave, base + convert<uint64_t>(v_key * kKeyBytes + kDim + tid % 16 * 8));
    out.v[j] = select(is_live(first + v_key, w), words, Vgprs<2>::uniform(0));
  }
  return out;
}

// K as it is -> tile tk; V with each 4 keys x 4 dims of bytes transposed -> tile tv.
inline void kv_store(Wave& wave, uint32_t tk, uint32_t tv, const KvWords& kv) {
  const LdsView lds = wave.lds();
  const LaneU32 tid = wave.thread_id();
  for (uint32_t h = 0; h < 2; ++h) lds.store<4>(tw(tk, tid / 4, tid % 4 * 8 + 4 * h), kv.k[h]);
  const LaneU32 word = tv_word(tid / 16 * 4);
  for (uint32_t h = 0; h < 2; ++h) {
    const LaneU32 low01 = perm(kv.v[1][h], kv.v[0][h], 0x05010400);
    const LaneU32 high01 = perm(kv.v[1][h], kv.v[0][h], 0x07030602);
    const LaneU32 low23 = perm(kv.v[3][h], kv.v[2][h], 0x05010400);
    const LaneU32 high23 = perm(kv.v[3][h], kv.v[2][h], 0x07030602);
    const LaneU32 by_dim[4] = {perm(low23, low01, 0x05040100), perm(low23, low01, 0x07060302),
                               perm(high23, high01, 0x05040100), perm(high23, high01, 0x07060302)};
    for (uint32_t x = 0; x < 4; ++x) lds.store(tw(tv, tid % 16 * 8 + 4 * h + x, word), by_dim[x]);
  }
}

// Tile t's first `rows` rows (a multiple of 16), as they lie in LDS, into this workgroup's place of the dump.
inline void dump_tile(Wave& wave, const Args& args, uint32_t t, uint32_t rows) {
  const uint64_t to = args.dump + 4 * (uint64_t{wave.workgroup_id()} * kLdsWords);
  for (uint32_t first = 0; first < rows * kTileRow; first += kThreads) {
    const LaneU32 i = first + wave.thread_id();
    const LaneU32 word = wave.lds().load(t * kTileWords + i);
    gstore<1>(wave, to + convert<uint64_t>(4 * (t * kTileWords + i)), {{word}});
  }
}

}  // namespace wavetwin::drafter
