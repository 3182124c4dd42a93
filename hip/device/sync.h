// SPDX-License-Identifier: MIT
// Words by which workgroups wait for each other; their twin is sim/kernels/device_sync.h.
//
// A tagged pair is 8 bytes {value, tag}, pair i of a region at byte 8 i, written by one store at device
// scope. A reader polls until the tag is its own, so regions are never cleared.
#pragma once

#include "hip/device/lanes.h"
#include "hip/device/memory.h"

namespace wavetwin {

// load() again, a sleep between, while pending(value).
template <class Load, class Pending>
WAVETWIN_INLINE auto spin_until(Load load, Pending pending) {
  auto v = load();
  while (pending(v)) {
    __builtin_amdgcn_s_sleep(1);
    v = load();
  }
  return v;
}

// One region of a poll: npairs (1 or 2) pairs from `index` on.
struct PollSpec {
  Rsrc base;
  uint32_t index;
};

struct Mailbox {
  uint32_t tag;

  // Pair i := {v, tag}.
  WAVETWIN_INLINE void put(Rsrc base, uint32_t i, uint32_t v) const {
    buffer_store_b64<kCmDev>(U32x2{v, tag}, base, kPairBytes * i);
  }
  WAVETWIN_INLINE void put(Rsrc base, uint32_t i, float v) const { put(base, i, bits_of(v)); }
  // Raw words (fp8) as pairs i, i + 1.
  WAVETWIN_INLINE void put_words(Rsrc base, uint32_t i, uint32_t v) const { put(base, i, v); }
  WAVETWIN_INLINE void put_words(Rsrc base, uint32_t i, U32x2 v) const {
    buffer_store_b128<kCmDev>(U32x4{v[0], tag, v[1], tag}, base, kPairBytes * i);
  }
  // bf16 elements i, i + 1 (, i + 2, i + 3), i even: element i lives in pair i / 2, so the store starts at
  // byte 4 i.
  WAVETWIN_INLINE void put_bf(Rsrc base, uint32_t i, float v0, float v1) const {
    buffer_store_b64<kCmDev>(U32x2{bf16_pair(v0, v1), tag}, base, 4 * i);
  }
  WAVETWIN_INLINE void put_bf(Rsrc base, uint32_t i, float v0, float v1, float v2, float v3) const {
    buffer_store_b128<kCmDev>(U32x4{bf16_pair(v0, v1), tag, bf16_pair(v2, v3), tag}, base, 4 * i);
  }

  // The words of kPairs (1 or 2) pairs from each spec's index on, once all their tags are this mailbox's.
  // Longer lists go in batches of kPollMax; a batch reloads everything until all of it is there.
  template <uint32_t kPairs, uint32_t kCount>
  WAVETWIN_INLINE void poll(const PollSpec (&specs)[kCount], Words<kPairs> (&out)[kCount]) const {
#pragma unroll
    for (uint32_t first = 0; first < kCount; first += kPollMax) {
      bool pending = true;
      while (pending) {
        pending = false;
#pragma unroll
        for (uint32_t i = first; i < first + kPollMax && i < kCount; ++i) {
          if constexpr (kPairs == 1) {
            const U32x2 v = buffer_load_b64<kCmDev>(specs[i].base, kPairBytes * specs[i].index);
            out[i] = v[0];
            pending = pending || v[1] != tag;
          } else {
            const U32x4 v = buffer_load_b128<kCmDev>(specs[i].base, kPairBytes * specs[i].index);
            out[i] = U32x2{v[0], v[2]};
            pending = pending || v[1] != tag || v[3] != tag;
          }
        }
        if (pending) __builtin_amdgcn_s_sleep(1);
      }
    }
  }
};

// Every wave's stores are at device scope, then thread 0 puts pair i := {1, tag}.
WAVETWIN_INLINE void wait_stores() { __builtin_amdgcn_s_waitcnt(0x0F70); }  // vmcnt(0)
WAVETWIN_INLINE void publish(const Wave& wave, const Mailbox& mail, Rsrc region, uint32_t i) {
  wait_stores();
  barrier();
  if (wave.thread_id() == 0) mail.put(region, i, 1u);
}

// Thread u < n waits for pair index(u); then a barrier, which n = 0 runs too.
template <class Index>
WAVETWIN_INLINE void await_flags(const Wave& wave, const Mailbox& mail, Rsrc region, uint32_t n,
                                 Index index) {
  if (wave.thread_id() < n) {
    const PollSpec spec[1] = {{region, index(wave.thread_id())}};
    uint32_t value[1];
    mail.poll<1>(spec, value);
  }
  barrier();
}

// Workgroup b marks that it has begun step ep (word 0 of the epoch buffer is ep while the step runs).
WAVETWIN_INLINE uint32_t epoch_now(Rsrc epoch) { return buffer_load_b32<kCmDev>(epoch, 0); }
WAVETWIN_INLINE void epoch_begin(const Wave& wave, Rsrc epoch, uint32_t ep) {
  if (wave.thread_id() == 0) buffer_store_b32<kCmDev>(ep + 1, epoch, 4 * (kEpochMarks + wave.workgroup_id()));
}
// Workgroup 0, once every workgroup has begun: reset(), then word 0 becomes ep + 1.
template <class Reset>
WAVETWIN_INLINE void epoch_end(const Wave& wave, Rsrc epoch, uint32_t ep, Reset reset) {
  if (wave.workgroup_id() != 0) return;
  const uint32_t tid = wave.thread_id();
  if (tid < kBlocks) {
    spin_until([&] { return buffer_load_b32<kCmDev>(epoch, 4 * (kEpochMarks + tid)); },
               [&](uint32_t v) { return v != ep + 1; });
  }
  barrier();
  if (tid == 0) {
    reset();
    buffer_store_b32<kCmDev>(ep + 1, epoch, 0);
  }
}

// 100 MHz clock.
WAVETWIN_INLINE uint64_t memrealtime() { return __builtin_amdgcn_s_memrealtime(); }

// Timeline builds only (-DWAVETWIN_TIMELINE): thread 0 stores the clock as word pair bid * kPoints + point of
// tl.
template <uint32_t kPoints>
WAVETWIN_INLINE void stamp([[maybe_unused]] const Wave& wave, [[maybe_unused]] uint64_t tl,
                           [[maybe_unused]] uint32_t point) {
#ifdef WAVETWIN_TIMELINE
  if (tl != 0 && wave.thread_id() == 0) {
    const uint64_t now = memrealtime();
    gstore<2>(tl + 8 * (wave.workgroup_id() * kPoints + point),
              U32x2{static_cast<uint32_t>(now), static_cast<uint32_t>(now >> 32)});
  }
#endif
}

}  // namespace wavetwin
