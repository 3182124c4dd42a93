// SPDX-License-Identifier: MIT
// Two waves exchange data through LDS across s_barrier, one mistake with a wait a kernel, and the same done right.
// kernarg: +0 in[128], +8 out[128]. v1: the item's own slot in LDS, v2: that of the same lane of the other wave.
.include "kernel.inc"

.macro start name
begin \name
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 2, v0
  v_xor_b32_e32 v2, 0x100, v1
  v_mov_b32_e32 v3, 0
  v_lshrrev_b32_e32 v4, 6, v0
  s_nop 1
  v_readfirstlane_b32 s8, v4
  s_waitcnt lgkmcnt(0)
.endm

// Ends with the sum of what was read.
.macro finish name
  s_waitcnt vmcnt(0) lgkmcnt(0)
  global_store_dword v1, v3, s[6:7]
  end_kernel \name, lds=2048
.endm

// The dword at v2 + offset is added to v3.
.macro read_other offset=0
  ds_read_b32 v10, v2 offset:\offset
  s_waitcnt lgkmcnt(0)
  v_add_u32_e32 v3, v3, v10
.endm

// The item's own slot is written by everybody, and that is over.
.macro fill
  ds_write_b32 v1, v0
  s_waitcnt lgkmcnt(0)
  s_barrier
.endm

start store_waited
  ds_write_b32 v1, v0
  s_waitcnt lgkmcnt(0)
  s_barrier
  read_other
finish store_waited

start store_missing
  ds_write_b32 v1, v0
  s_barrier
  read_other
finish store_missing

start store_only_vm_waited
  ds_write_b32 v1, v0
  s_waitcnt vmcnt(0)
  s_barrier
  read_other
finish store_only_vm_waited

start store_waited_after
  ds_write_b32 v1, v0
  s_barrier
  s_waitcnt lgkmcnt(0)
  read_other
finish store_waited_after

// What was waited for behind a barrier is ordered by the next one.
start store_waited_before_second
  ds_write_b32 v1, v0
  s_barrier
  s_waitcnt lgkmcnt(0)
  s_barrier
  read_other
finish store_waited_before_second

// A second barrier does not help either.
start store_missing_twice
  ds_write_b32 v1, v0
  s_barrier
  s_barrier
  read_other
finish store_missing_twice

// Stores are done in order: the first of two is when one may be outstanding.
start store_partly_waited
  ds_write_b32 v1, v0
  ds_write_b32 v1, v0 offset:512
  s_waitcnt lgkmcnt(1)
  s_barrier
  read_other 512
finish store_partly_waited

start store_partly_waited_first
  ds_write_b32 v1, v0
  ds_write_b32 v1, v0 offset:512
  s_waitcnt lgkmcnt(1)
  s_barrier
  read_other
  s_barrier
  read_other 512
finish store_partly_waited_first

// A scalar load returns in any order, so its return says nothing about the store.
start store_behind_scalar
  ds_write_b32 v1, v0
  s_load_dword s9, s[4:5], 0x0
  s_waitcnt lgkmcnt(1)
  s_barrier
  read_other
finish store_behind_scalar

// Only the first wave waits.
start store_on_branch
  ds_write_b32 v1, v0
  s_cmp_eq_u32 s8, 1
  s_cbranch_scc1 1f
  s_waitcnt lgkmcnt(0)
1:
  s_barrier
  read_other
finish store_on_branch

// The path that does not wait is not taken.
start store_on_dead_branch
  ds_write_b32 v1, v0
  s_cmp_eq_u32 s8, 2
  s_cbranch_scc1 1f
  s_waitcnt lgkmcnt(0)
1:
  s_barrier
  read_other
finish store_on_dead_branch

// The store at the end of a turn of a loop, the read at the begin of the next; the slots change with the turn.
.macro loop name
start \name
  v_mov_b32_e32 v5, v1
  v_mov_b32_e32 v6, v2
  ds_write_b32 v5, v0
  s_waitcnt lgkmcnt(0)
  s_mov_b32 s9, 0
\name\()_again:
  s_barrier
  ds_read_b32 v10, v6
  v_xor_b32_e32 v5, 0x200, v5
  v_xor_b32_e32 v6, 0x200, v6
  s_waitcnt lgkmcnt(0)
  v_add_u32_e32 v3, v3, v10
  ds_write_b32 v5, v0
.endm
.macro end_loop name
  s_add_u32 s9, s9, 1
  s_cmp_lt_u32 s9, 3
  s_cbranch_scc1 \name\()_again
finish \name
.endm

loop loop_missing
end_loop loop_missing

loop loop_waited
  s_waitcnt lgkmcnt(0)
end_loop loop_waited

start wide_missing
  v_lshlrev_b32_e32 v1, 3, v0
  v_xor_b32_e32 v2, 0x200, v1
  v_mov_b32_e32 v5, 7
  ds_write2_b32 v1, v0, v5 offset0:0 offset1:1
  s_barrier
  ds_read_b32 v10, v2 offset:4
  s_waitcnt lgkmcnt(0)
  v_add_u32_e32 v3, v3, v10
  v_lshlrev_b32_e32 v1, 2, v0
finish wide_missing

start atomic_missing
  fill
  ds_add_u32 v1, v0
  s_barrier
  read_other
finish atomic_missing

start atomic_waited
  fill
  ds_add_u32 v1, v0
  s_waitcnt lgkmcnt(0)
  s_barrier
  read_other
finish atomic_waited

// Both waves add to the same dwords: in either order the same.
start atomic_and_atomic
  fill
  ds_add_u32 v1, v0
  s_barrier
  ds_add_u32 v2, v0
finish atomic_and_atomic

// A read that is not over when the other wave overwrites what it reads.
start read_missing
  fill
  ds_read_b32 v10, v2
  s_barrier
  ds_write_b32 v1, v3
  s_waitcnt lgkmcnt(0)
  v_add_u32_e32 v3, v3, v10
finish read_missing

start read_waited
  fill
  ds_read_b32 v10, v2
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_write_b32 v1, v3
  v_add_u32_e32 v3, v3, v10
finish read_waited

start read_then_atomic
  fill
  ds_read_b32 v10, v2
  s_barrier
  ds_add_u32 v1, v0
  s_waitcnt lgkmcnt(0)
  v_add_u32_e32 v3, v3, v10
finish read_then_atomic

// Reads do not disturb each other, nor a wave itself: its accesses are in order.
start read_then_read
  fill
  ds_read_b32 v10, v2
  s_barrier
  ds_read_b32 v11, v1
  s_waitcnt lgkmcnt(0)
  v_add_u32_e32 v3, v10, v11
finish read_then_read

start own_read
  ds_write_b32 v1, v0
  s_barrier
  ds_read_b32 v10, v1
  s_waitcnt lgkmcnt(0)
  v_add_u32_e32 v3, v3, v10
finish own_read

// Loads to LDS are counted in vmcnt. Each wave loads its 64 dwords of `in` to its slots.
.macro load_to_lds offset=0
  s_lshl_b32 s10, s8, 8
  s_add_u32 m0, s10, \offset
  s_nop 0
  global_load_lds_dword v1, s[4:5]
.endm

start lds_load_waited
  load_to_lds
  s_waitcnt vmcnt(0)
  s_barrier
  read_other
finish lds_load_waited

start lds_load_missing
  load_to_lds
  s_barrier
  read_other
finish lds_load_missing

start lds_load_only_lgkm_waited
  load_to_lds
  s_waitcnt lgkmcnt(0)
  s_barrier
  read_other
finish lds_load_only_lgkm_waited

start lds_load_partly_waited
  load_to_lds
  load_to_lds 512
  s_waitcnt vmcnt(1)
  s_barrier
  read_other 512
finish lds_load_partly_waited

start lds_load_partly_waited_first
  load_to_lds
  load_to_lds 512
  s_waitcnt vmcnt(1)
  s_barrier
  read_other
  s_waitcnt vmcnt(0)
  s_barrier
  read_other 512
finish lds_load_partly_waited_first

start buffer_lds_load_missing
  s_mov_b32 s12, s4
  s_mov_b32 s13, s5
  s_mov_b32 s14, 512
  s_mov_b32 s15, 0x00020000
  s_lshl_b32 m0, s8, 8
  s_nop 0
  buffer_load_dword v1, s[12:15], 0 offen lds
  s_barrier
  read_other
finish buffer_lds_load_missing

// The wave's own reads do not wait for its load to LDS either.
start own_lds_load_missing
  load_to_lds
  ds_read_b32 v10, v1
  s_waitcnt lgkmcnt(0)
  v_add_u32_e32 v3, v3, v10
finish own_lds_load_missing

start own_lds_load_waited
  load_to_lds
  s_waitcnt vmcnt(0)
  ds_read_b32 v10, v1
  s_waitcnt lgkmcnt(0)
  v_add_u32_e32 v3, v3, v10
finish own_lds_load_waited

start own_lds_load_overwritten
  load_to_lds
  ds_write_b32 v1, v0
  s_waitcnt vmcnt(0)
finish own_lds_load_overwritten

// Other bytes than those that are loaded.
start own_lds_load_elsewhere
  ds_write_b32 v1, v0 offset:512
  load_to_lds
  ds_read_b32 v10, v1 offset:512
  s_waitcnt lgkmcnt(0)
  v_add_u32_e32 v3, v3, v10
finish own_lds_load_elsewhere

// FLAT stores to LDS: the aperture's high dword is that of src_shared_base. They are covered by lgkmcnt(0).
.macro flat_store
  s_mov_b64 s[10:11], src_shared_base
  v_mov_b32_e32 v8, v1
  v_mov_b32_e32 v9, s11
  flat_store_dword v[8:9], v0
.endm

start flat_store_missing
  flat_store
  s_barrier
  read_other
finish flat_store_missing

start flat_store_waited
  flat_store
  s_waitcnt lgkmcnt(0)
  s_barrier
  read_other
finish flat_store_waited

start flat_store_counted_down
  flat_store
  ds_write_b32 v1, v0 offset:512
  s_waitcnt lgkmcnt(1)
  s_barrier
  read_other
finish flat_store_counted_down

// A wave that ends has waited for everything (S_ENDPGM).
start store_and_end
  s_cmp_eq_u32 s8, 0
  s_cbranch_scc1 1f
  ds_write_b32 v1, v0
  s_endpgm
1:
  s_barrier
  read_other
finish store_and_end

// Loads to LDS are in order with each other; they are watched for the read elsewhere.
start own_lds_load_twice
  ds_write_b32 v1, v0 offset:512
  load_to_lds
  load_to_lds
  ds_read_b32 v10, v1 offset:512
  s_waitcnt vmcnt(0) lgkmcnt(0)
  v_add_u32_e32 v3, v3, v10
finish own_lds_load_twice

// Both cross the barrier, and are in order.
start own_read_before
  ds_write_b32 v1, v0
  ds_read_b32 v10, v1
  s_barrier
  s_waitcnt lgkmcnt(0)
  v_add_u32_e32 v3, v3, v10
finish own_read_before

// However many accesses follow, a FLAT one may be outstanding, and a load to LDS until 63 do.
start flat_store_before_many
  flat_store
.rept 17
  ds_write_b32 v1, v0 offset:512
.endr
  s_waitcnt lgkmcnt(1)
  s_barrier
  read_other
finish flat_store_before_many

start lds_load_before_many
  load_to_lds
.rept 17
  global_store_dword v1, v0, s[6:7]
.endr
  s_barrier
  read_other
finish lds_load_before_many

// 16 accesses fill the counter on the path that is taken; the other one has none.
start store_before_many
  ds_write_b32 v1, v0
  s_cmp_eq_u32 s8, 2
  s_cbranch_scc1 1f
.rept 17
  ds_write_b32 v1, v0 offset:512
.endr
1:
  s_barrier
  read_other
finish store_before_many

// The same for loads to LDS.
start lds_load_before_very_many
  load_to_lds
  s_cmp_eq_u32 s8, 2
  s_cbranch_scc1 1f
.rept 65
  global_store_dword v1, v0, s[6:7]
.endr
1:
  s_barrier
  read_other
finish lds_load_before_very_many

// Nine accesses follow, fewer than the counter holds.
start store_before_nine
  ds_write_b32 v1, v0
.rept 9
  ds_write_b32 v1, v0 offset:512
.endr
  s_barrier
  read_other
finish store_before_nine

// What races with a store of this interval is late for one of the last, too.
start store_missing_and_again
  ds_write_b32 v1, v0
  s_barrier
  ds_write_b32 v1, v0
  read_other
finish store_missing_and_again

// Reads that begin before the first dword that is loaded, and within one.
start own_lds_load_from_below
  v_mov_b32_e32 v5, 504
  ds_write_b32 v5, v0
  load_to_lds 508
  ds_read_b64 v[10:11], v5
  s_waitcnt vmcnt(0) lgkmcnt(0)
finish own_lds_load_from_below

start own_lds_load_from_within
  load_to_lds
  ds_read_u8 v10, v1 offset:2
  s_waitcnt vmcnt(0) lgkmcnt(0)
finish own_lds_load_from_within
