// SPDX-License-Identifier: MIT
// The words a simulated kernel is written in: one Wave of 64 lanes, its loads and stores, and what it can
// wait for.
//
//   WaveTask copy(Wave& wave, CopyArgs args) {             // a free coroutine; arguments by value
//     const LaneU32 i = wave.thread_id();
//     const LaneMask in = i < args.dwords;                 // masks are explicit
//     const LaneU32 v = wave.load_element(args.from, i, in);
//     wave.lds().store(i, v, in);                          // dword index
//     co_await wave.barrier();                             // co_await marks the places where a wave can wait
//     ...
//     wave.buffer_store<4>(rsrc(args.to, kAllRecords), offset, words, in, kCacheSc1);
//     co_await wave.wait_stores();                         // vmcnt(0)
//   }
//
// Loads complete at once; lanes outside the mask give 0. Stores follow sim/core/workgroup_memory.h. Lanes
// beyond the workgroup's last thread (a partial last wave) are never active: every mask is cut to
// wave.active(). Everything alive across a co_await must be trivially destructible; `co_await x;` is a whole
// statement or the only initialiser of a variable; no lambda is a coroutine. Device functions that wait are
// SubTask<T> (sim/core/wave_task.h).
#pragma once

#include <coroutine>
#include <cstdint>

#include "common/device_ptr.h"
#include "sim/core/lane.h"
#include "sim/core/workgroup.h"

namespace wavetwin {

// A raw buffer resource (stride 0): byte offsets from `base`, checked against `num_records` bytes. Per dword,
// a load past it gives 0 and a store past it vanishes; 0 records mask a workgroup off, 0xFFFFFFFF check
// nothing that fits.
struct BufferView {
  uint64_t base = 0;
  uint32_t num_records = 0;
};
inline BufferView rsrc(uint64_t base, uint32_t num_records) { return {base, num_records}; }
template <class T>
inline BufferView rsrc(DevicePtr<T> base, uint32_t num_records) {
  return {base.address, num_records};
}

// LDS as this wave sees it. Indices are dwords relative to `base_bytes` (a multiple of 4) unless named bytes.
class LdsView {
 public:
  LdsView(Lds* lds, LaneMask active, uint32_t base_bytes) : lds_(lds), active_(active), base_(base_bytes) {}

  // The view `bytes` further on: a member of the kernel's LDS struct.
  LdsView at(uint32_t bytes) const { return {lds_, active_, base_ + bytes}; }
  uint32_t base_bytes() const { return base_; }

  LaneU32 load(const LaneU32& index, LaneMask mask = kAllLanes) const { return load<1>(index, mask).r[0]; }
  void store(const LaneU32& index, const LaneU32& value, LaneMask mask = kAllLanes) const {
    store_bytes(4u * index, &value, 4, mask);
  }
  LaneF32 load_f32(const LaneU32& index, LaneMask mask = kAllLanes) const {
    return as_f32(load(index, mask));
  }
  void store_f32(const LaneU32& index, const LaneF32& value, LaneMask mask = kAllLanes) const {
    store(index, as_u32(value), mask);
  }
  // N consecutive dwords (ds_read_b32 / b64 / b96 / b128 for N = 1 .. 4).
  template <unsigned N>
  Vgprs<N> load(const LaneU32& index, LaneMask mask = kAllLanes) const {
    Vgprs<N> out = Vgprs<N>::uniform(0);
    load_bytes(4u * index, out.r, 4 * N, mask);
    return out;
  }
  template <unsigned N>
  void store(const LaneU32& index, const Vgprs<N>& value, LaneMask mask = kAllLanes) const {
    store_bytes(4u * index, value.r, 4 * N, mask);
  }
  // Bytes and halfwords at byte addresses, zero-extended.
  LaneU32 load_u8(const LaneU32& byte, LaneMask mask = kAllLanes) const { return load_narrow(byte, 1, mask); }
  LaneU32 load_u16(const LaneU32& byte, LaneMask mask = kAllLanes) const {
    return load_narrow(byte, 2, mask);
  }
  void store_u8(const LaneU32& byte, const LaneU32& value, LaneMask mask = kAllLanes) const {
    store_bytes(byte, &value, 1, mask);
  }
  void store_u16(const LaneU32& byte, const LaneU32& value, LaneMask mask = kAllLanes) const {
    store_bytes(byte, &value, 2, mask);
  }
  // N dwords at byte addresses of any alignment.
  template <unsigned N>
  Vgprs<N> load_at_byte(const LaneU32& byte, LaneMask mask = kAllLanes) const {
    Vgprs<N> out = Vgprs<N>::uniform(0);
    load_bytes(byte, out.r, 4 * N, mask);
    return out;
  }
  template <unsigned N>
  void store_at_byte(const LaneU32& byte, const Vgprs<N>& value, LaneMask mask = kAllLanes) const {
    store_bytes(byte, value.r, 4 * N, mask);
  }
  // An LDS atomic on dwords; gives the old values.
  LaneU32 atomic(const LaneU32& index, AtomicFunction function, const LaneU32& data,
                 LaneMask mask = kAllLanes) const;

 private:
  LaneU32 load_narrow(const LaneU32& byte, unsigned bytes, LaneMask mask) const {
    LaneU32 out = 0u;
    load_bytes(byte, &out, bytes, mask);
    return out;
  }
  void load_bytes(const LaneU32& byte, LaneU32* out, unsigned bytes, LaneMask mask) const;
  void store_bytes(const LaneU32& byte, const LaneU32* data, unsigned bytes, LaneMask mask) const;

  Lds* lds_;
  LaneMask active_;
  uint32_t base_;
};

class Wave {
 public:
  Wave(Workgroup& workgroup, uint32_t wave);
  Wave(const Wave&) = delete;
  Wave& operator=(const Wave&) = delete;

  // ---- identity

  uint32_t workgroup_id(unsigned axis = 0) const { return workgroup_->id(axis); }
  uint32_t wave_id() const { return wave_; }
  uint32_t waves() const { return workgroup_->waves(); }
  static LaneU32 lane() { return LaneU32::iota(); }
  // Flat work-item id in the workgroup, x fastest; and one axis of it.
  LaneU32 thread_id() const { return 64u * wave_ + lane(); }
  LaneU32 thread_id(unsigned axis) const;
  LaneMask active() const { return active_; }
  Workgroup& workgroup() { return *workgroup_; }

  // ---- LDS

  LdsView lds(uint32_t base_bytes = 0) { return {&workgroup_->lds(), active_, base_bytes}; }

  // ---- device memory, 64-bit addresses a lane

  // N = 1, 2, 3 or 4 dwords.
  template <unsigned N>
  Vgprs<N> load(const LaneU64& address, LaneMask mask = kAllLanes, uint32_t cache = 0) {
    Vgprs<N> out = Vgprs<N>::uniform(0);
    load_bytes(address, out.r, 4 * N, mask, cache);
    return out;
  }
  template <unsigned N>
  void store(const LaneU64& address, const Vgprs<N>& value, LaneMask mask = kAllLanes, uint32_t cache = 0) {
    store_bytes(address, value.r, 4 * N, mask, cache);
  }
  // 1 or 2 bytes, zero-extended; the stores take the low bits.
  LaneU32 load_u8(const LaneU64& address, LaneMask mask = kAllLanes, uint32_t cache = 0);
  LaneU32 load_u16(const LaneU64& address, LaneMask mask = kAllLanes, uint32_t cache = 0);
  void store_u8(const LaneU64& address, const LaneU32& value, LaneMask mask = kAllLanes, uint32_t cache = 0);
  void store_u16(const LaneU64& address, const LaneU32& value, LaneMask mask = kAllLanes, uint32_t cache = 0);

  // Element index[l] of an array; T of 1, 2, 4 or 8 bytes.
  template <class T>
  Lane<std::remove_const_t<T>> load_element(DevicePtr<T> array, const LaneU32& index,
                                            LaneMask mask = kAllLanes, uint32_t cache = 0);
  template <class T>
  void store_element(DevicePtr<T> array, const LaneU32& index, const Lane<T>& value,
                     LaneMask mask = kAllLanes, uint32_t cache = 0);
  // A wave-uniform load through scalar memory; T of 4 or 8 bytes.
  template <class T>
  std::remove_const_t<T> load_uniform(DevicePtr<T> array, uint64_t index = 0) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    uint32_t dwords[sizeof(T) / 4];
    ++instructions_;
    workgroup_->memory().load_scalar(array.address + index * sizeof(T), sizeof(T) / 4, dwords);
    std::remove_const_t<T> value;
    __builtin_memcpy(&value, dwords, sizeof(T));
    return value;
  }

  // ---- buffers, 32-bit byte offsets a lane

  template <unsigned N>
  Vgprs<N> buffer_load(const BufferView& buffer, const LaneU32& offset, LaneMask mask = kAllLanes,
                       uint32_t cache = 0) {
    Vgprs<N> out = Vgprs<N>::uniform(0);
    buffer_load_bytes(buffer, offset, out.r, 4 * N, mask, cache);
    return out;
  }
  template <unsigned N>
  void buffer_store(const BufferView& buffer, const LaneU32& offset, const Vgprs<N>& value,
                    LaneMask mask = kAllLanes, uint32_t cache = 0) {
    buffer_store_bytes(buffer, offset, value.r, 4 * N, mask, cache);
  }
  LaneU32 buffer_load(const BufferView& buffer, const LaneU32& offset, LaneMask mask = kAllLanes,
                      uint32_t cache = 0) {
    return buffer_load<1>(buffer, offset, mask, cache).r[0];
  }
  void buffer_store(const BufferView& buffer, const LaneU32& offset, const LaneU32& value,
                    LaneMask mask = kAllLanes, uint32_t cache = 0) {
    buffer_store_bytes(buffer, offset, &value, 4, mask, cache);
  }
  LaneU32 buffer_load_u8(const BufferView& buffer, const LaneU32& offset, LaneMask mask = kAllLanes,
                         uint32_t cache = 0);
  LaneU32 buffer_load_u16(const BufferView& buffer, const LaneU32& offset, LaneMask mask = kAllLanes,
                          uint32_t cache = 0);
  void buffer_store_u8(const BufferView& buffer, const LaneU32& offset, const LaneU32& value,
                       LaneMask mask = kAllLanes, uint32_t cache = 0);
  void buffer_store_u16(const BufferView& buffer, const LaneU32& offset, const LaneU32& value,
                        LaneMask mask = kAllLanes, uint32_t cache = 0);

  // ---- waiting

  class Suspend;          // an awaitable that ends with one WaitReason
  class ReturningAtomic;  // an awaitable that gives the old values

  [[nodiscard]] Suspend barrier();  // s_barrier; LDS accesses before it are done
  [[nodiscard]] Suspend
  wait_stores();  // s_waitcnt vmcnt(0): every store and atomic of this wave is committed
  [[nodiscard]] Suspend sleep(uint32_t n = 1);  // s_sleep: ends the turn

  // Atomics without a result enter the pending list; with one, `const LaneU32 old = co_await
  // wave.atomic_return(...);` resumes after the commit with the values before the operation.
  void atomic(const LaneU64& address, AtomicFunction function, const LaneU32& data,
              LaneMask mask = kAllLanes);
  [[nodiscard]] ReturningAtomic atomic_return(const LaneU64& address, AtomicFunction function,
                                              const LaneU32& data, LaneMask mask = kAllLanes);

  // Ticks of a 100 MHz clock derived from the round and the instructions of the turn, never from host time.
  uint64_t memrealtime() const;

  // ---- reports

  // Where the wave is, for errors, findings and the no-progress report. `text` must outlive the wave (a
  // literal).
  void stage(const char* text) { stage_ = text; }
  // Said by a poll loop before it sleeps: lanes of `pending` wait until the `bytes` at `address` become
  // `wanted`. It promises that the wave does nothing else until memory changes, so it proves a deadlock when
  // nothing does.
  void awaiting(const LaneU64& address, LaneMask pending, uint64_t wanted, uint32_t bytes = 4);
  void arrived() { awaited_lanes_ = LaneMask::none(); }

 private:
  friend class CoroutineWave;
  template <class T>
  friend class SubTask;
  friend class Suspend;
  friend class ReturningAtomic;

  void load_bytes(const LaneU64& address, LaneU32* out, unsigned bytes, LaneMask mask, uint32_t cache);
  void store_bytes(const LaneU64& address, const LaneU32* data, unsigned bytes, LaneMask mask,
                   uint32_t cache);
  void buffer_load_bytes(const BufferView& buffer, const LaneU32& offset, LaneU32* out, unsigned bytes,
                         LaneMask mask, uint32_t cache);
  void buffer_store_bytes(const BufferView& buffer, const LaneU32& offset, const LaneU32* data,
                          unsigned bytes, LaneMask mask, uint32_t cache);
  bool stores_outstanding() { return counter_.outstanding(workgroup_->memory()) != 0; }
  void suspend(std::coroutine_handle<> at, WaitReason reason) {
    leaf_ = at;
    reason_ = reason;
    suspended_ = true;
  }

  Workgroup* workgroup_;
  uint32_t wave_;
  LaneMask active_;
  MemoryCounter counter_;
  uint64_t instructions_ = 0;  // memory operations: the coroutine's measure of time
  uint64_t round_start_ = 0;   // instructions_ when the round began: a barrier can end and a turn go on in it
  const char* stage_ = "";

  // The coroutine to resume next, and why the wave stopped.
  std::coroutine_handle<> leaf_;
  WaitReason reason_ = WaitReason::sleep;
  bool suspended_ = false;

  LaneMask awaited_lanes_;
  LaneU64 awaited_address_;
  uint64_t awaited_value_ = 0;
  uint32_t awaited_bytes_ = 4;
};

// Stops the wave for one reason, unless nothing is left to wait for.
class Wave::Suspend {
 public:
  Suspend(Wave* wave, WaitReason reason, bool ready) : wave_(wave), reason_(reason), ready_(ready) {}
  bool await_ready() const noexcept { return ready_; }
  void await_suspend(std::coroutine_handle<> at) const noexcept { wave_->suspend(at, reason_); }
  void await_resume() const noexcept {}

 private:
  Wave* wave_;
  WaitReason reason_;
  bool ready_;
};

// Issues the atomic when the wave suspends, so that the values land in this object inside the coroutine
// frame.
class Wave::ReturningAtomic {
 public:
  ReturningAtomic(Wave* wave, const LaneU64& address, AtomicFunction function, const LaneU32& data,
                  LaneMask mask)
      : address_(address), data_(data), old_(0u), wave_(wave), function_(function), mask_(mask) {}
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> at);
  LaneU32 await_resume() const noexcept { return old_; }

 private:
  LaneU64 address_;
  LaneU32 data_;
  LaneU32 old_;
  Wave* wave_;
  AtomicFunction function_;
  LaneMask mask_;
};

inline Wave::Suspend Wave::barrier() { return {this, WaitReason::barrier, false}; }
inline Wave::Suspend Wave::wait_stores() { return {this, WaitReason::memory, !stores_outstanding()}; }
inline Wave::Suspend Wave::sleep(uint32_t) { return {this, WaitReason::sleep, false}; }
inline Wave::ReturningAtomic Wave::atomic_return(const LaneU64& address, AtomicFunction function,
                                                 const LaneU32& data, LaneMask mask) {
  return {this, address, function, data, mask};
}

template <class T>
Lane<std::remove_const_t<T>> Wave::load_element(DevicePtr<T> array, const LaneU32& index, LaneMask mask,
                                                uint32_t cache) {
  using V = std::remove_const_t<T>;
  const LaneU64 address = array.address + convert<uint64_t>(index) * uint64_t{sizeof(T)};
  if constexpr (sizeof(T) == 8) {
    const Vgprs<2> r = load<2>(address, mask, cache);
    return lane_cast<V>(combine(r[0], r[1]));
  } else if constexpr (sizeof(T) == 4) {
    return lane_cast<V>(load<1>(address, mask, cache)[0]);
  } else if constexpr (sizeof(T) == 2) {
    return lane_cast<V>(convert<uint16_t>(load_u16(address, mask, cache)));
  } else {
    return lane_cast<V>(convert<uint8_t>(load_u8(address, mask, cache)));
  }
}

template <class T>
void Wave::store_element(DevicePtr<T> array, const LaneU32& index, const Lane<T>& value, LaneMask mask,
                         uint32_t cache) {
  const LaneU64 address = array.address + convert<uint64_t>(index) * uint64_t{sizeof(T)};
  if constexpr (sizeof(T) == 8) {
    const LaneU64 bits = lane_cast<uint64_t>(value);
    store<2>(address, Vgprs<2>{{low_dword(bits), high_dword(bits)}}, mask, cache);
  } else if constexpr (sizeof(T) == 4) {
    store<1>(address, Vgprs<1>{{lane_cast<uint32_t>(value)}}, mask, cache);
  } else if constexpr (sizeof(T) == 2) {
    store_u16(address, convert<uint32_t>(lane_cast<uint16_t>(value)), mask, cache);
  } else {
    store_u8(address, convert<uint32_t>(lane_cast<uint8_t>(value)), mask, cache);
  }
}

}  // namespace wavetwin
