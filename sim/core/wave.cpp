// SPDX-License-Identifier: MIT
#include "sim/core/wave.h"

#include <algorithm>

namespace wavetwin {

// ---- LdsView

void LdsView::load_bytes(const LaneU32& byte, LaneU32* out, unsigned bytes, LaneMask mask) const {
  const LaneU32 address = byte + base_;
  lds_->load(address.v, mask & active_, bytes, out->v);
}

void LdsView::store_bytes(const LaneU32& byte, const LaneU32* data, unsigned bytes, LaneMask mask) const {
  const LaneU32 address = byte + base_;
  lds_->store(address.v, mask & active_, bytes, data->v);
}

LaneU32 LdsView::atomic(const LaneU32& index, AtomicFunction function, const LaneU32& data,
                        LaneMask mask) const {
  const LaneU32 address = 4u * index + base_;
  LaneU32 old = 0u;
  lds_->atomic(address.v, mask & active_, 4, function, data.v, nullptr, old.v);
  return old;
}

// ---- Wave

Wave::Wave(Workgroup& workgroup, uint32_t wave) : workgroup_(&workgroup), wave_(wave) {
  const uint32_t threads = workgroup.launch().threads();
  active_ = LaneMask::first(threads - std::min(threads, wave * kWaveSize));
}

LaneU32 Wave::thread_id(unsigned axis) const {
  const Dim3& block = workgroup_->launch().block;
  const LaneU32 flat = thread_id();
  if (axis == 0) return flat % block.x;
  if (axis == 1) return flat / block.x % block.y;
  return flat / (block.x * block.y);
}

void Wave::load_bytes(const LaneU64& address, LaneU32* out, unsigned bytes, LaneMask mask, uint32_t cache) {
  ++instructions_;
  workgroup_->memory().load(address.v, mask & active_, bytes, out->v, cache);
}

void Wave::store_bytes(const LaneU64& address, const LaneU32* data, unsigned bytes, LaneMask mask,
                       uint32_t cache) {
  ++instructions_;
  counter_.issue(workgroup_->memory().store(address.v, mask & active_, bytes, data->v, cache));
}

LaneU32 Wave::load_u8(const LaneU64& address, LaneMask mask, uint32_t cache) {
  LaneU32 out = 0u;
  load_bytes(address, &out, 1, mask, cache);
  return out;
}
LaneU32 Wave::load_u16(const LaneU64& address, LaneMask mask, uint32_t cache) {
  LaneU32 out = 0u;
  load_bytes(address, &out, 2, mask, cache);
  return out;
}
void Wave::store_u8(const LaneU64& address, const LaneU32& value, LaneMask mask, uint32_t cache) {
  store_bytes(address, &value, 1, mask, cache);
}
void Wave::store_u16(const LaneU64& address, const LaneU32& value, LaneMask mask, uint32_t cache) {
  store_bytes(address, &value, 2, mask, cache);
}

// ---- buffers

namespace {

// Lanes whose `bytes` at offset + first lie within the records (CDNA4 ISA guide, raw buffer range checking).
LaneMask lanes_in_range(const BufferView& buffer, const LaneU32& offset, unsigned first, unsigned bytes) {
  const uint64_t end = uint64_t{first} + bytes;
  if (buffer.num_records < end) return LaneMask::none();
  return offset <= static_cast<uint32_t>(buffer.num_records - end);
}

// access(first, bytes, lanes): all bytes at once where every lane is in range, else dword by dword.
template <class Access>
void access_in_range(const BufferView& buffer, const LaneU32& offset, unsigned bytes, LaneMask mask,
                     Access access) {
  const LaneMask whole = lanes_in_range(buffer, offset, 0, bytes) & mask;
  if (bytes <= 4 || whole == mask) return access(0, bytes, whole);
  for (unsigned first = 0; first < bytes; first += 4)
    access(first, 4, lanes_in_range(buffer, offset, first, 4) & mask);
}

}  // namespace

void Wave::buffer_load_bytes(const BufferView& buffer, const LaneU32& offset, LaneU32* out, unsigned bytes,
                             LaneMask mask, uint32_t cache) {
  const LaneU64 address = convert<uint64_t>(offset) + buffer.base;
  access_in_range(buffer, offset, bytes, mask & active_, [&](unsigned first, unsigned size, LaneMask lanes) {
    load_bytes(address + uint64_t{first}, out + first / 4, size, lanes, cache);
  });
}

void Wave::buffer_store_bytes(const BufferView& buffer, const LaneU32& offset, const LaneU32* data,
                              unsigned bytes, LaneMask mask, uint32_t cache) {
  const LaneU64 address = convert<uint64_t>(offset) + buffer.base;
  access_in_range(buffer, offset, bytes, mask & active_, [&](unsigned first, unsigned size, LaneMask lanes) {
    store_bytes(address + uint64_t{first}, data + first / 4, size, lanes, cache);
  });
}

LaneU32 Wave::buffer_load_u8(const BufferView& buffer, const LaneU32& offset, LaneMask mask, uint32_t cache) {
  LaneU32 out = 0u;
  buffer_load_bytes(buffer, offset, &out, 1, mask, cache);
  return out;
}
LaneU32 Wave::buffer_load_u16(const BufferView& buffer, const LaneU32& offset, LaneMask mask,
                              uint32_t cache) {
  LaneU32 out = 0u;
  buffer_load_bytes(buffer, offset, &out, 2, mask, cache);
  return out;
}
void Wave::buffer_store_u8(const BufferView& buffer, const LaneU32& offset, const LaneU32& value,
                           LaneMask mask, uint32_t cache) {
  buffer_store_bytes(buffer, offset, &value, 1, mask, cache);
}
void Wave::buffer_store_u16(const BufferView& buffer, const LaneU32& offset, const LaneU32& value,
                            LaneMask mask, uint32_t cache) {
  buffer_store_bytes(buffer, offset, &value, 2, mask, cache);
}

// ---- waiting and reports

void Wave::atomic(const LaneU64& address, AtomicFunction function, const LaneU32& data, LaneMask mask) {
  ++instructions_;
  counter_.issue(
      workgroup_->memory().atomic(address.v, mask & active_, 4, function, data.v, nullptr, nullptr));
}

void Wave::ReturningAtomic::await_suspend(std::coroutine_handle<> at) {
  ++wave_->instructions_;
  const LaneMask lanes = mask_ & wave_->active_;
  wave_->counter_.issue(
      wave_->workgroup_->memory().atomic(address_.v, lanes, 4, function_, data_.v, nullptr, old_.v));
  wave_->suspend(at, WaitReason::memory);
}

uint64_t Wave::memrealtime() const {
  constexpr uint64_t kTicksPerRound = 256;
  return workgroup_->round() * kTicksPerRound + std::min(instructions_ - round_start_, kTicksPerRound - 1);
}

void Wave::awaiting(const LaneU64& address, LaneMask pending, uint64_t wanted, uint32_t bytes) {
  awaited_address_ = address;
  awaited_lanes_ = pending & active_;
  awaited_value_ = wanted;
  awaited_bytes_ = bytes;
}

}  // namespace wavetwin
