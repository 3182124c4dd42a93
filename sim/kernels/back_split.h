// SPDX-License-Identifier: MIT
// Split stage of the attention back; twin of hip/device/back_split.h.
#pragma once

#include "sim/kernels/back_context.h"
#include "sim/kernels/device.h"

namespace wavetwin::back {

struct KeyRecord {
  LaneU64 data, scale;  // addresses of the data row and of the scale row
  LaneMask valid;       // false: the zero record
};

// The record of each lane's key of token t.
inline KeyRecord key_record(Wave& wave, const Args& args, uint32_t t, const LaneU32& key) {
  const LaneU32 entry = wave.load_element(args.kt, t * kKeys + min(key, kKeys - 1));
  const LaneMask valid = entry != kNoKey;
  const LaneU32 slot = select(valid, entry & kSlotMask, 0u);
  const LaneMask compressed = (args.ratio != 0) & valid & (entry > kSlotMask);
  const LaneU32 block = select(compressed, LaneU32(args.comp_block), LaneU32(args.swa_block));
  const LaneU64 stride = select(compressed, LaneU64(args.comp_stride), LaneU64(args.swa_stride));
  const LaneU64 base = select(compressed, LaneU64(args.comp), LaneU64(args.swa));
  const LaneU32 in_page = slot % block;
  const LaneU64 page = base + convert<uint64_t>(slot / block) * stride;
  const LaneU64 data = page + convert<uint64_t>(data_row_at(in_page));
  const LaneU64 scale = page + convert<uint64_t>(scale_row_at(block, in_page));
  return {select(valid, data, args.zrec), select(valid, scale, args.zrec + kData), valid};
}

// A wave's share of 16 keys: lane (r16, g) holds a quarter of key r16.
struct KeyTile {
  Vgprs<2> scale;    // seven E8M0 bytes
  Vgprs<4> nope[7];  // dims 64 c + 16 g .. +16
  Vgprs<4> rope[2];  // dims 448 + 32 c + 8 g .. +8
};

inline KeyTile load_keys(Wave& wave, const KeyRecord& record) {
  const LaneU32 g = wave.lane() / 16;
  KeyTile keys;
  keys.scale = gload<2>(wave, record.scale);
  for (uint32_t c = 0; c < 7; ++c) {
    keys.nope[c] = gload<4>(wave, record.data + convert<uint64_t>(4 * nope_word(c, g)));
  }
  for (uint32_t c = 0; c < 2; ++c) {
    keys.rope[c] = gload<4>(wave, record.data + convert<uint64_t>(4 * rope_word(c, g)));
  }
  return keys;
}

// 16 bytes by two 8-byte stores: odd rows of raw records are 8 B aligned.
inline void store_raw(LdsView raw, const LaneU32& word, const Vgprs<4>& v) {
  raw.store<2>(word, Vgprs<2>{{v[0], v[1]}});
  raw.store<2>(word + 2, Vgprs<2>{{v[2], v[3]}});
}

inline void store_keys(Wave& wave, LdsView raw, uint32_t kt, const KeyTile& keys) {
  const LaneU32 g = wave.lane() / 16;
  const LaneU32 row = (kTile * kt + wave.lane() % 16) * kRawRow;
  for (uint32_t c = 0; c < 7; ++c) store_raw(raw, row + nope_word(c, g), keys.nope[c]);
  for (uint32_t c = 0; c < 2; ++c) store_raw(raw, row + rope_word(c, g), keys.rope[c]);
  raw.store<2>(row + kData / 4, keys.scale, g == 0);
}

// q of a token, 16 B a thread and round.
template <Form kForm>
struct Query {
  static constexpr uint32_t kItems = kForm.dims().heads() * kHeadDim / 8;
  static constexpr uint32_t kRounds = kItems / kThreads;
  static_assert(kItems % kThreads == 0);
  Vgprs<4> item[kRounds];
};

template <Form kForm>
Query<kForm> load_query(Wave& wave, const Args& args, uint32_t t) {
  Query<kForm> query;
  for (uint32_t i = 0; i < Query<kForm>::kRounds; ++i) {
    const LaneU32 u = fresh(wave.thread_id()) + kThreads * i;
    const LaneU32 word = t * (kForm.dims().q_rows() / 2) + 4 * u;
    query.item[i] = wave.buffer_load<4>(rsrc(args.q, kAllRecords), 4 * word);
  }
  return query;
}

template <Form kForm>
void store_query(Wave& wave, LdsView q, const Query<kForm>& query) {
  for (uint32_t i = 0; i < Query<kForm>::kRounds; ++i) {
    const LaneU32 u = fresh(wave.thread_id()) + kThreads * i;
    q.store<4>(u / (kHeadDim / 8) * kQRow + u % (kHeadDim / 8) * 4, query.item[i]);
  }
}

// Of each head tile of the wave: lane (r16, g), element i is key 4 g + i of the wave's tile, head r16.
template <Form kForm>
struct Scores {
  LaneF32 s[kForm.wave_head_tiles()][4];
};

// Byte c of the scale words.
inline LaneU32 scale_byte(const Vgprs<2>& words, uint32_t c) { return (words[c / 4] >> (c % 4 * 8)) & 0xFF; }

// The wave's keys against its head tiles (the first is ht0), not scaled.
template <Form kForm>
Scores<kForm> dot_products(Wave& wave, LdsView q, const KeyTile& keys, uint32_t ht0) {
  constexpr uint32_t kTiles = kForm.wave_head_tiles();
  const LaneU32 g = wave.lane() / 16;
  const LaneU32 r16 = wave.lane() % 16;
  Accumulator acc[kTiles];
  for (uint32_t ht = 0; ht < kTiles; ++ht) acc[ht] = Accumulator::uniform(0);
  for (uint32_t c = 0; c < 7; ++c) {
    const LaneF32 scale = pow2(scale_byte(keys.scale, c));
    for (uint32_t h = 0; h < 2; ++h) {
      const Vgprs<4> a = fp8x8_bf16(keys.nope[c][2 * h], keys.nope[c][2 * h + 1], scale);
      for (uint32_t ht = 0; ht < kTiles; ++ht) {
        const LaneU32 row = ((ht0 + ht) * kTile + r16) * kQRow;
        acc[ht] = mfma_bf16(a, q.load<4>(row + q_nope_word(c, h, g)), acc[ht]);
      }
    }
  }
  for (uint32_t c = 0; c < 2; ++c) {
    for (uint32_t ht = 0; ht < kTiles; ++ht) {
      const LaneU32 row = ((ht0 + ht) * kTile + r16) * kQRow;
      acc[ht] = mfma_bf16(keys.rope[c], q.load<4>(row + q_rope_word(c, g)), acc[ht]);
    }
  }
  Scores<kForm> out;
  for (uint32_t ht = 0; ht < kTiles; ++ht) {
    for (uint32_t i = 0; i < 4; ++i) out.s[ht][i] = as_f32(acc[ht][i]);
  }
  return out;
}

// Which of the lane's four scores belong to a key.
struct ValidKeys {
  LaneMask key[4];
};
inline ValidKeys valid_keys(Wave& wave, LaneMask own) {
  const LaneU32 g = wave.lane() / 16;
  const LaneU32 word = select(own, LaneU32(1u), 0u);
  ValidKeys valid;
  for (uint32_t i = 0; i < 4; ++i) valid.key[i] = lane_gather(word, 4 * g + i) != 0;
  return valid;
}

// Scaled and masked scores; their maximum over the key tile -> st.
template <Form kForm>
void mask_scores(Wave& wave, LdsView st, const Args& args, uint32_t kt, uint32_t ht0, const ValidKeys& valid,
                 Scores<kForm>& scores) {
  const LaneU32 r16 = wave.lane() % 16;
  for (uint32_t ht = 0; ht < kForm.wave_head_tiles(); ++ht) {
    LaneF32(&s)[4] = scores.s[ht];
    for (uint32_t i = 0; i < 4; ++i) {
      s[i] = select(valid.key[i], s[i] * float_of(args.qk_scale), float_of(kNegBits));
    }
    const LaneF32 most = butterfly<Max, 32, 16>(max_nan(max_nan(s[0], s[1]), max_nan(s[2], s[3])));
    st.store_f32(stat_at(kForm, LaneU32(ht0 + ht), kt, r16), most, wave.lane() < 16);
  }
}

// p = 2^(score - the chunk's maximum): rounded to bf16 -> p rows, summed unrounded over the key tile -> sums.
template <Form kForm>
void probabilities(Wave& wave, LdsView st, LdsView sums, LdsView p_rows, uint32_t kt, uint32_t ht0,
                   const ValidKeys& valid, const Scores<kForm>& scores) {
  const LaneU32 g = wave.lane() / 16;
  const LaneU32 r16 = wave.lane() % 16;
  for (uint32_t ht = 0; ht < kForm.wave_head_tiles(); ++ht) {
    const LaneU32 head_tile = ht0 + ht;
    LaneF32 m = st.load_f32(stat_at(kForm, head_tile, 0, r16));
    for (uint32_t j = 1; j < kForm.key_tiles(); ++j) {
      m = max_nan(m, st.load_f32(stat_at(kForm, head_tile, j, r16)));
    }
    LaneF32 p[4];
    for (uint32_t i = 0; i < 4; ++i) p[i] = select(valid.key[i], exp2_word(scores.s[ht][i] - m), 0.0f);
    LaneF32 sum = (p[0] + p[2]) + (p[1] + p[3]);
    sum = sum + xshfl<32>(sum);
    sum = sum + xshfl<16>(sum);
    const LaneU32 word = p_at(kForm, head_tile * kTile + r16, kTile * kt + 4 * g);
    p_rows.store<2>(word, Vgprs<2>{{bf16_pair(p[0], p[1]), bf16_pair(p[2], p[3])}});
    sums.store_f32(stat_at(kForm, head_tile, kt, r16), sum, wave.lane() < 16);
  }
}

// The chunk's (max, sum) per head, a thread a head.
template <Form kForm>
void store_stats(Wave& wave, const Context& c, LdsView st, LdsView sums, uint32_t t, uint32_t chunk) {
  const LaneU32 head = wave.thread_id();
  const LaneMask in = head < kForm.dims().heads();
  if (in.is_none()) return;
  LaneF32 m = st.load_f32(stat_at(kForm, head / kTile, 0, head % kTile), in);
  LaneF32 l = sums.load_f32(stat_at(kForm, head / kTile, 0, head % kTile), in);
  for (uint32_t j = 1; j < kForm.key_tiles(); ++j) {
    m = max_nan(m, st.load_f32(stat_at(kForm, head / kTile, j, head % kTile), in));
    l = l + sums.load_f32(stat_at(kForm, head / kTile, j, head % kTile), in);
  }
  wave.buffer_store<2>(c.region(c.at.pstat), 8 * part_row(kForm, t, chunk, head),
                       Vgprs<2>{{as_u32(m), as_u32(l)}}, in, kCmDev);
}

// v[dt][j]: dim 64 w + 4 r16 + dt of key 4 g + j of a key tile.
struct Values {
  LaneF32 v[4][4];
};
inline Values load_values(Wave& wave, LdsView raw, uint32_t kt) {
  const uint32_t w = wave.wave_id();
  const LaneU32 g = wave.lane() / 16;
  const LaneU32 r16 = wave.lane() % 16;
  Values out;
  for (uint32_t j = 0; j < 4; ++j) {
    const LaneU32 row = (kTile * kt + 4 * g + j) * kRawRow;
    if (w == kWaves - 1) {
      const Vgprs<2> words = raw.load<2>(row + kNope / 4 + 2 * r16);
      for (uint32_t dt = 0; dt < 4; ++dt) {
        out.v[dt][j] = dt % 2 == 0 ? bf_lo(words[dt / 2]) : bf_hi(words[dt / 2]);
      }
    } else {
      const LaneU32 word = raw.load(row + 16 * w + r16);
      const LaneU32 scales = raw.load(row + kData / 4 + w / 4);
      const LaneF32 scale = pow2((scales >> (w % 4 * 8)) & 0xFF);
      const F32Pair low = fp8_pair_f32<false>(word, scale);
      const F32Pair high = fp8_pair_f32<true>(word, scale);
      for (uint32_t dt = 0; dt < 4; ++dt) out.v[dt][j] = dt < 2 ? low[dt] : high[dt - 2];
    }
  }
  return out;
}

// p . V of the chunk's keys for every head, dims 64 w .. of wave w -> part, bf16. Lane (r16, g), row 4 g + i
// of the product with dt is dim 64 w + 16 g + 4 i + dt of head r16.
template <Form kForm>
void store_partial(Wave& wave, const Context& c, LdsView raw, LdsView p_rows, uint32_t t, uint32_t chunk) {
  constexpr uint32_t kHeadTiles = kForm.dims().head_tiles();
  const LaneU32 g = wave.lane() / 16;
  const LaneU32 r16 = wave.lane() % 16;
  Accumulator acc[kHeadTiles][4];
  for (auto& tile : acc) {
    for (Accumulator& a : tile) a = Accumulator::uniform(0);
  }
  for (uint32_t kt = 0; kt < kForm.key_tiles(); ++kt) {
    const Values values = load_values(wave, raw, kt);
    for (uint32_t ht = 0; ht < kHeadTiles; ++ht) {
      const LaneU32 word = p_at(kForm, ht * kTile + r16, kTile * kt + 4 * g);
      const Vgprs<2> b = p_rows.load<2>(word);
      for (uint32_t dt = 0; dt < 4; ++dt) {
        const LaneF32(&v)[4] = values.v[dt];
        acc[ht][dt] = mfma16_bf16({{bf16_pair(v[0], v[1]), bf16_pair(v[2], v[3])}}, b, acc[ht][dt]);
      }
    }
  }
  for (uint32_t ht = 0; ht < kHeadTiles; ++ht) {
    const LaneU32 element = part_row(kForm, t, chunk, ht * kTile + r16) * kHeadDim  // the head's row
                            + 64 * wave.wave_id() + 16 * g;                         // the lane's 16 dims
    for (uint32_t half = 0; half < 2; ++half) {
      Vgprs<4> words;
      for (uint32_t e = 0; e < 4; ++e) {
        const uint32_t i = 2 * half + e / 2, dt = e % 2 * 2;
        words[e] = bf16_pair(as_f32(acc[ht][dt][i]), as_f32(acc[ht][dt + 1][i]));
      }
      wave.buffer_store<4>(c.region(c.at.part), 2 * element + 16 * half, words, kAllLanes, kCmDev);
    }
  }
}

// Flash decoding of chunk unit % chunks of token unit / chunks; nothing happens past the token's keys.
template <Form kForm>
SubTask<> stage_split(Wave& wave, Context c, uint32_t unit) {
  constexpr SplitLds kLds = split_lds(kForm);
  const LdsView q = wave.lds(kLds.q), raw = wave.lds(kLds.raw), p_rows = wave.lds(kLds.p);
  const LdsView st = wave.lds(kLds.st), sums = st.at(4 * kForm.dims().heads() * kForm.key_tiles());
  wave.stage("split: load");
  const uint32_t t = unit / kForm.chunks(), chunk = unit % kForm.chunks();
  const uint32_t head_group = wave.wave_id() / kForm.key_tiles(), kt = wave.wave_id() % kForm.key_tiles();
  const uint32_t ht0 = head_group * kForm.wave_head_tiles();
  const uint32_t k0 = chunk * kForm.chunk_keys();
  const LaneU32 key = k0 + kTile * kt + wave.lane() % 16;
  const uint32_t kv_len = wave.load_uniform(c.args.klen, t);
  const KeyRecord record = key_record(wave, c.args, t, key);
  const Query<kForm> query = load_query<kForm>(wave, c.args, t);
  if (k0 >= kv_len) co_return;
  const KeyTile keys = load_keys(wave, record);
  store_query<kForm>(wave, q, query);
  if (head_group == 0) store_keys(wave, raw, kt, keys);
  co_await wave.barrier();
  stamp<kTimelinePoints>(wave, c.args.tl, 5);
  wave.stage("split: scores");
  Scores<kForm> scores = dot_products<kForm>(wave, q, keys, ht0);
  const ValidKeys valid = valid_keys(wave, (key < kv_len) & record.valid);
  mask_scores<kForm>(wave, st, c.args, kt, ht0, valid, scores);
  co_await wave.barrier();
  wave.stage("split: probabilities");
  probabilities<kForm>(wave, st, sums, p_rows, kt, ht0, valid, scores);
  co_await wave.barrier();
  wave.stage("split: values");
  store_stats<kForm>(wave, c, st, sums, t, chunk);
  store_partial<kForm>(wave, c, raw, p_rows, t, chunk);
  stamp<kTimelinePoints>(wave, c.args.tl, 6);
  wave.stage("split: publish");
  co_await publish(wave, c.mail, c.region(c.at.srdy), t * kForm.chunks() + chunk);
  stamp<kTimelinePoints>(wave, c.args.tl, 7);
}

}  // namespace wavetwin::back
