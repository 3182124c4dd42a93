// SPDX-License-Identifier: MIT
// What the generated kernels, their host half and the test agree on: the launch, the buffers, the records.
// Compiled for the host and for gfx950.
#pragma once

#include <cstdint>

namespace wavetwin::differential {

inline constexpr uint32_t kWaveLanes = 64;
inline constexpr uint32_t kWorkgroups = 2;
inline constexpr uint32_t kMaxThreads = 192;  // of a workgroup
inline constexpr uint32_t kMaxThreadsOfGrid = kWorkgroups * kMaxThreads;

// The input buffer: one pool of kPoolElements an operand type, as byte offsets.
inline constexpr uint32_t kPoolElements = 512;  // a power of two
inline constexpr uint32_t kIntegerPool = 0;     // 8 bytes an element; narrower integers read its first bytes
inline constexpr uint32_t kF64Pool = kIntegerPool + 8 * kPoolElements;
inline constexpr uint32_t kF32Pool = kF64Pool + 8 * kPoolElements;
inline constexpr uint32_t kF16Pool = kF32Pool + 4 * kPoolElements;
inline constexpr uint32_t kBf16Pool = kF16Pool + 2 * kPoolElements;
inline constexpr uint32_t kInputBytes = kBf16Pool + 2 * kPoolElements;

// The output buffer: variable v of thread t (of the grid) is an element of its own type, at index t of the
// region that starts at byte v * kVariableBytes.
inline constexpr uint32_t kMaxVariables = 16;
inline constexpr uint32_t kVariableBytes = 8 * kMaxThreadsOfGrid;
inline constexpr uint32_t kOutputBytes = kMaxVariables * kVariableBytes;

// Bytes of device memory that a thread has to itself.
inline constexpr uint32_t kOwnBytes = 128;

// What all threads change by atomics. The operations on one array are of one kind (add, or, ...), and float
// sums are sums of small integers, so that the result does not depend on the order.
struct Cells {
  uint32_t sum[16], either[16], both[16], differ[16], most[16];
  int32_t least[16];
  uint64_t wide_sum[16], wide_most[16];
  float float_sum[16];
  double double_sum[16];
  uint32_t own[kMaxThreadsOfGrid];  // thread t alone uses element t: the returned old value counts, too
  uint64_t wide_own[kMaxThreadsOfGrid];
};

// The kernel's arguments; the same struct is the kernarg block and the argument of the host half.
struct Arguments {
  const uint8_t* in;
  uint8_t* out;
  uint8_t* own;  // kOwnBytes a thread
  Cells* cells;
  uint32_t n0, n1;
};

}  // namespace wavetwin::differential
