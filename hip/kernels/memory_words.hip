// SPDX-License-Identifier: MIT
// The memory words in one workgroup; twin of sim/kernels/memory_words.cpp.
#include "common/kernels/memory_words.h"
#include "hip/device/memory.h"

namespace wavetwin {

WAVETWIN_INLINE void report_loads(const Wave& wave, const MemoryArgs& args) {
  const uint32_t t = wave.thread_id();
  const uint32_t* source = pointer(args.source);
  const Rsrc all = rsrc(source, kAllRecords);
  const Rsrc none = rsrc(source, kNoRecords);
  const int64_t pair = ld_i64(source, t);
  const U32x2 two = gload<2>(args.source.address + 8 * t);
  const U32x4 four = gload<4, true>(args.source.address + 16 * t);
  const uint32_t words[kMemoryLoads] = {
      static_cast<uint32_t>(ld_i32(reinterpret_cast<const int32_t*>(source), t)),
      bits_of(ld_f32(reinterpret_cast<const float*>(source), t)),
      bits_of(ld_bf(reinterpret_cast<const uint16_t*>(source), t)),
      static_cast<uint32_t>(pair),
      static_cast<uint32_t>(pair >> 32),
      gload<1>(args.source.address + 4 * t),
      two[0],
      two[1],
      four[0],
      four[1],
      four[2],
      four[3],
      buffer_load_b32(all, 4 * t),
      buffer_load_b32(none, 4 * t),
      buffer_load_b32<kCmNt>(all, 4 * t),
      buffer_load_b32<kCmDev>(all, 4 * t),
  };
  uint32_t* loaded = pointer(args.loaded);
#pragma unroll
  for (uint32_t i = 0; i < kMemoryLoads; ++i) loaded[i * kThreads + t] = words[i];
}

WAVETWIN_INLINE void store_all_ways(const Wave& wave, const MemoryArgs& args) {
  const uint32_t t = wave.thread_id();
  const uint64_t at = args.stored.address;
  gstore<1>(at + 4 * t, t + 1);
  gstore<2>(at + 4 * (kStoredTwo + 2 * t), U32x2{t + 2, t + 3});
  gstore<4>(at + 4 * (kStoredFour + 4 * t), U32x4{t + 4, t + 5, t + 6, t + 7});
  const Rsrc stored = rsrc(pointer(args.stored), kAllRecords);
  buffer_store_b32<kCmDev>(t + 8, stored, 4 * (kStoredDev + t));
  buffer_store_b32<kCmNt>(t + 9, stored, 4 * (kStoredNt + t));
  buffer_store_b32(t + 10, rsrc(pointer(args.masked), kNoRecords), 4 * t);
}

extern "C" WAVETWIN_KERNEL void primitives_memory(MemoryArgs args) __asm__("_ZN5aiter17primitives_memoryE");
extern "C" WAVETWIN_KERNEL void primitives_memory(MemoryArgs args) {
  const Wave wave = this_wave();
  report_loads(wave, args);
  store_all_ways(wave, args);
  const uint32_t* source = pointer(args.source);
  uint32_t* copied = pointer(args.copied);
  batched_rounds<kMemoryCopied>(
      wave.thread_id(), [&](uint32_t v) { return source[v]; },
      [&](uint32_t v, uint32_t word) { copied[v] = word; });
  pointer(args.tickets)[wave.thread_id()] = atomic_add_dev(args.counter.address, 1);
}

}  // namespace wavetwin
