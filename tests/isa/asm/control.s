// SPDX-License-Identifier: MIT
// Skipped vector instructions, forks and joins, messages.
.include "kernel.inc"

// Vector instructions between the two s_setvskip do nothing and are not counted; scalar ones run.
// kernarg: +0 out[64], +8 word
begin vskip
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 2, v0
  v_mov_b32_e32 v2, 5
  v_mov_b32_e32 v6, 0
  v_mov_b32_e32 v7, 9
  s_mov_b32 s8, 0
  s_mov_b32 s9, 4
  s_waitcnt lgkmcnt(0)
  ds_write_b32 v1, v2
  s_waitcnt lgkmcnt(0)
  s_setvskip s9, 2
  s_nop 1
  v_mov_b32_e32 v2, 6
  v_add_u32_e64 v2, v2, v2
  s_nop 0
  v_readfirstlane_b32 s8, v7
  v_mfma_f32_4x4x1_16b_f32 v[8:11], v2, v2, v[8:11]
  ds_write_b32 v1, v7
  global_store_dword v6, v7, s[6:7]
  global_atomic_add v2, v6, v7, s[6:7] sc0
  buffer_store_dword v7, v6, s[4:7], 0 offen
  ds_read_b32 v2, v1
  s_add_u32 s10, s9, 1
  s_getreg_b32 s11, hwreg(HW_REG_MODE, 28, 1)
  s_setvskip s9, 1
  s_nop 1
  s_getreg_b32 s12, hwreg(HW_REG_MODE, 28, 1)
  ds_read_b32 v3, v1
  s_waitcnt lgkmcnt(0)
  v_add_u32_e32 v2, v2, v3
  v_add_u32_e32 v2, s8, v2
  v_add_u32_e32 v2, s10, v2
  s_lshl_b32 s11, s11, 8
  v_add_u32_e32 v2, s11, v2
  s_lshl_b32 s12, s12, 9
  v_add_u32_e32 v2, s12, v2
  global_store_dword v1, v2, s[4:5]
end_kernel vskip, lds=256

// Lanes of s[4:5] add 100 in the taken path, the others 1; nested once more for lanes of s[6:7] of the taken
// path, which add 1000. Then all add 10000. The stack is in s0 up, so the kernarg pointer moves; a join leaves the
// lanes of the last path, so the program restores EXEC.
// kernarg: +0 lanes, +8 inner lanes, +16 out[64]
begin forks
  s_mov_b64 s[20:21], s[0:1]
  s_load_dwordx4 s[24:27], s[20:21], 0x0
  s_load_dwordx2 s[28:29], s[20:21], 0x10
  v_lshlrev_b32_e32 v1, 2, v0
  v_mov_b32_e32 v2, 0
  s_mov_b32 s30, 0
  s_mov_b32 s31, 1
  s_waitcnt lgkmcnt(0)
  s_mov_b64 s[36:37], exec
  s_cbranch_i_fork s[24:25], fork_taken
  v_add_u32_e32 v2, 1, v2
  s_branch fork_meet
fork_taken:
  v_add_u32_e32 v2, 100, v2
  s_getreg_b32 s32, hwreg(HW_REG_MODE, 29, 3)
  s_getpc_b64 s[34:35]
fork_pc:
  s_add_u32 s34, s34, inner_taken-fork_pc
  s_addc_u32 s35, s35, 0
  s_mov_b64 s[38:39], exec
  s_cbranch_g_fork s[26:27], s[34:35]
  s_branch inner_meet
inner_taken:
  v_add_u32_e32 v2, 1000, v2
inner_meet:
  s_cbranch_join s32
  s_mov_b64 exec, s[38:39]
fork_meet:
  s_cbranch_join s30
  s_mov_b64 exec, s[36:37]
  v_add_u32_e32 v2, 10000, v2
  global_store_dword v1, v2, s[28:29]
end_kernel forks

// kernarg: none
begin interrupt
  s_sendmsg sendmsg(MSG_INTERRUPT)
end_kernel interrupt

begin join_without_fork
  s_mov_b32 s4, 1
  s_cbranch_join s4
end_kernel join_without_fork
