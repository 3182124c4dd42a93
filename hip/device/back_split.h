// SPDX-License-Identifier: MIT
// Split stage of the attention back; twin of sim/kernels/back_split.h.
#pragma once

#include "hip/device/back_context.h"

namespace wavetwin::back {

struct KeyRecord {
  uint64_t data, scale;  // addresses of the data row and of the scale row
  bool valid;            // false: the zero record
};

// The record of the lane's key of token t.
WAVETWIN_INLINE KeyRecord key_record(const Args& args, uint32_t t, uint32_t key) {
  const uint32_t entry = pointer(args.kt)[t * kKeys + (key < kKeys - 1 ? key : kKeys - 1)];
  const bool valid = entry != kNoKey;
  const uint32_t slot = valid ? entry & kSlotMask : 0;
  const bool compressed = args.ratio != 0 && valid && entry > kSlotMask;
  const uint32_t block = compressed ? args.comp_block : args.swa_block;
  const uint64_t stride = compressed ? args.comp_stride : args.swa_stride;
  const uint64_t base = compressed ? args.comp : args.swa;
  const uint32_t in_page = slot % block;
  const uint64_t page = base + uint64_t{slot / block} * stride;
  const uint64_t data = page + data_row_at(in_page);
  const uint64_t scale = page + scale_row_at(block, in_page);
  return {valid ? data : args.zrec, valid ? scale : args.zrec + kData, valid};
}

// A lane's share of 16 keys: lane (r16, g) holds a quarter of key r16.
struct KeyTile {
  U32x2 scale;    // seven E8M0 bytes
  U32x4 nope[7];  // dims 64 c + 16 g .. +16
  U32x4 rope[2];  // dims 448 + 32 c + 8 g .. +8
};

WAVETWIN_INLINE KeyTile load_keys(const Wave& wave, const KeyRecord& record) {
  const uint32_t g = wave.lane() / 16;
  KeyTile keys;
  keys.scale = gload<2>(record.scale);
#pragma unroll
  for (uint32_t c = 0; c < 7; ++c) keys.nope[c] = gload<4>(record.data + 4 * nope_word(c, g));
#pragma unroll
  for (uint32_t c = 0; c < 2; ++c) keys.rope[c] = gload<4>(record.data + 4 * rope_word(c, g));
  return keys;
}

// 16 bytes by two 8-byte stores: odd rows of raw records are 8 B aligned.
WAVETWIN_INLINE void store_raw(LdsWords raw, uint32_t word, U32x4 v) {
  lds_store2(raw, word, U32x2{v[0], v[1]});
  lds_store2(raw, word + 2, U32x2{v[2], v[3]});
}

WAVETWIN_INLINE void store_keys(const Wave& wave, LdsWords raw, uint32_t kt, const KeyTile& keys) {
  const uint32_t g = wave.lane() / 16;
  const uint32_t row = (kTile * kt + wave.lane() % 16) * kRawRow;
#pragma unroll
  for (uint32_t c = 0; c < 7; ++c) store_raw(raw, row + nope_word(c, g), keys.nope[c]);
#pragma unroll
  for (uint32_t c = 0; c < 2; ++c) store_raw(raw, row + rope_word(c, g), keys.rope[c]);
  if (g == 0) lds_store2(raw, row + kData / 4, keys.scale);
}

// q of a token, 16 B a thread and round.
template <Form kForm>
struct Query {
  static constexpr uint32_t kItems = kForm.dims().heads() * kHeadDim / 8;
  static constexpr uint32_t kRounds = kItems / kThreads;
  static_assert(kItems % kThreads == 0);
  U32x4 item[kRounds];
};

template <Form kForm>
WAVETWIN_INLINE Query<kForm> load_query(const Wave& wave, const Args& args, uint32_t t) {
  Query<kForm> query;
#pragma unroll
  for (uint32_t i = 0; i < Query<kForm>::kRounds; ++i) {
    const uint32_t u = fresh(wave.thread_id()) + kThreads * i;
    const uint32_t word = t * (kForm.dims().q_rows() / 2) + 4 * u;
    query.item[i] = buffer_load_b128(rsrc(pointer(args.q)), 4 * word);
  }
  return query;
}

template <Form kForm>
WAVETWIN_INLINE void store_query(const Wave& wave, LdsWords q, const Query<kForm>& query) {
#pragma unroll
  for (uint32_t i = 0; i < Query<kForm>::kRounds; ++i) {
    const uint32_t u = fresh(wave.thread_id()) + kThreads * i;
    lds_store4(q, u / (kHeadDim / 8) * kQRow + u % (kHeadDim / 8) * 4, query.item[i]);
  }
}

// Of each head tile of the wave: lane (r16, g), element i is key 4 g + i of the wave's tile, head r16.
template <Form kForm>
struct Scores {
  float s[kForm.wave_head_tiles()][4];
};

// Byte c of the scale words.
WAVETWIN_INLINE uint32_t scale_byte(U32x2 words, uint32_t c) { return (words[c / 4] >> (c % 4 * 8)) & 0xFF; }

// The wave's keys against its head tiles (the first is ht0), not scaled.
template <Form kForm>
WAVETWIN_INLINE Scores<kForm> dot_products(const Wave& wave, LdsWords q, const KeyTile& keys, uint32_t ht0) {
  constexpr uint32_t kTiles = kForm.wave_head_tiles();
  const uint32_t g = wave.lane() / 16;
  const uint32_t r16 = wave.lane() % 16;
  F32x4 acc[kTiles];
#pragma unroll
  for (uint32_t ht = 0; ht < kTiles; ++ht) acc[ht] = F32x4(0.0f);
#pragma unroll
  for (uint32_t c = 0; c < 7; ++c) {
    const float scale = pow2(scale_byte(keys.scale, c));
#pragma unroll
    for (uint32_t h = 0; h < 2; ++h) {
      const U32x4 a = fp8x8_bf16(keys.nope[c][2 * h], keys.nope[c][2 * h + 1], scale);
#pragma unroll
      for (uint32_t ht = 0; ht < kTiles; ++ht) {
        const uint32_t row = ((ht0 + ht) * kTile + r16) * kQRow;
        acc[ht] = mfma_bf16(a, lds_load4(q, row + q_nope_word(c, h, g)), acc[ht]);
      }
    }
  }
#pragma unroll
  for (uint32_t c = 0; c < 2; ++c) {
#pragma unroll
    for (uint32_t ht = 0; ht < kTiles; ++ht) {
      const uint32_t row = ((ht0 + ht) * kTile + r16) * kQRow;
      acc[ht] = mfma_bf16(keys.rope[c], lds_load4(q, row + q_rope_word(c, g)), acc[ht]);
    }
  }
  Scores<kForm> out;
#pragma unroll
  for (uint32_t ht = 0; ht < kTiles; ++ht) {
#pragma unroll
    for (uint32_t i = 0; i < 4; ++i) out.s[ht][i] = acc[ht][i];
  }
  return out;
}

// Which of the lane's four scores belong to a key.
struct ValidKeys {
  bool key[4];
};
WAVETWIN_INLINE ValidKeys valid_keys(const Wave& wave, bool own) {
  const uint32_t g = wave.lane() / 16;
  const uint32_t word = own ? 1 : 0;
  ValidKeys valid;
#pragma unroll
  for (uint32_t i = 0; i < 4; ++i) valid.key[i] = lane_gather(word, 4 * g + i) != 0;
  return valid;
}

// Scaled and masked scores; their maximum over the key tile -> st.
template <Form kForm>
WAVETWIN_INLINE void mask_scores(const Wave& wave, LdsFloats st, const Args& args, uint32_t kt, uint32_t ht0,
                                 const ValidKeys& valid, Scores<kForm>& scores) {
  const uint32_t r16 = wave.lane() % 16;
#pragma unroll
  for (uint32_t ht = 0; ht < kForm.wave_head_tiles(); ++ht) {
    float(&s)[4] = scores.s[ht];
#pragma unroll
    for (uint32_t i = 0; i < 4; ++i) {
      s[i] = valid.key[i] ? s[i] * float_of(args.qk_scale) : float_of(kNegBits);
    }
    const float most = butterfly<Max, 32, 16>(max_nan(max_nan(s[0], s[1]), max_nan(s[2], s[3])));
    if (wave.lane() < 16) st[stat_at(kForm, ht0 + ht, kt, r16)] = most;
  }
}

// p = 2^(score - the chunk's maximum): rounded to bf16 -> p rows, summed unrounded over the key tile -> sums.
template <Form kForm>
WAVETWIN_INLINE void probabilities(const Wave& wave, LdsFloats st, LdsFloats sums, LdsWords p_rows,
                                   uint32_t kt, uint32_t ht0, const ValidKeys& valid,
                                   const Scores<kForm>& scores) {
  const uint32_t g = wave.lane() / 16;
  const uint32_t r16 = wave.lane() % 16;
#pragma unroll
  for (uint32_t ht = 0; ht < kForm.wave_head_tiles(); ++ht) {
    const uint32_t head_tile = ht0 + ht;
    float m = st[stat_at(kForm, head_tile, 0, r16)];
#pragma unroll
    for (uint32_t j = 1; j < kForm.key_tiles(); ++j) m = max_nan(m, st[stat_at(kForm, head_tile, j, r16)]);
    float p[4];
#pragma unroll
    for (uint32_t i = 0; i < 4; ++i) p[i] = valid.key[i] ? exp2_word(scores.s[ht][i] - m) : 0.0f;
    float sum = (p[0] + p[2]) + (p[1] + p[3]);
    sum = sum + xshfl<32>(sum);
    sum = sum + xshfl<16>(sum);
    const uint32_t word = p_at(kForm, head_tile * kTile + r16, kTile * kt + 4 * g);
    lds_store2(p_rows, word, U32x2{bf16_pair(p[0], p[1]), bf16_pair(p[2], p[3])});
    if (wave.lane() < 16) sums[stat_at(kForm, head_tile, kt, r16)] = sum;
  }
}

// The chunk's (max, sum) per head, a thread a head.
template <Form kForm>
WAVETWIN_INLINE void store_stats(const Wave& wave, const Context& c, LdsFloats st, LdsFloats sums, uint32_t t,
                                 uint32_t chunk) {
  const uint32_t head = wave.thread_id();
  if (head >= kForm.dims().heads()) return;
  float m = st[stat_at(kForm, head / kTile, 0, head % kTile)];
  float l = sums[stat_at(kForm, head / kTile, 0, head % kTile)];
#pragma unroll
  for (uint32_t j = 1; j < kForm.key_tiles(); ++j) {
    m = max_nan(m, st[stat_at(kForm, head / kTile, j, head % kTile)]);
    l = l + sums[stat_at(kForm, head / kTile, j, head % kTile)];
  }
  buffer_store_b64<kCmDev>(U32x2{bits_of(m), bits_of(l)}, c.region(c.at.pstat),
                           8 * part_row(kForm, t, chunk, head));
}

// v[dt][j]: dim 64 w + 4 r16 + dt of key 4 g + j of a key tile.
struct Values {
  float v[4][4];
};
WAVETWIN_INLINE Values load_values(const Wave& wave, LdsWords raw, uint32_t kt) {
  const uint32_t w = wave.wave_id();
  const uint32_t g = wave.lane() / 16;
  const uint32_t r16 = wave.lane() % 16;
  Values out;
#pragma unroll
  for (uint32_t j = 0; j < 4; ++j) {
    const uint32_t row = (kTile * kt + 4 * g + j) * kRawRow;
    if (w == kWaves - 1) {
      const U32x2 words = lds_load2(raw, row + kNope / 4 + 2 * r16);
#pragma unroll
      for (uint32_t dt = 0; dt < 4; ++dt) {
        out.v[dt][j] = dt % 2 == 0 ? bf_lo(words[dt / 2]) : bf_hi(words[dt / 2]);
      }
    } else {
      const uint32_t word = raw[row + 16 * w + r16];
      const uint32_t scales = raw[row + kData / 4 + w / 4];
      const float scale = pow2((scales >> (w % 4 * 8)) & 0xFF);
      const F32x2 low = fp8_pair_f32<false>(word, scale);
      const F32x2 high = fp8_pair_f32<true>(word, scale);
#pragma unroll
      for (uint32_t dt = 0; dt < 4; ++dt) out.v[dt][j] = dt < 2 ? low[dt % 2] : high[dt % 2];
    }
  }
  return out;
}

// p . V of the chunk's keys for every head, dims 64 w .. of wave w -> part, bf16. Lane (r16, g), row 4 g + i
// of the product with dt is dim 64 w + 16 g + 4 i + dt of head r16.
template <Form kForm>
WAVETWIN_INLINE void store_partial(const Wave& wave, const Context& c, LdsWords raw, LdsWords p_rows,
                                   uint32_t t, uint32_t chunk) {
  constexpr uint32_t kHeadTiles = kForm.dims().head_tiles();
  const uint32_t g = wave.lane() / 16;
  const uint32_t r16 = wave.lane() % 16;
  F32x4 acc[kHeadTiles][4];
#pragma unroll
  for (uint32_t ht = 0; ht < kHeadTiles; ++ht) {
#pragma unroll
    for (uint32_t dt = 0; dt < 4; ++dt) acc[ht][dt] = F32x4(0.0f);
  }
#pragma unroll
  for (uint32_t kt = 0; kt < kForm.key_tiles(); ++kt) {
    const Values values = load_values(wave, raw, kt);
#pragma unroll
    for (uint32_t ht = 0; ht < kHeadTiles; ++ht) {
      const uint32_t word = p_at(kForm, ht * kTile + r16, kTile * kt + 4 * g);
      const U32x2 b = lds_load2(p_rows, word);
#pragma unroll
      for (uint32_t dt = 0; dt < 4; ++dt) {
        const float(&v)[4] = values.v[dt];
        acc[ht][dt] = mfma16_bf16(U32x2{bf16_pair(v[0], v[1]), bf16_pair(v[2], v[3])}, b, acc[ht][dt]);
      }
    }
  }
#pragma unroll
  for (uint32_t ht = 0; ht < kHeadTiles; ++ht) {
    const uint32_t element = part_row(kForm, t, chunk, ht * kTile + r16) * kHeadDim  // the head's row
                             + 64 * wave.wave_id() + 16 * g;                         // the lane's 16 dims
#pragma unroll
    for (uint32_t half = 0; half < 2; ++half) {
      U32x4 words;
#pragma unroll
      for (uint32_t e = 0; e < 4; ++e) {
        const uint32_t i = 2 * half + e / 2, dt = e % 2 * 2;
        words[e] = bf16_pair(acc[ht][dt][i], acc[ht][dt + 1][i]);
      }
      buffer_store_b128<kCmDev>(words, c.region(c.at.part), 2 * element + 16 * half);
    }
  }
}

// Flash decoding of chunk unit % chunks of token unit / chunks; nothing happens past the token's keys.
template <Form kForm>
WAVETWIN_INLINE void stage_split(const Wave& wave, const Context& c, LdsWords lds, uint32_t unit) {
  constexpr SplitLds kLds = split_lds(kForm);
  const LdsWords q = lds + kLds.q / 4, raw = lds + kLds.raw / 4, p_rows = lds + kLds.p / 4;
  const LdsFloats st = floats(lds + kLds.st / 4), sums = st + kForm.dims().heads() * kForm.key_tiles();
  const uint32_t t = unit / kForm.chunks(), chunk = unit % kForm.chunks();
  const uint32_t head_group = wave.wave_id() / kForm.key_tiles(), kt = wave.wave_id() % kForm.key_tiles();
  const uint32_t ht0 = head_group * kForm.wave_head_tiles();
  const uint32_t k0 = chunk * kForm.chunk_keys();
  const uint32_t key = k0 + kTile * kt + wave.lane() % 16;
  const uint32_t kv_len = pointer(c.args.klen)[t];
  const KeyRecord record = key_record(c.args, t, key);
  const Query<kForm> query = load_query<kForm>(wave, c.args, t);
  if (k0 >= kv_len) return;
  const KeyTile keys = load_keys(wave, record);
  store_query<kForm>(wave, q, query);
  if (head_group == 0) store_keys(wave, raw, kt, keys);
  barrier();
  stamp<kTimelinePoints>(wave, c.args.tl, 5);
  Scores<kForm> scores = dot_products<kForm>(wave, q, keys, ht0);
  const ValidKeys valid = valid_keys(wave, key < kv_len && record.valid);
  mask_scores<kForm>(wave, st, c.args, kt, ht0, valid, scores);
  barrier();
  probabilities<kForm>(wave, st, sums, p_rows, kt, ht0, valid, scores);
  barrier();
  store_stats<kForm>(wave, c, st, sums, t, chunk);
  store_partial<kForm>(wave, c, raw, p_rows, t, chunk);
  stamp<kTimelinePoints>(wave, c.args.tl, 6);
  publish(wave, c.mail, c.region(c.at.srdy), t * kForm.chunks() + chunk);
  stamp<kTimelinePoints>(wave, c.args.tl, 7);
}

}  // namespace wavetwin::back
