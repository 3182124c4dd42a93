// SPDX-License-Identifier: MIT
// Two GEMMs written the way hand-written assembly libraries write them: persistent workgroups that fetch their work
// with a scalar atomic, magic-number division, loads straight to LDS with a swizzle, vector skip, GPR indexing, scalar
// stores, packed bf16 atomics, sparse MFMA and transposing LDS reads.
.include "kernel.inc"

// C += A * B^T in MXFP8 x MXFP4, split over K. One item of work is 16 rows (m) x 64 columns (n) of one K split; each
// of the four waves of a workgroup has 16 of the columns.
// kernarg: +0 A, e4m3 [M][K]; +8 its scales, [M / 16][K / 512][64 lanes] dwords, byte s for 128-step s;
// +16 B, e2m1 [N][K]; +24 its scales, [N / 16][K / 512][64 lanes] dwords; +32 C, bf16 [N][M];
// +40 next item, then one dword an item for its owner; +48 K, +52 M / 16, +56 N / 64, +60 splits,
// +64 and +68: 2^32 / splits and 2^32 / (M / 16), rounded up (0 for a divisor of 1)
.set TILE_A, 0x800       // bytes of a step's A in LDS: 16 rows of 128
.set TILE_B, 0x400       // bytes of a step's B of one wave: 16 rows of 64
.set BUFFER, 0x1800      // A and four times B
.set ITEM, 2 * BUFFER    // the item that wave 0 fetched

// \quotient = \value / divisor with the divisor's magic number; \remainder likewise.
.macro divide quotient, remainder, value, divisor, magic
  s_mul_hi_u32 \quotient, \value, \magic
  s_cmp_eq_u32 \magic, 0
  s_cselect_b32 \quotient, \value, \quotient
  s_mul_i32 \remainder, \quotient, \divisor
  s_sub_u32 \remainder, \value, \remainder
.endm

// A raw buffer descriptor for the pointer in s[\pointer:\pointer+1].
.macro descriptor first, pointer
  s_mov_b32 s[\first], s[\pointer]
  s_and_b32 s[\first+1], s[\pointer+1], 0xffff
  s_mov_b32 s[\first+2], -1
  s_mov_b32 s[\first+3], 0x00027000
.endm

// Loads one K step into the LDS half at s[\half]; wave 0 alone has the vector instructions of A's two KiB.
.macro fetch half
  s_mov_b32 m0, \half
  s_setvskip s33, 0                              // s33: is this another wave than 0
  s_nop 1
  buffer_load_dwordx4 v2, s[36:39], s34 offen lds  // rows 0 to 7 of A
  s_add_u32 m0, m0, 0x400
  s_nop 0
  buffer_load_dwordx4 v3, s[36:39], s34 offen lds  // rows 8 to 15
  s_setvskip 0, 0
  s_add_u32 m0, \half, s32                       // s32: this wave's B in a half
  s_nop 0
  buffer_load_dwordx4 v4, s[40:43], s35 offen lds
  s_add_u32 s34, s34, 128
  s_add_u32 s35, s35, 64
.endm

// One K step from the LDS half \half with scale byte \low + 2 \high.
.macro step half, low, high
  v_add_u32_e32 v20, \half, v5
  v_add_u32_e32 v21, \half, v6
  v_add_u32_e32 v22, \half, v7
  ds_read_b128 v[8:11], v20
  ds_read_b128 v[12:15], v21
  ds_read_b128 v[16:19], v22
  s_waitcnt lgkmcnt(0)
  v_mfma_scale_f32_16x16x128_f8f6f4 a[0:3], v[8:15], v[16:19], a[0:3], v23, v24 op_sel:[\low,\low,0] op_sel_hi:[\high,\high,0] blgp:4
.endm

// Waits for what fetch brought, then brings the next step while this one is multiplied.
.macro pipelined this, next, low, high
  s_waitcnt vmcnt(0)
  s_barrier
  fetch \next
  step \this, \low, \high
.endm

begin persistent_mxfp
  s_load_dwordx8 s[4:11], s[0:1], 0x0     // A, its scales, B, its scales
  s_load_dwordx4 s[12:15], s[0:1], 0x20   // C, the work counter
  s_load_dwordx4 s[16:19], s[0:1], 0x30   // K, M / 16, N / 64, splits
  s_load_dwordx2 s[20:21], s[0:1], 0x40   // magic of splits, magic of M / 16
  v_and_b32_e32 v1, 63, v0                // lane
  v_readfirstlane_b32 s22, v0
  s_lshr_b32 s22, s22, 6                  // wave
  s_min_u32 s33, s22, 1
  s_mul_i32 s32, s22, TILE_B
  s_add_u32 s32, s32, TILE_A
  s_waitcnt lgkmcnt(0)
  descriptor 36, 4
  descriptor 40, 8
  s_mul_i32 s23, s17, s18
  s_mul_i32 s23, s23, s19                 // items
  // A: lane l brings chunk (l % 8) ^ (row % 8) of row l / 8 to its place l of the KiB.
  v_lshrrev_b32_e32 v20, 3, v1
  v_and_b32_e32 v21, 7, v1
  v_xor_b32_e32 v21, v20, v21
  v_lshlrev_b32_e32 v21, 4, v21
  v_mul_lo_u32 v20, v20, s16
  v_add_u32_e32 v2, v20, v21
  s_lshl_b32 s24, s16, 3
  v_add_u32_e32 v3, s24, v2
  // B: lane l brings chunk (l % 4) ^ (row / 2 % 4) of row l / 4.
  s_lshr_b32 s25, s16, 1                  // bytes of a row of B
  v_lshrrev_b32_e32 v20, 2, v1
  v_bfe_u32 v21, v1, 3, 2
  v_and_b32_e32 v22, 3, v1
  v_xor_b32_e32 v21, v21, v22
  v_lshlrev_b32_e32 v21, 4, v21
  v_mul_lo_u32 v20, v20, s25
  v_add_u32_e32 v4, v20, v21
  // LDS reads: row lane % 16; A's chunks lane / 16 and 4 + lane / 16, B's chunk lane / 16.
  v_and_b32_e32 v20, 15, v1
  v_lshrrev_b32_e32 v21, 4, v1
  v_and_b32_e32 v22, 7, v20
  v_xor_b32_e32 v22, v22, v21
  v_lshlrev_b32_e32 v22, 4, v22
  v_lshl_add_u32 v5, v20, 7, v22
  v_xor_b32_e32 v6, 64, v5
  v_bfe_u32 v22, v20, 1, 2
  v_xor_b32_e32 v22, v22, v21
  v_lshlrev_b32_e32 v22, 4, v22
  v_lshl_add_u32 v7, v20, 6, v22
  v_add_u32_e32 v7, s32, v7
  v_lshlrev_b32_e32 v25, 2, v1            // byte of a lane's scale dword
  // C: byte of element (n = 16 wave + lane % 16, m = 4 (lane / 16))
  s_lshl_b32 s26, s17, 5                  // bytes of a column of C
  s_lshl_b32 s27, s22, 4
  v_add_u32_e32 v26, s27, v20
  v_mul_lo_u32 v26, v26, s26
  v_lshl_add_u32 v26, v21, 3, v26
  v_mov_b32_e32 v27, ITEM
next_item:
  // A workgroup's waves have passed four barriers since they read the last item, and fetch writes half 0, which
  // nobody reads after the last of them.
  s_cmp_lg_u32 s22, 0
  s_cbranch_scc1 item_fetched
  s_mov_b32 s28, 1
  s_atomic_add s28, s[14:15], 0x0 glc
  s_waitcnt lgkmcnt(0)
  v_mov_b32_e32 v20, s28
  ds_write_b32 v27, v20
  s_waitcnt lgkmcnt(0)
item_fetched:
  s_barrier
  ds_read_b32 v20, v27
  s_waitcnt lgkmcnt(0)
  v_readfirstlane_b32 s28, v20
  s_cmp_ge_u32 s28, s23
  s_cbranch_scc1 persistent_end
  divide s29, s30, s28, s19, s20          // s30: K split
  divide s31, s44, s29, s17, s21          // s44: tile of M, s31: tile of N
  // The first k of the split and the number of its 512-steps.
  s_lshr_b32 s45, s16, 9
  divide s46, s47, s45, s19, s20          // s46: 512-steps of a split
  s_mul_i32 s47, s46, s30                 // s47: the first of them
  s_lshl_b32 s48, s47, 9                  // k
  s_lshl_b32 s49, s44, 4
  s_mul_i32 s34, s49, s16
  s_add_u32 s34, s34, s48                 // byte of A
  s_lshl_b32 s49, s31, 2
  s_add_u32 s49, s49, s22                 // tile of 16 columns
  s_lshl_b32 s50, s49, 4
  s_mul_i32 s35, s50, s25
  s_lshr_b32 s48, s48, 1
  s_add_u32 s35, s35, s48                 // byte of B
  s_mul_i32 s50, s44, s45
  s_add_u32 s50, s50, s47
  s_lshl_b32 s50, s50, 8                  // byte of A's scales
  s_mul_i32 s51, s49, s45
  s_add_u32 s51, s51, s47
  s_lshl_b32 s51, s51, 8                  // byte of B's scales
  s_mov_b32 s52, 0                        // LDS half 0
  s_movk_i32 s53, BUFFER                  // LDS half 1
.irp n, 0, 1, 2, 3
  v_accvgpr_write_b32 a\n, 0
.endr
  fetch s52
steps:
  v_add_u32_e32 v23, s50, v25
  v_add_u32_e32 v24, s51, v25
  global_load_dword v23, v23, s[6:7]
  global_load_dword v24, v24, s[10:11]
  pipelined s52, s53, 0, 0
  pipelined s53, s52, 1, 0
  pipelined s52, s53, 0, 1
  s_add_u32 s50, s50, 256
  s_add_u32 s51, s51, 256
  s_sub_u32 s46, s46, 1
  s_cmp_eq_u32 s46, 0
  s_cbranch_scc1 last_step
  pipelined s53, s52, 1, 1
  s_branch steps
last_step:
  s_waitcnt vmcnt(0)
  s_barrier
  step s53, 1, 1
  s_nop 15
.irp n, 0, 1, 2, 3
  v_accvgpr_read_b32 v2\n, a\n            // v20 to v23
.endr
  // This item's tile of C: pairs of rows are neighbours of one column.
  s_lshl_b32 s54, s31, 6
  s_mul_i32 s54, s54, s26
  s_lshl_b32 s55, s44, 5
  s_add_u32 s54, s54, s55
  v_add_u32_e32 v28, s54, v26
  s_mov_b32 s56, 0
pairs:
  s_set_gpr_idx_on s56, gpr_idx(SRC0, SRC1)
  v_cvt_pk_bf16_f32 v29, v20, v21
  s_set_gpr_idx_off
  global_atomic_pk_add_bf16 v28, v29, s[12:13]
  v_add_u32_e32 v28, 4, v28
  s_add_u32 s56, s56, 2
  s_cmp_lt_u32 s56, 4
  s_cbranch_scc1 pairs
  // Wave 0 signs for the item.
  s_cmp_lg_u32 s22, 0
  s_cbranch_scc1 next_item
  s_add_u32 s57, s2, 1
  s_lshl_b32 s58, s28, 2
  s_add_u32 s58, s58, 4
  s_store_dword s57, s[14:15], s58
  s_branch next_item
persistent_end:
  s_dcache_wb
end_kernel persistent_mxfp, lds=0x3010, kernarg=72, vgprs=64

// D = A * B with 2:4 sparse A. A workgroup of one wave has 16 columns of D and keeps its part of B in LDS.
// kernarg: +0 A, bf16 [M][K / 2]; +8 its index bits, [M / 16][K / 128][64 lanes] dwords, a half a 64-step;
// +16 B, bf16 [K][N]; +24 D, f32 [M][N]; +32 K, +36 N, +40 M / 16
.macro sparse_step offset, abid
  global_load_dwordx2 v[8:9], v6, s[4:5] offset:\offset
  global_load_dwordx2 v[10:11], v6, s[4:5] offset:\offset+32
  ds_read_b64_tr_b16 v[16:17], v14            // k 0 to 3 of the lane group's eight
  ds_read_b64_tr_b16 v[18:19], v14 offset:128
  ds_read_b64_tr_b16 v[20:21], v14 offset:1024  // and 32 rows further down
  ds_read_b64_tr_b16 v[22:23], v14 offset:1152
  s_waitcnt vmcnt(0) lgkmcnt(0)
  v_smfmac_f32_16x16x64_bf16 a[0:3], v[8:11], v[16:23], v12 abid:\abid
  v_add_u32_e32 v14, 0x800, v14
.endm

begin sparse_bf16
  s_load_dwordx8 s[4:11], s[0:1], 0x0     // A, its index bits, B, D
  s_load_dwordx2 s[12:13], s[0:1], 0x20   // K, N
  s_load_dword s14, s[0:1], 0x28          // M / 16
  v_lshrrev_b32_e32 v1, 1, v0
  v_and_b32_e32 v2, 1, v0
  s_waitcnt lgkmcnt(0)
  // B: two lanes a row of 16 columns, 32 rows an instruction.
  s_lshl_b32 s15, s13, 1
  v_mul_lo_u32 v1, v1, s15
  v_lshl_add_u32 v1, v2, 4, v1
  s_lshl_b32 s16, s2, 5
  v_add_u32_e32 v1, s16, v1
  s_lshl_b32 s17, s15, 5
  s_mov_b32 m0, 0
  s_mov_b32 s18, s12
sparse_load_b:
  global_load_lds_dwordx4 v1, s[8:9]
  s_add_u32 m0, m0, 0x400
  v_add_u32_e32 v1, s17, v1
  s_sub_u32 s18, s18, 32
  s_cmp_lg_u32 s18, 0
  s_cbranch_scc1 sparse_load_b
  v_and_b32_e32 v2, 15, v0                // row of A, column of D
  v_lshrrev_b32_e32 v3, 4, v0             // lane group
  v_bfe_u32 v4, v0, 2, 2
  v_lshl_add_u32 v4, v3, 3, v4
  v_and_b32_e32 v5, 3, v0
  v_lshlrev_b32_e32 v5, 3, v5
  v_lshl_add_u32 v5, v4, 5, v5            // LDS byte of the lane's chunk: row 8 group + lane / 4 % 4
  v_lshlrev_b32_e32 v7, 2, v0             // byte of the index bits
  v_mul_lo_u32 v13, v3, s13
  v_lshl_add_u32 v13, v13, 2, v2
  s_lshl_b32 s19, s2, 4
  v_add_u32_e32 v13, s19, v13
  v_lshlrev_b32_e32 v13, 2, v13           // byte of D(4 group, column)
  v_mul_lo_u32 v15, v2, s12
  v_lshl_add_u32 v15, v3, 3, v15          // byte of A(row, 4 group)
  s_lshl_b32 s20, s12, 4                  // bytes of 16 rows of A
  s_lshl_b32 s21, s13, 2                  // bytes of a row of D
  s_getpc_b64 s[22:23]
sparse_here:
  s_add_u32 s22, s22, sparse_tile - sparse_here
  s_addc_u32 s23, s23, 0
sparse_rows:
  v_mov_b32_e32 v6, v15
  v_mov_b32_e32 v14, v5
  s_swappc_b64 s[24:25], s[22:23]
  v_mov_b32_e32 v24, v13
.irp n, 0, 1, 2, 3
  v_accvgpr_read_b32 v25, a\n
  s_nop 1
  global_store_dword v24, v25, s[10:11]
  v_add_u32_e32 v24, s21, v24
.endr
  s_lshl_b32 s26, s21, 4
  v_add_u32_e32 v13, s26, v13
  v_add_u32_e32 v15, s20, v15
  s_sub_u32 s14, s14, 1
  s_cmp_lg_u32 s14, 0
  s_cbranch_scc1 sparse_rows
  s_endpgm

// One tile: a[0:3] = A(rows at v6) * B(LDS at v14); v7 moves on. Returns to s[24:25].
sparse_tile:
.irp n, 0, 1, 2, 3
  v_accvgpr_write_b32 a\n, 0
.endr
  s_mov_b32 s18, s12
sparse_steps:
  global_load_dword v12, v7, s[6:7]
  sparse_step 0, 0
  sparse_step 64, 1
  v_add_u32_e32 v6, 128, v6
  v_add_u32_e32 v7, 0x100, v7
  s_sub_u32 s18, s18, 128
  s_cmp_lg_u32 s18, 0
  s_cbranch_scc1 sparse_steps
  s_nop 15
  s_setpc_b64 s[24:25]
end_kernel sparse_bf16, lds=0x4000, kernarg=48, vgprs=64
