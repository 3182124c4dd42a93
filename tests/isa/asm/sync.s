// SPDX-License-Identifier: MIT
// Several workgroups: atomics, flags, spins that end and spins that do not.
.include "kernel.inc"

// Each workgroup takes a ticket and stores it. kernarg: +0 counter, +8 ticket[grid]
begin tickets
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_mov_b64 exec, 1
  v_mov_b32_e32 v1, 0
  v_mov_b32_e32 v2, 1
  s_waitcnt lgkmcnt(0)
  global_atomic_add v3, v1, v2, s[4:5] sc0
  s_lshl_b32 s8, s2, 2
  v_mov_b32_e32 v4, s8
  s_waitcnt vmcnt(0)
  global_store_dword v4, v3, s[6:7]
end_kernel tickets

// out[workgroup] = workgroup * 3 + 1. kernarg: +0 out
begin big_grid
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_mov_b64 exec, 1
  s_mul_i32 s6, s2, 3
  s_add_u32 s6, s6, 1
  s_lshl_b32 s8, s2, 2
  v_mov_b32_e32 v1, s8
  v_mov_b32_e32 v2, s6
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v2, s[4:5]
end_kernel big_grid

// Workgroup 0 waits for the flag of workgroup 1, which stores data first. kernarg: +0 flag, +8 data, +16 out[64]
begin flag_wait
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_load_dwordx2 s[8:9], s[0:1], 0x10
  v_lshlrev_b32_e32 v1, 2, v0
  v_mov_b32_e32 v5, 0
  s_cmp_eq_u32 s2, 0
  s_cbranch_scc1 consumer
  v_add_u32_e32 v2, 0x700, v0
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v2, s[6:7]
  s_waitcnt vmcnt(0)
  buffer_wbl2 sc1
  s_waitcnt vmcnt(0)
  v_mov_b32_e32 v3, 1
  s_mov_b64 exec, 1
  global_store_dword v5, v3, s[4:5] sc1
  s_endpgm
consumer:
  s_waitcnt lgkmcnt(0)
spin:
  global_load_dword v4, v5, s[4:5] sc1
  s_waitcnt vmcnt(0)
  v_readfirstlane_b32 s10, v4
  s_cmp_eq_u32 s10, 0
  s_cbranch_scc1 spin
  buffer_inv sc1
  global_load_dword v6, v1, s[6:7]
  s_waitcnt vmcnt(0)
  global_store_dword v1, v6, s[8:9]
end_kernel flag_wait

// As the consumer above, but nobody stores the flag. kernarg: +0 flag
begin missing_flag
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_mov_b32_e32 v5, 0
  s_waitcnt lgkmcnt(0)
missing_spin:
  global_load_dword v4, v5, s[4:5] sc1
  s_waitcnt vmcnt(0)
  v_readfirstlane_b32 s10, v4
  s_cmp_eq_u32 s10, 0
  s_cbranch_scc1 missing_spin
end_kernel missing_flag

// The same, asleep between looks.
begin missing_flag_sleep
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_mov_b32_e32 v5, 0
  s_waitcnt lgkmcnt(0)
missing_sleep_spin:
  s_sleep 1
  global_load_dword v4, v5, s[4:5] sc1
  s_waitcnt vmcnt(0)
  v_readfirstlane_b32 s10, v4
  s_cmp_eq_u32 s10, 0
  s_cbranch_scc1 missing_sleep_spin
end_kernel missing_flag_sleep

// Tries to change 1 into 2 for ever; the word holds 0. kernarg: +0 word
begin cas_spin
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_mov_b32_e32 v5, 0
  v_mov_b32_e32 v2, 2
  v_mov_b32_e32 v3, 1
  s_mov_b64 exec, 1
  s_waitcnt lgkmcnt(0)
cas_again:
  global_atomic_cmpswap v4, v5, v[2:3], s[4:5] sc0
  s_waitcnt vmcnt(0)
  v_readfirstlane_b32 s10, v4
  s_cmp_lg_u32 s10, 1
  s_cbranch_scc1 cas_again
end_kernel cas_spin

// Counts its looks, so no state recurs. kernarg: +0 flag
begin counted_spin
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_mov_b32_e32 v5, 0
  s_mov_b64 s[12:13], 0
  s_waitcnt lgkmcnt(0)
counted_again:
  s_add_u32 s12, s12, 1
  s_addc_u32 s13, s13, 0
  global_load_dword v4, v5, s[4:5] sc1
  s_waitcnt vmcnt(0)
  v_readfirstlane_b32 s10, v4
  s_cmp_eq_u32 s10, 0
  s_cbranch_scc1 counted_again
end_kernel counted_spin

// A workgroup sees its own device-scope store at once. kernarg: +0 flag[grid], +8 out[grid]
begin own_flag
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_mov_b64 exec, 1
  s_lshl_b32 s8, s2, 2
  v_mov_b32_e32 v1, s8
  v_mov_b32_e32 v2, 77
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v2, s[4:5] sc1
  global_load_dword v3, v1, s[4:5] sc1
  s_waitcnt vmcnt(0)
  global_store_dword v1, v3, s[6:7]
end_kernel own_flag

// 20 returning atomics in a loop; the old values are summed. kernarg: +0 counter, +8 out[grid]
begin atomic_loop
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_mov_b64 exec, 1
  v_mov_b32_e32 v1, 0
  v_mov_b32_e32 v2, 1
  v_mov_b32_e32 v5, 0
  s_movk_i32 s9, 20
  s_waitcnt lgkmcnt(0)
loop_again:
  global_atomic_add v3, v1, v2, s[4:5] sc0
  s_waitcnt vmcnt(0)
  v_add_u32_e32 v5, v5, v3
  s_sub_u32 s9, s9, 1
  s_cmp_lg_u32 s9, 0
  s_cbranch_scc1 loop_again
  s_lshl_b32 s8, s2, 2
  v_mov_b32_e32 v4, s8
  global_store_dword v4, v5, s[6:7]
end_kernel atomic_loop

// Uses the old value without a wait. kernarg: +0 counter, +8 out
begin early_use
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_mov_b64 exec, 1
  v_mov_b32_e32 v1, 0
  v_mov_b32_e32 v2, 5
  s_waitcnt lgkmcnt(0)
  global_atomic_add v3, v1, v2, s[4:5] sc0
  v_add_u32_e32 v3, 1000, v3
  global_store_dword v1, v3, s[6:7]
end_kernel early_use

// Waves add their number to LDS, meet at barriers, and read each other's. kernarg: +0 out[waves]
begin barriers
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_readfirstlane_b32 s6, v0
  s_lshr_b32 s6, s6, 6
  s_lshl_b32 s7, s6, 2
  v_mov_b32_e32 v1, s7
  v_mov_b32_e32 v2, s6
  s_mov_b64 exec, 1
  ds_write_b32 v1, v2
  s_waitcnt lgkmcnt(0)
  s_barrier
  s_xor_b32 s8, s7, 4
  v_mov_b32_e32 v3, s8
  ds_read_b32 v4, v3
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v4, s[4:5]
end_kernel barriers, lds=64

// scalar store and scalar atomic. kernarg: +0 word[4]
begin scalar_memory
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_movk_i32 s6, 11
  s_movk_i32 s8, 5
  s_waitcnt lgkmcnt(0)
  s_store_dword s6, s[4:5], 0x4
  s_dcache_wb
  s_atomic_add s8, s[4:5], 0x8 glc
  s_waitcnt lgkmcnt(0)
  s_store_dword s8, s[4:5], 0xc
  s_dcache_wb
end_kernel scalar_memory

// A load into the register that a returning atomic is still to fill. kernarg: +0 counter, +8 word, +16 out
begin overwritten_return
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_load_dwordx2 s[8:9], s[0:1], 0x10
  s_mov_b64 exec, 1
  v_mov_b32_e32 v1, 0
  v_mov_b32_e32 v2, 5
  s_waitcnt lgkmcnt(0)
  global_atomic_add v3, v1, v2, s[4:5] sc0
  global_load_dword v3, v1, s[6:7]
  s_waitcnt vmcnt(0)
  global_store_dword v1, v3, s[8:9]
end_kernel overwritten_return

// A device-scope store, then a load; the wait leaves one or two of them outstanding. kernarg: +0 flag, +8 word
.macro partial_wait name, count
begin \name
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_mov_b64 exec, 1
  v_mov_b32_e32 v1, 0
  v_mov_b32_e32 v2, 5
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v2, s[4:5] sc1
  global_load_dword v3, v1, s[6:7]
  s_waitcnt vmcnt(\count)
  s_barrier
end_kernel \name
.endm
partial_wait wait_for_store, 1
partial_wait wait_for_nothing, 2
