// SPDX-License-Identifier: MIT
// Workgroup 1 stores data and raises a flag, workgroup 0 waits for the flag and reads the data: with every fence,
// without one of them, and with device-scope accesses that need none. kernarg: +0 flag, +8 data[64], +16 out[64]
.include "kernel.inc"

// store_scope, load_scope: sc1 or nothing; release, acquire: 1 or 0. With `first`, the consumer looks at the data
// with first_scope before it waits, and the producer is late. `store`, `load`, `place`, `base`: of a lane's element.
// With `again`, the consumer loads once more: the line is held by then, and fresh. `write_back` and `invalidate`: the
// instructions that do.
.macro exchange name, store_scope, release, load_scope, acquire, first=0, first_scope=, store=global_store_dword, load=global_load_dword, place=v1, base=0x700, again=0, write_back="buffer_wbl2 sc1", invalidate="buffer_inv sc1"
begin \name
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_load_dwordx2 s[8:9], s[0:1], 0x10
  v_lshlrev_b32_e32 v1, 2, v0
  v_mov_b32_e32 v5, 0
  s_waitcnt lgkmcnt(0)
  s_cmp_eq_u32 s2, 0
  s_cbranch_scc1 .Lconsumer_\name
  .if \first
  s_sleep 1
  .endif
  v_add_u32_e32 v2, \base, v0
  \store \place, v2, s[6:7] \store_scope
  s_waitcnt vmcnt(0)
  .if \release
  \write_back
  s_waitcnt vmcnt(0)
  .endif
  v_mov_b32_e32 v3, 1
  global_store_dword v5, v3, s[4:5] sc1
  s_endpgm
.Lconsumer_\name:
  .if \first
  \load v6, \place, s[6:7] \first_scope
  .endif
.Lwait_\name:
  global_load_dword v4, v5, s[4:5] sc1
  s_waitcnt vmcnt(0)
  v_readfirstlane_b32 s10, v4
  s_cmp_eq_u32 s10, 0
  s_cbranch_scc1 .Lwait_\name
  .if \acquire
  \invalidate
  .endif
  \load v6, \place, s[6:7] \load_scope
  s_waitcnt vmcnt(0)
  .if \again
  s_sleep 1
  \load v6, \place, s[6:7] \load_scope
  s_waitcnt vmcnt(0)
  .endif
  global_store_dword v1, v6, s[8:9]
end_kernel \name
.endm

exchange both_fences, , 1, , 1
exchange no_release, , 0, , 1
exchange no_acquire, , 1, , 0
exchange device_scope, sc1, 0, sc1, 0
exchange device_store, sc1, 0, , 1
exchange device_store_cold_load, sc1, 0, , 0, again=1
exchange device_load, , 1, sc1, 0
exchange device_load_no_release, , 0, sc1, 0

// Every workgroup stores its own element beside the others', and reads it back rounds later: nobody else's; a byte's
// neighbours are in the same dword. kernarg: +0 element[grid], +8 out[grid]
.macro own name, store, load, place
begin \name
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_mov_b64 exec, 1
  s_lshl_b32 s8, s2, 2
  v_mov_b32_e32 v1, s8
  v_mov_b32_e32 v2, s2
  s_and_b32 s9, s2, 3
  s_waitcnt lgkmcnt(0)
.Lown_wait_\name:
  s_sleep 1
  s_sub_u32 s9, s9, 1
  s_cmp_ge_i32 s9, 0
  s_cbranch_scc1 .Lown_wait_\name
  \store \place, v2, s[4:5]
  s_sleep 1
  s_sleep 1
  s_sleep 1
  \load v3, \place, s[4:5]
  s_waitcnt vmcnt(0)
  global_store_dword v1, v3, s[6:7]
end_kernel \name
.endm

own own_words, global_store_dword, global_load_dword, v1
own own_bytes, global_store_byte, global_load_ubyte, v2

// Its caches hold the line then; with sc1 loads before, or an invalidation between, nothing old is left.
exchange held_line, sc1, 0, , 0, first=1
exchange held_line_invalidated, sc1, 0, , 1, first=1
exchange held_line_device_load, sc1, 0, sc1, 0, first=1
exchange device_load_before, sc1, 0, , 0, first=1, first_scope=sc1

// A byte a lane.
exchange bytes_both_fences, , 1, , 1, store=global_store_byte, load=global_load_ubyte, place=v0, base=0x40
exchange bytes_no_release, , 0, , 1, store=global_store_byte, load=global_load_ubyte, place=v0, base=0x40
exchange bytes_no_acquire, , 1, , 0, store=global_store_byte, load=global_load_ubyte, place=v0, base=0x40

// Fences of the workgroup's scope reach no other workgroup; one kind does not stand for the other.
exchange write_back_of_workgroup, , 1, , 1, write_back="buffer_wbl2 sc0"
exchange invalidate_of_workgroup, , 1, , 1, invalidate="buffer_inv sc0"
exchange invalidate_for_write_back, , 1, , 1, write_back="buffer_inv sc1"
exchange write_back_for_invalidate, , 1, , 1, invalidate="buffer_wbl2 sc1"
