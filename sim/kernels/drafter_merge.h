// SPDX-License-Identifier: MIT
// Merge tasks: a query row, four heads; twin of hip/device/drafter_merge.h.
#pragma once

#include "sim/kernels/drafter_kv.h"

namespace wavetwin::drafter {

// Row t, heads 4 hq .. 4 hq + 3, a thread a head and dim: partials 0 .. n - 1 of its request in order, bf16,
// MXFP8 of each 32 dims -> a8, as8.
inline SubTask<> merge_task(Wave& wave, Args args, uint32_t t, uint32_t hq, uint32_t n) {
  const LdsView ml = wave.lds();
  const LaneU32 tid = wave.thread_id();
  const uint32_t r = t / kRows, row = t % kRows * kHeads + hq * kMergeHeads;
  const BufferView partials = rsrc(args.partials, kAllRecords);
  const LaneMask staged = tid < 2 * kMergeHeads * n;
  const LaneU32 stat_at = part_at(r, tid / 8) + tid % 2 * kPartL + 4 * (row + tid % 8 / 2);
  ml.store(tid, wave.buffer_load(partials, stat_at, staged), staged);
  co_await wave.barrier();
  const LaneU32 head = tid / kDim, d = tid % kDim;
  LaneF32 m = float_of(kNegInfBits);
  for (uint32_t i = 0; i < n; ++i) m = max_nan(m, ml.load_f32(8 * i + 2 * head));
  const LaneF32 safe_max = select(m == float_of(kNegInfBits), 0.0f, m);
  LaneF32 l = 0.0f, o = 0.0f;
  for (uint32_t i = 0; i < n; ++i) {
    const LaneF32 weight = exp2_word((ml.load_f32(8 * i + 2 * head) - safe_max) * float_of(kLog2EBits));
    l = l + ml.load_f32(8 * i + 2 * head + 1) * weight;
    const LaneU32 at = part_at(r, i) + kPartO + 4 * ((row + head) * kDim + d);
    o = o + as_f32(wave.buffer_load(partials, at)) * weight;
  }
  const LaneF32 y = select(l > 0.0f, bf16_round(o * (1.0f / l)), 0.0f);
  const LaneU32 code = mx_code(butterfly<Max, 1, 2, 4, 8, 16>(abs_f32(y)));
  const LaneF32 q = clamp_fp8(y * mx_mul(code));
  const LaneU32 lane = wave.lane();
  const LaneU32 word =
      fp8_pack4(q, lane_f32(q, min(lane + 1, kLanes - 1)), lane_f32(q, min(lane + 2, kLanes - 1)),
                lane_f32(q, min(lane + 3, kLanes - 1)));
  const LaneU32 element = (hq * kMergeHeads + head) * kDim + d;
  wave.buffer_store(rsrc(args.a8, kAllRecords), t * (kHeads * kDim) + element, word, d % 4 == 0, kCmDev);
  wave.buffer_store(rsrc(args.as8, kAllRecords), 4 * (t * (kHeads * kDim / 32) + element / 32), code,
                    d % 32 == 0, kCmDev);
}

}  // namespace wavetwin::drafter
