// SPDX-License-Identifier: MIT
// A persistent launch of 256 x 512 work-items with all of LDS and every VGPR eight waves can have: how much memory it
// takes. Each wave writes its LDS slice, meets the others, and stores one word. kernarg: +0 out[workgroups * waves]
.include "kernel.inc"

begin resident
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 2, v0
  s_movk_i32 s6, 80
fill:
  ds_write_b32 v1, v0
  v_add_u32_e32 v1, 0x800, v1
  s_sub_u32 s6, s6, 1
  s_cmp_lg_u32 s6, 0
  s_cbranch_scc1 fill
  s_waitcnt lgkmcnt(0)
  s_barrier
  v_lshlrev_b32_e32 v1, 2, v0
  v_xor_b32_e32 v1, 0x100, v1
  ds_read_b32 v2, v1
  v_accvgpr_write_b32 a200, v2
  v_mov_b32_e32 v40, 7
  s_lshl_b32 s2, s2, 11
  v_lshlrev_b32_e32 v3, 2, v0
  v_add_u32_e32 v3, s2, v3
  s_waitcnt lgkmcnt(0)
  global_store_dword v3, v2, s[4:5]
end_kernel resident, lds=163840, vgprs=256, accum=48
