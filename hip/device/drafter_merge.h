// SPDX-License-Identifier: MIT
// Merge tasks: a query row, four heads; twin of sim/kernels/drafter_merge.h.
#pragma once

#include "hip/device/drafter_kv.h"

namespace wavetwin::drafter {

// Row t, heads 4 hq .. 4 hq + 3, a thread a head and dim: partials 0 .. n - 1 of its request in order, bf16,
// MXFP8 of each 32 dims -> a8, as8.
WAVETWIN_INLINE void merge_task(const Wave& wave, const Args& args, LdsWords ml, uint32_t t, uint32_t hq,
                                uint32_t n) {
  const uint32_t tid = wave.thread_id();
  const uint32_t r = t / kRows, row = t % kRows * kHeads + hq * kMergeHeads;
  const Rsrc partials = rsrc(pointer(args.partials));
  if (tid < 2 * kMergeHeads * n) {
    const uint32_t at = part_at(r, tid / 8) + tid % 2 * kPartL + 4 * (row + tid % 8 / 2);
    ml[tid] = buffer_load_b32(partials, at);
  }
  barrier();
  const LdsFloats stats = (LdsFloats)ml;
  const uint32_t head = tid / kDim, d = tid % kDim;
  float m = float_of(kNegInfBits);
#pragma unroll 1
  for (uint32_t i = 0; i < n; ++i) m = max_nan(m, stats[8 * i + 2 * head]);
  const float safe_max = m == float_of(kNegInfBits) ? 0.0f : m;
  float l = 0.0f, o = 0.0f;
#pragma unroll 1
  for (uint32_t i = 0; i < n; ++i) {
    const float weight = exp2_word((stats[8 * i + 2 * head] - safe_max) * float_of(kLog2EBits));
    l = l + stats[8 * i + 2 * head + 1] * weight;
    const uint32_t at = part_at(r, i) + kPartO + 4 * ((row + head) * kDim + d);
    o = o + float_of(buffer_load_b32(partials, at)) * weight;
  }
  const float y = l > 0.0f ? bf16_round(o * (1.0f / l)) : 0.0f;
  const uint32_t code = mx_code(butterfly<Max, 1, 2, 4, 8, 16>(abs_f32(y)));
  const float q = clamp_fp8(y * mx_mul(code));
  const uint32_t lane = wave.lane();
  const auto of = [&](uint32_t k) { return lane_f32(q, lane + k < kLanes - 1 ? lane + k : kLanes - 1); };
  const uint32_t word = fp8_pack4(q, of(1), of(2), of(3));
  const uint32_t element = (hq * kMergeHeads + head) * kDim + d;
  if (d % 4 == 0) {
    buffer_store_b32<kCmDev>(word, rsrc(pointer(args.a8)), t * (kHeads * kDim) + element);
  }
  if (d % 32 == 0) {
    buffer_store_b32<kCmDev>(code, rsrc(pointer(args.as8)), 4 * (t * (kHeads * kDim / 32) + element / 32));
  }
}

}  // namespace wavetwin::drafter
