// SPDX-License-Identifier: MIT
// Cache blocks into LDS tiles; twin of sim/kernels/drafter_kv.h.
#pragma once

#include "common/kernels/drafter.h"
#include "hip/device/sync.h"

namespace wavetwin::drafter {

// Request r's window, from the low words of its positions.
WAVETWIN_INLINE Window window(const Args& args, uint32_t r) {
  const uint32_t p0 = uniform(pointer(args.positions)[2 * (kRows * r)]);
  const uint32_t p6 = uniform(pointer(args.positions)[2 * (kRows * r + kRows - 1)]);
  const uint32_t seq = uniform(static_cast<uint32_t>(pointer(args.seq_lens)[r]));
  return window_of(static_cast<int32_t>(p0), static_cast<int32_t>(p6), static_cast<int32_t>(seq));
}

// A thread's part of a block: 8 words of one key's K, two words of V of four keys.
struct KvWords {
  U32x4 k[2];
  U32x2 v[4];
};

WAVETWIN_INLINE bool is_live(uint32_t key, const Window& w) {
  return static_cast<int32_t>(key) >= w.lo && static_cast<int32_t>(key) <= w.hi;
}

// Block `block` of request r; keys outside the window are zeros.
WAVETWIN_INLINE KvWords kv_load(const Wave& wave, const Args& args, uint32_t r, int32_t block,
                                const Window& w) {
  const int32_t column = table_column(block, w.hi, args.bt_width);
  const uint32_t entry = uniform(static_cast<uint32_t>(
      pointer(args.block_table)[r * static_cast<uint32_t>(args.bt_width) + static_cast<uint32_t>(column)]));
  const int32_t physical = physical_block(static_cast<int32_t>(entry), args.nblk);
  const uint64_t base = args.cache + static_cast<uint64_t>(physical) * kBlockBytes;
  const uint32_t tid = wave.thread_id();
  const uint32_t first = block_start(block);
  KvWords out;
  const uint32_t key = tid / 4;
  const uint64_t k_at = base + (key * kKeyBytes + tid % 4 * 32);
  const bool k_live = is_live(first + key, w);
#pragma unroll
  for (uint32_t h = 0; h < 2; ++h) {
    const U32x4 words = gload<4>(k_at + 16 * h);
    out.k[h] = k_live ? words : U32x4{0, 0, 0, 0};
  }
#pragma unroll
  for (uint32_t j = 0; j < 4; ++j) {
    const uint32_t v_key = tid / 16 * 4 + j;
    const U32x2 words = gload<2>(base + (v_key * kKeyBytes + kDim + tid % 16 * 8));
    out.v[j] = is_live(first + v_key, w) ? words : U32x2{0, 0};
  }
  return out;
}

// K as it is -> tile tk; V with each 4 keys x 4 dims of bytes transposed -> tile tv.
WAVETWIN_INLINE void kv_store(const Wave& wave, LdsWords lds, uint32_t tk, uint32_t tv, const KvWords& kv) {
  const uint32_t tid = wave.thread_id();
#pragma unroll
  for (uint32_t h = 0; h < 2; ++h) lds_store4(lds, tw(tk, tid / 4, tid % 4 * 8 + 4 * h), kv.k[h]);
  const uint32_t word = tv_word(tid / 16 * 4);
#pragma unroll
  for (uint32_t h = 0; h < 2; ++h) {
    const uint32_t low01 = perm(kv.v[1][h], kv.v[0][h], 0x05010400);
    const uint32_t high01 = perm(kv.v[1][h], kv.v[0][h], 0x07030602);
    const uint32_t low23 = perm(kv.v[3][h], kv.v[2][h], 0x05010400);
    const uint32_t high23 = perm(kv.v[3][h], kv.v[2][h], 0x07030602);
    const uint32_t by_dim[4] = {perm(low23, low01, 0x05040100), perm(low23, low01, 0x07060302),
                                perm(high23, high01, 0x05040100), perm(high23, high01, 0x07060302)};
#pragma unroll
    for (uint32_t x = 0; x < 4; ++x) lds[tw(tv, tid % 16 * 8 + 4 * h + x, word)] = by_dim[x];
  }
}

// Tile t's first `rows` rows (a multiple of 16), as they lie in LDS, into this workgroup's place of the dump.
WAVETWIN_INLINE void dump_tile(const Wave& wave, const Args& args, LdsWords lds, uint32_t t, uint32_t rows) {
  const uint64_t to = args.dump + 4 * (static_cast<uint64_t>(wave.workgroup_id()) * kLdsWords);
#pragma unroll 1
  for (uint32_t i = wave.thread_id(); i < rows * kTileRow; i += kThreads) {
    gstore<1>(to + 4 * (t * kTileWords + i), lds[t * kTileWords + i]);
  }
}

}  // namespace wavetwin::drafter
