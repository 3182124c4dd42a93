// SPDX-License-Identifier: MIT
// Scalar stores with and without a write-back of their cache. kernarg: +0 out[64], +8 a flag
.include "kernel.inc"

.macro setup
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_load_dword s6, s[0:1], 0x8
  v_readfirstlane_b32 s7, v0
  s_waitcnt lgkmcnt(0)
.endm

begin written_back
  setup
  s_store_dword s6, s[4:5], 0x4
  s_dcache_wb
end_kernel written_back

begin left
  setup
  s_store_dwordx2 s[6:7], s[4:5], 0x8
end_kernel left

// Volatile lines only.
begin written_back_volatile
  setup
  s_store_dword s6, s[4:5], 0x4
  s_dcache_wb_vol
end_kernel written_back_volatile

begin written_back_before
  setup
  s_store_dword s6, s[4:5], 0x4
  s_dcache_wb
  s_store_dword s6, s[4:5], 0x8
end_kernel written_back_before

// Only a flag that is not zero leads past the write-back.
begin left_on_a_path
  setup
  s_store_dword s6, s[4:5], 0x4
  s_cmp_lg_u32 s6, 0
  s_cbranch_scc1 left_on_a_path_end
  s_dcache_wb
left_on_a_path_end:
  s_nop 0
end_kernel left_on_a_path

// The atomic is done in L2.
begin only_atomic
  setup
  s_atomic_add s6, s[4:5], 0x4
end_kernel only_atomic

// Every wave stores, the one whose first work-item is the flag writes back for all.
begin written_back_by_one
  setup
  s_store_dword s6, s[4:5], 0x4
  s_waitcnt lgkmcnt(0)
  s_barrier
  s_cmp_lg_u32 s6, s7
  s_cbranch_scc1 written_back_by_one_end
  s_dcache_wb
written_back_by_one_end:
  s_nop 0
end_kernel written_back_by_one

// A function stores; only a flag that is zero leads to the write-back behind the call.
begin left_by_a_function
  setup
  s_getpc_b64 s[8:9]
  s_add_u32 s8, s8, storing_function@rel32@lo+4
  s_addc_u32 s9, s9, storing_function@rel32@hi+12
  s_swappc_b64 s[10:11], s[8:9]
  s_cmp_lg_u32 s6, 0
  s_cbranch_scc1 left_by_a_function_end
  s_dcache_wb
left_by_a_function_end:
  s_nop 0
end_kernel left_by_a_function

// One in every form that stores: s_store, s_buffer_store and s_scratch_store.
begin left_by_every_form
  setup
  s_store_dwordx4 s[4:7], s[4:5], 0x10
  s_mov_b64 s[8:9], s[4:5]
  s_mov_b32 s10, 256
  s_mov_b32 s11, 0x27000
  s_buffer_store_dword s6, s[8:11], 0x4
  s_scratch_store_dword s6, s[4:5], 0x40
end_kernel left_by_every_form

// The same store in every round of a loop, and the end is reached from the head of the loop.
begin left_by_a_loop
  setup
  s_mov_b32 s8, 3
left_by_a_loop_head:
  s_cmp_eq_u32 s8, 0
  s_cbranch_scc1 left_by_a_loop_end
  s_store_dword s6, s[4:5], 0x4
  s_sub_u32 s8, s8, 1
  s_branch left_by_a_loop_head
left_by_a_loop_end:
  s_nop 0
end_kernel left_by_a_loop

// One path ends, the other goes on where the code does not say.
begin left_at_two_ends
  setup
  s_getpc_b64 s[8:9]
  s_add_u32 s8, s8, writing_function@rel32@lo+4
  s_addc_u32 s9, s9, writing_function@rel32@hi+12
  s_store_dword s6, s[4:5], 0x4
  s_cmp_eq_u32 s6, 0
  s_cbranch_scc0 left_at_two_ends_end
  s_setpc_b64 s[8:9]
left_at_two_ends_end:
  s_nop 0
end_kernel left_at_two_ends

  .text
  .p2align 8
  .type storing_function,@function
storing_function:
  s_store_dword s6, s[4:5], 0x4
  s_setpc_b64 s[10:11]
.Lstoring_function_end:
  .size storing_function, .Lstoring_function_end-storing_function

  .p2align 8
  .type writing_function,@function
writing_function:
  s_dcache_wb
  s_endpgm
.Lwriting_function_end:
  .size writing_function, .Lwriting_function_end-writing_function
