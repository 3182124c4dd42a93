// SPDX-License-Identifier: MIT
// DPP, SDWA, VGPR indexing, hardware registers, undefined registers.
.include "kernel.inc"

// Sum of a wave by DPP, as compilers do it. kernarg: +0 out[64]
begin dpp_sum
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_add_u32_e32 v1, 1, v0
  v_mov_b32_e32 v2, 0
  s_nop 1
  v_add_u32_dpp v1, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
  s_nop 1
  v_lshlrev_b32_e32 v3, 2, v0
  v_mov_b32_dpp v2, v1 row_bcast:15 row_mask:0xa bank_mask:0xf
  s_waitcnt lgkmcnt(0)
  global_store_dword v3, v1, s[4:5]
  global_store_dword v3, v2, s[4:5] offset:256
end_kernel dpp_sum

// Byte and word selects. kernarg: +0 out[64][3]
begin sdwa_selects
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_mov_b32_e32 v1, 0x84838281
  v_mov_b32_e32 v2, 0x0f0e0d0c
  v_mov_b32_e32 v4, -1
  v_add_u32_sdwa v4, v1, v2 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_3 src1_sel:BYTE_0
  v_add_u32_sdwa v5, sext(v1), v2 dst_sel:WORD_0 dst_unused:UNUSED_SEXT src0_sel:BYTE_2 src1_sel:WORD_1
  v_or_b32_sdwa v6, v1, v2 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:BYTE_1
  v_mul_u32_u24_e32 v3, 12, v0
  s_waitcnt lgkmcnt(0)
  global_store_dwordx3 v3, v[4:6], s[4:5]
end_kernel sdwa_selects

// v10..v13 are indexed as sources and destinations. kernarg: +0 out[64][4]
begin gpr_indexing
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_mov_b32_e32 v10, 100
  v_mov_b32_e32 v11, 101
  v_mov_b32_e32 v12, 102
  v_mov_b32_e32 v13, 103
  s_mov_b32 s6, 2
  s_set_gpr_idx_on s6, gpr_idx(SRC0)
  v_mov_b32_e32 v4, v10
  s_set_gpr_idx_idx 3
  v_mov_b32_e32 v5, v10
  s_set_gpr_idx_mode gpr_idx(DST)
  v_mov_b32_e32 v3, 7
  s_set_gpr_idx_off
  v_mov_b32_e32 v7, v10
  v_lshlrev_b32_e32 v1, 4, v0
  s_waitcnt lgkmcnt(0)
  global_store_dwordx4 v1, v[4:7], s[4:5]
end_kernel gpr_indexing

// MODE, XCC_ID, the aperture bases. kernarg: +0 out[grid][4]
begin hardware_registers
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_getreg_b32 s6, hwreg(HW_REG_MODE)
  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 0
  s_nop 1
  s_getreg_b32 s7, hwreg(HW_REG_MODE, 0, 10)
  s_getreg_b32 s8, hwreg(HW_REG_XCC_ID, 0, 4)
  s_getreg_b32 s9, hwreg(HW_REG_SH_MEM_BASES)
  v_mov_b32_e32 v4, s6
  v_mov_b32_e32 v5, s7
  v_mov_b32_e32 v6, s8
  v_mov_b32_e32 v7, s9
  s_mov_b64 exec, 1
  s_lshl_b32 s2, s2, 4
  v_mov_b32_e32 v1, s2
  s_waitcnt lgkmcnt(0)
  global_store_dwordx4 v1, v[4:7], s[4:5]
end_kernel hardware_registers

// Stores what a compiler never reads: v20, s40, a3. kernarg: +0 out[64][2]
begin undefined_registers
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_mov_b32_e32 v21, s40
  v_lshlrev_b32_e32 v1, 3, v0
  s_waitcnt lgkmcnt(0)
  global_store_dwordx2 v1, v[20:21], s[4:5]
end_kernel undefined_registers

// A trap in workgroup 3.
begin trap
  s_cmp_eq_u32 s2, 3
  s_cbranch_scc0 1f
  s_trap 2
1:
end_kernel trap

// A row without an expression, and dwords that are no instruction.
begin missing_row
  s_sendmsghalt sendmsg(MSG_INTERRUPT)
end_kernel missing_row

begin no_instruction
  .long 0xf4000000
end_kernel no_instruction

// Runs past the last instruction of the object.
begin last_kernel
  s_branch past_the_end
end_kernel last_kernel
  .text
past_the_end:
  s_nop 0
