// SPDX-License-Identifier: MIT
// The two GEMV stages of the attention back; twin of sim/kernels/back_gemv.h.
#pragma once

#include "hip/device/back_context.h"
#include "hip/device/gemv.h"

namespace wavetwin::back {

// The LDS members of the GEMV stages.
struct GemvViews {
  LdsFloats red;
  LdsWords xl, xsl;
};
template <Form kForm>
WAVETWIN_INLINE GemvViews gemv_views(LdsWords lds) {
  constexpr GemvLds kLds = gemv_lds(kForm, kTokenTile);
  return {floats(lds + kLds.red / 4), lds + kLds.xl / 4, lds + kLds.xsl / 4};
}

template <Form kForm>
using WoaOperands = StepOperands<kForm.woa()>;
template <Form kForm>
using WobOperands = StepOperands<kForm.wob()>;

// Weights of a wo_a task; masked off when the workgroup has none.
template <Form kForm>
WAVETWIN_INLINE WoaOperands<kForm> woa_loads(const Wave& wave, const Args& args, uint32_t task, bool pred) {
  return gemv_loads<kForm.woa()>(wave, pointer(args.woa), pointer(args.woa_s), task * kWoaRows, 0, pred);
}
template <Form kForm>
WAVETWIN_INLINE WobOperands<kForm> wob_loads(const Wave& wave, const Args& args, uint32_t task,
                                             bool pred = true) {
  return gemv_loads<kForm.wob()>(wave, pointer(args.wob), pointer(args.wob_s), task * kRowTile, 0, pred);
}

// The activation rows of a token tile: one group's slice of xo, and all of x8b.
template <Form kForm>
WAVETWIN_INLINE RowSpans<kForm.woa()> xo_loads(const Wave& wave, const Context& c, uint32_t group,
                                               TokenTile tile) {
  const uint32_t stride = kForm.dims().q_rows();
  return rows_loads<kForm.woa()>(wave, c.words(c.at.xo), c.words(c.at.xos), stride / 4, group * kGroupK / 4,
                                 stride / 32, group * kGroupK / 32, tile.t0, tile.n);
}
template <Form kForm>
WAVETWIN_INLINE RowSpans<kForm.wob()> x8b_loads(const Wave& wave, const Context& c, TokenTile tile) {
  const uint32_t stride = kForm.dims().o_rows();
  return rows_loads<kForm.wob()>(wave, c.words(c.at.x8b), c.words(c.at.x8bs), stride / 4, 0, stride / 32, 0,
                                 tile.t0, tile.n);
}

// Rows 32 task .. of wo_a for the tile's tokens -> bf16 -> MXFP8 of the 32 rows -> x8b, a thread an element.
template <Form kForm>
WAVETWIN_INLINE void stage_woa(const Wave& wave, const Context& c, const GemvViews& lds, uint32_t task,
                               const WoaOperands<kForm>& ops, TokenTile tile) {
  gemv_mfmas<kForm.woa()>(wave, lds.xl, lds.xsl, lds.red, ops, tile.n);
  barrier();
  const uint32_t row = wave.thread_id() % kWoaRows;
  const uint32_t last = tile.n - 1;
  const uint32_t token = wave.thread_id() / kWoaRows < last ? wave.thread_id() / kWoaRows : last;
  const bool mine = wave.thread_id() < kWoaRows * tile.n;
  const float y = bf16_round(row_sum(lds.red, row % kRowTile, token, row / kRowTile * kWoaSplit, kWoaSplit));
  const uint32_t code = mx_code(butterfly<Max, 1, 2, 4, 8, 16>(abs_f32(y)));
  const float q = clamp_fp8(y * mx_mul(code));
  const uint32_t lane = wave.lane();
  const auto ahead = [&](uint32_t by) {
    return lane_f32(q, lane + by < kLanes - 1 ? lane + by : kLanes - 1);
  };
  const uint32_t word = fp8_pack4(q, ahead(1), ahead(2), ahead(3));
  const uint32_t t = tile.t0 + token;
  if (mine && row % 4 == 0) {
    buffer_store_b32<kCmDev>(word, c.region(c.at.x8b), t * kForm.dims().o_rows() + task * kWoaRows + row);
  }
  if (mine && row == 0) {
    buffer_store_b32<kCmDev>(code, c.region(c.at.x8bs), 4 * (t * (kForm.dims().o_rows() / 32) + task));
  }
  barrier();
}

// Waits for the group's xo of every token, then stage_woa for every token tile, the next one's rows in
// flight.
template <Form kForm>
WAVETWIN_INLINE void run_woa(const Wave& wave, const Context& c, LdsWords lds_words, uint32_t task,
                             const WoaOperands<kForm>& ops) {
  const GemvViews lds = gemv_views<kForm>(lds_words);
  const uint32_t group = task / (kForm.dims().woa_tasks() / kForm.dims().groups());
  await_flags(wave, c.mail, c.region(c.at.crdy), c.args.tokens,
              [&](uint32_t u) { return u * kForm.dims().head_octets() + group; });
  stamp<kTimelinePoints>(wave, c.args.tl, 9);
  const uint32_t tiles = token_tiles(c.args.tokens);
  RowSpans<kForm.woa()> rows = xo_loads<kForm>(wave, c, group, token_tile(c.args.tokens, 0));
#pragma unroll 1
  for (uint32_t i = 0; i < tiles; ++i) {
    const TokenTile tile = token_tile(c.args.tokens, i);
    rows_store<kForm.woa()>(wave, rows, lds.xl, lds.xsl, tile.n);
    if (i + 1 < tiles) rows = xo_loads<kForm>(wave, c, group, token_tile(c.args.tokens, i + 1));
    stage_woa<kForm>(wave, c, lds, task, ops, tile);
  }
  stamp<kTimelinePoints>(wave, c.args.tl, 10);
  publish(wave, c.mail, c.region(c.at.ardy), task);
}

// A workgroup's one or two wo_b tasks.
struct WobTasks {
  uint32_t first, second;
  bool has_second;
};
template <Form kForm>
WAVETWIN_INLINE WobTasks wob_tasks(uint32_t first) {
  const uint32_t last = kForm.dims().wob_tasks() - 1, second = first + kBlocks;
  return {first, second < last ? second : last, second <= last};
}

// What becomes of a pair of output columns: a word of out,
struct StoreOut {
  template <Form kForm>
  static WAVETWIN_INLINE void emit(const Context& c, uint32_t t, uint32_t column, float v0, float v1) {
    pointer(c.args.out)[out_element(t, c.args.out_stride, column) / 2] = bf16_pair(v0, v1);
  }
};
// or a tagged pair in the buffer of every rank, at system scope.
struct PushOut {
  template <Form kForm>
  static WAVETWIN_INLINE void emit(const Context& c, uint32_t t, uint32_t column, float v0, float v1) {
    const uint32_t byte = kPairBytes * (out_element(t, c.args.out_stride, column) / 2);
#pragma unroll
    for (uint32_t rank = 0; rank < kForm.tp; ++rank) {
      buffer_store_b64<kCmSys>(U32x2{bf16_pair(v0, v1), c.mail.tag}, rsrc(pointer(c.args.out)),
                               rank * push_bytes(c.args.tokens, c.args.out_stride) + byte);
    }
  }
};

// Rows 16 task .. of both tasks for the tile's tokens -> bf16 pairs, a thread a pair. `mark`: the first tile.
template <Form kForm, class Out>
WAVETWIN_INLINE void stage_wob(const Wave& wave, const Context& c, const GemvViews& lds, WobTasks tasks,
                               const WobOperands<kForm>& ops1, const WobOperands<kForm>& ops2, TokenTile tile,
                               bool mark) {
  gemv_mfmas<kForm.wob()>(wave, lds.xl, lds.xsl, lds.red, ops1, tile.n);
  gemv_mfmas<kForm.wob()>(wave, lds.xl, lds.xsl, lds.red + kRed, ops2, tile.n);
  barrier();
  if (mark) stamp<kTimelinePoints>(wave, c.args.tl, 15);
  const uint32_t per = kRowTile * tile.n / 2;  // pairs of a task
  const uint32_t k = wave.thread_id() / per;
  const uint32_t u = wave.thread_id() % per;
  if (wave.thread_id() < 2 * per && (k == 0 || tasks.has_second)) {
    const uint32_t row = u % (kRowTile / 2) * 2;
    const uint32_t token = u / (kRowTile / 2);
    const uint32_t column = (k == 0 ? tasks.first : tasks.second) * kRowTile + row;
    const float v0 = row_sum(lds.red, row, token, k * kWaves, kWaves);
    const float v1 = row_sum(lds.red, row + 1, token, k * kWaves, kWaves);
    Out::template emit<kForm>(c, tile.t0 + token, column, v0, v1);
  }
  barrier();
}

// Waits for all of x8b, then stage_wob for every token tile, the next one's rows in flight.
template <Form kForm, class Out>
WAVETWIN_INLINE void run_wob(const Wave& wave, const Context& c, LdsWords lds_words, WobTasks tasks,
                             const WobOperands<kForm>& ops1, const WobOperands<kForm>& ops2) {
  const GemvViews lds = gemv_views<kForm>(lds_words);
  await_flags(wave, c.mail, c.region(c.at.ardy), kForm.dims().woa_tasks(), [](uint32_t u) { return u; });
  stamp<kTimelinePoints>(wave, c.args.tl, 12);
  const uint32_t tiles = token_tiles(c.args.tokens);
  RowSpans<kForm.wob()> rows = x8b_loads<kForm>(wave, c, token_tile(c.args.tokens, 0));
#pragma unroll 1
  for (uint32_t i = 0; i < tiles; ++i) {
    const TokenTile tile = token_tile(c.args.tokens, i);
    rows_store<kForm.wob()>(wave, rows, lds.xl, lds.xsl, tile.n);
    if (i == 0) stamp<kTimelinePoints>(wave, c.args.tl, 14);
    if (i + 1 < tiles) rows = x8b_loads<kForm>(wave, c, token_tile(c.args.tokens, i + 1));
    stage_wob<kForm, Out>(wave, c, lds, tasks, ops1, ops2, tile, i == 0);
    if (i == 0) stamp<kTimelinePoints>(wave, c.args.tl, 13);
  }
}

}  // namespace wavetwin::back
