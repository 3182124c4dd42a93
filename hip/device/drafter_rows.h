// SPDX-License-Identifier: MIT
// This layer's rows of qkv: q -> TQ, new K and V -> the cache and the tiles; twin of
// sim/kernels/drafter_rows.h.
#pragma once

#include "hip/device/drafter_kv.h"

namespace wavetwin::drafter {

// What qkv_rows needs besides qkv, loaded before qkv is there.
struct RowsPre {
  // Vectors, not arrays: a choice between two arrays would be a choice of addresses, and put them in memory.
  U32x4 gq, gk;           // norm weights of the thread's 8 dims, two a word
  U32x4 cs[kSlotRounds];  // two words of cosines, two of sines
  int32_t slot[kSlotRounds];
  int32_t pos[kSlotRounds];
};

WAVETWIN_INLINE uint32_t slot_of(const Wave& wave, uint32_t s) { return wave.thread_id() / 16 + 32 * s; }

WAVETWIN_INLINE RowsPre qkv_pre(const Wave& wave, const Args& args, uint32_t r) {
  const uint32_t a = dims_a(wave.thread_id());
  const uint32_t ib = a < kRot ? a : 0;  // the lane's first pair
  RowsPre out;
#pragma unroll
  for (uint32_t i = 0; i < 4; ++i) {
    const uint32_t word = (a + kDimsB * (i / 2)) / 2 + i % 2;
    out.gq[i] = pointer(args.qn)[word];
    out.gk[i] = pointer(args.kn)[word];
  }
#pragma unroll
  for (uint32_t s = 0; s < kSlotRounds; ++s) {
    const uint32_t row = kRows * r + slot_row(slot_of(wave, s));
    const uint32_t pos = pointer(args.positions)[2 * row];
#pragma unroll
    for (uint32_t i = 0; i < 4; ++i) {
      const uint32_t word = (pos * kRot + kRot / 2 * (i / 2) + ib) / 2 + i % 2;
      out.cs[s][i] = pointer(args.cos_sin)[word];
    }
    out.slot[s] = static_cast<int32_t>(pointer(args.slots)[2 * row]);
    out.pos[s] = static_cast<int32_t>(pos);
  }
  return out;
}

struct Values8 {
  float v[8];  // dims a .. a + 3, b .. b + 3
};
WAVETWIN_INLINE Values8 unpack8(U32x4 words) {
  Values8 out;
#pragma unroll
  for (uint32_t i = 0; i < 8; ++i) out.v[i] = i % 2 == 0 ? bf_lo(words[i / 2]) : bf_hi(words[i / 2]);
  return out;
}

// x / rms(x) (1 + weight) as bf16; 16 lanes hold a head.
WAVETWIN_INLINE Values8 head_norm(const Values8& x, const Values8& weight) {
  float ss = 0.0f;
#pragma unroll
  for (uint32_t i = 0; i < 8; ++i) ss = ss + x.v[i] * x.v[i];
  ss = butterfly<Add, 8, 4, 2, 1>(ss);
  const float rr = rsq_det(ss * (1.0f / kDim) + float_of(kEpsBits));
  Values8 out;
#pragma unroll
  for (uint32_t i = 0; i < 8; ++i) out.v[i] = bf16_round((x.v[i] * rr) * (weight.v[i] + 1.0f));
  return out;
}

// The pairs (a + i, b + i) turned by the position, as bf16.
WAVETWIN_INLINE Values8 rope(const Values8& x, U32x4 cs) {
  const Values8 table = unpack8(cs);
  Values8 out;
#pragma unroll
  for (uint32_t i = 0; i < 4; ++i) {
    const float a = x.v[i], b = x.v[4 + i], c = table.v[i], s = table.v[4 + i];
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

// e4m3 of dims a .. a + 3 and b .. b + 3 of row pos -> cache and tiles.
WAVETWIN_INLINE void store_new_row(LdsWords lds, const Args& args, const Window& w, const FirstBlocks& blocks,
                                   int32_t pos, int32_t slot, bool is_v, uint32_t dim_a,
                                   const uint32_t (&words)[2]) {
  const bool in_a = blocks.count >= 1 && pos >> 7 == blocks.a;
  const bool in_b = blocks.count >= 2 && pos >> 7 == blocks.b;
  if (!((in_a || in_b) && is_live(static_cast<uint32_t>(pos), w))) return;
  if (slot >= 0 && slot / static_cast<int32_t>(kBlock) < args.nblk) {
    const uint64_t at = args.cache + static_cast<uint64_t>(slot) * kKeyBytes + (is_v ? kDim : 0) + dim_a;
    gstore<1>(at, words[0]);
    gstore<1>(at + kDimsB, words[1]);
  }
  const uint32_t key = static_cast<uint32_t>(pos) % kBlock;
#pragma unroll
  for (uint32_t h = 0; h < 2; ++h) {
    const uint32_t d = dim_a + kDimsB * h;
    if (!is_v) {
      lds[tw(in_a ? kTk0 : kTk1, key, d / 4)] = words[h];
    } else {
      const auto bytes = (__attribute__((address_space(3))) uint8_t*)lds;
#pragma unroll
      for (uint32_t x = 0; x < 4; ++x) {
        const uint32_t word = tw(in_a ? kTv0 : kTv1, d + x, tv_word(key));
        bytes[4 * word + key % 4] = static_cast<uint8_t>(words[h] >> (8 * x));
      }
    }
  }
}

// Request r: 7 x 16 rows of q, 7 of K, 7 of V; 16 threads a row, 32 rows a round.
WAVETWIN_INLINE void qkv_rows(const Wave& wave, const Args& args, LdsWords lds, uint32_t r, const Window& w,
                              const FirstBlocks& blocks, const RowsPre& pre) {
  const uint32_t dim_a = dims_a(wave.thread_id());
#pragma unroll
  for (uint32_t s = 0; s < kSlotRounds; ++s) {
    const uint32_t t = slot_of(wave, s);
    const bool is_q = t < kFirstK, is_v = t >= kFirstV;
    const uint32_t row = kRows * r + slot_row(t);
    const uint64_t at = args.qkv.address + 2 * (row * kQkvRow + slot_column(t) + dim_a);
    const U32x2 lo = gload<2>(at), hi = gload<2>(at + 2 * kDimsB);
    const U32x4 loaded{lo[0], lo[1], hi[0], hi[1]};
    const U32x4 weights = is_q ? pre.gq : pre.gk;
    const Values8 x = unpack8(loaded);
    const Values8 normed = head_norm(x, unpack8(weights));
    const Values8 turned = rope(normed, pre.cs[s]);
    float y[8];
#pragma unroll
    for (uint32_t i = 0; i < 8; ++i) {
      y[i] = clamp_fp8(is_v ? x.v[i] : dim_a < kRot ? turned.v[i] : normed.v[i]);
    }
    const uint32_t words[2] = {fp8_pack4(y[0], y[1], y[2], y[3]), fp8_pack4(y[4], y[5], y[6], y[7])};
    if (is_q) {
      lds[tw(kTq, t, dim_a / 4)] = words[0];
      lds[tw(kTq, t, (dim_a + kDimsB) / 4)] = words[1];
    } else if (t < kSlots) {
      store_new_row(lds, args, w, blocks, pre.pos[s], pre.slot[s], is_v, dim_a, words);
    }
  }
}

}  // namespace wavetwin::drafter
