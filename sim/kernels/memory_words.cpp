// SPDX-License-Identifier: MIT
#include "sim/kernels/memory_words.h"

#include "sim/kernels/device_memory.h"

namespace wavetwin {
namespace {

// The address of word `index` of an array.
LaneU64 word_at(uint64_t base, const LaneU32& index) { return base + convert<uint64_t>(4 * index); }

void report_loads(Wave& wave, const MemoryArgs& args) {
  const LaneU32 t = wave.thread_id();
  const uint64_t source = args.source.address;
  const BufferView all = rsrc(args.source, kAllRecords);
  const BufferView none = rsrc(args.source, kNoRecords);
  const LaneU64 pair = lane_cast<uint64_t>(ld_i64(wave, args.source, t));
  const Vgprs<2> two = gload<2>(wave, word_at(source, 2 * t));
  const Vgprs<4> four = gload<4, true>(wave, word_at(source, 4 * t));
  const LaneU32 words[kMemoryLoads] = {
      as_u32(ld_i32(wave, {source}, t)),
      as_u32(ld_f32(wave, {source}, t)),
      as_u32(ld_bf(wave, {source}, t)),
      low_dword(pair),
      high_dword(pair),
      gload<1>(wave, word_at(source, t))[0],
      two[0],
      two[1],
      four[0],
      four[1],
      four[2],
      four[3],
      wave.buffer_load(all, 4 * t),
      wave.buffer_load(none, 4 * t),
      wave.buffer_load(all, 4 * t, kAllLanes, kCmNt),
      wave.buffer_load(all, 4 * t, kAllLanes, kCmDev),
  };
  for (uint32_t i = 0; i < kMemoryLoads; ++i) wave.store_element(args.loaded, i * kThreads + t, words[i]);
}

void store_all_ways(Wave& wave, const MemoryArgs& args) {
  const LaneU32 t = wave.thread_id();
  const uint64_t at = args.stored.address;
  gstore<1>(wave, word_at(at, t), {{t + 1}});
  gstore<2>(wave, word_at(at, kStoredTwo + 2 * t), {{t + 2, t + 3}});
  gstore<4>(wave, word_at(at, kStoredFour + 4 * t), {{t + 4, t + 5, t + 6, t + 7}});
  const BufferView stored = rsrc(args.stored, kAllRecords);
  wave.buffer_store(stored, 4 * (kStoredDev + t), t + 8, kAllLanes, kCmDev);
  wave.buffer_store(stored, 4 * (kStoredNt + t), t + 9, kAllLanes, kCmNt);
  wave.buffer_store(rsrc(args.masked, kNoRecords), 4 * t, t + 10);
}

void copy_batched(Wave& wave, const MemoryArgs& args) {
  batched_rounds<kMemoryCopied>(
      wave.thread_id(), [&](const LaneU32& v) { return wave.load_element(args.source, v); },
      [&](const LaneU32& v, const LaneU32& word, LaneMask in) {
        wave.store_element(args.copied, v, word, in);
      });
}

}  // namespace

WaveTask primitives_memory(Wave& wave, MemoryArgs args) {
  report_loads(wave, args);
  store_all_ways(wave, args);
  copy_batched(wave, args);
  const LaneU32 ticket = co_await atomic_add_dev(wave, LaneU64(args.counter.address), LaneU32(1u));
  wave.store_element(args.tickets, wave.thread_id(), ticket);
}

}  // namespace wavetwin
