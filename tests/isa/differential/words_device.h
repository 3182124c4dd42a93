// SPDX-License-Identifier: MIT
// The words of the generated kernels on gfx950: types, what has a builtin, and what crosses lanes.
#pragma once

#include <cstdint>
#include <type_traits>

#include "hip/device/intrinsics.h"
#include "tests/isa/differential/corpus.h"

namespace wavetwin::differential {

using f16 = _Float16;
using bf16 = __bf16;

// Calls at -O0, inlined at -O1 and above.
#define WORD inline __device__
#define CALLED static __device__ __attribute__((noinline))
#define KERNEL(name, threads) \
  extern "C" __global__ __attribute__((amdgpu_flat_work_group_size(1, threads))) void name(Arguments a)

template <class To, class From>
WORD To bits_as(From x) {
  return __builtin_bit_cast(To, x);
}

// The value, so that the compiler does not see that it is a constant. clang 22 turns 0 - x into -x for bf16
// (at -O1, in the backend), which is wrong for x = 0.
template <class T>
WORD T addend(T x) {
  return x;
}
WORD bf16 addend(bf16 x) {
  uint32_t code = bits_as<uint16_t>(x);
  asm("" : "+v"(code));
  return bits_as<bf16>(uint16_t(code));
}

// ---- arithmetic that the compiler has a builtin for ----

WORD f16 root(f16 x) { return __builtin_sqrtf16(x); }
WORD bf16 root(bf16 x) { return bf16(__builtin_sqrtf(float(x))); }
WORD float root(float x) { return __builtin_sqrtf(x); }
WORD double root(double x) { return __builtin_sqrt(x); }

WORD f16 fused(f16 a, f16 b, f16 c) { return __builtin_fmaf16(a, b, c); }
WORD bf16 fused(bf16 a, bf16 b, bf16 c) { return bf16(__builtin_fmaf(float(a), float(b), float(c))); }
WORD float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
WORD double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }

#define WAVETWIN_ROUNDING(word, builtin)                                    \
  WORD f16 word(f16 x) { return __builtin_##builtin##f16(x); }              \
  WORD bf16 word(bf16 x) { return bf16(__builtin_##builtin##f(float(x))); } \
  WORD float word(float x) { return __builtin_##builtin##f(x); }            \
  WORD double word(double x) { return __builtin_##builtin(x); }
WAVETWIN_ROUNDING(round_down, floor)
WAVETWIN_ROUNDING(round_up, ceil)
WAVETWIN_ROUNDING(round_to_zero, trunc)
WAVETWIN_ROUNDING(round_to_even, rint)
WAVETWIN_ROUNDING(magnitude, fabs)
#undef WAVETWIN_ROUNDING

// The other operand beats a NaN; which zero wins is not said, so callers add +0.
#define WAVETWIN_EXTREME(word, builtin)                                                       \
  WORD f16 word(f16 a, f16 b) { return __builtin_##builtin##f16(a, b); }                      \
  WORD bf16 word(bf16 a, bf16 b) { return bf16(__builtin_##builtin##f(float(a), float(b))); } \
  WORD float word(float a, float b) { return __builtin_##builtin##f(a, b); }                  \
  WORD double word(double a, double b) { return __builtin_##builtin(a, b); }
WAVETWIN_EXTREME(number_min, fmin)
WAVETWIN_EXTREME(number_max, fmax)
#undef WAVETWIN_EXTREME

WORD f16 with_sign(f16 x, f16 s) { return __builtin_copysignf16(x, s); }
WORD bf16 with_sign(bf16 x, bf16 s) { return bf16(__builtin_copysignf(float(x), float(s))); }
WORD float with_sign(float x, float s) { return __builtin_copysignf(x, s); }
WORD double with_sign(double x, double s) { return __builtin_copysign(x, s); }

WORD f16 scaled(f16 x, int32_t n) { return __builtin_ldexpf16(x, n); }
WORD bf16 scaled(bf16 x, int32_t n) { return bf16(__builtin_ldexpf(float(x), n)); }
WORD float scaled(float x, int32_t n) { return __builtin_ldexpf(x, n); }
WORD double scaled(double x, int32_t n) { return __builtin_ldexp(x, n); }

// x = mantissa * 2^exponent, mantissa in +-[0.5, 1); only for finite x != 0.
WORD f16 split_mantissa(f16 x) { return __builtin_amdgcn_frexp_manth(x); }
WORD bf16 split_mantissa(bf16 x) { return bf16(__builtin_amdgcn_frexp_mantf(float(x))); }
WORD float split_mantissa(float x) { return __builtin_amdgcn_frexp_mantf(x); }
WORD double split_mantissa(double x) { return __builtin_amdgcn_frexp_mant(x); }
WORD int32_t split_exponent(f16 x) { return __builtin_amdgcn_frexp_exph(x); }
WORD int32_t split_exponent(bf16 x) { return __builtin_amdgcn_frexp_expf(float(x)); }
WORD int32_t split_exponent(float x) { return __builtin_amdgcn_frexp_expf(x); }
WORD int32_t split_exponent(double x) { return __builtin_amdgcn_frexp_exp(x); }

// Bits of the mask: 0, 1 NaN (only together), 2 -inf, 3 -normal, 4 -subnormal, 5 -0, 6 +0, 7 +subnormal,
// 8 +normal, 9 +inf.
template <uint32_t kMask, class T>
WORD bool is_class(T x) {
  return __builtin_isfpclass(x, kMask);
}

WORD uint32_t reverse_bits(uint32_t x) { return __builtin_bitreverse32(x); }
WORD uint64_t reverse_bits(uint64_t x) { return __builtin_bitreverse64(x); }
WORD uint32_t reverse_bytes(uint32_t x) { return __builtin_bswap32(x); }
WORD uint64_t reverse_bytes(uint64_t x) { return __builtin_bswap64(x); }
WORD uint32_t rotated(uint32_t x, uint32_t n) { return __builtin_rotateleft32(x, n); }
WORD uint64_t rotated(uint64_t x, uint32_t n) { return __builtin_rotateleft64(x, n); }

template <class T>
WORD T add_saturated(T x, T y) {
  return __builtin_elementwise_add_sat(x, y);
}
template <class T>
WORD T sub_saturated(T x, T y) {
  return __builtin_elementwise_sub_sat(x, y);
}

WORD uint32_t field(uint32_t x, uint32_t offset, uint32_t width) {
  return __builtin_amdgcn_ubfe(x, offset, width);
}
WORD int32_t field(int32_t x, uint32_t offset, uint32_t width) {
  return __builtin_amdgcn_sbfe(x, offset, width);
}
WORD uint32_t align_bits(uint32_t high, uint32_t low, uint32_t n) {
  return __builtin_amdgcn_alignbit(high, low, n);
}
WORD uint32_t align_bytes(uint32_t high, uint32_t low, uint32_t n) {
  return __builtin_amdgcn_alignbyte(high, low, n);
}
WORD uint32_t permute_bytes(uint32_t high, uint32_t low, uint32_t select) {
  return __builtin_amdgcn_perm(high, low, select);
}
WORD uint32_t sum_of_differences(uint32_t x, uint32_t y, uint32_t c) {
  return __builtin_amdgcn_sad_u8(x, y, c);
}
WORD uint32_t average_bytes(uint32_t x, uint32_t y, uint32_t c) { return __builtin_amdgcn_lerp(x, y, c); }
WORD uint32_t dot4(uint32_t x, uint32_t y, uint32_t c) { return __builtin_amdgcn_udot4(x, y, c, false); }
WORD int32_t dot4(int32_t x, int32_t y, int32_t c) { return __builtin_amdgcn_sdot4(x, y, c, false); }
WORD uint32_t dot8(uint32_t x, uint32_t y, uint32_t c) { return __builtin_amdgcn_udot8(x, y, c, false); }
WORD int32_t dot8(int32_t x, int32_t y, int32_t c) { return __builtin_amdgcn_sdot8(x, y, c, false); }
using I16Pair = short __attribute__((ext_vector_type(2)));
using U16Pair = unsigned short __attribute__((ext_vector_type(2)));
WORD uint32_t dot2(uint32_t x, uint32_t y, uint32_t c) {
  return __builtin_amdgcn_udot2(bits_as<U16Pair>(x), bits_as<U16Pair>(y), c, false);
}
WORD int32_t dot2(int32_t x, int32_t y, int32_t c) {
  return __builtin_amdgcn_sdot2(bits_as<I16Pair>(x), bits_as<I16Pair>(y), c, false);
}

// ---- two numbers in a register ----

using F16Pair = f16 __attribute__((ext_vector_type(2)));
using F32Pair = float __attribute__((ext_vector_type(2)));

template <class Pair>
WORD Pair pair_add(Pair x, Pair y) {
  return x + y;
}
template <class Pair>
WORD Pair pair_sub(Pair x, Pair y) {
  return x - y;
}
template <class Pair>
WORD Pair pair_mul(Pair x, Pair y) {
  return x * y;
}
WORD F16Pair pair_fused(F16Pair x, F16Pair y, F16Pair c) { return __builtin_elementwise_fma(x, y, c); }
WORD F32Pair pair_fused(F32Pair x, F32Pair y, F32Pair c) { return __builtin_elementwise_fma(x, y, c); }
template <class Pair>
WORD Pair pair_max(Pair x, Pair y) {
  return __builtin_elementwise_max(x, y);
}
template <class Pair>
WORD Pair pair_min(Pair x, Pair y) {
  return __builtin_elementwise_min(x, y);
}
template <class Pair>
WORD Pair pair_shl(Pair x, Pair n) {
  return x << (n & 15);
}
template <class Pair>
WORD Pair pair_shr(Pair x, Pair n) {
  return x >> (n & 15);
}

// ---- atomics: device scope, relaxed; the results are those of any order ----

#define WAVETWIN_ATOMIC(word, builtin)                                                   \
  template <class T>                                                                     \
  WORD T word(T* p, T x) {                                                               \
    return __hip_atomic_##builtin(p, x, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);     \
  }                                                                                      \
  template <class T>                                                                     \
  WORD T word(__attribute__((address_space(3))) T* p, T x) {                             \
    return __hip_atomic_##builtin(p, x, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP); \
  }
WAVETWIN_ATOMIC(atomic_add, fetch_add)
WAVETWIN_ATOMIC(atomic_min, fetch_min)
WAVETWIN_ATOMIC(atomic_max, fetch_max)
WAVETWIN_ATOMIC(atomic_and, fetch_and)
WAVETWIN_ATOMIC(atomic_or, fetch_or)
WAVETWIN_ATOMIC(atomic_xor, fetch_xor)
WAVETWIN_ATOMIC(atomic_exchange, exchange)
#undef WAVETWIN_ATOMIC
template <class T>
WORD T atomic_compare_exchange(T* p, T expected, T x) {
  __hip_atomic_compare_exchange_strong(p, &expected, x, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                       __HIP_MEMORY_SCOPE_AGENT);
  return expected;
}

// ---- what crosses lanes; a value of 8 bytes goes as two words, a narrower one in one ----

template <class T, class Move>
WORD T by_words(T x, Move move) {
  if constexpr (sizeof(T) == 8) {
    const uint64_t bits = bits_as<uint64_t>(x);
    const uint32_t low = move(uint32_t(bits)), high = move(uint32_t(bits >> 32));
    return bits_as<T>(uint64_t{high} << 32 | low);
  } else if constexpr (sizeof(T) == 4) {
    return bits_as<T>(move(bits_as<uint32_t>(x)));
  } else if constexpr (sizeof(T) == 2) {
    return bits_as<T>(uint16_t(move(bits_as<uint16_t>(x))));
  } else {
    return bits_as<T>(uint8_t(move(bits_as<uint8_t>(x))));
  }
}

template <class T>
WORD T bpermute(T x, uint32_t lane) {
  return by_words(x, [lane](uint32_t w) { return __builtin_amdgcn_ds_bpermute(lane * 4, w); });
}
// As bpermute(), but x itself where the other lane is not active. What bpermute() gives there is the
// instruction's zero or, when clang makes a v_readlane_b32 of it, what the register holds.
template <class T>
WORD T bpermute_active(T x, uint32_t lane) {
  const T other = bpermute(x, lane);
  return __builtin_amdgcn_ballot_w64(true) >> (lane & 63) & 1 ? other : x;
}
template <class T>
WORD T permute(T x, uint32_t lane) {
  return by_words(x, [lane](uint32_t w) { return __builtin_amdgcn_ds_permute(lane * 4, w); });
}
template <uint32_t kPattern, class T>
WORD T swizzle(T x) {
  return by_words(x, [](uint32_t w) { return __builtin_amdgcn_ds_swizzle(w, kPattern); });
}
// Lanes that get nothing keep `old`.
template <uint32_t kControl, uint32_t kRows, uint32_t kBanks, bool kZero>
WORD uint32_t dpp(uint32_t x, uint32_t old) {
  return __builtin_amdgcn_update_dpp(old, x, kControl, kRows, kBanks, kZero);
}
template <class T>
WORD T read_lane(T x, uint32_t lane) {
  return by_words(x, [lane](uint32_t w) { return __builtin_amdgcn_readlane(w, lane); });
}
template <class T>
WORD T read_first_lane(T x) {
  return by_words(x, [](uint32_t w) { return __builtin_amdgcn_readfirstlane(w); });
}
WORD uint64_t ballot(bool x) { return __builtin_amdgcn_ballot_w64(x); }
WORD uint32_t count_below(uint64_t mask) {
  return __builtin_amdgcn_mbcnt_hi(uint32_t(mask >> 32), __builtin_amdgcn_mbcnt_lo(uint32_t(mask), 0));
}
WORD uint64_t swap_rows_of_16(uint32_t x, uint32_t y) {
  const auto both = __builtin_amdgcn_permlane16_swap(x, y, false, false);
  return uint64_t{both[1]} << 32 | both[0];
}
WORD uint64_t swap_halves(uint32_t x, uint32_t y) {
  const auto both = __builtin_amdgcn_permlane32_swap(x, y, false, false);
  return uint64_t{both[1]} << 32 | both[0];
}

}  // namespace wavetwin::differential
