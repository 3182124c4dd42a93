// SPDX-License-Identifier: MIT
// Words by which workgroups wait for each other; their twin is hip/device/sync.h.
//
// A tagged pair is 8 bytes {value, tag}, pair i of a region at byte 8 i, written by one store at device
// scope. A reader polls until the tag is its own, so regions are never cleared.
#pragma once

#include "sim/kernels/device_lanes.h"
#include "sim/kernels/device_memory.h"

namespace wavetwin {

// One region of a poll: kPairs pairs from `index` on.
struct PollSpec {
  BufferView base;
  LaneU32 index;
};
// What a poll of kCount specs found.
template <uint32_t kPairs, uint32_t kCount>
struct Polled {
  Vgprs<kPairs> at[kCount];
};
template <uint32_t kCount>
struct PollSpecs {
  PollSpec at[kCount];
};

struct Mailbox {
  uint32_t tag;

  // Pair i := {v, tag}.
  void put(Wave& wave, BufferView base, const LaneU32& i, const LaneU32& v, LaneMask in = kAllLanes) const {
    wave.buffer_store<2>(base, kPairBytes * i, {{v, tag}}, in, kCmDev);
  }
  void put(Wave& wave, BufferView base, const LaneU32& i, const LaneF32& v, LaneMask in = kAllLanes) const {
    put(wave, base, i, as_u32(v), in);
  }
  // Raw words (fp8) as pairs i, i + 1.
  void put_words(Wave& wave, BufferView base, const LaneU32& i, const LaneU32& v,
                 LaneMask in = kAllLanes) const {
    put(wave, base, i, v, in);
  }
  void put_words(Wave& wave, BufferView base, const LaneU32& i, const Vgprs<2>& v,
                 LaneMask in = kAllLanes) const {
    wave.buffer_store<4>(base, kPairBytes * i, {{v[0], tag, v[1], tag}}, in, kCmDev);
  }
  // bf16 elements i, i + 1 (, i + 2, i + 3), i even: element i lives in pair i / 2, so the store starts at
  // byte 4 i.
  void put_bf(Wave& wave, BufferView base, const LaneU32& i, const LaneF32& v0, const LaneF32& v1,
              LaneMask in = kAllLanes) const {
    wave.buffer_store<2>(base, 4 * i, {{bf16_pair(v0, v1), tag}}, in, kCmDev);
  }
  void put_bf(Wave& wave, BufferView base, const LaneU32& i, const LaneF32& v0, const LaneF32& v1,
              const LaneF32& v2, const LaneF32& v3, LaneMask in = kAllLanes) const {
    wave.buffer_store<4>(base, 4 * i, {{bf16_pair(v0, v1), tag, bf16_pair(v2, v3), tag}}, in, kCmDev);
  }
};

// The words of kPairs (1 or 2) pairs from each spec's index on, in the lanes `in`, once all their tags are
// the mailbox's. Longer lists go in batches of kPollMax; a batch reloads everything until all of it is there.
template <uint32_t kPairs, uint32_t kCount>
SubTask<Polled<kPairs, kCount>> poll(Wave& wave, Mailbox mail, PollSpecs<kCount> specs,
                                     LaneMask in = kAllLanes) {
  static_assert(kPairs == 1 || kPairs == 2);
  Polled<kPairs, kCount> out;
  for (uint32_t first = 0; first < kCount; first += kPollMax) {
    LaneMask pending = in;
    while (pending.any()) {
      LaneMask missing = LaneMask::none();
      for (uint32_t i = first; i < first + kPollMax && i < kCount; ++i) {
        const LaneU32 byte = kPairBytes * specs.at[i].index;
        const Vgprs<2 * kPairs> v = wave.buffer_load<2 * kPairs>(specs.at[i].base, byte, pending, kCmDev);
        LaneMask here = LaneMask::none();
        for (uint32_t p = 0; p < kPairs; ++p) {
          out.at[i][p] = select(pending, v[2 * p], out.at[i][p]);
          here |= v[2 * p + 1] != mail.tag;
        }
        here &= pending;
        if (here.any() && missing.is_none()) {
          const LaneU64 tag_at = specs.at[i].base.base + convert<uint64_t>(byte + 4u);
          wave.awaiting(tag_at, here, mail.tag);
        }
        missing |= here;
      }
      pending = missing;
      if (pending.any()) co_await wave.sleep(1);
    }
  }
  wave.arrived();
  co_return out;
}

// load() again, a sleep between, in the lanes where it is not yet `wanted`; `address` is where it loads from.
inline SubTask<> spin_until(Wave& wave, LaneU64 address, uint32_t wanted, LaneMask in) {
  LaneMask pending = in;
  while (pending.any()) {
    const Vgprs<1> v = wave.load<1>(address, pending, kCmDev);
    pending = pending & (v[0] != wanted);
    if (pending.any()) {
      wave.awaiting(address, pending, wanted);
      co_await wave.sleep(1);
    }
  }
  wave.arrived();
}

// Every wave's stores are at device scope, then thread 0 puts pair i := {1, tag}.
inline SubTask<> publish(Wave& wave, Mailbox mail, BufferView region, uint32_t i) {
  co_await wave.wait_stores();
  co_await wave.barrier();
  mail.put(wave, region, i, LaneU32(1u), wave.thread_id() == 0);
}

// Thread u < n waits for pair index(u) (an index function of lanes); then a barrier, which n = 0 runs too.
inline SubTask<> await_flags(Wave& wave, Mailbox mail, BufferView region, uint32_t n, LaneU32 index) {
  const LaneMask in = wave.thread_id() < n;
  const PollSpecs<1> specs{{{region, index}}};
  if (in.any()) {
    const Polled<1, 1> seen = co_await poll<1>(wave, mail, specs, in);
    static_cast<void>(seen);
  }
  co_await wave.barrier();
}

// Workgroup b marks that it has begun step ep (word 0 of the epoch buffer is ep while the step runs).
inline uint32_t epoch_now(Wave& wave, BufferView epoch) {
  return uniform(wave.buffer_load(epoch, LaneU32(0u), kAllLanes, kCmDev));
}
inline void epoch_begin(Wave& wave, BufferView epoch, uint32_t ep) {
  const uint32_t byte = 4 * (kEpochMarks + wave.workgroup_id());
  wave.buffer_store(epoch, LaneU32(byte), LaneU32(ep + 1), wave.thread_id() == 0, kCmDev);
}
// Workgroup 0, once every workgroup has begun: word 0 becomes ep + 1.
inline SubTask<> epoch_end(Wave& wave, BufferView epoch, uint32_t ep) {
  if (wave.workgroup_id() != 0) co_return;
  const LaneU32 tid = wave.thread_id();
  const LaneU64 mark = epoch.base + convert<uint64_t>(4 * (kEpochMarks + tid));
  co_await spin_until(wave, mark, ep + 1, tid < kBlocks);
  co_await wave.barrier();
  wave.buffer_store(epoch, LaneU32(0u), LaneU32(ep + 1), tid == 0, kCmDev);
}

// Thread 0 stores the clock as word pair bid * kPoints + point of tl; nothing when tl is null. (On the part
// the stamps are compiled in only by -DWAVETWIN_TIMELINE.)
template <uint32_t kPoints>
void stamp(Wave& wave, uint64_t tl, uint32_t point) {
  if (tl == 0) return;
  const uint64_t now = wave.memrealtime();
  const uint64_t at = tl + 8 * (uint64_t{wave.workgroup_id()} * kPoints + point);
  const Vgprs<2> words{{static_cast<uint32_t>(now), static_cast<uint32_t>(now >> 32)}};
  gstore<2>(wave, LaneU64(at), words, wave.thread_id() == 0);
}

}  // namespace wavetwin
