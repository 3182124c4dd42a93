// SPDX-License-Identifier: MIT
// This layer's rows of qkv: q -> TQ, new K and V -> the cache and the tiles; twin of
// hip/device/drafter_rows.h.
#pragma once

#include "sim/kernels/drafter_kv.h"

namespace wavetwin::drafter {

// What qkv_rows needs besides qkv, loaded before qkv is there.
struct RowsPre {
  Vgprs<4> gq, gk;           // norm weights of the thread's 8 dims, two a word
  Vgprs<4> cs[kSlotRounds];  // two words of cosines, two of sines
  LaneI32 slot[kSlotRounds];
  LaneI32 pos[kSlotRounds];
};

inline LaneU32 slot_of(Wave& wave, uint32_t s) { return wave.thread_id() / 16 + 32 * s; }

inline RowsPre qkv_pre(Wave& wave, const Args& args, uint32_t r) {
  const LaneU32 a = dims_a(wave.thread_id());
  const LaneU32 ib = select(a < kRot, a, 0u);  // the lane's first pair
  RowsPre out;
  for (uint32_t i = 0; i < 4; ++i) {
    const LaneU32 word = (a + kDimsB * (i / 2)) / 2 + i % 2;
    out.gq[i] = wave.load_element(args.qn, word);
    out.gk[i] = wave.load_element(args.kn, word);
  }
  for (uint32_t s = 0; s < kSlotRounds; ++s) {
    const LaneU32 row = kRows * r + map_lanes(slot_row, slot_of(wave, s));
    const LaneU32 pos = wave.load_element(args.positions, 2 * row);
    for (uint32_t i = 0; i < 4; ++i) {
      const LaneU32 word = (pos * kRot + kRot / 2 * (i / 2) + ib) / 2 + i % 2;
      out.cs[s][i] = wave.load_element(args.cos_sin, word);
    }
    out.slot[s] = as_i32(wave.load_element(args.slots, 2 * row));
    out.pos[s] = as_i32(pos);
  }
  return out;
}

struct Values8 {
  LaneF32 v[8];  // dims a .. a + 3, b .. b + 3
};
inline Values8 unpack8(const Vgprs<4>& words) {
  Values8 out;
  for (uint32_t i = 0; i < 8; ++i) out.v[i] = i % 2 == 0 ? bf_lo(words[i / 2]) : bf_hi(words[i / 2]);
  return out;
}

// x / rms(x) (1 + weight) as bf16; 16 lanes hold a head.
inline Values8 head_norm(const Values8& x, const Values8& weight) {
  LaneF32 ss = 0.0f;
  for (uint32_t i = 0; i < 8; ++i) ss = ss + x.v[i] * x.v[i];
  ss = butterfly<Add, 8, 4, 2, 1>(ss);
  const LaneF32 rr = rsq_det(ss * (1.0f / kDim) + float_of(kEpsBits));
  Values8 out;
  for (uint32_t i = 0; i < 8; ++i) out.v[i] = bf16_round((x.v[i] * rr) * (weight.v[i] + 1.0f));
  return out;
}

// The pairs (a + i, b + i) turned by the position, as bf16.
inline Values8 rope(const Values8& x, const Vgprs<4>& cs) {
  const Values8 table = unpack8(cs);
  Values8 out;
  for (uint32_t i = 0; i < 4; ++i) {
    const LaneF32 a = x.v[i], b = x.v[4 + i], c = table.v[i], s = table.v[4 + i];
    out.v[i] = bf16_round(fma(a, c, -(b * s)));
    out.v[4 + i] = bf16_round(fma(b, c, a * s));
  }
  return out;
}

// The workgroup's first blocks: new rows go to their tiles.
struct FirstBlocks {
  int32_t a, b;
  uint32_t count;
};

// e4m3 of dims a .. a + 3 and b .. b + 3 of row pos -> cache and tiles, in the lanes `in`.
inline void store_new_row(Wave& wave, const Args& args, const Window& w, const FirstBlocks& blocks,
                          const LaneI32& pos, const LaneI32& slot, LaneMask is_v, const LaneU32& dim_a,
                          const Vgprs<2>& words, LaneMask in) {
  const LaneMask in_a = (pos >> 7 == blocks.a) & (blocks.count >= 1);
  const LaneMask in_b = (pos >> 7 == blocks.b) & (blocks.count >= 2);
  const LaneMask mine = in & (in_a | in_b) & is_live(as_u32(pos), w);
  const LaneMask cached = mine & (slot >= 0) & (slot / static_cast<int32_t>(kBlock) < args.nblk);
  const LaneU64 at = args.cache + convert<uint64_t>(as_u32(slot)) * uint64_t{kKeyBytes} +
                     convert<uint64_t>(select(is_v, LaneU32(kDim), 0u) + dim_a);
  gstore<1>(wave, at, {{words[0]}}, cached);
  gstore<1>(wave, at + uint64_t{kDimsB}, {{words[1]}}, cached);
  const LaneU32 key = as_u32(pos) % kBlock;
  for (uint32_t h = 0; h < 2; ++h) {
    const LaneU32 d = dim_a + kDimsB * h;
    wave.lds().store(tw(select(in_a, LaneU32(kTk0), kTk1), key, d / 4), words[h], mine & ~is_v);
    for (uint32_t x = 0; x < 4; ++x) {
      const LaneU32 word = tw(select(in_a, LaneU32(kTv0), kTv1), d + x, tv_word(key));
      wave.lds().store_u8(4 * word + key % 4, words[h] >> (8 * x), mine & is_v);
    }
  }
}

// Request r: 7 x 16 rows of q, 7 of K, 7 of V; 16 threads a row, 32 rows a round.
inline void qkv_rows(Wave& wave, const Args& args, uint32_t r, const Window& w, const FirstBlocks& blocks,
                     const RowsPre& pre) {
  const LaneU32 dim_a = dims_a(wave.thread_id());
  for (uint32_t s = 0; s < kSlotRounds; ++s) {
    const LaneU32 t = slot_of(wave, s);
    const LaneMask is_q = t < kFirstK, is_v = t >= kFirstV;
    const LaneU32 row = kRows * r + map_lanes(slot_row, t);
    const LaneU64 at =
        args.qkv.address + convert<uint64_t>(2 * (row * kQkvRow + map_lanes(slot_column, t) + dim_a));
    const Vgprs<2> lo = gload<2>(wave, at), hi = gload<2>(wave, at + uint64_t{2 * kDimsB});
    const Vgprs<4> loaded{{lo[0], lo[1], hi[0], hi[1]}};
    const Vgprs<4> weights = select(is_q, pre.gq, pre.gk);
    const Values8 x = unpack8(loaded);
    const Values8 normed = head_norm(x, unpack8(weights));
    const Values8 turned = rope(normed, pre.cs[s]);
    LaneF32 y[8];
    for (uint32_t i = 0; i < 8; ++i) {
      y[i] = clamp_fp8(select(is_v, x.v[i], select(dim_a < kRot, turned.v[i], normed.v[i])));
    }
    const Vgprs<2> words{{fp8_pack4(y[0], y[1], y[2], y[3]), fp8_pack4(y[4], y[5], y[6], y[7])}};
    wave.lds().store(tw(kTq, t, dim_a / 4), words[0], is_q);
    wave.lds().store(tw(kTq, t, (dim_a + kDimsB) / 4), words[1], is_q);
    store_new_row(wave, args, w, blocks, pre.pos[s], pre.slot[s], is_v, dim_a, words, ~is_q & (t < kSlots));
  }
}

}  // namespace wavetwin::drafter
