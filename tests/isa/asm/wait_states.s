// SPDX-License-Identifier: MIT
// Distances between instructions, kept and not kept. kernarg: +0 out[64], +8 a flag
.include "kernel.inc"

.macro setup
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_load_dword s6, s[0:1], 0x8
  v_lshlrev_b32_e32 v1, 2, v0
.irp n, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19
  v_mov_b32_e32 v\n, 0
.endr
  s_waitcnt lgkmcnt(0)
  s_nop 1
.endm

// The result of a four-pass MFMA is stored after eight wait states.
begin distance_kept
  setup
  v_mfma_f32_16x16x32_bf16 v[16:19], v[8:11], v[12:15], v[16:19]
  s_nop 7
  global_store_dword v1, v16, s[4:5]
end_kernel distance_kept

// ... after seven.
begin distance_short
  setup
  v_mfma_f32_16x16x32_bf16 v[16:19], v[8:11], v[12:15], v[16:19]
  s_nop 6
  global_store_dword v1, v16, s[4:5]
end_kernel distance_short

// Only a flag that is not zero leads along the path without the s_nop.
begin distance_path
  setup
  v_mfma_f32_16x16x32_bf16 v[16:19], v[8:11], v[12:15], v[16:19]
  s_cmp_lg_u32 s6, 0
  s_cbranch_scc1 distance_path_store
  s_nop 7
distance_path_store:
  global_store_dword v1, v16, s[4:5]
end_kernel distance_path

// The same with the short path in line.
begin distance_path_turned
  setup
  v_mfma_f32_16x16x32_bf16 v[16:19], v[8:11], v[12:15], v[16:19]
  s_cmp_lg_u32 s6, 0
  s_cbranch_scc0 distance_path_long
distance_path_turned_store:
  global_store_dword v1, v16, s[4:5]
  s_endpgm
distance_path_long:
  s_nop 7
  s_branch distance_path_turned_store
end_kernel distance_path_turned

// The branches are the wait state between a loop's turns.
begin distance_loop
  setup
  s_movk_i32 s7, 3
  v_mov_b32_e32 v2, 0
distance_loop_again:
  v_add_u32_e32 v3, 1, v2
  s_sub_u32 s7, s7, 1
  s_cmp_lg_u32 s7, 0
  v_exp_f32_e32 v2, v3
  s_cbranch_scc0 distance_loop_end
  s_branch distance_loop_again
distance_loop_end:
  s_nop 0
  global_store_dword v1, v2, s[4:5]
end_kernel distance_loop

// The end of a loop's body is too close to its begin, from the second turn on.
begin distance_loop_short
  setup
  s_movk_i32 s7, 3
  v_mov_b32_e32 v2, 0
  s_nop 1
distance_loop_short_again:
  v_mov_b32_dpp v3, v2 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
  s_sub_u32 s7, s7, 1
  s_cmp_lg_u32 s7, 0
  v_add_u32_e32 v2, 1, v3
  s_cbranch_scc1 distance_loop_short_again
  s_nop 1
  global_store_dword v1, v2, s[4:5]
end_kernel distance_loop_short

// An MFMA of 8 passes has the register before anybody meets the result of the one of 16 passes.
begin distance_hidden
  setup
.irp n, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47
  v_mov_b32_e32 v\n, 0
.endr
  s_nop 1
  v_mfma_f32_32x32x64_f8f6f4 v[32:47], v[8:15], v[8:15], v[16:31]
  v_mfma_f32_32x32x16_bf16 v[32:47], v[8:11], v[12:15], v[16:31]
  s_nop 11
  global_store_dword v1, v32, s[4:5]
end_kernel distance_hidden, vgprs=64, accum=64

// The flag is the index: 0 reads v8, 8 reads the result of the MFMA.
begin index_reads
  setup
  v_mfma_f32_16x16x32_bf16 v[16:19], v[8:11], v[12:15], v[16:19]
  s_set_gpr_idx_on s6, gpr_idx(SRC0)
  v_mov_b32_e32 v2, v8
  s_set_gpr_idx_off
end_kernel index_reads

// The flag is the index: 0 overwrites v8, 8 the result of the MFMA.
begin index_writes
  setup
  v_mfma_f32_16x16x32_bf16 v[16:19], v[8:11], v[12:15], v[16:19]
  s_set_gpr_idx_on s6, gpr_idx(SRC0)
  s_set_gpr_idx_mode gpr_idx(DST)
  v_mov_b32_e32 v8, v2
  s_set_gpr_idx_off
end_kernel index_writes

// The encoding names the result of the MFMA; 4 and more read what lies behind it.
begin index_passes
  setup
  v_mov_b32_e32 v20, 0
  v_mfma_f32_16x16x32_bf16 v[16:19], v[8:11], v[12:15], v[16:19]
  s_set_gpr_idx_on s6, gpr_idx(SRC0)
  v_mov_b32_e32 v2, v16
  s_set_gpr_idx_off
end_kernel index_passes

// An indexed result, read by its name.
begin index_result
  setup
  s_set_gpr_idx_on s6, gpr_idx(DST)
  v_exp_f32_e32 v8, v8
  s_set_gpr_idx_off
  s_nop 0
  s_set_gpr_idx_on s6, gpr_idx(DST)
  v_mov_b32_e32 v8, v2
  s_set_gpr_idx_off
  v_mov_b32_dpp v3, v16 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
end_kernel index_result

// A load into v[16:19] is outstanding, and the flag is the index: 8 to 11 read it.
begin index_loads
  setup
  global_load_dwordx4 v[16:19], v8, s[4:5]
  s_set_gpr_idx_on s6, gpr_idx(SRC0)
  v_mov_b32_e32 v2, v8
  s_set_gpr_idx_off
  s_waitcnt vmcnt(0)
end_kernel index_loads

// The branch is taken when the dot product had no lane to write; clang leaves such distances.
begin no_lanes
  setup
  s_mov_b64 s[8:9], exec
  s_cmp_eq_u32 s6, 0
  s_cselect_b64 exec, 0, exec
  v_dot2c_i32_i16_e32 v16, v8, v9
  s_cbranch_execz no_lanes_end
  s_nop 2
no_lanes_end:
  s_mov_b64 exec, s[8:9]
  v_mov_b32_e32 v16, v8
end_kernel no_lanes

// It had lanes: EXEC became 0 after it.
begin lanes_lost
  setup
  s_mov_b64 s[8:9], exec
  v_dot2c_i32_i16_e32 v16, v8, v9
  s_mov_b64 exec, 0
  s_cbranch_execz lanes_lost_end
  s_nop 2
lanes_lost_end:
  v_mov_b32_e32 v16, v8
  s_mov_b64 exec, s[8:9]
end_kernel lanes_lost

// The other way round.
begin no_lanes_behind
  setup
  s_mov_b64 exec, 0
  v_dot2c_i32_i16_e32 v16, v8, v9
  s_cbranch_execnz no_lanes_behind_end
  v_mov_b32_e32 v16, v8
no_lanes_behind_end:
  s_nop 0
end_kernel no_lanes_behind

// A branch that looks at something else than EXEC says nothing about the lanes of either path.
begin lanes_passed
  setup
  v_dot2c_i32_i16_e32 v16, v8, v9
  s_cbranch_scc1 lanes_passed_end
  v_mov_b32_e32 v16, v8
lanes_passed_end:
  s_nop 0
end_kernel lanes_passed

begin lanes_taken
  setup
  v_dot2c_i32_i16_e32 v16, v8, v9
  s_cbranch_scc1 lanes_taken_end
  s_nop 2
lanes_taken_end:
  v_mov_b32_e32 v16, v8
end_kernel lanes_taken

// Two distances are too short: by 1 that of v_mov_b32, by 5 that of v_cmpx.
begin worst_of_two
  setup
  v_mov_b32_e32 v2, v1
  v_cmpx_eq_u32_e32 vcc, v1, v1
  v_mov_b32_dpp v3, v2 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
end_kernel worst_of_two

// The same instruction again in the next turn; no wave takes one.
begin again_in_loop
  setup
  s_cmp_lg_u32 s6, s6
again_in_loop_head:
  v_cmpx_eq_u32_e32 vcc, v1, v1
  v_mov_b32_dpp v3, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
  s_cbranch_scc1 again_in_loop_head
end_kernel again_in_loop

// A later MFMA has four registers of the sixteen: the others still have to be waited for. `first` to `last`: where it writes.
.macro partly_hidden name, first, last, stored
begin \name
  setup
.irp n, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47
  v_mov_b32_e32 v\n, 0
.endr
  s_nop 1
  v_mfma_f32_32x32x64_f8f6f4 v[32:47], v[8:15], v[8:15], v[16:31]
  v_mfma_f32_16x16x32_bf16 v[\first:\last], v[8:11], v[12:15], v[16:19]
  s_nop 8
  global_store_dword v1, v\stored, s[4:5]
end_kernel \name, vgprs=64, accum=64
.endm
partly_hidden hidden_begin, 32, 35, 36
partly_hidden hidden_end, 44, 47, 32

// The longest distance of all: 19 wait states.
.macro f64_result name, nop
begin \name
  setup
.irp n, 20, 21, 22, 23
  v_mov_b32_e32 v\n, 0
.endr
  s_nop 1
  v_mfma_f64_16x16x4_f64 v[16:23], v[8:9], v[10:11], v[16:23]
  s_nop 15
  s_nop \nop
  v_mov_b32_e32 v2, v16
end_kernel \name
.endm
f64_result f64_kept, 2
f64_result f64_short, 1

// The result is stored by the function that s_call_b64 calls, which is worth one wait state.
.macro called name, nop, function
begin \name
  setup
  v_mfma_f32_16x16x32_bf16 v[16:19], v[8:11], v[12:15], v[16:19]
  s_nop \nop
  s_call_b64 s[8:9], \function
end_kernel \name
.endm
called call_kept, 6, storing_function
called call_short, 5, storing_function
called call_of_another, 5, other_function

  .text
  .p2align 8
  .type storing_function,@function
storing_function:
  global_store_dword v1, v16, s[4:5]
  s_setpc_b64 s[8:9]
  .type other_function,@function
other_function:
  s_setpc_b64 s[8:9]
