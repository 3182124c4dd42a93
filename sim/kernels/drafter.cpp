// SPDX-License-Identifier: MIT
// The drafter attention as one persistent kernel, and its stages as kernels of their own; twin of
// hip/kernels/drafter.hip.
#include "sim/kernels/drafter.h"

#include "sim/kernels/drafter_block.h"
#include "sim/kernels/drafter_merge.h"
#include "sim/kernels/drafter_rows.h"

namespace wavetwin::drafter {
namespace {

// The first two blocks -> tiles, then this layer's rows over them.
SubTask<> begin_partition(Wave& wave, Args args, uint32_t r, Window w, FirstBlocks blocks) {
  KvWords first, second;
  first = kv_load(wave, args, r, blocks.a, w);
  if (blocks.count >= 2) second = kv_load(wave, args, r, blocks.b, w);
  const RowsPre pre = qkv_pre(wave, args, r);
  kv_store(wave, kTk0, kTv0, first);
  if (blocks.count >= 2) kv_store(wave, kTk1, kTv1, second);
  co_await wave.barrier();
  qkv_rows(wave, args, r, w, blocks, pre);
  co_await wave.barrier();
  if (args.dump == 0) co_return;
  dump_tile(wave, args, kTq, kQueries);
  dump_tile(wave, args, kTk0, kBlock);
  dump_tile(wave, args, kTv0, kBlock);
  if (blocks.count < 2) co_return;
  dump_tile(wave, args, kTk1, kBlock);
  dump_tile(wave, args, kTv1, kBlock);
}

void accumulate(Wave& wave, const Vgprs<8>& q, uint32_t pair, int32_t block, const Window& w, Running& run) {
  if (is_edge(w, block)) {
    block_acc<true>(wave, q, kTk0 + pair, kTv0 + pair, block, w, run);
  } else {
    block_acc<false>(wave, q, kTk0 + pair, kTv0 + pair, block, w, run);
  }
}

// Partition p of request r -> its partial: one block by itself, more as an online softmax, two tile pairs in
// turn.
SubTask<> run_partition(Wave& wave, Args args, uint32_t r, uint32_t p) {
  const Window w = window(wave, args, r);
  const Partition part = partition(w, args.requests, p);
  if (part.count == 0) co_return;
  wave.stage("partition: rows");
  const FirstBlocks first{part.block(0), part.block(1), part.count < 2 ? part.count : 2};
  co_await begin_partition(wave, args, r, w, first);
  wave.stage("partition: blocks");
  const bool row = wave.wave_id() < kRows;
  Vgprs<8> q = Vgprs<8>::uniform(0);
  if (row) q = q_operand(wave);
  Running run = nothing_yet();
  if (part.count == 1) {
    if (row && is_edge(w, part.top)) run = block_math<true>(wave, q, kTk0, kTv0, part.top, w);
    if (row && !is_edge(w, part.top)) run = block_math<false>(wave, q, kTk0, kTv0, part.top, w);
  } else {
    for (uint32_t i = 0; i < part.count; ++i) {
      if (i >= 2) {
        const KvWords kv = kv_load(wave, args, r, part.block(i), w);
        co_await wave.barrier();
        kv_store(wave, kTk0 + i % 2, kTv0 + i % 2, kv);
        co_await wave.barrier();
      }
      if (row) accumulate(wave, q, i % 2, part.block(i), w, run);
    }
    run.m = run.m * float_of(kSmScaleBits);
  }
  store_partial(wave, rsrc(args.partials, kAllRecords), part_at(r, p), run);
  wave.stage("partition: publish");
  co_await publish(wave, {args.tag}, rsrc(args.flags, kAllRecords), r * kMaxBlocks + p);
}

// Once request t / 7's partials are there.
SubTask<> run_merge(Wave& wave, Args args, uint32_t task) {
  const uint32_t t = task / kHeadQuads, hq = task % kHeadQuads, r = t / kRows;
  const uint32_t n = live_partitions(window(wave, args, r), args.requests);
  wave.stage("merge: await partitions");
  co_await await_flags(wave, {args.tag}, rsrc(args.flags, kAllRecords), n, r * kMaxBlocks + wave.thread_id());
  wave.stage("merge");
  co_await merge_task(wave, args, t, hq, n);
  wave.stage("merge: publish");
  co_await publish(wave, {args.tag}, rsrc(args.flags, kAllRecords), kMergeFlags + task);
}

WaveTask run(Wave& wave, Args args) {
  const uint32_t parts = partitions(args.requests), bid = wave.workgroup_id();
  if (bid < args.requests * parts) {
    co_await run_partition(wave, args, bid / parts, bid % parts);
  }
  for (uint32_t task = first_task(bid, args.requests * parts); task < args.requests * kRows * kHeadQuads;
       task += kBlocks) {
    co_await run_merge(wave, args, task);
  }
}

WaveTask merge(Wave& wave, Args args) { co_await run_merge(wave, args, wave.workgroup_id()); }

WaveTask kv(Wave& wave, Args args) {
  const uint32_t r = wave.workgroup_id() / kMaxBlocks, i = wave.workgroup_id() % kMaxBlocks;
  const Window w = window(wave, args, r);
  kv_store(wave, kTk0, kTv0, kv_load(wave, args, r, w.first + static_cast<int32_t>(i), w));
  co_await wave.barrier();
  dump_tile(wave, args, kTk0, kBlock);
  dump_tile(wave, args, kTv0, kBlock);
}

WaveTask rows(Wave& wave, Args args) {
  const uint32_t r = wave.workgroup_id();
  const Window w = window(wave, args, r);
  const uint32_t blocks = block_count(w);
  if (blocks == 0) co_return;
  const FirstBlocks first{w.last, w.last - 1, blocks < 2 ? blocks : 2};
  co_await begin_partition(wave, args, r, w, first);
}

// Words of a tile in memory -> LDS.
void copy_tile(Wave& wave, DevicePtr<const uint32_t> from, uint32_t t, uint32_t words) {
  for (uint32_t first = 0; first < words; first += kThreads) {
    const LaneU32 i = first + wave.thread_id();
    wave.lds().store(t * kTileWords + i, wave.load_element(from, i));
  }
}

// Tiles in memory -> tile pair 0, block after block.
template <bool kAcc, bool kMask>
WaveTask blocks(Wave& wave, BlockArgs args) {
  const DevicePtr<const uint32_t> from =
      args.tiles.offset(wave.workgroup_id() * ((1 + 2 * args.blocks) * kTileWords));
  const Window w{args.p0, args.p0 + 6, args.lo, args.hi, 0, 0};
  copy_tile(wave, from, kTq, kQueries * kTileRow);
  Running run = nothing_yet();
  for (uint32_t b = 0; b < args.blocks; ++b) {
    copy_tile(wave, from.offset((1 + 2 * b) * kTileWords), kTk0, kTileWords);
    copy_tile(wave, from.offset((2 + 2 * b) * kTileWords), kTv0, kTileWords);
    co_await wave.barrier();
    if (wave.wave_id() < kRows) {
      const int32_t block = args.top - static_cast<int32_t>(b);
      const Vgprs<8> q = q_operand(wave);
      if constexpr (kAcc) {
        block_acc<kMask>(wave, q, kTk0, kTv0, block, w, run);
      } else {
        run = block_math<kMask>(wave, q, kTk0, kTv0, block, w);
      }
    }
    co_await wave.barrier();
  }
  if constexpr (kAcc) run.m = run.m * float_of(kSmScaleBits);
  store_partial(wave, rsrc(args.partials, kAllRecords), wave.workgroup_id() * kPartBytes, run);
}

using Kernel = WaveTask (*)(Wave&, Args);
constexpr Kernel kKernels[] = {kv, rows, merge, run};
using BlockKernel = WaveTask (*)(Wave&, BlockArgs);
#define WAVETWIN_DRAFTER_BLOCK_KERNEL(name, acc, mask) blocks<acc, mask>,
constexpr BlockKernel kBlockKernelTasks[] = {WAVETWIN_DRAFTER_BLOCK_KERNELS(WAVETWIN_DRAFTER_BLOCK_KERNEL)};
#undef WAVETWIN_DRAFTER_BLOCK_KERNEL

}  // namespace

WaveTask kernel(Stage stage, Wave& wave, Args args) {
  return kKernels[static_cast<uint32_t>(stage)](wave, args);
}
WaveTask block_kernel(uint32_t index, Wave& wave, BlockArgs args) {
  return kBlockKernelTasks[index](wave, args);
}

}  // namespace wavetwin::drafter
