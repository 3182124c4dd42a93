// SPDX-License-Identifier: MIT
// The memory words in one workgroup: each thread loads and stores by every one of them.
#pragma once

#include <cstdint>

#include "common/device_ptr.h"
#include "common/kernels/device.h"

namespace wavetwin {

inline constexpr uint32_t kMemorySource = 4 * kThreads;  // words of the source
inline constexpr uint32_t kMemoryLoads = 16;             // words that a thread reports
inline constexpr uint32_t kMemoryCopied =
    1300;  // words that batched_rounds copies: three rounds, the last ragged

// Words of `stored`: one, two and four by gstore, one at device scope and one nontemporal by a buffer.
inline constexpr uint32_t kStoredTwo = kThreads, kStoredFour = 3 * kThreads, kStoredDev = 7 * kThreads,
                          kStoredNt = 8 * kThreads, kMemoryStored = 9 * kThreads;

struct MemoryArgs {
  DevicePtr<const uint32_t> source;  // [kMemorySource]
  DevicePtr<uint32_t> loaded;        // [kMemoryLoads][kThreads]
  DevicePtr<uint32_t> stored;        // [kMemoryStored]
  DevicePtr<uint32_t> masked;        // [kThreads], which only masked-off stores touch
  DevicePtr<uint32_t> copied;        // [kMemoryCopied]
  DevicePtr<uint32_t> counter;       // one word, zero at first
  DevicePtr<uint32_t> tickets;       // [kThreads], the values of the counter that atomic_add_dev gave
};
static_assert(sizeof(MemoryArgs) == 56);

inline constexpr char kMemorySymbol[] = "_ZN5aiter17primitives_memoryE";

}  // namespace wavetwin
