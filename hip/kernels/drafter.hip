// SPDX-License-Identifier: MIT
// The drafter attention as one persistent kernel, and its stages as kernels of their own; twin of
// sim/kernels/drafter.cpp.
#include "hip/device/drafter_block.h"
#include "hip/device/drafter_merge.h"
#include "hip/device/drafter_rows.h"

namespace wavetwin::drafter {

// The first two blocks -> tiles, then this layer's rows over them.
WAVETWIN_INLINE void begin_partition(const Wave& wave, const Args& args, LdsWords lds, uint32_t r,
                                     const Window& w, const FirstBlocks& blocks) {
  KvWords first, second;
  first = kv_load(wave, args, r, blocks.a, w);
  if (blocks.count >= 2) second = kv_load(wave, args, r, blocks.b, w);
  const RowsPre pre = qkv_pre(wave, args, r);
  kv_store(wave, lds, kTk0, kTv0, first);
  if (blocks.count >= 2) kv_store(wave, lds, kTk1, kTv1, second);
  barrier();
  qkv_rows(wave, args, lds, r, w, blocks, pre);
  barrier();
  if (args.dump == 0) return;
  dump_tile(wave, args, lds, kTq, kQueries);
  dump_tile(wave, args, lds, kTk0, kBlock);
  dump_tile(wave, args, lds, kTv0, kBlock);
  if (blocks.count < 2) return;
  dump_tile(wave, args, lds, kTk1, kBlock);
  dump_tile(wave, args, lds, kTv1, kBlock);
}

WAVETWIN_INLINE void accumulate(const Wave& wave, LdsWords lds, U32x8 q, uint32_t pair, int32_t block,
                                const Window& w, Running& run) {
  if (is_edge(w, block)) {
    block_acc<true>(wave, lds, q, kTk0 + pair, kTv0 + pair, block, w, run);
  } else {
    block_acc<false>(wave, lds, q, kTk0 + pair, kTv0 + pair, block, w, run);
  }
}

// Partition p of request r -> its partial: one block by itself, more as an online softmax, two tile pairs in
// turn.
WAVETWIN_INLINE void run_partition(const Wave& wave, const Args& args, LdsWords lds, uint32_t r, uint32_t p) {
  const Window w = window(args, r);
  const Partition part = partition(w, args.requests, p);
  if (part.count == 0) return;
  begin_partition(wave, args, lds, r, w, {part.block(0), part.block(1), part.count < 2 ? part.count : 2});
  const bool row = wave.wave_id() < kRows;
  U32x8 q{};
  if (row) q = q_operand(wave, lds);
  Running run = nothing_yet();
  if (part.count == 1) {
    if (row && is_edge(w, part.top)) run = block_math<true>(wave, lds, q, kTk0, kTv0, part.top, w);
    if (row && !is_edge(w, part.top)) run = block_math<false>(wave, lds, q, kTk0, kTv0, part.top, w);
  } else {
#pragma unroll 1
    for (uint32_t i = 0; i < part.count; ++i) {
      if (i >= 2) {
        const KvWords kv = kv_load(wave, args, r, part.block(i), w);
        barrier();
        kv_store(wave, lds, kTk0 + i % 2, kTv0 + i % 2, kv);
        barrier();
      }
      if (row) accumulate(wave, lds, q, i % 2, part.block(i), w, run);
    }
    run.m = run.m * float_of(kSmScaleBits);
  }
  store_partial(wave, rsrc(pointer(args.partials)), part_at(r, p), run);
  publish(wave, {args.tag}, rsrc(pointer(args.flags)), r * kMaxBlocks + p);
}

// Once request t / 7's partials are there.
WAVETWIN_INLINE void run_merge(const Wave& wave, const Args& args, LdsWords lds, uint32_t task) {
  const uint32_t t = task / kHeadQuads, hq = task % kHeadQuads, r = t / kRows;
  const uint32_t n = live_partitions(window(args, r), args.requests);
  await_flags(wave, {args.tag}, rsrc(pointer(args.flags)), n, [&](uint32_t u) { return r * kMaxBlocks + u; });
  merge_task(wave, args, lds, t, hq, n);
  publish(wave, {args.tag}, rsrc(pointer(args.flags)), kMergeFlags + task);
}

WAVETWIN_INLINE void run(const Wave& wave, const Args& args, LdsWords lds) {
  const uint32_t parts = partitions(args.requests), bid = wave.workgroup_id();
  if (bid < args.requests * parts) run_partition(wave, args, lds, bid / parts, bid % parts);
#pragma unroll 1
  for (uint32_t task = first_task(bid, args.requests * parts); task < args.requests * kRows * kHeadQuads;
       task += kBlocks) {
    run_merge(wave, args, lds, task);
  }
}

WAVETWIN_INLINE void merge(const Wave& wave, const Args& args, LdsWords lds) {
  run_merge(wave, args, lds, wave.workgroup_id());
}

WAVETWIN_INLINE void kv(const Wave& wave, const Args& args, LdsWords lds) {
  const uint32_t r = wave.workgroup_id() / kMaxBlocks, i = wave.workgroup_id() % kMaxBlocks;
  const Window w = window(args, r);
  kv_store(wave, lds, kTk0, kTv0, kv_load(wave, args, r, w.first + static_cast<int32_t>(i), w));
  barrier();
  dump_tile(wave, args, lds, kTk0, kBlock);
  dump_tile(wave, args, lds, kTv0, kBlock);
}

WAVETWIN_INLINE void rows(const Wave& wave, const Args& args, LdsWords lds) {
  const uint32_t r = wave.workgroup_id();
  const Window w = window(args, r);
  const uint32_t blocks = block_count(w);
  if (blocks == 0) return;
  begin_partition(wave, args, lds, r, w, {w.last, w.last - 1, blocks < 2 ? blocks : 2});
}

// Tiles in memory -> tile pair 0, block after block.
template <bool kAcc, bool kMask>
WAVETWIN_INLINE void blocks(const Wave& wave, const BlockArgs& args, LdsWords lds) {
  const uint32_t* from = pointer(args.tiles) + wave.workgroup_id() * ((1 + 2 * args.blocks) * kTileWords);
  const Window w{args.p0, args.p0 + 6, args.lo, args.hi, 0, 0};
#pragma unroll 1
  for (uint32_t i = wave.thread_id(); i < kQueries * kTileRow; i += kThreads)
    lds[kTq * kTileWords + i] = from[i];
  Running run = nothing_yet();
#pragma unroll 1
  for (uint32_t b = 0; b < args.blocks; ++b) {
    const uint32_t* k = from + (1 + 2 * b) * kTileWords;
#pragma unroll 1
    for (uint32_t i = wave.thread_id(); i < kTileWords; i += kThreads) {
      lds[kTk0 * kTileWords + i] = k[i];
      lds[kTv0 * kTileWords + i] = k[kTileWords + i];
    }
    barrier();
    if (wave.wave_id() < kRows) {
      const int32_t block = args.top - static_cast<int32_t>(b);
      const U32x8 q = q_operand(wave, lds);
      if constexpr (kAcc) {
        block_acc<kMask>(wave, lds, q, kTk0, kTv0, block, w, run);
      } else {
        run = block_math<kMask>(wave, lds, q, kTk0, kTv0, block, w);
      }
    }
    barrier();
  }
  if constexpr (kAcc) run.m = run.m * float_of(kSmScaleBits);
  store_partial(wave, rsrc(pointer(args.partials)), wave.workgroup_id() * kPartBytes, run);
}

#define WAVETWIN_DRAFTER_KERNEL(stage)                                                       \
  extern "C" WAVETWIN_KERNEL void drafter_##stage(Args args) {                               \
    __shared__ __attribute__((aligned(16))) uint32_t lds[stage_lds_bytes(Stage::stage) / 4]; \
    stage(this_wave(), args, (LdsWords)lds);                                                 \
  }
WAVETWIN_DRAFTER_KERNEL(kv)
WAVETWIN_DRAFTER_KERNEL(rows)
WAVETWIN_DRAFTER_KERNEL(merge)
WAVETWIN_DRAFTER_KERNEL(run)

#define WAVETWIN_DRAFTER_BLOCK_KERNEL(name, acc, mask)               \
  extern "C" WAVETWIN_KERNEL void drafter_##name(BlockArgs args) {   \
    __shared__ __attribute__((aligned(16))) uint32_t lds[kLdsWords]; \
    blocks<acc, mask>(this_wave(), args, (LdsWords)lds);             \
  }
WAVETWIN_DRAFTER_BLOCK_KERNELS(WAVETWIN_DRAFTER_BLOCK_KERNEL)

}  // namespace wavetwin::drafter
