// SPDX-License-Identifier: MIT
// One wave that accesses LDS in the forms that a bank trace must tell apart: 16 KiB that start at address 0.
#include <stdint.h>

extern "C" __attribute__((global, amdgpu_flat_work_group_size(64, 64))) void lds_forms() {
  __attribute__((shared)) static uint32_t words[4096];
  const uint32_t lane = __builtin_amdgcn_workitem_id_x();
  // All of `words` stays although nothing but the asm uses it.
  asm volatile("" ::"v"(words));
  asm volatile(
      "s_mov_b32 m0, 0\n"
      "ds_write_b32 %0, %2\n"
      "ds_write2st64_b32 %0, %2, %2 offset0:1 offset1:2\n"
      "s_waitcnt lgkmcnt(0)\n"
      "ds_add_u32 %0, %2\n"
      "ds_add_u32 %1, %2 offset:256\n"
      "ds_max_rtn_u32 v40, %1, %2\n"
      "ds_read2_b32 v[40:41], %0 offset0:0 offset1:1\n"
      "ds_append v40 offset:16\n"
      "ds_bpermute_b32 v40, %0, %2\n"
      "s_waitcnt lgkmcnt(0)\n"
      :
      : "v"(4 * lane), "v"(0u), "v"(lane)
      : "v40", "v41", "memory");
}
