// SPDX-License-Identifier: MIT
// Copies between guest memory and host values by relaxed atomic accesses, so that a race of the guest program
// is never undefined behaviour of the simulator. Naturally aligned pieces of up to 8 bytes are single-copy
// atomic, as on the part.
#pragma once

#include <cstdint>
#include <cstring>

namespace wavetwin {

template <class T>
inline T relaxed_load(const uint8_t* from) {
  return __atomic_load_n(reinterpret_cast<const T*>(from), __ATOMIC_RELAXED);
}
template <class T>
inline void relaxed_store(uint8_t* to, T value) {
  __atomic_store_n(reinterpret_cast<T*>(to), value, __ATOMIC_RELAXED);
}

// Calls piece(offset, T{}) over `bytes` in the largest naturally aligned pieces at `at`.
template <class F>
inline void for_aligned_pieces(const uint8_t* at, unsigned bytes, F&& piece) {
  unsigned i = 0;
  while (i < bytes) {
    const uintptr_t address = reinterpret_cast<uintptr_t>(at) + i;
    const unsigned rest = bytes - i;
    if (address % 8 == 0 && rest >= 8) {
      piece(i, uint64_t{}), i += 8;
    } else if (address % 4 == 0 && rest >= 4) {
      piece(i, uint32_t{}), i += 4;
    } else if (address % 2 == 0 && rest >= 2) {
      piece(i, uint16_t{}), i += 2;
    } else {
      piece(i, uint8_t{}), i += 1;
    }
  }
}

inline void relaxed_read(const uint8_t* from, unsigned bytes, uint8_t* to) {
  for_aligned_pieces(from, bytes, [&](unsigned i, auto type) {
    const auto value = relaxed_load<decltype(type)>(from + i);
    std::memcpy(to + i, &value, sizeof value);
  });
}

inline void relaxed_write(uint8_t* to, unsigned bytes, const uint8_t* from) {
  for_aligned_pieces(to, bytes, [&](unsigned i, auto type) {
    auto value = type;
    std::memcpy(&value, from + i, sizeof value);
    relaxed_store(to + i, value);
  });
}

}  // namespace wavetwin
