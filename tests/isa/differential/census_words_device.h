// SPDX-License-Identifier: MIT
// Words that stand for one instruction or a pair of them: what clang emits only through builtins.
#pragma once

#include "tests/isa/differential/census_words.h"

namespace wavetwin::differential {

template <class T>
using LdsPointer = __attribute__((address_space(3))) T*;
using GlobalPointer = __attribute__((address_space(1))) void*;

// ---- no effect on values ----

// s_setprio, s_sleep, and the cache instructions of fences.
WORD u32 settled(u32 x) {
  __builtin_amdgcn_s_setprio(1);
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
  __builtin_amdgcn_s_sleep(1);
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
  __builtin_amdgcn_s_setprio(0);
  return x;
}
// Both clocks run forwards.
WORD u32 clocks_advance() {
  const u64 cycles = __builtin_amdgcn_s_memtime(), ticks = __builtin_amdgcn_s_memrealtime();
  return __builtin_amdgcn_s_memtime() > cycles && __builtin_amdgcn_s_memrealtime() >= ticks;
}
// The f32 rounding mode after setting it to a number, which is then taken back. MODE is register 1, its bits
// 1:0 are the mode (CDNA4 ISA guide, "Mode register").
inline constexpr int kRoundMode = 1 | 0 << 6 | (2 - 1) << 11;
template <u32 kMode>
WORD u32 mode_after() {
  __builtin_amdgcn_s_setreg(kRoundMode, kMode);
  const u32 mode = __builtin_amdgcn_s_getreg(kRoundMode);
  __builtin_amdgcn_s_setreg(kRoundMode, 0);
  return mode;
}
WORD u32 mode_after(u32 mode) {
  __builtin_amdgcn_s_setreg(kRoundMode, __builtin_amdgcn_readfirstlane(mode));
  const u32 set = __builtin_amdgcn_s_getreg(kRoundMode);
  __builtin_amdgcn_s_setreg(kRoundMode, 0);
  return set;
}

// ---- memory ----

WORD u32 buffer_word(const u8* base, u32 bytes, u32 at) { return buffer_load_b32(rsrc(base, bytes), at); }
WORD u32 buffer_half(const u8* base, u32 bytes, u32 at) {
  return __builtin_amdgcn_raw_buffer_load_b16(rsrc(base, bytes), at, 0, 0);
}
WORD u32 buffer_byte(const u8* base, u32 bytes, u32 at) {
  return __builtin_amdgcn_raw_buffer_load_b8(rsrc(base, bytes), at, 0, 0);
}
WORD u32 buffer_four(const u8* base, u32 bytes, u32 at) {
  const U32x4 v = buffer_load_b128(rsrc(base, bytes), at);
  return v[0] ^ v[1] * 3 ^ v[2] * 5 ^ v[3] * 7;
}
WORD void buffer_put(u8* base, u32 bytes, u32 at, u32 x) { buffer_store_b32(x, rsrc(base, bytes), at); }

WORD void put_three(u8* p, u32 x, u32 y, u32 z) {
  struct Three {
    u32 a, b, c;
  };
  *reinterpret_cast<Three*>(p) = {x, y, z};
}
WORD void put_four(u8* p, u32 x, u32 y, u32 z, u32 w) { *reinterpret_cast<U32x4*>(p) = U32x4{x, y, z, w}; }
WORD u32 get_four(const u8* p) {
  const U32x4 v = *reinterpret_cast<const U32x4*>(p);
  return v[0] ^ v[1] * 3 ^ v[2] * 5 ^ v[3] * 7;
}
WORD u32 get_three(const u8* p) {
  struct Three {
    u32 a, b, c;
  };
  const Three v = *reinterpret_cast<const Three*>(p);
  return v.a ^ v.b * 3 ^ v.c * 5;
}
// The bytes of x by way of scratch memory: through a generic pointer they would go as flat accesses, and
// without volatile not at all.
WORD u32 by_scratch_bytes(u32 x, u32 i) {
  u8 list[4];
  auto* const place = (volatile __attribute__((address_space(5))) u8*)list;
  for (u32 n = 0; n < 4; ++n) place[n] = u8(x >> 8 * n ^ n);
  return place[i & 3] * 3u + place[(i + 1) & 3];
}
// 16 bytes from `from` to the lane's place behind `lds`, the same in all lanes.
WORD void copy_to_lds(u32* lds, const u8* from, u32) {
  __builtin_amdgcn_global_load_lds((GlobalPointer)from, (LdsPointer<void>)lds, 16, 0, 0);
  __builtin_amdgcn_s_waitcnt(0);
}
WORD u64 read_transposed(u64* lds) {
  using I16x4 = short __attribute__((ext_vector_type(4)));
  return bits_as<u64>(__builtin_amdgcn_ds_read_tr16_b64_v4i16((LdsPointer<I16x4>)lds));
}

// ---- conversions ----

template <u32 kByte>
WORD f32 from_e4m3(u32 x) {
  return one_nan(__builtin_amdgcn_cvt_f32_fp8(x, kByte));
}
template <u32 kByte>
WORD f32 from_e5m2(u32 x) {
  return one_nan(__builtin_amdgcn_cvt_f32_bf8(x, kByte));
}
WORD f32 sum_e4m3(u32 x) {
  const auto low = __builtin_amdgcn_cvt_pk_f32_fp8(x, false), high = __builtin_amdgcn_cvt_pk_f32_fp8(x, true);
  return one_nan(low[0] + low[1] * 2 + high[0] * 3 + high[1] * 5);
}
WORD u32 to_e4m3(f32 x, f32 y, u32 old) { return __builtin_amdgcn_cvt_pk_fp8_f32(x, y, old, true); }
WORD u32 to_e5m2(f32 x, f32 y, u32 old) { return __builtin_amdgcn_cvt_pk_bf8_f32(x, y, old, false); }
// x is exact in e4m3, so the random bits do not matter.
WORD u32 exact_to_e4m3(f32 x, u32 random, u32 old) {
  return __builtin_amdgcn_cvt_sr_fp8_f32(x, random, old, 2);
}
WORD f32 scaled_from_e4m3(u32 x, f32 scale) {
  const auto pair = __builtin_amdgcn_cvt_scalef32_pk_f32_fp8(x, scale, true);
  return one_nan(pair[0] + pair[1] * 2);
}
WORD u32 scaled_bf16_from_e4m3(u32 x, f32 scale) {
  const auto pair = __builtin_amdgcn_cvt_scalef32_pk_bf16_fp8(x, scale, false);
  return u32{code_of(bf16(pair[1]))} << 16 | code_of(bf16(pair[0]));
}
WORD u32 scaled_to_e4m3(f32 x, f32 y, f32 scale) {
  return bits_as<u32>(__builtin_amdgcn_cvt_scalef32_pk_fp8_f32(I16Pair{}, x, y, scale, false));
}

// ---- arithmetic that is exact for the operands it gets ----

WORD f32 power_of_two(f32 x) { return __builtin_amdgcn_exp2f(x); }
WORD f32 logarithm(f32 x) { return __builtin_amdgcn_logf(x); }
WORD f32 reciprocal_root(f32 x) { return __builtin_amdgcn_rsqf(x); }
WORD f32 fraction_of(f32 x) { return __builtin_amdgcn_fractf(x); }
WORD f32 largest(f32 x, f32 y, f32 z) { return __builtin_fmaxf(__builtin_fmaxf(x, y), z); }
WORD f32 median_of(f32 x, f32 y, f32 z) { return __builtin_amdgcn_fmed3f(x, y, z); }
WORD f32 dot2_bf16(u32 x, u32 y, f32 c) {
  using Bf16x2 = bf16 __attribute__((ext_vector_type(2)));
  return __builtin_amdgcn_fdot2_f32_bf16(bits_as<Bf16x2>(x), bits_as<Bf16x2>(y), c, false);
}
template <u32 kControl>
WORD f32 add_dpp(f32 x) {
  return x + bits_as<f32>(__builtin_amdgcn_mov_dpp(bits_as<u32>(x), kControl, 15, 15, true));
}

// ---- matrices of small integers: each lane's operands follow from a word of its own; the result is a
// weighted sum of the lane's elements of D, exact in f32 ----

template <class D>
WORD f32 weighted(D d, u32 n) {
  f32 sum = 0;
  for (u32 i = 0; i < n; ++i) sum += f32(i + 1) * d[i];
  return sum;
}
WORD Bf16x8 small_bf16(u32 word) {
  Bf16x8 result;
  for (u32 i = 0; i < 8; ++i) result[i] = bf16(f32(small_integer(word, i)));
  return result;
}
using I32x8 = int __attribute__((ext_vector_type(8)));
WORD I32x8 small_e4m3(u32 word) {
  I32x8 result{};
  for (u32 i = 0; i < 32; ++i) result[i / 4] |= i32(e4m3_of(small_integer(word, i)) << 8 * (i % 4));
  return result;
}
using F32x16 = float __attribute__((ext_vector_type(16)));
WORD f32 mfma_16x16x32_bf16(u32 a, u32 b) {
  return weighted(__builtin_amdgcn_mfma_f32_16x16x32_bf16(small_bf16(a), small_bf16(b), F32x4{}, 0, 0, 0), 4);
}
WORD f32 mfma_32x32x16_bf16(u32 a, u32 b) {
  return weighted(__builtin_amdgcn_mfma_f32_32x32x16_bf16(small_bf16(a), small_bf16(b), F32x16{}, 0, 0, 0),
                  16);
}
WORD f32 mfma_scale_16x16x128(u32 a, u32 b) {
  return weighted(__builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(small_e4m3(a), small_e4m3(b), F32x4{}, 0,
                                                                   0, 0, scale_code(a), 0, scale_code(b)),
                  4);
}
WORD f32 mfma_scale_32x32x64(u32 a, u32 b) {
  return weighted(__builtin_amdgcn_mfma_scale_f32_32x32x64_f8f6f4(small_e4m3(a), small_e4m3(b), F32x16{}, 0,
                                                                  0, 0, scale_code(a), 0, scale_code(b)),
                  16);
}

}  // namespace wavetwin::differential
