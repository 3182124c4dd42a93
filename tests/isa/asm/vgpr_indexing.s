// SPDX-License-Identifier: MIT
// VGPR indexing in every state that code can bring it into. The destination of each v_mov_b32 names the
// operands that may be indexed there: bit 0 to 2 the sources, bit 3 the destination.
.include "kernel.inc"

begin index_switches
  v_mov_b32_e32 v0, v16
  s_set_gpr_idx_mode gpr_idx(SRC0)
  v_mov_b32_e32 v0, v16
  s_set_gpr_idx_on s6, gpr_idx(SRC0,SRC2)
  v_mov_b32_e32 v5, v16
  s_set_gpr_idx_mode gpr_idx(SRC1)
  v_mov_b32_e32 v2, v16
  s_set_gpr_idx_mode gpr_idx()
  v_mov_b32_e32 v0, v16
  s_set_gpr_idx_mode gpr_idx(DST)
  v_mov_b32_e32 v8, v16
  s_set_gpr_idx_off
  v_mov_b32_e32 v0, v16
end_kernel index_switches

// M0 holds what is indexed, and whoever writes it may index anything from then on.
begin index_m0
  s_mov_b32 m0, s6
  v_mov_b32_e32 v0, v16
  s_set_gpr_idx_on s6, gpr_idx(DST)
  s_mov_b32 s7, s6
  s_mov_b64 vcc, 0
  s_mov_b32 s7, m0
  v_mov_b32_e32 v124, v16
  s_mov_b64 exec, -1
  v_mov_b32_e32 v8, v16
  s_mov_b32 m0, s6
  v_mov_b32_e32 v15, v16
  s_set_gpr_idx_mode gpr_idx(SRC0)
  v_mov_b32_e32 v1, v16
  s_add_u32 m0, m0, s6
  v_mov_b32_e32 v15, v16
  s_set_gpr_idx_off
  s_add_u32 m0, m0, 1
  v_mov_b32_e32 v0, v16
end_kernel index_m0

// MODE.GPR_IDX_EN is bit 27 of MODE.
begin index_mode
  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 27), 0
  s_nop 1
  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 28, 4), 0
  s_nop 1
  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 26, 1), 0
  s_nop 1
  s_setreg_b32 hwreg(HW_REG_MODE, 20, 7), s6
  s_nop 1
  s_setreg_b32 hwreg(HW_REG_TRAPSTS, 27, 1), s6
  s_nop 1
  s_getreg_b32 s6, hwreg(HW_REG_MODE, 27, 1)
  v_mov_b32_e32 v0, v16
  s_setreg_b32 hwreg(HW_REG_MODE, 27, 1), s6
  s_nop 1
  v_mov_b32_e32 v15, v16
  s_set_gpr_idx_off
  v_mov_b32_e32 v0, v16
  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 20, 8), 0
  s_nop 1
  v_mov_b32_e32 v15, v16
  s_set_gpr_idx_off
  s_setreg_b32 hwreg(HW_REG_MODE), s6
  s_nop 1
  v_mov_b32_e32 v15, v16
  s_set_gpr_idx_off
end_kernel index_mode

// What one path turns on may be on behind the other one too; a loop brings it to its own head.
begin index_paths
  s_cmp_eq_u32 s6, 0
  s_cbranch_scc1 index_paths_other
  s_set_gpr_idx_on s6, gpr_idx(SRC0)
  s_branch index_paths_join
index_paths_other:
  s_set_gpr_idx_on s6, gpr_idx(DST)
index_paths_join:
  v_mov_b32_e32 v9, v16
  s_set_gpr_idx_off
index_paths_head:
  v_mov_b32_e32 v2, v16
  s_set_gpr_idx_on s6, gpr_idx(SRC1)
  s_sub_u32 s6, s6, 1
  s_cbranch_scc1 index_paths_head
  v_mov_b32_e32 v2, v16
  s_set_gpr_idx_off
end_kernel index_paths

// What a loop turns on is on behind its end, too.
begin index_loop
index_loop_head:
  s_cmp_eq_u32 s6, 0
  s_cbranch_scc1 index_loop_end
  s_set_gpr_idx_on s6, gpr_idx(SRC0)
  s_branch index_loop_head
index_loop_end:
  v_mov_b32_e32 v1, v16
  s_set_gpr_idx_off
end_kernel index_loop

// The VGPR of a lane access is indexed; neither memory nor scalar instructions are.
begin index_exceptions
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
  s_set_gpr_idx_on s6, gpr_idx(SRC0,SRC1,SRC2,DST)
  v_readlane_b32 s8, v16, 0
  s_nop 1
  v_writelane_b32 v16, s8, 0
  s_nop 0
  v_readfirstlane_b32 s8, v16
  global_load_dword v17, v16, s[4:5]
  ds_read_b32 v18, v16
  s_mov_b32 s9, s8
  v_mov_b32_e32 v15, v16
  s_set_gpr_idx_off
  v_mad_u32_u24 v35, v32, s8, v34
end_kernel index_exceptions
