// SPDX-License-Identifier: MIT
// The mix the executor's speed is stated for: f32 add, multiply, fma and integer instructions on all 64 lanes, unrolled
// 128 times, in a loop. kernarg: +0 out[64], +8 loop count
.include "kernel.inc"

// v4 and v11 are constants below 1, so every value stays finite and normal.
.macro mix a, b, c
  v_add_f32_e32 v\a, v\b, v\c
  v_fma_f32 v\b, v\a, v11, v4
  v_mul_f32_e32 v\c, v\a, v11
  v_add_u32_e32 v14, v14, v10
  v_fma_f32 v\a, v\b, v11, v\c
  v_xor_b32_e32 v12, v14, v12
  v_mul_f32_e32 v\b, v\b, v11
  v_lshl_add_u32 v13, v12, 1, v13
.endm

begin valu_mix
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_load_dword s6, s[0:1], 0x8
  v_cvt_f32_u32_e32 v1, v0
  v_mov_b32_e32 v2, 0.5
  v_mov_b32_e32 v3, 0x3e800000
  v_mov_b32_e32 v4, 0x3f000001
  v_mov_b32_e32 v10, 3
  v_mov_b32_e32 v11, 0x3e99999a
  v_mov_b32_e32 v12, v0
  v_mov_b32_e32 v13, v0
  v_mov_b32_e32 v14, v0
  s_waitcnt lgkmcnt(0)
mix_loop:
.rept 4
  mix 1, 2, 3
  mix 2, 3, 1
  mix 3, 1, 2
  mix 1, 3, 2
.endr
  s_sub_u32 s6, s6, 1
  s_cmp_lg_u32 s6, 0
  s_cbranch_scc1 mix_loop
  v_add_f32_e32 v1, v1, v2
  v_add_f32_e32 v1, v1, v3
  v_xor_b32_e32 v1, v1, v13
  v_lshlrev_b32_e32 v0, 2, v0
  global_store_dword v0, v1, s[4:5]
end_kernel valu_mix
