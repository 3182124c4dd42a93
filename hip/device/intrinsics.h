// SPDX-License-Identifier: MIT
// The words of the simulated twins on gfx950 builtins. Freestanding: no HIP header, no device library, no
// implicit kernel argument. Everything is forced inline, so that a code object holds no calls at any -O
// level.
#pragma once

#include <cstdint>

#include "common/device_ptr.h"
#include "common/host_device.h"
#include "common/kernels/device.h"

namespace wavetwin {

#define WAVETWIN_INLINE inline __device__ __attribute__((always_inline))
// A kernel of kThreads threads (kThreads is repeated here because the attribute takes no constant of a
// namespace).
#define WAVETWIN_KERNEL __global__ __attribute__((amdgpu_flat_work_group_size(512, 512)))
static_assert(kThreads == 512);

using U32x2 = uint32_t __attribute__((ext_vector_type(2)));
using U32x4 = uint32_t __attribute__((ext_vector_type(4)));
using U32x8 = uint32_t __attribute__((ext_vector_type(8)));
using F32x2 = float __attribute__((ext_vector_type(2)));
using F32x4 = float __attribute__((ext_vector_type(4)));
using Bf16x8 = __bf16 __attribute__((ext_vector_type(8)));
using I16x4 = short __attribute__((ext_vector_type(4)));

// ---- where a thread is ----

// Lane 0's value as a wave-uniform one (v_readfirstlane_b32); the value must be the same in all active lanes.
WAVETWIN_INLINE uint32_t uniform(uint32_t v) { return __builtin_amdgcn_readfirstlane(v); }

// The wave a thread belongs to, with the simulated Wave's names.
struct Wave {
  uint32_t tid;
  uint32_t id;  // wave uniform

  WAVETWIN_INLINE uint32_t workgroup_id() const { return __builtin_amdgcn_workgroup_id_x(); }
  WAVETWIN_INLINE uint32_t wave_id() const { return id; }
  WAVETWIN_INLINE uint32_t lane() const { return tid % kLanes; }
  WAVETWIN_INLINE uint32_t thread_id() const { return tid; }
};
WAVETWIN_INLINE Wave this_wave() {
  const uint32_t tid = __builtin_amdgcn_workitem_id_x();
  return {tid, uniform(tid / kLanes)};
}

// The pointer in a kernel argument, in the global address space.
template <class T>
WAVETWIN_INLINE T* pointer(DevicePtr<T> p) {
  return (T*)(__attribute__((address_space(1))) T*)p.address;
}

// ---- synchronisation ----

// All waves of the workgroup, with their LDS accesses before it visible after it. s_barrier alone waits for
// no LDS operation: the fences make the compiler place the s_waitcnt.
WAVETWIN_INLINE void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

// ---- buffers: 32-bit byte offsets from a base; reads past num_records give zeros, writes there vanish ----

using Rsrc = __amdgpu_buffer_rsrc_t;

// Word 3 of the resource: 32-bit data format, no swizzle (CDNA3 ISA guide, "buffer resource descriptor").
inline constexpr uint32_t kRsrcFormat = 0x00027000;

// `records` is kAllRecords, or kNoRecords to mask the workgroup off; both arguments are wave uniform.
template <class T>
WAVETWIN_INLINE Rsrc rsrc(const T* base, uint32_t records = kAllRecords) {
  return __builtin_amdgcn_make_buffer_rsrc(const_cast<void*>(static_cast<const void*>(base)), 0,
                                           uniform(records), kRsrcFormat);
}

template <uint32_t kPolicy = kCmPlain>
WAVETWIN_INLINE uint32_t buffer_load_b32(Rsrc r, uint32_t byte) {
  return __builtin_amdgcn_raw_buffer_load_b32(r, byte, 0, kPolicy);
}
template <uint32_t kPolicy = kCmPlain>
WAVETWIN_INLINE U32x2 buffer_load_b64(Rsrc r, uint32_t byte) {
  return __builtin_bit_cast(U32x2, __builtin_amdgcn_raw_buffer_load_b64(r, byte, 0, kPolicy));
}
template <uint32_t kPolicy = kCmPlain>
WAVETWIN_INLINE U32x4 buffer_load_b128(Rsrc r, uint32_t byte) {
  return __builtin_bit_cast(U32x4, __builtin_amdgcn_raw_buffer_load_b128(r, byte, 0, kPolicy));
}
template <uint32_t kPolicy = kCmPlain>
WAVETWIN_INLINE void buffer_store_b32(uint32_t v, Rsrc r, uint32_t byte) {
  __builtin_amdgcn_raw_buffer_store_b32(v, r, byte, 0, kPolicy);
}
template <uint32_t kPolicy = kCmPlain>
WAVETWIN_INLINE void buffer_store_b64(U32x2 v, Rsrc r, uint32_t byte) {
  __builtin_amdgcn_raw_buffer_store_b64(v, r, byte, 0, kPolicy);
}
template <uint32_t kPolicy = kCmPlain>
WAVETWIN_INLINE void buffer_store_b128(U32x4 v, Rsrc r, uint32_t byte) {
  __builtin_amdgcn_raw_buffer_store_b128(v, r, byte, 0, kPolicy);
}

// ---- LDS, by word index; vectors are aligned to their size ----

using LdsWords = __attribute__((address_space(3))) uint32_t*;
using LdsFloats = __attribute__((address_space(3))) float*;

WAVETWIN_INLINE U32x4 lds_load4(LdsWords lds, uint32_t word) {
  return *(__attribute__((address_space(3))) U32x4*)(lds + word);
}
WAVETWIN_INLINE void lds_store4(LdsWords lds, uint32_t word, U32x4 v) {
  *(__attribute__((address_space(3))) U32x4*)(lds + word) = v;
}
WAVETWIN_INLINE F32x4 lds_load4(LdsFloats lds, uint32_t element) {
  return *(__attribute__((address_space(3))) F32x4*)(lds + element);
}
WAVETWIN_INLINE void lds_store4(LdsFloats lds, uint32_t element, F32x4 v) {
  *(__attribute__((address_space(3))) F32x4*)(lds + element) = v;
}

// ---- matrix instructions (operand layouts: common/mfma/layout.h) ----

// v_mfma_scale_f32_16x16x128_f8f6f4, scales in byte 0 of their registers: lane l holds row (column) l % 16, K
// bytes 16 (l / 16) .. +16 in words 0..3 and 64 + 16 (l / 16) .. +16 in words 4..7, and the E8M0 code of K
// block l / 16.
template <uint32_t kAFormat = kFp8, uint32_t kBFormat = kFp8>
WAVETWIN_INLINE F32x4 mfma_scaled(U32x8 a, U32x8 b, F32x4 c, uint32_t scale_a, uint32_t scale_b) {
  using I32x8 = int __attribute__((ext_vector_type(8)));
  return __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(
      __builtin_bit_cast(I32x8, a), __builtin_bit_cast(I32x8, b), c, kAFormat, kBFormat, 0,
      static_cast<int>(scale_a), 0, static_cast<int>(scale_b));
}

// v_mfma_f32_16x16x32_bf16: lane l holds row (column) l % 16, K 8 (l / 16) .. +8, two a word.
WAVETWIN_INLINE F32x4 mfma_bf16(U32x4 a, U32x4 b, F32x4 c) {
  return __builtin_amdgcn_mfma_f32_16x16x32_bf16(__builtin_bit_cast(Bf16x8, a), __builtin_bit_cast(Bf16x8, b),
                                                 c, 0, 0, 0);
}

// v_mfma_f32_16x16x16_bf16: lane l holds row (column) l % 16, K 4 (l / 16) .. +4, two a word.
WAVETWIN_INLINE F32x4 mfma16_bf16(U32x2 a, U32x2 b, F32x4 c) {
  return __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(__builtin_bit_cast(I16x4, a), __builtin_bit_cast(I16x4, b),
                                                   c, 0, 0, 0);
}

}  // namespace wavetwin
