// SPDX-License-Identifier: MIT
// The words of the generated kernels. What both halves can say in the same C++ stands here; the rest comes
// from the half's own header. Everything is defined for every operand: integers wrap around, shift counts are
// taken modulo the width, a division by zero gives the dividend, and the bits of a NaN are never looked at.
#pragma once

#if defined(__HIP__)
#include "tests/isa/differential/words_device.h"
#else
#include "tests/isa/differential/words_host.h"
#endif

namespace wavetwin::differential {

using i8 = int8_t;
using u8 = uint8_t;
using i16 = int16_t;
using u16 = uint16_t;
using i32 = int32_t;
using u32 = uint32_t;
using i64 = int64_t;
using u64 = uint64_t;
using f32 = float;
using f64 = double;

template <class T>
inline constexpr bool kFloat = !std::is_integral_v<T>;
template <class T>
inline constexpr u32 kBits = 8 * sizeof(T);

// Unsigned and at least 32 bits wide, so that nothing overflows a promoted int.
template <class T>
using Wrapping = std::conditional_t<sizeof(T) == 8, u64, u32>;
template <class T>
using Code =
    std::conditional_t<sizeof(T) == 8, u64,
                       std::conditional_t<sizeof(T) == 4, u32, std::conditional_t<sizeof(T) == 2, u16, u8>>>;

// ---- conversions ----

// Towards zero; too large becomes the largest, NaN zero. From f32 or f64.
template <class To, class From>
WORD To to_integer(From x) {
  constexpr To kHighest = std::is_signed_v<To> ? To(Code<To>(-1) >> 1) : To(-1);
  constexpr To kLowest = To(~kHighest);
  constexpr From kBeyond = From(kHighest / 2 + 1) * 2;
  if (x != x) return 0;
  if (x <= From(kLowest)) return kLowest;
  if (x >= kBeyond) return kHighest;
  return To(x);
}

template <class To, class From>
WORD To convert(From x) {
  if constexpr (std::is_same_v<To, From>) {
    return x;
  } else if constexpr (!kFloat<To> && !kFloat<From>) {
    return To(x);
  } else if constexpr (!kFloat<To>) {
    if constexpr (sizeof(From) == 2)
      return to_integer<To>(f32(x));
    else
      return to_integer<To>(x);
  } else if constexpr (sizeof(To) == 2 && (!kFloat<From> || sizeof(From) == 2)) {
    return To(f32(x));  // an integer is rounded twice, on both sides
  } else {
    return To(x);
  }
}

// One NaN, positive and quiet.
template <class T>
WORD T one_nan(T x) {
  return x != x ? T(__builtin_nanf("")) : x;
}
template <class T>
WORD T quiet(T x) {
  if constexpr (kFloat<T>)
    return one_nan(x);
  else
    return x;
}
// The bits of a value, as far as they are defined.
template <class T>
WORD Code<T> code_of(T x) {
  return bits_as<Code<T>>(quiet(x));
}
template <class T>
WORD T from_code(Code<T> code) {
  return quiet(bits_as<T>(code));
}

// ---- arithmetic ----

template <class T>
WORD T add(T x, T y) {
  if constexpr (kFloat<T>)
    return T(addend(x) + y);
  else
    return T(Wrapping<T>(x) + Wrapping<T>(y));
}
template <class T>
WORD T sub(T x, T y) {
  if constexpr (kFloat<T>)
    return T(addend(x) - y);
  else
    return T(Wrapping<T>(x) - Wrapping<T>(y));
}
template <class T>
WORD T mul(T x, T y) {
  if constexpr (kFloat<T>)
    return T(x * y);
  else
    return T(Wrapping<T>(x) * Wrapping<T>(y));
}
template <class T>
WORD T negate(T x) {
  if constexpr (kFloat<T>)
    return T(-x);
  else
    return T(0 - Wrapping<T>(x));
}
template <class T>
WORD T divide(T x, T y) {
  if constexpr (kFloat<T>)
    return T(x / y);
  else if constexpr (std::is_signed_v<T>)
    return y == T(0) || y == T(-1) ? x : T(x / y);
  else
    return y == T(0) ? x : T(x / y);
}
template <class T>
WORD T remainder(T x, T y) {
  if constexpr (std::is_signed_v<T>)
    return y == T(0) || y == T(-1) ? x : T(x % y);
  else
    return y == T(0) ? x : T(x % y);
}
template <class T>
WORD T smaller(T x, T y) {
  if constexpr (kFloat<T>)
    return add(number_min(x, y), T(0.0f));
  else
    return y < x ? y : x;
}
template <class T>
WORD T larger(T x, T y) {
  if constexpr (kFloat<T>)
    return add(number_max(x, y), T(0.0f));
  else
    return x < y ? y : x;
}
template <class T>
WORD T middle(T x, T y, T z) {
  return larger(smaller(x, y), smaller(larger(x, y), z));
}
template <class T>
WORD T absolute(T x) {
  if constexpr (kFloat<T>)
    return magnitude(x);
  else
    return x < T(0) ? negate(x) : x;
}
template <class T>
WORD T multiply_add(T x, T y, T z) {
  return add(mul(x, y), z);
}
template <class T>
WORD T choose(bool c, T x, T y) {
  return c ? x : y;
}

// ---- integers ----

template <class T>
WORD T bit_and(T x, T y) {
  return T(x & y);
}
template <class T>
WORD T bit_or(T x, T y) {
  return T(x | y);
}
template <class T>
WORD T bit_xor(T x, T y) {
  return T(x ^ y);
}
template <class T>
WORD T bit_not(T x) {
  return T(~x);
}
template <class T>
WORD T bit_select(T mask, T x, T y) {
  return T((mask & x) | (~mask & y));
}
template <class T>
WORD T shl(T x, u32 n) {
  return T(Wrapping<T>(x) << (n & (kBits<T> - 1)));
}
template <class T>
WORD T shr(T x, u32 n) {
  return T(x >> (n & (kBits<T> - 1)));
}
template <class T>
WORD T shl_add(T x, u32 n, T y) {
  return add(shl(x, n), y);
}
template <class T>
WORD T add_shl(T x, T y, u32 n) {
  return shl(add(x, y), n);
}
template <class T>
WORD T mul_high(T x, T y) {
  if constexpr (sizeof(T) == 8) {
    using Wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
    return T((Wide(x) * y) >> 64);
  } else {
    using Wide = std::conditional_t<std::is_signed_v<T>, i64, u64>;
    return T((Wide(x) * y) >> kBits<T>);
  }
}
WORD u32 mul24(u32 x, u32 y) { return (x & 0xffffff) * (y & 0xffffff); }
WORD i32 mul24(i32 x, i32 y) { return mul(i32(u32(x) << 8) >> 8, i32(u32(y) << 8) >> 8); }
template <class T>
WORD T count_ones(T x) {
  if constexpr (sizeof(T) == 8)
    return T(__builtin_popcountll(u64(x)));
  else
    return T(__builtin_popcount(Code<T>(x)));
}
template <class T>
WORD T leading_zeros(T x) {
  if constexpr (sizeof(T) == 8)
    return x == 0 ? T(64) : T(__builtin_clzll(u64(x)));
  else
    return x == 0 ? T(kBits<T>) : T(u32(__builtin_clz(Code<T>(x))) - (32 - kBits<T>));
}
template <class T>
WORD T trailing_zeros(T x) {
  if constexpr (sizeof(T) == 8)
    return x == 0 ? T(64) : T(__builtin_ctzll(u64(x)));
  else
    return x == 0 ? T(kBits<T>) : T(__builtin_ctz(Code<T>(x)));
}
// `width` bits from `offset` on, written as a compiler sees them in source code.
template <class T>
WORD T extract(T x, u32 offset, u32 width) {
  return T(shl(x, kBits<T> - (offset % (kBits<T> / 2)) - (width % (kBits<T> / 2) + 1)) >>
           (kBits<T> - (width % (kBits<T> / 2) + 1)));
}
template <class T>
WORD T bit_reverse(T x) {
  if constexpr (sizeof(T) == 8)
    return T(reverse_bits(u64(x)));
  else
    return T(reverse_bits(u32(Code<T>(x))) >> (32 - kBits<T>));
}
template <class T>
WORD T byte_reverse(T x) {
  if constexpr (sizeof(T) == 8)
    return T(reverse_bytes(u64(x)));
  else
    return T(reverse_bytes(u32(Code<T>(x))) >> (32 - kBits<T>));
}
template <class T>
WORD T rotate(T x, u32 n) {
  if constexpr (sizeof(T) >= 4)
    return T(rotated(Code<T>(x), n & (kBits<T> - 1)));
  else
    return T((u32(Code<T>(x)) * (sizeof(T) == 2 ? 0x10001u : 0x01010101u)) << (n & (kBits<T> - 1)) >>
             (32 - kBits<T>));
}

// ---- floating point ----

template <class T>
WORD bool is_finite(T x) {
  return sub(x, x) == T(0.0f);
}
// The result of a step, or the old value when it is infinite or NaN: keeps a chain of operations alive.
template <class T>
WORD T keep_finite(T x, T old) {
  return is_finite(x) ? x : old;
}
// The sign of a NaN is not defined.
template <class T>
WORD T copy_sign(T x, T sign) {
  return sign != sign ? x : with_sign(x, sign);
}
template <class T>
WORD T scale(T x, u32 n) {
  return scaled(x, i32(n & 63) - 32);
}
template <class T>
WORD T mantissa(T x) {
  return is_finite(x) && x != T(0.0f) ? split_mantissa(x) : x;
}
template <class T>
WORD i32 exponent(T x) {
  return is_finite(x) && x != T(0.0f) ? split_exponent(x) : 0;
}
template <class T>
WORD T fraction(T x) {
  return sub(x, round_down(x));
}

// ---- two numbers in a u32 or u64 ----

WORD u32 pair_code(F16Pair p) {
  const u32 code = bits_as<u32>(p);
  const u32 low = (code & 0x7fff) > 0x7c00 ? 0x7e00 : code & 0xffff;
  const u32 high = (code >> 16 & 0x7fff) > 0x7c00 ? 0x7e00 : code >> 16;
  return high << 16 | low;
}
WORD u64 pair_code(F32Pair p) {
  const u64 code = bits_as<u64>(p);
  return u64{code_of(bits_as<f32>(u32(code >> 32)))} << 32 | code_of(bits_as<f32>(u32(code)));
}
WORD u32 add_f16x2(u32 x, u32 y) { return pair_code(pair_add(bits_as<F16Pair>(x), bits_as<F16Pair>(y))); }
WORD u32 mul_f16x2(u32 x, u32 y) { return pair_code(pair_mul(bits_as<F16Pair>(x), bits_as<F16Pair>(y))); }
WORD u32 fma_f16x2(u32 x, u32 y, u32 z) {
  return pair_code(pair_fused(bits_as<F16Pair>(x), bits_as<F16Pair>(y), bits_as<F16Pair>(z)));
}
WORD u64 add_f32x2(u64 x, u64 y) { return pair_code(pair_add(bits_as<F32Pair>(x), bits_as<F32Pair>(y))); }
WORD u64 mul_f32x2(u64 x, u64 y) { return pair_code(pair_mul(bits_as<F32Pair>(x), bits_as<F32Pair>(y))); }
WORD u64 fma_f32x2(u64 x, u64 y, u64 z) {
  return pair_code(pair_fused(bits_as<F32Pair>(x), bits_as<F32Pair>(y), bits_as<F32Pair>(z)));
}
#define WAVETWIN_PAIR(word, pair, function) \
  WORD u32 word(u32 x, u32 y) { return bits_as<u32>(function(bits_as<pair>(x), bits_as<pair>(y))); }
WAVETWIN_PAIR(add_u16x2, U16Pair, pair_add)
WAVETWIN_PAIR(sub_u16x2, U16Pair, pair_sub)
WAVETWIN_PAIR(mul_u16x2, U16Pair, pair_mul)
WAVETWIN_PAIR(max_u16x2, U16Pair, pair_max)
WAVETWIN_PAIR(min_u16x2, U16Pair, pair_min)
WAVETWIN_PAIR(max_i16x2, I16Pair, pair_max)
WAVETWIN_PAIR(min_i16x2, I16Pair, pair_min)
WAVETWIN_PAIR(shl_u16x2, U16Pair, pair_shl)
WAVETWIN_PAIR(shr_u16x2, U16Pair, pair_shr)
WAVETWIN_PAIR(shr_i16x2, I16Pair, pair_shr)
#undef WAVETWIN_PAIR

// ---- memory ----

template <class T>
inline constexpr u32 kPool = kIntegerPool;
template <>
inline constexpr u32 kPool<f64> = kF64Pool;
template <>
inline constexpr u32 kPool<f32> = kF32Pool;
template <>
inline constexpr u32 kPool<f16> = kF16Pool;
template <>
inline constexpr u32 kPool<bf16> = kBf16Pool;

// Where the operands of type T start. Narrow integers are elements of their own size.
template <class T>
WORD const T* pool(const u8* in) {
  return reinterpret_cast<const T*>(in + kPool<T>);
}
template <class T>
WORD T load(const u8* in, u32 i) {
  return quiet(pool<T>(in)[i & (kPoolElements - 1)]);
}

// The own bytes of a thread, as elements of type T; a NaN is stored as one NaN.
template <class T>
WORD void store_own(u8* own, u32 i, T x) {
  reinterpret_cast<Code<T>*>(own)[i & (kOwnBytes / sizeof(T) - 1)] = code_of(x);
}
template <class T>
WORD T load_own(const u8* own, u32 i) {
  return from_code<T>(reinterpret_cast<const Code<T>*>(own)[i & (kOwnBytes / sizeof(T) - 1)]);
}
// Variable `v` of thread `t` of the grid.
template <class T>
WORD void store_result(u8* out, u32 v, u32 t, T x) {
  reinterpret_cast<Code<T>*>(out + v * kVariableBytes)[t] = code_of(x);
}

// A struct with members of every size, passed, copied and indexed as a whole. No padding: a copy would read
// bytes that nobody wrote.
struct Record {
  f64 real;
  i64 wide;
  u32 list[4];
  f32 single;
  u32 word;
  f16 small;
  bf16 brain;
  i16 half;
  u8 byte, other;
};
static_assert(sizeof(Record) == 48);

}  // namespace wavetwin::differential
