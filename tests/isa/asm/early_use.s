// SPDX-License-Identifier: MIT
// Loads whose register is used before the wait that covers them, one a kernel, and the same done right.
// kernarg: +0 in[64], +8 out[64]
.include "kernel.inc"

.macro start name
begin \name
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 2, v0
  s_waitcnt lgkmcnt(0)
.endm

.macro finish name
  global_store_dword v1, v3, s[6:7]
  end_kernel \name, lds=256
.endm

start use_global
  global_load_dword v2, v1, s[4:5]
  v_add_u32_e32 v3, 1, v2
finish use_global

start use_global_partly_waited
  global_load_dword v2, v1, s[4:5]
  global_load_dword v4, v1, s[4:5] offset:4
  s_waitcnt vmcnt(1)
  v_add_u32_e32 v3, v2, v4
finish use_global_partly_waited

start use_scalar
  s_load_dword s8, s[4:5], 0x0
  s_load_dword s9, s[4:5], 0x4
  s_waitcnt lgkmcnt(1)
  v_mov_b32_e32 v3, s8
  s_waitcnt lgkmcnt(0)
finish use_scalar

start use_lds
  ds_write_b32 v1, v0
  ds_read_b32 v2, v1
  s_waitcnt lgkmcnt(1)
  v_mov_b32_e32 v3, v2
finish use_lds

start use_as_address
  global_load_dword v2, v1, s[4:5]
  global_load_dword v3, v2, s[4:5]
  s_waitcnt vmcnt(0)
finish use_as_address

start use_store_data
  v_mov_b32_e32 v3, 0
  global_load_dword v2, v1, s[4:5]
  global_store_dword v1, v2, s[6:7] offset:256
finish use_store_data

start overwrite
  global_load_dword v3, v1, s[4:5]
  v_mov_b32_e32 v3, 7
finish overwrite

// Only the second time round the loop.
start use_in_loop
  v_mov_b32_e32 v2, 0
  v_mov_b32_e32 v3, 0
  s_mov_b32 s8, 0
again:
  v_add_u32_e32 v3, v3, v2
  global_load_dword v2, v1, s[4:5]
  s_add_u32 s8, s8, 1
  s_cmp_lt_u32 s8, 2
  s_cbranch_scc1 again
  s_waitcnt vmcnt(0)
finish use_in_loop

// A path that is never taken has the mistake.
start use_on_dead_path
  global_load_dword v2, v1, s[4:5]
  s_mov_b32 s8, 0
  v_mov_b32_e32 v3, 5
  s_cmp_eq_u32 s8, 1
  s_cbranch_scc1 dead
  s_waitcnt vmcnt(0)
dead:
  v_add_u32_e32 v3, v3, v2
finish use_on_dead_path

// Four loads in flight, waited for one by one; a load into a register that a load still has to fill.
start waited
  global_load_dword v2, v1, s[4:5]
  global_load_dword v4, v1, s[4:5]
  ds_write_b32 v1, v0
  ds_read_b32 v5, v1
  s_load_dword s8, s[4:5], 0x0
  global_load_dword v6, v1, s[4:5]
  global_load_dword v6, v1, s[4:5]
  s_waitcnt vmcnt(3)
  v_mov_b32_e32 v3, v2
  s_waitcnt vmcnt(2) lgkmcnt(0)
  v_add_u32_e32 v3, v3, v4
  v_add_u32_e32 v3, v3, v5
  v_add_u32_e32 v3, s8, v3
  s_waitcnt vmcnt(0)
  v_add_u32_e32 v3, v3, v6
finish waited

// A FLAT load is in both counters and returns in any order: each has to be waited for, with 0. v[8:9] is in.
.macro flat_load
  v_mov_b32_e32 v8, s4
  v_mov_b32_e32 v9, s5
  flat_load_dword v2, v[8:9]
.endm

start use_flat
  flat_load
  v_add_u32_e32 v3, 1, v2
finish use_flat

start use_flat_only_vm_waited
  flat_load
  s_waitcnt vmcnt(0)
  v_add_u32_e32 v3, 1, v2
finish use_flat_only_vm_waited

start use_flat_only_lgkm_waited
  flat_load
  s_waitcnt lgkmcnt(0)
  v_add_u32_e32 v3, 1, v2
finish use_flat_only_lgkm_waited

start use_flat_counted_down
  flat_load
  global_load_dword v4, v1, s[4:5]
  s_waitcnt vmcnt(1) lgkmcnt(0)
  v_add_u32_e32 v3, 1, v2
finish use_flat_counted_down

start flat_waited
  flat_load
  s_waitcnt vmcnt(0) lgkmcnt(0)
  v_add_u32_e32 v3, 1, v2
finish flat_waited

// What shares the counter may return before: a scalar load does not stand for the LDS read before it, nor FLAT for a
// global load.
start use_lds_behind_scalar
  ds_write_b32 v1, v0
  ds_read_b32 v2, v1
  s_load_dword s8, s[4:5], 0x0
  s_waitcnt lgkmcnt(1)
  v_mov_b32_e32 v3, v2
  s_waitcnt lgkmcnt(0)
finish use_lds_behind_scalar

start use_global_behind_flat
  global_load_dword v4, v1, s[4:5]
  flat_load
  s_waitcnt vmcnt(1) lgkmcnt(0)
  v_mov_b32_e32 v3, v4
  s_waitcnt vmcnt(0)
finish use_global_behind_flat

start lds_behind_lds
  ds_write_b32 v1, v0
  ds_read_b32 v2, v1
  ds_read_b32 v4, v1
  s_waitcnt lgkmcnt(1)
  v_mov_b32_e32 v3, v2
  s_waitcnt lgkmcnt(0)
finish lds_behind_lds

// Neighbours of the registers are nobody's; each dword of a tuple is the load's; a carry is a result, too.
start use_second_dword
  global_load_dwordx2 v[4:5], v1, s[4:5]
  v_mov_b32_e32 v3, v3
  v_mov_b32_e32 v6, v6
  v_add_u32_e32 v3, 1, v5
finish use_second_dword

start use_in_tuple
  v_mov_b32_e32 v4, 0
  v_mov_b32_e32 v3, 0
  global_load_dword v5, v1, s[4:5]
  v_lshlrev_b64 v[6:7], 0, v[4:5]
finish use_in_tuple

start overwrite_by_carry
  v_mov_b32_e32 v3, 0
  s_load_dword s9, s[4:5], 0x0
  v_add_co_u32_e64 v3, s[8:9], v0, v0
  s_waitcnt lgkmcnt(0)
finish overwrite_by_carry

start use_of_twenty
  v_mov_b32_e32 v3, 0
  global_load_dword v2, v1, s[4:5]
  .rept 20
  global_load_dword v4, v1, s[4:5]
  .endr
  s_waitcnt vmcnt(21)
  v_add_u32_e32 v3, 1, v2
  s_waitcnt vmcnt(0)
finish use_of_twenty

start waited_of_twenty
  v_mov_b32_e32 v3, 0
  global_load_dword v2, v1, s[4:5]
  .rept 20
  global_load_dword v4, v1, s[4:5]
  .endr
  s_waitcnt vmcnt(20)
  v_add_u32_e32 v3, 1, v2
  s_waitcnt vmcnt(0)
finish waited_of_twenty

// A load into a register that a load of another type still fills: they return in any order. FLAT and scalar loads are
// not in order with their like either.
start global_over_lds
  ds_write_b32 v1, v0
  ds_read_b32 v3, v1
  global_load_dword v3, v1, s[4:5]
  s_waitcnt vmcnt(0) lgkmcnt(0)
finish global_over_lds

start lds_over_global
  ds_write_b32 v1, v0
  global_load_dword v3, v1, s[4:5]
  ds_read_b32 v3, v1
  s_waitcnt vmcnt(0) lgkmcnt(0)
finish lds_over_global

start lds_over_global_wide
  ds_write_b32 v1, v0
  v_mov_b32_e32 v3, 0
  global_load_dwordx2 v[4:5], v1, s[4:5]
  ds_read_b32 v5, v1
  s_waitcnt vmcnt(0) lgkmcnt(0)
finish lds_over_global_wide

start global_over_flat
  flat_load
  global_load_dword v2, v1, s[4:5]
  s_waitcnt vmcnt(0) lgkmcnt(0)
  v_mov_b32_e32 v3, v2
finish global_over_flat

start flat_over_flat
  flat_load
  flat_load_dword v2, v[8:9] offset:4
  s_waitcnt vmcnt(0) lgkmcnt(0)
  v_mov_b32_e32 v3, v2
finish flat_over_flat

start scalar_over_scalar
  s_load_dword s8, s[4:5], 0x0
  s_load_dword s8, s[4:5], 0x4
  s_waitcnt lgkmcnt(0)
  v_mov_b32_e32 v3, s8
finish scalar_over_scalar

// Of one type: buffer, global and scratch loads are vector memory.
start buffer_over_global
  s_mov_b32 s12, s4
  s_mov_b32 s13, s5
  s_mov_b32 s14, 256
  s_mov_b32 s15, 0x00020000
  global_load_dword v3, v1, s[4:5]
  buffer_load_dword v3, v1, s[12:15], 0 offen
  s_waitcnt vmcnt(0)
finish buffer_over_global

start lds_over_lds
  ds_write_b32 v1, v0
  ds_read_b32 v2, v1
  ds_read_b32 v2, v1
  v_mov_b32_e32 v3, v2
finish lds_over_lds

// With threadgroup split there is no LDS for FLAT to find.
start flat_and_global_split
  flat_load
  global_load_dword v2, v1, s[4:5]
  flat_load_dword v2, v[8:9] offset:4
  s_waitcnt vmcnt(0)
  v_mov_b32_e32 v3, v2
  global_store_dword v1, v3, s[6:7]
end_kernel flat_and_global_split, split=1
