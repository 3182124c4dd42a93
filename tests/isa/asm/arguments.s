// SPDX-License-Identifier: MIT
// A kernel with metadata: explicit and hidden arguments. It copies its kernarg block to `out`.
.include "kernel.inc"

begin copy_arguments
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 2, v0
  v_cmp_gt_u32_e32 vcc, 64, v0
  s_and_b64 exec, exec, vcc
  global_load_dword v2, v1, s[0:1]
  s_waitcnt vmcnt(0) lgkmcnt(0)
  global_store_dword v1, v2, s[4:5]
end_kernel copy_arguments, lds=16, kernarg=0

// The same without metadata, for raw kernarg blocks of 256 bytes.
begin echo_block
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 2, v0
  global_load_dword v2, v1, s[0:1]
  s_waitcnt vmcnt(0) lgkmcnt(0)
  global_store_dword v1, v2, s[4:5]
end_kernel echo_block, kernarg=256

.amdgpu_metadata
amdhsa.version: [ 1, 2 ]
amdhsa.target: amdgcn-amd-amdhsa--gfx950
amdhsa.kernels:
  - .name: copy_arguments
    .symbol: copy_arguments.kd
    .kernarg_segment_size: 280
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 16
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 64
    .vgpr_count: 32
    .max_flat_workgroup_size: 256
    .args:
      - { .name: out, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .name: n, .offset: 8, .size: 4, .value_kind: by_value }
      - { .name: h, .offset: 12, .size: 2, .value_kind: by_value }
      - { .offset: 24, .size: 4, .value_kind: hidden_block_count_x }
      - { .offset: 28, .size: 4, .value_kind: hidden_block_count_y }
      - { .offset: 32, .size: 4, .value_kind: hidden_block_count_z }
      - { .offset: 36, .size: 2, .value_kind: hidden_group_size_x }
      - { .offset: 38, .size: 2, .value_kind: hidden_group_size_y }
      - { .offset: 40, .size: 2, .value_kind: hidden_group_size_z }
      - { .offset: 42, .size: 2, .value_kind: hidden_remainder_x }
      - { .offset: 44, .size: 2, .value_kind: hidden_remainder_y }
      - { .offset: 46, .size: 2, .value_kind: hidden_remainder_z }
      - { .offset: 64, .size: 8, .value_kind: hidden_global_offset_x }
      - { .offset: 88, .size: 2, .value_kind: hidden_grid_dims }
      - { .offset: 144, .size: 4, .value_kind: hidden_dynamic_lds_size }
      - { .offset: 216, .size: 4, .value_kind: hidden_private_base }
      - { .offset: 220, .size: 4, .value_kind: hidden_shared_base }
      - { .offset: 224, .size: 8, .value_kind: hidden_queue_ptr }
.end_amdgpu_metadata
