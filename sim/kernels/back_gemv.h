// SPDX-License-Identifier: MIT
// The two GEMV stages of the attention back; twin of hip/device/back_gemv.h.
#pragma once

#include "sim/kernels/back_context.h"
#include "sim/kernels/gemv.h"

namespace wavetwin::back {

// The LDS members of the GEMV stages.
struct GemvViews {
  LdsView red, xl, xsl;
};
template <Form kForm>
GemvViews gemv_views(Wave& wave) {
  constexpr GemvLds kLds = gemv_lds(kForm, kTokenTile);
  return {wave.lds(kLds.red), wave.lds(kLds.xl), wave.lds(kLds.xsl)};
}

template <Form kForm>
using WoaOperands = StepOperands<kForm.woa()>;
template <Form kForm>
using WobOperands = StepOperands<kForm.wob()>;

// Weights of a wo_a task; masked off when the workgroup has none.
template <Form kForm>
WoaOperands<kForm> woa_loads(Wave& wave, const Args& args, uint32_t task, bool pred) {
  return gemv_loads<kForm.woa()>(wave, args.woa, args.woa_s, task * kWoaRows, 0, pred);
}
template <Form kForm>
WobOperands<kForm> wob_loads(Wave& wave, const Args& args, uint32_t task, bool pred = true) {
  return gemv_loads<kForm.wob()>(wave, args.wob, args.wob_s, task * kRowTile, 0, pred);
}

// The activation rows of a token tile: one group's slice of xo, and all of x8b.
template <Form kForm>
RowSpans<kForm.woa()> xo_loads(Wave& wave, const Context& c, uint32_t group, TokenTile tile) {
  const uint32_t stride = kForm.dims().q_rows();
  return rows_loads<kForm.woa()>(wave, {c.args.scratch.address + c.at.xo},
                                 {c.args.scratch.address + c.at.xos}, stride / 4, group * kGroupK / 4,
                                 stride / 32, group * kGroupK / 32, tile.t0, tile.n);
}
template <Form kForm>
RowSpans<kForm.wob()> x8b_loads(Wave& wave, const Context& c, TokenTile tile) {
  const uint32_t stride = kForm.dims().o_rows();
  return rows_loads<kForm.wob()>(wave, {c.args.scratch.address + c.at.x8b},
                                 {c.args.scratch.address + c.at.x8bs}, stride / 4, 0, stride / 32, 0, tile.t0,
                                 tile.n);
}

// Rows 32 task .. of wo_a for the tile's tokens -> bf16 -> MXFP8 of the 32 rows -> x8b, a thread an element.
template <Form kForm>
SubTask<> stage_woa(Wave& wave, const Context& c, uint32_t task, const WoaOperands<kForm>& ops,
                    TokenTile tile) {
  const GemvViews lds = gemv_views<kForm>(wave);
  gemv_mfmas<kForm.woa()>(wave, lds.xl, lds.xsl, lds.red, ops, tile.n);
  co_await wave.barrier();
  const LaneU32 row = wave.thread_id() % kWoaRows;
  const LaneU32 token = min(wave.thread_id() / kWoaRows, tile.n - 1);
  const LaneMask mine = wave.thread_id() < kWoaRows * tile.n;
  const LaneF32 y =
      bf16_round(row_sum(lds.red, row % kRowTile, token, row / kRowTile * kWoaSplit, kWoaSplit, kAllLanes));
  const LaneU32 code = mx_code(butterfly<Max, 1, 2, 4, 8, 16>(abs_f32(y)));
  const LaneF32 q = clamp_fp8(y * mx_mul(code));
  const LaneU32 lane = wave.lane();
  const LaneU32 word =
      fp8_pack4(q, lane_f32(q, min(lane + 1, kLanes - 1)), lane_f32(q, min(lane + 2, kLanes - 1)),
                lane_f32(q, min(lane + 3, kLanes - 1)));
  const LaneU32 t = tile.t0 + token;
  wave.buffer_store(c.region(c.at.x8b), t * kForm.dims().o_rows() + task * kWoaRows + row, word,
                    mine & (row % 4 == 0), kCmDev);
  wave.buffer_store(c.region(c.at.x8bs), 4 * (t * (kForm.dims().o_rows() / 32) + task), code,
                    mine & (row == 0), kCmDev);
  co_await wave.barrier();
}

// Waits for the group's xo of every token, then stage_woa for every token tile, the next one's rows in
// flight.
template <Form kForm>
SubTask<> run_woa(Wave& wave, const Context& c, uint32_t task, const WoaOperands<kForm>& ops) {
  wave.stage("wo_a: await combine");
  const GemvViews lds = gemv_views<kForm>(wave);
  const uint32_t group = task / (kForm.dims().woa_tasks() / kForm.dims().groups());
  co_await await_flags(wave, c.mail, c.region(c.at.crdy), c.args.tokens,
                       wave.thread_id() * kForm.dims().head_octets() + group);
  stamp<kTimelinePoints>(wave, c.args.tl, 9);
  wave.stage("wo_a");
  const uint32_t tiles = token_tiles(c.args.tokens);
  RowSpans<kForm.woa()> rows = xo_loads<kForm>(wave, c, group, token_tile(c.args.tokens, 0));
  for (uint32_t i = 0; i < tiles; ++i) {
    const TokenTile tile = token_tile(c.args.tokens, i);
    co_await rows_store<kForm.woa()>(wave, rows, lds.xl, lds.xsl, tile.n);
    if (i + 1 < tiles) rows = xo_loads<kForm>(wave, c, group, token_tile(c.args.tokens, i + 1));
    co_await stage_woa<kForm>(wave, c, task, ops, tile);
  }
  stamp<kTimelinePoints>(wave, c.args.tl, 10);
  wave.stage("wo_a: publish");
  co_await publish(wave, c.mail, c.region(c.at.ardy), task);
}

// A workgroup's one or two wo_b tasks.
struct WobTasks {
  uint32_t first, second;
  bool has_second;
};
template <Form kForm>
WobTasks wob_tasks(uint32_t first) {
  const uint32_t last = kForm.dims().wob_tasks() - 1, second = first + kBlocks;
  return {first, second < last ? second : last, second <= last};
}

// What becomes of a pair of output columns: a word of out,
struct StoreOut {
  template <Form kForm>
  static void emit(Wave& wave, const Context& c, const LaneU32& t, const LaneU32& column, const LaneF32& v0,
                   const LaneF32& v1, LaneMask in) {
    const LaneU32 word = out_element(t, c.args.out_stride, column) / 2;
    wave.store_element(c.args.out, word, bf16_pair(v0, v1), in);
  }
};
// or a tagged pair in the buffer of every rank, at system scope.
struct PushOut {
  template <Form kForm>
  static void emit(Wave& wave, const Context& c, const LaneU32& t, const LaneU32& column, const LaneF32& v0,
                   const LaneF32& v1, LaneMask in) {
    const LaneU32 byte = kPairBytes * (out_element(t, c.args.out_stride, column) / 2);
    for (uint32_t rank = 0; rank < kForm.tp; ++rank) {
      wave.buffer_store<2>(rsrc(c.args.out, kAllRecords),
                           rank * push_bytes(c.args.tokens, c.args.out_stride) + byte,
                           {{bf16_pair(v0, v1), c.mail.tag}}, in, kCmSys);
    }
  }
};

// Rows 16 task .. of both tasks for the tile's tokens -> bf16 pairs, a thread a pair. `mark`: the first tile.
template <Form kForm, class Out>
SubTask<> stage_wob(Wave& wave, const Context& c, WobTasks tasks, const WobOperands<kForm>& ops1,
                    const WobOperands<kForm>& ops2, TokenTile tile, bool mark) {
  const GemvViews lds = gemv_views<kForm>(wave);
  gemv_mfmas<kForm.wob()>(wave, lds.xl, lds.xsl, lds.red, ops1, tile.n);
  gemv_mfmas<kForm.wob()>(wave, lds.xl, lds.xsl, lds.red.at(4 * kRed), ops2, tile.n);
  co_await wave.barrier();
  if (mark) stamp<kTimelinePoints>(wave, c.args.tl, 15);
  const uint32_t per = kRowTile * tile.n / 2;  // pairs of a task
  const LaneU32 k = wave.thread_id() / per;
  const LaneU32 u = wave.thread_id() % per;
  const LaneMask in = (wave.thread_id() < 2 * per) & ((k == 0) | tasks.has_second);
  if (in.any()) {
    const LaneU32 row = u % (kRowTile / 2) * 2;
    const LaneU32 token = u / (kRowTile / 2);
    const LaneU32 column = select(k == 0, LaneU32(tasks.first), LaneU32(tasks.second)) * kRowTile + row;
    const LaneF32 v0 = row_sum(lds.red, row, token, k * kWaves, kWaves, in);
    const LaneF32 v1 = row_sum(lds.red, row + 1, token, k * kWaves, kWaves, in);
    Out::template emit<kForm>(wave, c, tile.t0 + token, column, v0, v1, in);
  }
  co_await wave.barrier();
}

// Waits for all of x8b, then stage_wob for every token tile, the next one's rows in flight.
template <Form kForm, class Out>
SubTask<> run_wob(Wave& wave, const Context& c, WobTasks tasks, const WobOperands<kForm>& ops1,
                  const WobOperands<kForm>& ops2) {
  wave.stage("wo_b: await wo_a");
  const GemvViews lds = gemv_views<kForm>(wave);
  co_await await_flags(wave, c.mail, c.region(c.at.ardy), kForm.dims().woa_tasks(), wave.thread_id());
  stamp<kTimelinePoints>(wave, c.args.tl, 12);
  wave.stage("wo_b");
  const uint32_t tiles = token_tiles(c.args.tokens);
  RowSpans<kForm.wob()> rows = x8b_loads<kForm>(wave, c, token_tile(c.args.tokens, 0));
  for (uint32_t i = 0; i < tiles; ++i) {
    const TokenTile tile = token_tile(c.args.tokens, i);
    co_await rows_store<kForm.wob()>(wave, rows, lds.xl, lds.xsl, tile.n);
    if (i == 0) stamp<kTimelinePoints>(wave, c.args.tl, 14);
    if (i + 1 < tiles) rows = x8b_loads<kForm>(wave, c, token_tile(c.args.tokens, i + 1));
    co_await stage_wob<kForm, Out>(wave, c, tasks, ops1, ops2, tile, i == 0);
    if (i == 0) stamp<kTimelinePoints>(wave, c.args.tl, 13);
  }
}

}  // namespace wavetwin::back
