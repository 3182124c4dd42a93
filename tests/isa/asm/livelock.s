// SPDX-License-Identifier: MIT
// Spins whose states recur only after several turns. kernarg: +0 flag[16]
.include "kernel.inc"

// Looks at three words in turn, asleep between them, and counts to five: 15 turns until a state recurs.
begin three_places
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_mov_b32_e32 v5, 0
  s_mov_b32 s6, 0
  s_waitcnt lgkmcnt(0)
three_again:
  s_sleep 1
  global_load_dword v4, v5, s[4:5] sc1
  s_sleep 1
  global_load_dword v6, v5, s[4:5] offset:4 sc1
  s_sleep 1
  global_load_dword v7, v5, s[4:5] offset:8 sc1
  s_waitcnt vmcnt(0)
  s_add_u32 s6, s6, 1
  s_cmp_eq_u32 s6, 5
  s_cselect_b32 s6, 0, s6
  v_or3_b32 v4, v4, v6, v7
  s_nop 0
  v_readfirstlane_b32 s10, v4
  s_cmp_eq_u32 s10, 0
  s_cbranch_scc1 three_again
end_kernel three_places

// Alternates between two states without ever sleeping; v8 changes, so no turn repeats the last.
begin two_states
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_mov_b32_e32 v5, 0
  v_mov_b32_e32 v8, 0
  s_waitcnt lgkmcnt(0)
two_again:
  v_not_b32_e32 v8, v8
  global_load_dword v4, v5, s[4:5] sc1
  s_waitcnt vmcnt(0)
  v_readfirstlane_b32 s10, v4
  s_cmp_eq_u32 s10, 0
  s_cbranch_scc1 two_again
end_kernel two_states

// Looks 100 times at a flag that another workgroup raises after 60 rounds of its own: no livelock.
begin late_flag
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_mov_b32_e32 v5, 0
  s_movk_i32 s6, 60
  s_waitcnt lgkmcnt(0)
  s_cmp_eq_u32 s2, 0
  s_cbranch_scc1 late_spin
late_count:
  s_sleep 1
  s_sub_u32 s6, s6, 1
  s_cmp_lg_u32 s6, 0
  s_cbranch_scc1 late_count
  v_mov_b32_e32 v3, 1
  global_store_dword v5, v3, s[4:5] sc1
  s_endpgm
late_spin:
  s_sleep 1
  global_load_dword v4, v5, s[4:5] sc1
  s_waitcnt vmcnt(0)
  v_readfirstlane_b32 s10, v4
  s_cmp_eq_u32 s10, 0
  s_cbranch_scc1 late_spin
end_kernel late_flag

// Workgroup 1 counts to 60 in one place that is neither an SGPR nor memory, asleep between, and then raises the flag
// that workgroup 0 waits for: the rest of its state is the same in every turn. `next` puts the count + 1 into s7.
.macro counted name, next:vararg
begin \name
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_mov_b32_e32 v5, 0
  v_mov_b32_e32 v20, 0
  v_accvgpr_write_b32 a20, 0
  v_mov_b32_e32 v2, 0
  scratch_store_dword v5, v2, off offset:8
  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), 0
  s_waitcnt lgkmcnt(0)
  s_cmp_eq_u32 s2, 0
  s_cbranch_scc1 .Lspin_\name
.Lcount_\name:
  s_sleep 1
  \next
  s_cmp_eq_u32 s7, 60
  s_mov_b32 s7, 0
  v_mov_b32_e32 v2, 0
  s_cbranch_scc0 .Lcount_\name
  v_mov_b32_e32 v3, 1
  global_store_dword v5, v3, s[4:5] sc1
  s_endpgm
.Lspin_\name:
  s_sleep 1
  global_load_dword v4, v5, s[4:5] sc1
  s_waitcnt vmcnt(0)
  v_readfirstlane_b32 s10, v4
  s_cmp_eq_u32 s10, 0
  s_cbranch_scc1 .Lspin_\name
end_kernel \name, vgprs=64, accum=32, scratch=16
.endm

.macro next_vgpr
  v_add_u32_e32 v20, 1, v20
  s_nop 0
  v_readfirstlane_b32 s7, v20
.endm
.macro next_agpr
  v_accvgpr_read_b32 v2, a20
  v_add_u32_e32 v2, 1, v2
  v_accvgpr_write_b32 a20, v2
  v_readfirstlane_b32 s7, v2
.endm
.macro next_scratch
  scratch_load_dword v2, v5, off offset:8
  s_waitcnt vmcnt(0)
  v_add_u32_e32 v2, 1, v2
  scratch_store_dword v5, v2, off offset:8
  v_readfirstlane_b32 s7, v2
.endm
.macro next_mode
  s_getreg_b32 s7, hwreg(HW_REG_MODE, 0, 8)
  s_add_u32 s7, s7, 1
  s_setreg_b32 hwreg(HW_REG_MODE, 0, 8), s7
.endm
counted counted_vgpr, next_vgpr
counted counted_agpr, next_agpr
counted counted_scratch, next_scratch
counted counted_mode, next_mode

// Sleeps 300 times, and then goes round for ever.
begin late_cycle
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_mov_b32_e32 v5, 0
  s_movk_i32 s6, 300
  s_waitcnt lgkmcnt(0)
late_cycle_count:
  s_sleep 1
  s_sub_u32 s6, s6, 1
  s_cmp_lg_u32 s6, 0
  s_cbranch_scc1 late_cycle_count
  s_branch late_cycle_again
late_cycle_again:
  s_sleep 1
  global_load_dword v4, v5, s[4:5] sc1
  s_waitcnt vmcnt(0)
  s_sleep 1
  v_readfirstlane_b32 s10, v4
  s_cmp_eq_u32 s10, 0
  s_cbranch_scc1 late_cycle_again
end_kernel late_cycle
