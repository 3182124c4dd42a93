// SPDX-License-Identifier: MIT
// Buffer bounds, scratch, flat apertures, LDS transpose, LDS-direct loads.
.include "kernel.inc"

// Raw buffer of 200 bytes: dwordx4 loads and stores by lane, clamped dword by dword.
// kernarg: +0 buffer, +8 out[64][4]
begin buffer_bounds
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
  s_mov_b32 s8, s4
  s_and_b32 s9, s5, 0xffff
  s_movk_i32 s10, 200
  s_mov_b32 s11, 0x00027000
  v_lshlrev_b32_e32 v1, 4, v0
  buffer_load_dwordx4 v[4:7], v1, s[8:11], 0 offen
  v_mov_b32_e32 v8, 0x11111111
  v_mov_b32_e32 v9, 0x22222222
  v_mov_b32_e32 v10, 0x33333333
  v_mov_b32_e32 v11, 0x44444444
  s_waitcnt vmcnt(0)
  buffer_store_dwordx4 v[8:11], v1, s[8:11], 0 offen offset:16
  global_store_dwordx4 v1, v[4:7], s[6:7]
end_kernel buffer_bounds

// Structured buffer: stride 12, 10 records; index = lane. kernarg as above, out[64]
begin buffer_structured
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
  s_mov_b32 s8, s4
  s_and_b32 s9, s5, 0xffff
  s_or_b32 s9, s9, 0x000c0000
  s_movk_i32 s10, 10
  s_mov_b32 s11, 0x00027000
  buffer_load_dword v4, v0, s[8:11], 0 idxen offset:4
  v_lshlrev_b32_e32 v1, 2, v0
  s_waitcnt vmcnt(0)
  global_store_dword v1, v4, s[6:7]
end_kernel buffer_structured

// Every lane writes bytes, halves and dwords of scratch and reads them back. kernarg: +0 out[64][4]
begin scratch_bytes
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_mov_b32_e32 v2, 0x04030201
  scratch_store_dword off, v2, off offset:4
  v_add_u32_e32 v3, 0x100, v0
  scratch_store_short off, v3, off offset:6
  scratch_store_byte off, v0, off offset:5
  v_mov_b32_e32 v6, 8
  scratch_store_dwordx2 v6, v[2:3], off offset:3
  scratch_load_dwordx4 v[8:11], off, off offset:4
  v_lshlrev_b32_e32 v1, 4, v0
  s_waitcnt vmcnt(0) lgkmcnt(0)
  global_store_dwordx4 v1, v[8:11], s[4:5]
end_kernel scratch_bytes, scratch=64

// Generic pointers: LDS and scratch through flat instructions. kernarg: +0 out[64][2]
begin flat_apertures
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_mov_b64 s[6:7], src_shared_base
  s_mov_b64 s[8:9], src_private_base
  v_lshlrev_b32_e32 v2, 2, v0
  v_mov_b32_e32 v3, s7
  v_add_u32_e32 v4, 0x1000, v0
  flat_store_dword v[2:3], v4
  v_mov_b32_e32 v6, 16
  v_mov_b32_e32 v7, s9
  v_add_u32_e32 v5, 0x2000, v0
  flat_store_dword v[6:7], v5
  s_waitcnt vmcnt(0) lgkmcnt(0)
  ds_read_b32 v8, v2
  scratch_load_dword v9, off, off offset:16
  s_waitcnt vmcnt(0) lgkmcnt(0)
  v_lshlrev_b32_e32 v1, 3, v0
  v_mov_b32_e32 v10, s4
  v_mov_b32_e32 v11, s5
  v_add_co_u32_e32 v10, vcc, v10, v1
  s_nop 1
  v_addc_co_u32_e32 v11, vcc, 0, v11, vcc
  flat_store_dwordx2 v[10:11], v[8:9]
end_kernel flat_apertures, lds=256, scratch=32

// LDS[i] = i as halves; transposing read of 8 bytes a lane at 8 * lane. kernarg: +0 b16 out[64][2], +8 b8 out[64][2]
begin lds_transpose
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 3, v0
  v_lshlrev_b32_e32 v2, 2, v0
  v_add_u32_e32 v3, 1, v2
  v_lshl_or_b32 v4, v3, 16, v2
  v_add_u32_e32 v5, 0x00020002, v4
  ds_write_b64 v1, v[4:5]
  s_waitcnt lgkmcnt(0)
  ds_read_b64_tr_b16 v[8:9], v1
  ds_read_b64_tr_b8 v[10:11], v1
  s_waitcnt lgkmcnt(0)
  global_store_dwordx2 v1, v[8:9], s[4:5]
  global_store_dwordx2 v1, v[10:11], s[6:7]
end_kernel lds_transpose, lds=512

// global_load_lds of dwords and dwordx4, then a copy out. kernarg: +0 in, +8 out[64 * 5]
begin load_to_lds
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 2, v0
  v_lshlrev_b32_e32 v2, 4, v0
  s_mov_b32 m0, 0x40
  s_waitcnt lgkmcnt(0)
  global_load_lds_dword v1, s[4:5]
  s_movk_i32 m0, 0x140
  s_mov_b64 s[8:9], exec
  s_mov_b32 exec_lo, 0x0000ffff
  global_load_lds_dwordx4 v2, s[4:5]
  s_mov_b64 exec, s[8:9]
  s_waitcnt vmcnt(0)
  ds_read_b32 v4, v1 offset:64
  ds_read_b128 v[8:11], v2 offset:320
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v4, s[6:7]
  global_store_dwordx4 v2, v[8:11], s[6:7] offset:256
end_kernel load_to_lds, lds=2048

// ds_swizzle, ds_permute, ds_bpermute with lanes 60..63 off. kernarg: +0 out[3][64]
begin lds_lanes
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 2, v0
  v_add_u32_e32 v2, 0x500, v0
  s_mov_b32 exec_hi, 0x0fffffff
  ds_swizzle_b32 v3, v2 offset:swizzle(QUAD_PERM, 3, 2, 1, 0)
  v_lshlrev_b32_e32 v5, 3, v0
  ds_permute_b32 v4, v5, v2
  v_sub_u32_e32 v6, 63, v0
  v_lshlrev_b32_e32 v6, 2, v6
  ds_bpermute_b32 v6, v6, v2
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v3, s[4:5]
  global_store_dword v1, v4, s[4:5] offset:256
  global_store_dword v1, v6, s[4:5] offset:512
end_kernel lds_lanes

// Store outside every buffer from lane 5. kernarg: +0 buffer
begin out_of_bounds
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 2, v0
  v_mov_b32_e32 v3, 0x7fff0000
  v_cmp_eq_u32_e32 vcc, 5, v0
  s_nop 1
  v_cndmask_b32_e32 v1, v1, v3, vcc
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v0, s[4:5]
end_kernel out_of_bounds

// 160 KiB of LDS: the last dword is usable. kernarg: +0 out
begin lds_160k
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_mov_b32_e32 v1, 0x27ffc
  v_mov_b32_e32 v2, 42
  s_mov_b64 exec, 1
  ds_write_b32 v1, v2
  ds_read_b32 v3, v1
  v_mov_b32_e32 v4, 0
  s_waitcnt lgkmcnt(0)
  global_store_dword v4, v3, s[4:5]
end_kernel lds_160k, lds=163840
