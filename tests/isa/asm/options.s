// SPDX-License-Identifier: MIT
// What lanes, addresses and clocks do where no document says it, one kernel an option.
.include "kernel.inc"

// Swaps under the EXEC of the arguments; the last two with fi. kernarg: +0 out[64][8], +8 EXEC
begin permlane_swaps
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_add_u32_e32 v4, 1000, v0
  v_add_u32_e32 v5, 2000, v0
  v_add_u32_e32 v6, 3000, v0
  v_add_u32_e32 v7, 4000, v0
  v_add_u32_e32 v8, 5000, v0
  v_add_u32_e32 v9, 6000, v0
  v_add_u32_e32 v10, 7000, v0
  v_add_u32_e32 v11, 8000, v0
  v_lshlrev_b32_e32 v1, 5, v0
  s_waitcnt lgkmcnt(0)
  s_mov_b64 exec, s[6:7]
  s_nop 4
  v_permlane16_swap_b32_e32 v4, v5
  v_permlane32_swap_b32_e32 v6, v7
  v_permlane16_swap_b32_e64 v8, v9 fi:1
  v_permlane32_swap_b32_e64 v10, v11 fi:1
  s_nop 4
  s_mov_b64 exec, -1
  global_store_dwordx4 v1, v[4:7], s[4:5]
  global_store_dwordx4 v1, v[8:11], s[4:5] offset:16
end_kernel permlane_swaps

// Controls that stay inside a row or fall out of it, then the same with bound_ctrl and on a sum.
// kernarg: +0 out[64][8], +8 EXEC
begin dpp_controls
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_add_u32_e32 v2, 1000, v0
  v_lshlrev_b32_e32 v1, 5, v0
  .irp r, 4, 5, 6, 7, 8, 9, 10, 11
  v_mov_b32_e32 v\r, 7
  .endr
  s_waitcnt lgkmcnt(0)
  s_mov_b64 exec, s[6:7]
  s_nop 4
  v_mov_b32_dpp v4, v2 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
  v_mov_b32_dpp v5, v2 row_ror:5 row_mask:0xf bank_mask:0xf
  v_mov_b32_dpp v6, v2 row_mirror row_mask:0xf bank_mask:0xf
  v_mov_b32_dpp v7, v2 row_shr:1 row_mask:0xf bank_mask:0xf
  v_mov_b32_dpp v8, v2 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_mov_b32_dpp v9, v2 row_ror:5 row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_add_u32_dpp v10, v2, v2 row_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1
  v_add_u32_dpp v11, v2, v2 row_shr:1 row_mask:0xf bank_mask:0xf
  s_nop 4
  s_mov_b64 exec, -1
  global_store_dwordx4 v1, v[4:7], s[4:5]
  global_store_dwordx4 v1, v[8:11], s[4:5] offset:16
end_kernel dpp_controls

// A load, a store of lane + 1 and an addition of 100, each lane at its dword, soffset bytes on. The resource is
// `records` long, raw or in structures of 4 bytes. kernarg: +0 out[64], +8 loads, +16 stores, +24 additions,
// +32 soffset, +36 records, +40 stride in bits 31:16 (0: raw, lanes by offset; else by index)
begin buffer_ranges
  s_load_dwordx8 s[16:23], s[0:1], 0x0
  s_load_dwordx4 s[24:27], s[0:1], 0x20
  v_lshlrev_b32_e32 v1, 2, v0
  v_add_u32_e32 v2, 1, v0
  v_mov_b32_e32 v4, 100
  s_waitcnt lgkmcnt(0)
  s_mov_b32 s10, s25
  s_mov_b32 s11, 0x00027000
  s_cmp_lg_u32 s26, 0
  s_cbranch_scc1 1f
  .macro three placed, where
  s_mov_b32 s8, s18
  s_or_b32 s9, s19, s26
  buffer_load_dword v3, \placed, s[8:11], s24 \where
  s_mov_b32 s8, s20
  s_or_b32 s9, s21, s26
  buffer_store_dword v2, \placed, s[8:11], s24 \where
  s_mov_b32 s8, s22
  s_or_b32 s9, s23, s26
  buffer_atomic_add v4, \placed, s[8:11], s24 \where
  .endm
  three v1, offen
  s_branch 2f
1:
  three v0, idxen
2:
  s_waitcnt vmcnt(0)
  global_store_dword v1, v3, s[16:17]
end_kernel buffer_ranges

// Every lane adds to the cell lane % 4 of four memories, integers with return, then floats.
// kernarg: +0 out[64][4] (LDS, global, flat, buffer), +8 cells[3][8]: four integers, four floats of global,
// flat, buffer; +16 LDS result[8], +24 floats[64]
begin atomic_order
  s_load_dwordx8 s[16:23], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 4, v0
  v_and_b32_e32 v2, 3, v0
  v_lshlrev_b32_e32 v2, 2, v2         // the cell
  v_lshlrev_b32_e32 v3, 2, v0
  v_mov_b32_e32 v10, 0
  ds_write_b32 v3, v10
  v_add_u32_e32 v4, 1, v0             // what is added
  s_waitcnt lgkmcnt(0)
  global_load_dword v5, v3, s[22:23]
  v_add_u32_e32 v12, 32, v2
  v_mov_b32_e32 v13, s19
  v_add_co_u32_e32 v12, vcc, s18, v12
  s_nop 1
  v_addc_co_u32_e32 v13, vcc, 0, v13, vcc
  s_add_u32 s8, s18, 64
  s_addc_u32 s9, s19, 0
  s_mov_b32 s10, 32
  s_mov_b32 s11, 0x00027000
  v_mov_b32_e32 v9, v4
  ds_add_rtn_u32 v6, v2, v4
  global_atomic_add v7, v2, v4, s[18:19] sc0
  flat_atomic_add v8, v[12:13], v4 sc0
  buffer_atomic_add v9, v2, s[8:11], 0 offen sc0
  s_waitcnt vmcnt(0) lgkmcnt(0)
  ds_add_f32 v2, v5 offset:16
  global_atomic_add_f32 v2, v5, s[18:19] offset:16
  flat_atomic_add_f32 v[12:13], v5 offset:16
  buffer_atomic_add_f32 v5, v2, s[8:11], 0 offen offset:16
  global_store_dwordx4 v1, v[6:9], s[16:17]
  s_waitcnt vmcnt(0) lgkmcnt(0)
  ds_read_b32 v10, v3
  v_cmp_gt_u32_e32 vcc, 8, v0
  s_and_b64 exec, exec, vcc
  s_waitcnt lgkmcnt(0)
  global_store_dword v3, v10, s[20:21]
end_kernel atomic_order, lds=256

// Both clocks before and after as many turns as the argument says. kernarg: +0 out[4], +8 turns
begin clocks
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
  s_memtime s[8:9]
  s_memrealtime s[10:11]
1:
  s_sleep 1
  s_sub_u32 s6, s6, 1
  s_cmp_lg_u32 s6, 0
  s_cbranch_scc1 1b
  s_memtime s[12:13]
  s_memrealtime s[14:15]
  s_waitcnt lgkmcnt(0)
  v_mov_b32_e32 v4, s8
  v_mov_b32_e32 v5, s10
  v_mov_b32_e32 v6, s12
  v_mov_b32_e32 v7, s14
  v_mov_b32_e32 v0, 0
  s_mov_b64 exec, 1
  global_store_dwordx4 v0, v[4:7], s[4:5]
end_kernel clocks
