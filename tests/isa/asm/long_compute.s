// SPDX-License-Identifier: MIT
// Loops that compute for long and store nothing until their end. kernarg: +0 out, +8 table[16] or flag
.include "kernel.inc"

// 20 million instructions that touch no memory.
begin compute
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_mov_b32 s6, 5000000
  s_mov_b32 s7, 0
compute_again:
  s_mul_i32 s7, s7, 3
  s_sub_u32 s6, s6, 1
  s_cmp_lg_u32 s6, 0
  s_cbranch_scc1 compute_again
  v_mov_b32_e32 v1, 0
  v_mov_b32_e32 v2, 42
  s_mov_b64 exec, 1
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v2, s[4:5]
end_kernel compute

// The same length, with the same 16 words and a word of LDS in every iteration.
begin compute_table
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_mov_b32 s8, 2000000
  v_mov_b32_e32 v1, 0
  v_mov_b32_e32 v2, 0
  s_mov_b64 exec, 1
  v_mov_b32_e32 v5, 1
  ds_write_b32 v1, v5
  s_waitcnt lgkmcnt(0)
table_again:
  s_and_b32 s9, s8, 15
  s_lshl_b32 s9, s9, 2
  v_mov_b32_e32 v3, s9
  global_load_dword v4, v3, s[6:7]
  ds_read_b32 v6, v1
  s_waitcnt vmcnt(0) lgkmcnt(0)
  v_add3_u32 v2, v4, v6, v2
  s_sub_u32 s8, s8, 1
  s_cmp_lg_u32 s8, 0
  s_cbranch_scc1 table_again
  global_store_dword v1, v2, s[4:5]
end_kernel compute_table, lds=64

// Workgroup 0 computes and then raises the flag; the others look at it and count their looks.
begin compute_then_flag
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_mov_b32 s8, 1000000
  s_mov_b64 s[12:13], 0
  v_mov_b32_e32 v1, 0
  v_mov_b32_e32 v2, 1
  s_mov_b64 exec, 1
  s_waitcnt lgkmcnt(0)
  s_cmp_eq_u32 s2, 0
  s_cbranch_scc0 await_compute
flag_compute:
  s_sub_u32 s8, s8, 1
  s_cmp_lg_u32 s8, 0
  s_cbranch_scc1 flag_compute
  global_store_dword v1, v2, s[6:7] sc1
  s_endpgm
await_compute:
  s_add_u32 s12, s12, 1
  s_addc_u32 s13, s13, 0
  global_load_dword v4, v1, s[6:7] sc1
  s_waitcnt vmcnt(0)
  v_readfirstlane_b32 s10, v4
  s_cmp_eq_u32 s10, 0
  s_cbranch_scc1 await_compute
  s_lshl_b32 s9, s2, 2
  v_mov_b32_e32 v3, s9
  global_store_dword v3, v4, s[4:5]
end_kernel compute_then_flag
