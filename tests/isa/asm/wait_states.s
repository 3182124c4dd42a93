// SPDX-License-Identifier: MIT
// Distances between instructions, kept and not kept. kernarg: +0 out[64], +8 a flag
.include "kernel.inc"

.macro setup
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_load_dword s6, s[0:1], 0x8
  v_lshlrev_b32_e32 v1, 2, v0
.irp n, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19
  v_mov_b32_e32 v\n, 0
.endr
  s_waitcnt lgkmcnt(0)
  s_nop 1
.endm

// The result of a four-pass MFMA is stored after eight wait states.
begin distance_kept
  setup
  v_mfma_f32_16x16x32_bf16 v[16:19], v[8:11], v[12:15], v[16:19]
  s_nop 7
  global_store_dword v1, v16, s[4:5]
end_kernel distance_kept

// ... after seven.
begin distance_short
  setup
  v_mfma_f32_16x16x32_bf16 v[16:19], v[8:11], v[12:15], v[16:19]
  s_nop 6
  global_store_dword v1, v16, s[4:5]
end_kernel distance_short

// Only a flag that is not zero leads along the path without the s_nop.
begin distance_path
  setup
  v_mfma_f32_16x16x32_bf16 v[16:19], v[8:11], v[12:15], v[16:19]
  s_cmp_lg_u32 s6, 0
  s_cbranch_scc1 distance_path_store
  s_nop 7
distance_path_store:
  global_store_dword v1, v16, s[4:5]
end_kernel distance_path

// The branches are the wait state between a loop's turns.
begin distance_loop
  setup
  s_movk_i32 s7, 3
  v_mov_b32_e32 v2, 0
distance_loop_again:
  v_add_u32_e32 v3, 1, v2
  s_sub_u32 s7, s7, 1
  s_cmp_lg_u32 s7, 0
  v_exp_f32_e32 v2, v3
  s_cbranch_scc0 distance_loop_end
  s_branch distance_loop_again
distance_loop_end:
  s_nop 0
  global_store_dword v1, v2, s[4:5]
end_kernel distance_loop

// The end of a loop's body is too close to its begin, from the second turn on.
begin distance_loop_short
  setup
  s_movk_i32 s7, 3
  v_mov_b32_e32 v2, 0
  s_nop 1
distance_loop_short_again:
  v_mov_b32_dpp v3, v2 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
  s_sub_u32 s7, s7, 1
  s_cmp_lg_u32 s7, 0
  v_add_u32_e32 v2, 1, v3
  s_cbranch_scc1 distance_loop_short_again
  s_nop 1
  global_store_dword v1, v2, s[4:5]
end_kernel distance_loop_short

// An MFMA of 8 passes has the register before anybody meets the result of the one of 16 passes.
begin distance_hidden
  setup
.irp n, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47
  v_mov_b32_e32 v\n, 0
.endr
  s_nop 1
  v_mfma_f32_32x32x64_f8f6f4 v[32:47], v[8:15], v[8:15], v[16:31]
  v_mfma_f32_32x32x16_bf16 v[32:47], v[8:11], v[12:15], v[16:31]
  s_nop 11
  global_store_dword v1, v32, s[4:5]
end_kernel distance_hidden, vgprs=64, accum=64
