// SPDX-License-Identifier: MIT
// A global-memory address inside a kernel's argument struct: the same 8 bytes on host and device.
#pragma once

#include <cstdint>

#include "common/host_device.h"

namespace wavetwin {

// On the host a plain number: the simulator's memory interprets it, nothing dereferences it. On the device it
// converts to T*, through the global address space, so that accesses become global_load / global_store
// instead of flat ones.
template <class T>
struct DevicePtr {
  uint64_t address;

  // The pointer `elements` further on (elements of T).
  WAVETWIN_HD constexpr DevicePtr offset(int64_t elements) const {
    return {address + static_cast<uint64_t>(elements) * sizeof(T)};
  }
  // The same address seen as another element type.
  template <class U>
  WAVETWIN_HD constexpr DevicePtr<U> as() const {
    return {address};
  }
  WAVETWIN_HD constexpr bool is_null() const { return address == 0; }
  WAVETWIN_HD friend constexpr bool operator==(DevicePtr a, DevicePtr b) { return a.address == b.address; }

#if defined(__HIP__)
  using GlobalPointer = __attribute__((address_space(1))) T*;
  WAVETWIN_DEVICE T* get() const { return (T*)(GlobalPointer)address; }
  WAVETWIN_DEVICE operator T*() const { return get(); }
#endif
};
static_assert(sizeof(DevicePtr<float>) == 8 && alignof(DevicePtr<float>) == 8);

}  // namespace wavetwin
