// SPDX-License-Identifier: MIT
// What no document fixes: for every option of --numeric one instruction whose result it decides, as eight bytes.
// The words that each value must give are in tests/isa/asm/option_words.h.
.include "kernel.inc"

// Stores v[10:11] of lane 0 as the result of option number \slot, and clears them.
.macro result slot
  s_mov_b64 exec, 1
  global_store_dwordx2 v0, v[10:11], s[4:5] offset:8 * \slot
  v_mov_b32_e32 v10, 0
  v_mov_b32_e32 v11, 0
  s_mov_b64 exec, -1
.endm

// A typed store of the buffer's element at the place of option number \slot.
.macro typed_store instruction, data, slot, format, number
  s_mov_b64 exec, 1
  \instruction \data, off, s[8:11], 0 format:[BUF_DATA_FORMAT_\format,BUF_NUM_FORMAT_\number] offset:8 * \slot
  s_mov_b64 exec, -1
.endm

// kernarg: +0 out[32][2], zero. One wave.
begin numeric_options
  s_memtime s[12:13]
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
  s_sleep 1
  s_memtime s[14:15]
  s_mov_b32 s8, s4                    // the output as a raw buffer of 32 * 8 bytes
  s_mov_b32 s9, s5
  s_movk_i32 s10, 32 * 8
  s_mov_b32 s11, 0x00027000
  v_mov_b32_e32 v1, v0                // the lane
  v_mov_b32_e32 v0, 0
  v_mov_b32_e32 v2, 1.0
  v_mov_b32_e32 v3, 0x7f812345        // a NaN with a payload
  v_mov_b32_e32 v10, 0
  v_mov_b32_e32 v11, 0
  s_waitcnt lgkmcnt(0)
  s_sub_u32 s12, s14, s12
  s_lshr_b32 s12, s12, 8              // without the few instructions between the two
  v_mov_b32_e32 v10, s12
  result 23                           // clock_round

  v_cvt_pk_bf8_f32 v10, v3, v3
  result 0                            // bf8_nan
  v_cvt_scalef32_pk_fp4_f32 v10, v3, v3, v2
  result 1                            // nan_to_small
  v_mov_b32_e32 v4, 0x3ffc0000        // 1.96875: between the largest e4m3 number below 2 and 2
  v_mov_b32_e32 v5, -1                // the largest seed
  v_cvt_sr_fp8_f32 v10, v4, v5
  result 2                            // stochastic
  v_mov_b32_e32 v4, 0x7f              // e4m3 NaN
  v_cvt_scalef32_f16_fp8 v10, v4, v2
  result 3                            // scaled_nan
  v_mov_b32_e32 v4, 0x30              // e4m3 0.5
  v_mov_b32_e32 v5, 0x7f800000        // scale code 255
  v_cvt_scalef32_f32_fp8 v10, v4, v5
  result 4                            // scale_255
  v_cvt_pk_bf16_f32 v10, v3, v3
  result 5                            // bf16_nan
  v_mov_b32_e32 v4, 0x3effffff        // the number below 0.5
  v_cvt_rpi_i32_f32_e32 v10, v4
  result 6                            // cvt_rpi
  v_mov_b32_e32 v4, 0x40300000        // 2.75
  v_cvt_pk_u8_f32 v10, v4, 0, 0
  result 7                            // cvt_u8
  v_mov_b32_e32 v4, 0x3e800000        // 0.25, 8191.75 of 32767
  v_cvt_pknorm_i16_f32 v10, v4, v4
  result 8                            // cvt_norm
  v_mov_b32_e32 v4, 0xec006c00        // f16: 4096, -4096
  v_mov_b32_e32 v5, 0x6c006c00        // 4096, 4096
  v_mov_b32_e32 v6, 0x3f200000        // 0.625
  v_dot2_f32_f16 v10, v4, v5, v6
  s_nop 7
  result 9                            // dot2_sum
  v_mov_b32_e32 v4, 1                 // bf16: the smallest subnormal, 0
  v_mov_b32_e32 v5, 0x3f80            // 1, 0
  v_dot2c_f32_bf16_e32 v10, v4, v5
  s_nop 7
  result 10                           // dot2_denorm
  v_mov_b32_e32 v4, 0x3c83126f        // 0.016 turns
  v_sin_f32_e32 v10, v4
  result 11                           // sin_cos
  v_mov_b32_e32 v4, 0x43802000        // 256.25 turns
  v_sin_f32_e32 v10, v4
  result 12                           // sin_domain
  v_mov_b32_e32 v4, 0
  v_mov_b32_e32 v5, 0x40080000        // 3.0
  v_rcp_f64_e32 v[10:11], v[4:5]
  result 13                           // f64_approx
  v_mov_b32_e32 v4, 0x7fc00001
  v_sub_f32_e32 v10, 1.0, v4
  result 14                           // sub_nan
  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 4), 0xc  // f32 flushes
  v_mov_b32_e32 v4, 0x3f7fffff        // 1 - 2^-24
  v_mov_b32_e32 v5, 0x00800000        // 2^-126
  v_mul_f32_e32 v10, v4, v5
  result 15                           // flush_test
  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 4), 0x3  // f16 flushes
  v_mov_b32_e32 v4, 1                 // f16: 2^-24
  v_fma_mix_f32 v10, v4, 1.0, 0 op_sel_hi:[1,0,0]
  result 16                           // mix_denorm
  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 4), 0xf
  v_mov_b32_e32 v10, 1                // f16: 2^-24
  v_mac_f16_e32 v10, 0, v0
  result 17                           // mac_f16
  v_mov_b32_e32 v4, 0x71800000        // 2^100
  v_mov_b32_e32 v5, 0x0d800000        // 2^-100
  v_div_fixup_f32 v10, 0, v4, v5
  result 18                           // div_underflow

  v_add_u32_e32 v4, 100, v1
  v_add_u32_e32 v5, 200, v1
  s_mov_b64 exec, 0xffffffff
  s_nop 4
  v_permlane32_swap_b32 v4, v5
  s_nop 4
  v_readlane_b32 s12, v4, 40          // disabled
  v_readlane_b32 s13, v5, 8
  s_mov_b64 exec, -1
  v_mov_b32_e32 v10, s12
  v_mov_b32_e32 v11, s13
  result 19                           // permlane_exec
  v_add_u32_e32 v4, 50, v1
  v_mov_b32_e32 v5, 7
  s_mov_b64 exec, -2
  s_nop 4
  v_mov_b32_dpp v5, v4 row_shr:1 row_mask:0xf bank_mask:0xf
  s_nop 4
  v_readlane_b32 s12, v5, 1           // from lane 0, disabled
  v_readlane_b32 s13, v5, 2
  s_mov_b64 exec, -1
  v_mov_b32_e32 v10, s12
  v_mov_b32_e32 v11, s13
  result 20                           // dpp_disabled

  s_waitcnt vmcnt(0)
  s_movk_i32 s10, 8                   // the first 8 bytes only
  s_movk_i32 s12, 8
  buffer_load_dword v10, off, s[8:11], s12
  s_movk_i32 s10, 32 * 8
  s_waitcnt vmcnt(0)
  result 21                           // buffer_soffset
  v_mov_b32_e32 v4, 5
  ds_write_b32 v0, v4                 // LDS 0: 5, LDS 4: 0.0
  ds_write_b32 v0, v0 offset:4
  v_add_u32_e32 v4, 1, v1             // lane + 1
  v_mov_b32_e32 v5, 1.0               // 1, 2^24, -2^24 in lanes 0, 1, 2
  v_mov_b32_e32 v6, 0x4b800000
  v_cmp_eq_u32_e32 vcc, 1, v1
  s_nop 1
  v_cndmask_b32_e32 v5, v5, v6, vcc
  v_mov_b32_e32 v6, 0xcb800000
  v_cmp_eq_u32_e32 vcc, 2, v1
  s_nop 1
  v_cndmask_b32_e32 v5, v5, v6, vcc
  s_waitcnt lgkmcnt(0)
  s_mov_b64 exec, 3
  ds_add_rtn_u32 v10, v0, v4
  s_mov_b64 exec, 7
  ds_add_f32 v0, v5 offset:4
  s_mov_b64 exec, -1
  ds_read_b32 v11, v0 offset:4
  s_waitcnt lgkmcnt(0)
  result 22                           // atomic_lanes

  v_mov_b32_e32 v10, 0x3f801800       // 1 + 0.75 * 2^-10
  typed_store tbuffer_store_format_x, v10, 24, 16, FLOAT
  v_mov_b32_e32 v4, 0x3e800000        // 0.25, 127.75 of 511
  v_mov_b32_e32 v5, 0
  v_mov_b32_e32 v6, 0
  v_mov_b32_e32 v7, 0.5               // 0.5 of 1
  typed_store tbuffer_store_format_xyzw, v[4:7], 25, 2_10_10_10, SNORM
  v_mov_b32_e32 v8, 0x40300000        // 2.75
  typed_store tbuffer_store_format_x, v8, 26, 8, USCALED
  v_mov_b32_e32 v9, 3                 // 3 of 255
  s_mov_b64 exec, 1
  global_store_byte v0, v9, s[4:5] offset:8 * 27
  s_mov_b64 exec, -1
  s_waitcnt vmcnt(0)
  tbuffer_load_format_x v10, off, s[8:11], 0 format:[BUF_DATA_FORMAT_8,BUF_NUM_FORMAT_UNORM] offset:8 * 27
  v_mov_b32_e32 v11, 0
  s_waitcnt vmcnt(0)
  result 27                           // format_norm_read

  v_mov_b32_e32 v4, 0xc114ed44        // -9.3
  v_mov_b32_e32 v5, 0x4000000d        // 2 + 13 * 2^-22
  v_exp_legacy_f32_e32 v10, v4
  v_log_legacy_f32_e32 v11, v5
  result 28                           // exp_log_legacy

  v_mov_b32_e32 v5, 1                 // B(0, j): 1
  s_nop 1
  v_mfma_i32_4x4x4_16b_i8 v[10:13], v1, v5, 0 cbsz:1 abid:1  // A(i, 0): the lane, 4 * block + i
  s_nop 7
  result 29                           // mfma_broadcast
  v_lshlrev_b32_e32 v4, 1, v1
  v_sub_u32_e32 v4, 1, v4
  v_and_b32_e32 v4, 0xff, v4          // A(0, 0), A(1, 0): 1, -1
  v_bfrev_b32_e32 v7, 1               // C: the largest and the smallest integer
  v_not_b32_e32 v6, v7
  v_mov_b32_e32 v8, 0
  v_mov_b32_e32 v9, 0
  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 23, 1), 1  // FP16_OVFL
  s_nop 7
  v_mfma_i32_4x4x4_16b_i8 v[10:13], v4, v5, v[6:9]
  s_nop 7
  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 23, 1), 0
  result 30                           // mfma_i8
  v_mov_b32_e32 v2, 0x0201            // A(i, 0), A(i, 1) of each lane group: 1 and 2
  v_mov_b32_e32 v3, 0
  v_mov_b32_e32 v4, 3                 // B(0, j) of each: 3
  v_mov_b32_e32 v5, 0
  v_mov_b32_e32 v6, 0
  v_mov_b32_e32 v7, 0
  v_mov_b32_e32 v12, 0
  v_mov_b32_e32 v13, 0
  s_nop 1
  v_smfmac_i32_16x16x64_i8 v[10:13], v[2:3], v[4:7], v0  // every index 0
  s_nop 7
  result 31                           // smfmac_pair
  v_mov_b32_e32 v2, 0xc700c200        // -3, -7
  v_mov_b32_e32 v3, 0x49804500        // 5, 11
  v_mov_b32_e32 v10, 0
  v_dot2c_f32_f16_e64 v10, |v2|, v3
  s_nop 2
  result 32                           // dot2c_abs
end_kernel numeric_options, lds=8

// Approximations, divisions and f64 arithmetic on a spread of arguments. kernarg: +0 out[64][12]
begin transcendentals
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_cvt_f32_u32_e32 v1, v0
  v_mov_b32_e32 v2, 0x3ebdaf08        // 0.370476
  v_fma_f32 v1, v1, v2, v2            // (lane + 1) * 0.370476
  v_exp_f32_e32 v4, v1
  v_log_f32_e32 v5, v1
  v_rcp_f32_e32 v6, v1
  v_rsq_f32_e32 v7, v1
  v_sqrt_f32_e32 v8, v1
  v_sin_f32_e32 v9, v1
  v_cos_f32_e32 v10, v1
  v_cvt_f16_f32_e32 v11, v1
  v_exp_f16_e32 v11, v11
  v_cvt_f64_f32_e32 v[16:17], v1
  v_rcp_f64_e32 v[18:19], v[16:17]
  s_nop 0
  v_fma_f64 v[12:13], v[16:17], v[18:19], v[18:19]
  v_div_scale_f32 v14, vcc, v2, v1, v2
  v_div_fixup_f32 v14, v6, v1, v2
  v_ldexp_f32 v15, v1, v0
  v_mul_u32_u24_e32 v3, 48, v0
  s_waitcnt lgkmcnt(0)
  global_store_dwordx4 v3, v[4:7], s[4:5]
  global_store_dwordx4 v3, v[8:11], s[4:5] offset:16
  global_store_dwordx4 v3, v[12:15], s[4:5] offset:32
end_kernel transcendentals
