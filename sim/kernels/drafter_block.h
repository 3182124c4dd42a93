// SPDX-License-Identifier: MIT
// Attention of one query row (a wave, its heads in lanes % 16) to 128-key blocks; twin of
// hip/device/drafter_block.h.
//
// S^T = K Q^T leaves keys 16 i + 4 g .. + 3 of a head in one lane, four to a word of P: the operand of
// O^T = V^T P^T, so P stays in registers. l and o are scaled by 256, which o / l cancels.
#pragma once

#include "sim/kernels/drafter_kv.h"

namespace wavetwin::drafter {

// Words w .. w + 3 and w + 16 .. w + 19 of row r of tile t: an operand in natural order.
inline Vgprs<8> lds8w(Wave& wave, uint32_t t, const LaneU32& r, const LaneU32& w) {
  return join(wave.lds().load<4>(tw(t, r, w)), wave.lds().load<4>(tw(t, r, w + 16)));
}
// Words w .. w + 7.
inline Vgprs<8> lds8c(Wave& wave, uint32_t t, const LaneU32& r, const LaneU32& w) {
  return join(wave.lds().load<4>(tw(t, r, w)), wave.lds().load<4>(tw(t, r, w + 4)));
}
inline Accumulator mma_unit(const Vgprs<8>& a, const Vgprs<8>& b, const Accumulator& c) {
  return mfma_scaled(a, b, c, LaneU32(kUnitScale), LaneU32(kUnitScale));
}
// The wave's Q^T operand.
inline Vgprs<8> q_operand(Wave& wave) {
  return lds8w(wave, kTq, 16 * wave.wave_id() + wave.lane() % 16, 4 * (wave.lane() / 16));
}

// Running maximum (raw score units), sum and output of a head; o[n][e] is dim 16 n + 4 g + e.
struct Running {
  LaneF32 m, l;
  Accumulator o[8];
};
inline Running nothing_yet() {
  Running out;
  out.m = float_of(kNegInfBits);
  out.l = 0.0f;
  for (uint32_t n = 0; n < 8; ++n) out.o[n] = Accumulator::uniform(0);
  return out;
}

struct Scores {
  LaneF32 s[32];  // of keys 16 i + 4 g + e, i = x / 4, e = x % 4
};
template <bool kMask>
Scores block_scores(Wave& wave, const Vgprs<8>& q, uint32_t tk, int32_t block, const Window& w) {
  const LaneU32 row = wave.lane() % 16, g = wave.lane() / 16;
  const int32_t position = w.p0 + static_cast<int32_t>(wave.wave_id());
  Scores out;
  for (uint32_t i = 0; i < 8; ++i) {
    const Accumulator c = mma_unit(lds8w(wave, tk, 16 * i + row, 4 * g), q, Accumulator::uniform(0));
    for (uint32_t e = 0; e < 4; ++e) {
      out.s[4 * i + e] = as_f32(c[e]);
      if constexpr (kMask) {
        const LaneI32 key = as_i32(block_start(block) + 16 * i + 4 * g + e);
        const LaneMask visible = (key > position - kWindow) & (key >= w.lo) & (key <= w.hi);
        out.s[4 * i + e] = select(visible, as_f32(c[e]), float_of(kNegInfBits));
      }
    }
  }
  return out;
}
inline LaneF32 block_max(const Scores& scores) {
  LaneF32 m = scores.s[0];
  for (uint32_t x = 1; x < 32; ++x) m = max_nan(m, scores.s[x]);
  return butterfly<Max, 16, 32>(m);
}

// P = exp(score - max) x 256 as e4m3, and its sum before that rounding.
struct Weights {
  LaneF32 sum;
  Vgprs<8> p;
};
inline Weights block_weights(const Scores& scores, const LaneF32& safe_max) {
  const LaneF32 off = safe_max * float_of(kQkCBits) - 8.0f;
  LaneF32 p[32];
  for (uint32_t x = 0; x < 32; ++x) p[x] = exp2_word(scores.s[x] * float_of(kQkCBits) - off);
  Weights out;
  out.sum = p[0];
  for (uint32_t x = 1; x < 32; ++x) out.sum = out.sum + p[x];
  out.sum = butterfly<Add, 16, 32>(out.sum);
  for (uint32_t i = 0; i < 8; ++i) out.p[i] = fp8_pack4(p[4 * i], p[4 * i + 1], p[4 * i + 2], p[4 * i + 3]);
  return out;
}

// One block; the maximum is returned in natural-log score units.
template <bool kMask>
Running block_math(Wave& wave, const Vgprs<8>& q, uint32_t tk, uint32_t tv, int32_t block, const Window& w) {
  const Scores scores = block_scores<kMask>(wave, q, tk, block, w);
  const LaneF32 m = block_max(scores);
  const LaneF32 safe_max = kMask ? select(m == float_of(kNegInfBits), 0.0f, m) : m;
  const Weights weights = block_weights(scores, safe_max);
  Running out;
  out.m = m * float_of(kSmScaleBits);
  out.l = weights.sum;
  for (uint32_t n = 0; n < 8; ++n) {
    const Vgprs<8> v = lds8c(wave, tv, 16 * n + wave.lane() % 16, 8 * (wave.lane() / 16));
    out.o[n] = mma_unit(v, weights.p, Accumulator::uniform(0));
  }
  return out;
}

// One block more of an online softmax.
template <bool kMask>
void block_acc(Wave& wave, const Vgprs<8>& q, uint32_t tk, uint32_t tv, int32_t block, const Window& w,
               Running& run) {
  const Scores scores = block_scores<kMask>(wave, q, tk, block, w);
  const LaneF32 m = max_nan(run.m, block_max(scores));
  const LaneF32 safe_max = select(m == float_of(kNegInfBits), 0.0f, m);
  const LaneF32 alpha = exp2_word((run.m - safe_max) * float_of(kQkCBits));
  const Weights weights = block_weights(scores, safe_max);
  run.m = m;
  run.l = run.l * alpha + weights.sum;
  for (uint32_t n = 0; n < 8; ++n) {
    const Vgprs<8> v = lds8c(wave, tv, 16 * n + wave.lane() % 16, 8 * (wave.lane() / 16));
    Accumulator c;
    for (uint32_t e = 0; e < 4; ++e) c[e] = as_u32(as_f32(run.o[n][e]) * alpha);
    run.o[n] = mma_unit(v, weights.p, c);
  }
}

// The wave's row (waves 0 .. 6), `at` bytes into the partials.
inline void store_partial(Wave& wave, BufferView partials, uint32_t at, const Running& run) {
  if (wave.wave_id() >= kRows) return;
  const LaneU32 g = wave.lane() / 16;
  const LaneU32 row = 16 * wave.wave_id() + wave.lane() % 16;
  wave.buffer_store(partials, at + 4 * row, as_u32(run.m), g == 0, kCmDev);
  wave.buffer_store(partials, at + kPartL + 4 * row, as_u32(run.l), g == 0, kCmDev);
  for (uint32_t n = 0; n < 8; ++n) {
    wave.buffer_store<4>(partials, at + kPartO + 4 * (row * kDim + 16 * n + 4 * g), run.o[n], kAllLanes,
                         kCmDev);
  }
}

}  // namespace wavetwin::drafter
