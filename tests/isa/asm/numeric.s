// SPDX-License-Identifier: MIT
// Conversions whose results depend on what no document fixes, one dword an option of --numeric.
.include "kernel.inc"

// kernarg: +0 out[6]
begin numeric_options
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_mov_b32_e32 v0, 0
  v_mov_b32_e32 v1, 0x7f812345        // a NaN with a payload
  v_mov_b32_e32 v2, 0x7f              // e4m3 NaN
  v_mov_b32_e32 v3, 1.0
  v_mov_b32_e32 v4, 0x7f800000        // scale code 255
  v_mov_b32_e32 v5, 0x3ffc0000        // 1.96875: between the two largest e4m3 numbers below 2 and 2
  v_mov_b32_e32 v6, -1                // the largest seed
  v_mov_b32_e32 v10, 0
  v_mov_b32_e32 v11, 0
  v_mov_b32_e32 v12, 0
  v_mov_b32_e32 v13, 0
  v_mov_b32_e32 v15, 0
  s_nop 4
  v_cvt_pk_bf8_f32 v10, v1, v1                      // bf8_nan
  v_cvt_scalef32_pk_fp4_f32 v11, v1, v1, v3         // nan_to_small
  v_cvt_sr_fp8_f32 v12, v5, v6                      // stochastic
  v_cvt_scalef32_f16_fp8 v13, v2, v3                // scaled_nan
  v_cvt_scalef32_f32_fp8 v14, v3, v4                // scale_255
  v_cvt_pk_bf16_f32 v15, v1, v1                     // bf16_nan
  s_mov_b64 exec, 1
  s_waitcnt lgkmcnt(0)
  global_store_dwordx4 v0, v[10:13], s[4:5]
  global_store_dwordx2 v0, v[14:15], s[4:5] offset:16
end_kernel numeric_options

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
