// SPDX-License-Identifier: MIT
// The MXFP8 GEMV stages as device functions; their twin is hip/device/gemv.h. The order of use:
//
//   ops = gemv_loads(...)            weights, all in flight before the task waits on its activations
//   span = rows_loads(...)           activations of a token tile, in flight
//   co_await rows_store(...)
//   gemv_mfmas(...); co_await wave.barrier()
//   row_sum(...)
#pragma once

#include "common/device_ptr.h"
#include "common/kernels/gemv.h"
#include "sim/core/wave_task.h"
#include "sim/kernels/device.h"

namespace wavetwin {

// One step's weight operand of a wave.
struct StepOperand {
  Vgprs<4> lo, hi;  // K bytes 16 j .. +16 and 64 + 16 j .. +16 of the step, j = lane / 16
  LaneU32 scale;    // E8M0 code of K block j
};

// A wave's weight operands of a task.
template <GemvForm kForm>
struct StepOperands {
  StepOperand step[kForm.steps_per_wave()];
};

// Rows row0 .. row0 + 15 of global step st.
inline StepOperand step_load(Wave& wave, BufferView w, BufferView ws, uint32_t k, uint32_t row0,
                             uint32_t st) {
  const LaneU32 j = wave.lane() / 16;
  const LaneU32 row = row0 + wave.lane() % 16;
  const LaneU32 base = row * k                // the lane's weight row
                       + kStepK * st          // the step
                       + 16 * j;              // its 16 bytes of the step's first half
  const LaneU32 scale = row0 / 32 * (k / 32)  // the scale row of 32 weight rows
                        + kStepBlocks * st    // the step
                        + j;                  // the K block
  StepOperand op;
  op.lo = wave.buffer_load<4>(w, base);
  op.hi = wave.buffer_load<4>(w, base + 64);
  const LaneU32 word = wave.buffer_load(ws, scale / 4 * 4);
  op.scale = (word >> (scale % 4 * 8)) & 0xFF;
  return op;
}

// The weight operands of this wave: rows row0 .. of the task, steps kbeg .. kbeg + nsteps. pred false: masked
// off (zeros, no memory traffic).
template <GemvForm kForm>
StepOperands<kForm> gemv_loads(Wave& wave, DevicePtr<const uint8_t> w, DevicePtr<const uint8_t> ws,
                               uint32_t row0, uint32_t kbeg = 0, bool pred = true) {
  const BufferView r_w = rsrc(w, pred ? kAllRecords : kNoRecords);
  const BufferView r_ws = rsrc(ws, pred ? kAllRecords : kNoRecords);
  row0 += kRowTile * row_tile_of(kForm, wave.wave_id());
  StepOperands<kForm> ops;
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
Accumulator step_mfma(Wave& wave, LdsView xl, LdsView xsl, Step s, StepOperand op, const Accumulator& acc,
                      uint32_t rows) {
  const LaneU32 j = wave.lane() / 16;
  const LaneU32 token = wave.lane() % 16;
  const LaneU32 col = min(token, rows - 1);
  const uint32_t st = s.live ? s.st : kForm.nsteps - 1;
  const LaneU32 x = col * lds_row(kForm.words())  // the token's row
                    + kStepWords * st             // the step
                    + 4 * j;                      // its 16 bytes of the step's first half
  const Vgprs<4> x_lo = xl.load<4>(x);
  const Vgprs<4> x_hi = xl.load<4>(x + 16);
  LaneU32 scale_b = xsl.load(col * lds_row(kForm.groups())  // the token's row
                             + kStepBlocks * st             // the step
                             + j);                          // the K block
  LaneU32 scale_a = op.scale;
  if (!s.live) {
    op.lo = Vgprs<4>::uniform(0);
    op.hi = Vgprs<4>::uniform(0);
    scale_a = kUnitScale;
    scale_b = kUnitScale;
  }
  const Vgprs<8> a = join(op.lo, op.hi);
  const Vgprs<8> b = join(x_lo, x_hi);
  return mfma_scaled(a, b, acc, scale_a, scale_b);
}

// This wave's partial of the task -> red[wave][lane][4]: lane l, element i is row 4 (l / 16) + i, token l
// % 16.
template <GemvForm kForm>
void gemv_mfmas(Wave& wave, LdsView xl, LdsView xsl, LdsView red, const StepOperands<kForm>& ops,
                uint32_t rows) {
  Accumulator acc = Accumulator::uniform(0);
  for (uint32_t i = 0; i < kForm.steps_per_wave(); ++i) {
    acc = step_mfma<kForm>(wave, xl, xsl, steps(kForm, wave.wave_id(), i), ops.step[i], acc, rows);
  }
  if (kForm.split != 0 && !kForm.tiled && wave.wave_id() >= kForm.split) acc = Accumulator::uniform(0);
  red.store<4>((wave.wave_id() * kLanes + wave.lane()) * kAccElements, acc);
}

// Row r (< 16), token t: the partials of waves first .. first + count - 1 in that order, from +0.
inline LaneF32 row_sum(LdsView red, const LaneU32& r, const LaneU32& t, const LaneU32& first, uint32_t count,
                       LaneMask in) {
  LaneF32 sum = 0.0f;
  for (uint32_t w = 0; w < count; ++w) sum = sum + red.load_f32(red_at(r, t, first + w), in);
  return sum;
}

// A wave's 16 B items of a span of at most kTokenTile rows `kWidth` words wide.
template <uint32_t kWidth>
struct Span {
  Vgprs<4> item[span_items(kWidth, kTokenTile).rounds];
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
Span<kWidth> span_loads(Wave& wave, BufferView r, uint32_t stride, uint32_t off, uint32_t t0, uint32_t n) {
  constexpr SpanItems kItems = span_items(kWidth, kTokenTile);
  const TileAt<LaneU32> at = tile_map(wave.thread_id(), kItems.items);
  const LaneU32 a0 = 4 * at.col      // the thread's column
                     + off           // the slice
                     + t0 * stride;  // the tile
  Span<kWidth> span;
  for (uint32_t i = 0; i < kItems.rounds; ++i) {
    if (i * kItems.rows_per_round >= n) break;
    const LaneU32 row = at.row + kItems.rows_per_round * i;
    const LaneU32 inside = min(row, n - 1);
    span.item[i] = wave.buffer_load<4>(r, 4 * (inside * stride + a0));
  }
  return span;
}

// span_loads' registers into LDS rows 0 .. n - 1 at the lds_row pitch.
template <uint32_t kWidth>
void store_span(Wave& wave, const Span<kWidth>& span, LdsView dst, uint32_t n) {
  constexpr SpanItems kItems = span_items(kWidth, kTokenTile);
  const TileAt<LaneU32> at = tile_map(wave.thread_id(), kItems.items);
  for (uint32_t i = 0; i < kItems.rounds; ++i) {
    if (i * kItems.rows_per_round >= n) break;
    const LaneU32 row = at.row + kItems.rows_per_round * i;
    const LaneMask in = (row < n) & (wave.thread_id() < kItems.rows_per_round * kItems.items);
    dst.store<4>(row * lds_row(kWidth) + 4 * at.col, span.item[i], in);
  }
}

// The MXFP8 rows of tokens t0 .. t0 + n - 1: words from off_w (rows stride_w words apart) and scale codes, an
// i32 each, from off_g (rows stride_g apart), loaded and not waited on. Plain loads: whoever wrote these rows
// has been waited for. pred false: masked off (zeros, no memory traffic).
template <GemvForm kForm>
RowSpans<kForm> rows_loads(Wave& wave, DevicePtr<const uint32_t> words, DevicePtr<const uint32_t> codes,
                           uint32_t stride_w, uint32_t off_w, uint32_t stride_g, uint32_t off_g, uint32_t t0,
                           uint32_t n, bool pred = true) {
  RowSpans<kForm> spans;
  const uint32_t records = pred ? kAllRecords : kNoRecords;
  spans.words = span_loads<kForm.words()>(wave, rsrc(words, records), stride_w, off_w, t0, n);
  spans.codes = span_loads<kForm.groups()>(wave, rsrc(codes, records), stride_g, off_g, t0, n);
  return spans;
}

// rows_loads' registers into LDS rows 0 .. n - 1, then a barrier.
template <GemvForm kForm>
SubTask<> rows_store(Wave& wave, const RowSpans<kForm>& spans, LdsView xl, LdsView xsl, uint32_t n) {
  store_span<kForm.words()>(wave, spans.words, xl, n);
  store_span<kForm.groups()>(wave, spans.codes, xsl, n);
  co_await wave.barrier();
}

}  // namespace wavetwin
