// SPDX-License-Identifier: MIT
// Freestanding helpers of the decode-test kernels: no device library, only gfx950 builtins.
#pragma once

typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef int int32_t;
typedef long long int64_t;

#define GLOBAL __attribute__((global))
#define DEVICE __attribute__((device)) inline
#define SHARED __attribute__((shared))

typedef float F32x2 __attribute__((ext_vector_type(2)));
typedef float F32x4 __attribute__((ext_vector_type(4)));
typedef float F32x16 __attribute__((ext_vector_type(16)));
typedef int I32x4 __attribute__((ext_vector_type(4)));
typedef int I32x8 __attribute__((ext_vector_type(8)));
typedef __bf16 Bf16x2 __attribute__((ext_vector_type(2)));
typedef __bf16 Bf16x8 __attribute__((ext_vector_type(8)));
typedef short I16x2 __attribute__((ext_vector_type(2)));
typedef short I16x4 __attribute__((ext_vector_type(4)));
typedef _Float16 F16x2 __attribute__((ext_vector_type(2)));

DEVICE uint32_t lane() { return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0)); }
DEVICE uint32_t item() { return __builtin_amdgcn_workitem_id_x(); }
DEVICE uint32_t group() { return __builtin_amdgcn_workgroup_id_x(); }
DEVICE void barrier() { __builtin_amdgcn_s_barrier(); }
DEVICE uint32_t bits(float x) { return __builtin_bit_cast(uint32_t, x); }
DEVICE float real(uint32_t x) { return __builtin_bit_cast(float, x); }

// The value of lane `source`.
DEVICE float shuffle(float x, uint32_t source) {
  return real(static_cast<uint32_t>(
      __builtin_amdgcn_ds_bpermute(static_cast<int>(source * 4), static_cast<int>(bits(x)))));
}

template <int kControl>
DEVICE float dpp_add(float x) {
  const int moved = __builtin_amdgcn_update_dpp(0, static_cast<int>(bits(x)), kControl, 0xf, 0xf, true);
  return x + real(static_cast<uint32_t>(moved));
}
