// SPDX-License-Identifier: MIT
// Attention of one query row (a wave, its heads in lanes % 16) to 128-key blocks; twin of
// sim/kernels/drafter_block.h.
//
// S^T = K Q^T leaves keys 16 i + 4 g .. + 3 of a head in one lane, four to a word of P: the operand of
// O^T = V^T P^T, so P stays in registers. l and o are scaled by 256, which o / l cancels.
#pragma once

#include "hip/device/drafter_kv.h"

namespace wavetwin::drafter {

// Words w .. w + 3 and w + 16 .. w + 19 of row r of tile t: an operand in natural order.
WAVETWIN_INLINE U32x8 lds8w(LdsWords lds, uint32_t t, uint32_t r, uint32_t w) {
  return __builtin_shufflevector(lds_load4(lds, tw(t, r, w)), lds_load4(lds, tw(t, r, w + 16)), 0, 1, 2, 3, 4,
                                 5, 6, 7);
}
// Words w .. w + 7.
WAVETWIN_INLINE U32x8 lds8c(LdsWords lds, uint32_t t, uint32_t r, uint32_t w) {
  return __builtin_shufflevector(lds_load4(lds, tw(t, r, w)), lds_load4(lds, tw(t, r, w + 4)), 0, 1, 2, 3, 4,
                                 5, 6, 7);
}
WAVETWIN_INLINE F32x4 mma_unit(U32x8 a, U32x8 b, F32x4 c) {
  return mfma_scaled(a, b, c, kUnitScale, kUnitScale);
}
// The wave's Q^T operand.
WAVETWIN_INLINE U32x8 q_operand(const Wave& wave, LdsWords lds) {
  return lds8w(lds, kTq, 16 * wave.wave_id() + wave.lane() % 16, 4 * (wave.lane() / 16));
}

// Running maximum (raw score units), sum and output of a head; o[n][e] is dim 16 n + 4 g + e.
struct Running {
  float m, l;
  F32x4 o[8];
};
WAVETWIN_INLINE Running nothing_yet() {
  Running out;
  out.m = float_of(kNegInfBits);
  out.l = 0.0f;
#pragma unroll
  for (uint32_t n = 0; n < 8; ++n) out.o[n] = F32x4{0, 0, 0, 0};
  return out;
}

struct Scores {
  float s[32];  // of keys 16 i + 4 g + e, i = x / 4, e = x % 4
};
template <bool kMask>
WAVETWIN_INLINE Scores block_scores(const Wave& wave, LdsWords lds, U32x8 q, uint32_t tk, int32_t block,
                                    const Window& w) {
  const uint32_t row = wave.lane() % 16, g = wave.lane() / 16;
  const int32_t position = w.p0 + static_cast<int32_t>(wave.wave_id());
  Scores out;
#pragma unroll
  for (uint32_t i = 0; i < 8; ++i) {
    const F32x4 c = mma_unit(lds8w(lds, tk, 16 * i + row, 4 * g), q, F32x4{0, 0, 0, 0});
#pragma unroll
    for (uint32_t e = 0; e < 4; ++e) {
      out.s[4 * i + e] = c[e];
      if constexpr (kMask) {
        const int32_t key = static_cast<int32_t>(block_start(block) + 16 * i + 4 * g + e);
        const bool visible = key > position - kWindow && key >= w.lo && key <= w.hi;
        out.s[4 * i + e] = visible ? c[e] : float_of(kNegInfBits);
      }
    }
  }
  return out;
}
WAVETWIN_INLINE float block_max(const Scores& scores) {
  float m = scores.s[0];
#pragma unroll
  for (uint32_t x = 1; x < 32; ++x) m = max_nan(m, scores.s[x]);
  return butterfly<Max, 16, 32>(m);
}

// P = exp(score - max) x 256 as e4m3, and its sum before that rounding.
struct Weights {
  float sum;
  U32x8 p;
};
WAVETWIN_INLINE Weights block_weights(const Scores& scores, float safe_max) {
  const float off = safe_max * float_of(kQkCBits) - 8.0f;
  float p[32];
#pragma unroll
  for (uint32_t x = 0; x < 32; ++x) p[x] = exp2_word(scores.s[x] * float_of(kQkCBits) - off);
  Weights out;
  out.sum = p[0];
#pragma unroll
  for (uint32_t x = 1; x < 32; ++x) out.sum = out.sum + p[x];
  out.sum = butterfly<Add, 16, 32>(out.sum);
#pragma unroll
  for (uint32_t i = 0; i < 8; ++i) out.p[i] = fp8_pack4(p[4 * i], p[4 * i + 1], p[4 * i + 2], p[4 * i + 3]);
  return out;
}

// One block; the maximum is returned in natural-log score units.
template <bool kMask>
WAVETWIN_INLINE Running block_math(const Wave& wave, LdsWords lds, U32x8 q, uint32_t tk, uint32_t tv,
                                   int32_t block, const Window& w) {
  const Scores scores = block_scores<kMask>(wave, lds, q, tk, block, w);
  const float m = block_max(scores);
  const float safe_max = kMask && m == float_of(kNegInfBits) ? 0.0f : m;
  const Weights weights = block_weights(scores, safe_max);
  Running out;
  out.m = m * float_of(kSmScaleBits);
  out.l = weights.sum;
#pragma unroll
  for (uint32_t n = 0; n < 8; ++n) {
    const U32x8 v = lds8c(lds, tv, 16 * n + wave.lane() % 16, 8 * (wave.lane() / 16));
    out.o[n] = mma_unit(v, weights.p, F32x4{0, 0, 0, 0});
  }
  return out;
}

// One block more of an online softmax.
template <bool kMask>
WAVETWIN_INLINE void block_acc(const Wave& wave, LdsWords lds, U32x8 q, uint32_t tk, uint32_t tv,
                               int32_t block, const Window& w, Running& run) {
  const Scores scores = block_scores<kMask>(wave, lds, q, tk, block, w);
  const float m = max_nan(run.m, block_max(scores));
  const float safe_max = m == float_of(kNegInfBits) ? 0.0f : m;
  const float alpha = exp2_word((run.m - safe_max) * float_of(kQkCBits));
  const Weights weights = block_weights(scores, safe_max);
  run.m = m;
  run.l = run.l * alpha + weights.sum;
#pragma unroll
  for (uint32_t n = 0; n < 8; ++n) {
    const U32x8 v = lds8c(lds, tv, 16 * n + wave.lane() % 16, 8 * (wave.lane() / 16));
    F32x4 c;
#pragma unroll
    for (uint32_t e = 0; e < 4; ++e) c[e] = run.o[n][e] * alpha;
    run.o[n] = mma_unit(v, weights.p, c);
  }
}

// The wave's row (waves 0 .. 6), `at` bytes into the partials.
WAVETWIN_INLINE void store_partial(const Wave& wave, Rsrc partials, uint32_t at, const Running& run) {
  if (wave.wave_id() >= kRows) return;
  const uint32_t g = wave.lane() / 16;
  const uint32_t row = 16 * wave.wave_id() + wave.lane() % 16;
  if (g == 0) {
    buffer_store_b32<kCmDev>(bits_of(run.m), partials, at + 4 * row);
    buffer_store_b32<kCmDev>(bits_of(run.l), partials, at + kPartL + 4 * row);
  }
#pragma unroll
  for (uint32_t n = 0; n < 8; ++n) {
    buffer_store_b128<kCmDev>(__builtin_bit_cast(U32x4, run.o[n]), partials,
                              at + kPartO + 4 * (row * kDim + 16 * n + 4 * g));
  }
}

}  // namespace wavetwin::drafter
