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
