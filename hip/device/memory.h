// SPDX-License-Identifier: MIT
// Loads and stores by element or 64-bit address; their twin is sim/kernels/device_memory.h. Buffers are in
// hip/device/intrinsics.h.
#pragma once

#include "hip/device/arithmetic.h"

namespace wavetwin {

WAVETWIN_INLINE int32_t ld_i32(const int32_t* p, uint32_t i) { return p[i]; }
WAVETWIN_INLINE float ld_f32(const float* p, uint32_t i) { return p[i]; }
WAVETWIN_INLINE float ld_bf(const uint16_t* p, uint32_t i) { return bf_lo(p[i]); }
// Words 2 i (low, unsigned) and 2 i + 1 (high).
WAVETWIN_INLINE int64_t ld_i64(const uint32_t* p, uint32_t i) {
  return static_cast<int64_t>(static_cast<uint64_t>(p[2 * i + 1]) << 32 | p[2 * i]);
}

template <uint32_t kWords>
struct WordsOf {
  using Type = uint32_t __attribute__((ext_vector_type(kWords)));
};
template <>
struct WordsOf<1> {
  using Type = uint32_t;
};
template <uint32_t kWords>
using Words = typename WordsOf<kWords>::Type;

template <class T>
using Global = __attribute__((address_space(1))) T*;

// 1, 2 or 4 words at a 64-bit device address aligned to their size; kNt is a cache hint.
template <uint32_t kWords, bool kNt = false>
WAVETWIN_INLINE Words<kWords> gload(uint64_t address) {
  static_assert(kWords == 1 || kWords == 2 || kWords == 4);
  const Global<const Words<kWords>> p = (Global<const Words<kWords>>)address;
  if constexpr (kNt) return __builtin_nontemporal_load(p);
  return *p;
}
template <uint32_t kWords>
WAVETWIN_INLINE void gstore(uint64_t address, Words<kWords> v) {
  static_assert(kWords == 1 || kWords == 2 || kWords == 4);
  *(Global<Words<kWords>>)address = v;
}

// Relaxed device-scope add; the value before it.
WAVETWIN_INLINE uint32_t atomic_add_dev(uint64_t address, uint32_t v) {
  return __hip_atomic_fetch_add((Global<uint32_t>)address, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

// use(v, load(v)) for v = tid, tid + kThreads, ... below n; the loads of kBatch rounds are in flight
// together, their index held inside.
template <uint32_t kCount, uint32_t kBatch = kLoadBatch, class Load, class Use>
WAVETWIN_INLINE void batched_rounds(uint32_t tid, Load load, Use use) {
  constexpr uint32_t kRounds = (kCount + kThreads - 1) / kThreads;
#pragma unroll
  for (uint32_t first = 0; first < kRounds; first += kBatch) {
    decltype(load(0u)) loaded[kBatch];
#pragma unroll
    for (uint32_t i = 0; i < kBatch; ++i) {
      const uint32_t v = tid + kThreads * (first + i);
      if (first + i < kRounds) loaded[i] = load(v < kCount - 1 ? v : kCount - 1);
    }
#pragma unroll
    for (uint32_t i = 0; i < kBatch; ++i) {
      const uint32_t v = tid + kThreads * (first + i);
      if (first + i < kRounds && v < kCount) use(v, loaded[i]);
    }
  }
}

}  // namespace wavetwin
