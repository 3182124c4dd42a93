// SPDX-License-Identifier: MIT
// The MXFP8 GEMV stages as device functions; their twin is sim/kernels/gemv.h. The order of use:
//
//   ops = gemv_loads(...)            weights, all in flight before the task waits on its activations
//   span = rows_loads(...)           activations of a token tile, in flight
//   rows_store(...)
//   gemv_mfmas(...); barrier()
//   row_sum(...)
#pragma once

#include "common/kernels/gemv.h"
#include "hip/device/intrinsics.h"

namespace wavetwin {

// One step's weight operand of a lane.
struct StepOperand {
  U32x4 lo, hi;    // K bytes 16 j .. +16 and 64 + 16 j .. +16 of the step, j = lane / 16
  uint32_t scale;  // E8M0 code of K block j
};

// A wave's weight operands of a task.
template <GemvForm kForm>
struct StepOperands {
  StepOperand step[kForm.steps_per_wave()];
};

// Rows row0 .. row0 + 15 of global step st.
WAVETWIN_INLINE StepOperand step_load(const Wave& wave, Rsrc w, Rsrc ws, uint32_t k, uint32_t row0,
                                      uint32_t st) {
  const uint32_t j = wave.lane() / 16;
  const uint32_t row = row0 + wave.lane() % 16;
  const uint32_t base = row * k                // the lane's weight row
                        + kStepK * st          // the step
                        + 16 * j;              // its 16 bytes of the step's first half
  const uint32_t scale = row0 / 32 * (k / 32)  // the scale row of 32 weight rows
                         + kStepBlocks * st    // the step
                         + j;                  // the K block
  StepOperand op;
  op.lo = buffer_load_b128(w, base);
  op.hi = buffer_load_b128(w, base + 64);
  const uint32_t word = buffer_load_b32(ws, scale / 4 * 4);
  op.scale = (word >> (scale % 4 * 8)) & 0xFF;
  return op;
}

// The weight operands of this wave: rows row0 .. of the task, steps kbeg .. kbeg + nsteps. pred false: masked
// off (zeros, no memory traffic).
template <GemvForm kForm>
WAVETWIN_INLINE StepOperands<kForm> gemv_loads(const Wave& wave, const uint8_t* w, const uint8_t* ws,
                                               uint32_t row0, uint32_t kbeg = 0, bool pred = true) {
  const Rsrc r_w = rsrc(w, pred ? kAllRecords : kNoRecords);
  const Rsrc r_ws = rsrc(ws, pred ? kAllRecords : kNoRecords);
  row0 += kRowTile * row_tile_of(kForm, wave.wave_id());
  StepOperands<kForm> ops;
#pragma unroll
  for (uint32_t i = 0; i < kForm.steps_per_wave(); ++i) {
    const Step s = steps(kForm, wave.wave_id(), i);
    const uint32_t st = s.live ? s.st : kForm.nsteps - 1;
    ops.step[i] = step_load(wave, r_w, r_ws, kForm.k, row0, kbeg + st);
  }
  return ops;
}

// acc plus one step against the `rows` tokens in LDS. Columns past the last token repeat it and are never
// read.
template <GemvForm kForm>
WAVETWIN_INLINE F32x4 step_mfma(const Wave& wave, LdsWords xl, LdsWords xsl, Step s, StepOperand op,
                                F32x4 acc, uint32_t rows) {
  const uint32_t j = wave.lane() / 16;
  const uint32_t token = wave.lane() % 16;
  const uint32_t col = token < rows - 1 ? token : rows - 1;
  const uint32_t st = s.live ? s.st : kForm.nsteps - 1;
  const uint32_t x = col * lds_row(kForm.words())  // the token's row
                     + kStepWords * st             // the step
                     + 4 * j;                      // its 16 bytes of the step's first half
  const U32x4 x_lo = lds_load4(xl, x);
  const U32x4 x_hi = lds_load4(xl, x + 16);
  uint32_t scale_b = xsl[col * lds_row(kForm.groups())  // the token's row
                         + kStepBlocks * st             // the step
                         + j];                          // the K block
  uint32_t scale_a = op.scale;
  if (!s.live) {
    op.lo = U32x4(0);
    op.hi = U32x4(0);
    scale_a = kUnitScale;
    scale_b = kUnitScale;
  }
  const U32x8 a = __builtin_shufflevector(op.lo, op.hi, 0, 1, 2, 3, 4, 5, 6, 7);
  const U32x8 b = __builtin_shufflevector(x_lo, x_hi, 0, 1, 2, 3, 4, 5, 6, 7);
  return mfma_scaled(a, b, acc, scale_a, scale_b);
}

// This wave's partial of the task -> red[wave][lane][4]: lane l, element i is row 4 (l / 16) + i, token l
// % 16.
template <GemvForm kForm>
WAVETWIN_INLINE void gemv_mfmas(const Wave& wave, LdsWords xl, LdsWords xsl, LdsFloats red,
                                const StepOperands<kForm>& ops, uint32_t rows) {
  F32x4 acc = F32x4(0.0f);
#pragma unroll
  for (uint32_t i = 0; i < kForm.steps_per_wave(); ++i) {
    acc = step_mfma<kForm>(wave, xl, xsl, steps(kForm, wave.wave_id(), i), ops.step[i], acc, rows);
  }
  if (kForm.split != 0 && !kForm.tiled && wave.wave_id() >= kForm.split) acc = F32x4(0.0f);
  lds_store4(red, (wave.wave_id() * kLanes + wave.lane()) * kAccElements, acc);
}

// Row r (< 16), token t: the partials of waves first .. first + count - 1 in that order, from +0.
WAVETWIN_INLINE float row_sum(LdsFloats red, uint32_t r, uint32_t t, uint32_t first = 0,
                              uint32_t count = kWaves) {
  float sum = 0.0f;
#pragma unroll
  for (uint32_t w = 0; w < count; ++w) sum = sum + red[red_at(r, t, first + w)];
  return sum;
}

// A thread's 16 B items of a span of at most kTokenTile rows `kWidth` words wide.
template <uint32_t kWidth>
struct Span {
  U32x4 item[span_items(kWidth, kTokenTile).rounds];
};

template <GemvForm kForm>
struct RowSpans {
  Span<kForm.words()> words;
  Span<kForm.groups()> codes;
};

// Rows t0 .. t0 + n - 1 (n <= kTokenTile), words off .. off + kWidth of each; `stride` words from row to row.
// A thread keeps its column; its rows are a round apart. Threads without a row of their own load the last
// one.
template <uint32_t kWidth>
WAVETWIN_INLINE Span<kWidth> span_loads(const Wave& wave, Rsrc r, uint32_t stride, uint32_t off, uint32_t t0,
                                        uint32_t n) {
  constexpr SpanItems kItems = span_items(kWidth, kTokenTile);
  const TileAt<uint32_t> at = tile_map(wave.thread_id(), kItems.items);
  const uint32_t a0 = 4 * at.col      // the thread's column
                      + off           // the slice
                      + t0 * stride;  // the tile
  Span<kWidth> span;
#pragma unroll
  for (uint32_t i = 0; i < kItems.rounds; ++i) {
    if (i * kItems.rows_per_round >= n) break;
    const uint32_t row = at.row + kItems.rows_per_round * i;
    const uint32_t inside = row < n - 1 ? row : n - 1;
    span.item[i] = buffer_load_b128(r, 4 * (inside * stride + a0));
  }
  return span;
}

// span_loads' registers into LDS rows 0 .. n - 1 at the lds_row pitch.
template <uint32_t kWidth>
WAVETWIN_INLINE void store_span(const Wave& wave, const Span<kWidth>& span, LdsWords dst, uint32_t n) {
  constexpr SpanItems kItems = span_items(kWidth, kTokenTile);
  const TileAt<uint32_t> at = tile_map(wave.thread_id(), kItems.items);
#pragma unroll
  for (uint32_t i = 0; i < kItems.rounds; ++i) {
    if (i * kItems.rows_per_round >= n) break;
    const uint32_t row = at.row + kItems.rows_per_round * i;
    if (row < n && wave.thread_id() < kItems.rows_per_round * kItems.items) {
      lds_store4(dst, row * lds_row(kWidth) + 4 * at.col, span.item[i]);
    }
  }
}

// The MXFP8 rows of tokens t0 .. t0 + n - 1: words from off_w (rows stride_w words apart) and scale codes, an
// i32 each, from off_g (rows stride_g apart), loaded and not waited on. Plain loads: whoever wrote these rows
// has been waited for. pred false: masked off (zeros, no memory traffic).
template <GemvForm kForm>
WAVETWIN_INLINE RowSpans<kForm> rows_loads(const Wave& wave, const uint32_t* words, const uint32_t* codes,
                                           uint32_t stride_w, uint32_t off_w, uint32_t stride_g,
                                           uint32_t off_g, uint32_t t0, uint32_t n, bool pred = true) {
  RowSpans<kForm> spans;
  const uint32_t records = pred ? kAllRecords : kNoRecords;
  spans.words = span_loads<kForm.words()>(wave, rsrc(words, records), stride_w, off_w, t0, n);
  spans.codes = span_loads<kForm.groups()>(wave, rsrc(codes, records), stride_g, off_g, t0, n);
  return spans;
}

// rows_loads' registers into LDS rows 0 .. n - 1, then a barrier.
template <GemvForm kForm>
WAVETWIN_INLINE void rows_store(const Wave& wave, const RowSpans<kForm>& spans, LdsWords xl, LdsWords xsl,
                                uint32_t n) {
  store_span<kForm.words()>(wave, spans.words, xl, n);
  store_span<kForm.groups()>(wave, spans.codes, xsl, n);
  barrier();
}

}  // namespace wavetwin
