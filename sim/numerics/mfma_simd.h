// SPDX-License-Identifier: MIT
// The few vector operations of the bulk MFMA path: AVX2 where the compiler targets it, plain loops elsewhere.
// Both give the same bits: every operation is exact or a single IEEE operation.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "common/bits.h"

// WAVETWIN_MFMA_PORTABLE: a test builds the plain loops on purpose.
#if defined(__AVX2__) && defined(__FMA__) && !defined(WAVETWIN_MFMA_PORTABLE)
#define WAVETWIN_MFMA_AVX2 1
#include <immintrin.h>
#else
#define WAVETWIN_MFMA_AVX2 0
#endif

namespace wavetwin::mfma::simd {

inline constexpr unsigned kLanes = 4;     // of F64 and I64
inline constexpr unsigned kColumns = 16;  // of I16

#if WAVETWIN_MFMA_AVX2

struct F64 {
  __m256d v;
};
struct I64 {
  __m256i v;
};
struct I16 {
  __m256i v;
};

inline F64 load(const double* p) { return {_mm256_loadu_pd(p)}; }
inline void store(double* p, F64 a) { _mm256_storeu_pd(p, a.v); }
inline F64 splat(double x) { return {_mm256_set1_pd(x)}; }
inline F64 load_splat(const double* p) { return {_mm256_broadcast_sd(p)}; }
inline F64 load_f32(const uint32_t* p) {
  return {_mm256_cvtps_pd(_mm_castsi128_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))))};
}
// To nearest even f32.
inline void store_f32(uint32_t* p, F64 x) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm_castps_si128(_mm256_cvtpd_ps(x.v)));
}
inline F64 round_to_f32(F64 x) { return {_mm256_cvtps_pd(_mm256_cvtpd_ps(x.v))}; }
inline F64 operator+(F64 a, F64 b) { return {_mm256_add_pd(a.v, b.v)}; }
inline F64 operator*(F64 a, F64 b) { return {_mm256_mul_pd(a.v, b.v)}; }
// a * b + c. Used only where both the product and the sum are exact, so fused or not makes no difference.
inline F64 exact_fma(F64 a, F64 b, F64 c) { return {_mm256_fmadd_pd(a.v, b.v, c.v)}; }
inline F64 floor(F64 a) { return {_mm256_floor_pd(a.v)}; }
inline F64 trunc(F64 a) { return {_mm256_round_pd(a.v, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC)}; }
inline F64 clamp(F64 a, F64 limit) {
  return {_mm256_max_pd(_mm256_min_pd(a.v, limit.v), _mm256_sub_pd(_mm256_setzero_pd(), limit.v))};
}
inline I64 splat(int64_t x) { return {_mm256_set1_epi64x(x)}; }
inline I64 operator+(I64 a, I64 b) { return {_mm256_add_epi64(a.v, b.v)}; }
inline I64 operator-(I64 a, I64 b) { return {_mm256_sub_epi64(a.v, b.v)}; }
inline I64 operator>(I64 a, I64 b) { return {_mm256_cmpgt_epi64(a.v, b.v)}; }  // lanes of all ones or zero
inline I64 operator==(I64 a, I64 b) { return {_mm256_cmpeq_epi64(a.v, b.v)}; }
inline I64 select(I64 mask, I64 a, I64 b) { return {_mm256_blendv_epi8(b.v, a.v, mask.v)}; }
inline F64 select(I64 mask, F64 a, F64 b) {
  return {_mm256_blendv_pd(b.v, a.v, _mm256_castsi256_pd(mask.v))};
}
inline I64 max(I64 a, I64 b) { return select(a > b, a, b); }
inline I64 load_i16(const int16_t* p) {
  return {_mm256_cvtepi16_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)))};
}
inline I64 shift_right(I64 a, int by) { return {_mm256_srli_epi64(a.v, by)}; }
inline I64 operator&(I64 a, I64 b) { return {_mm256_and_si256(a.v, b.v)}; }
inline I64 bits(F64 a) { return {_mm256_castpd_si256(a.v)}; }
// 2^a for -1022 <= a <= 1023.
inline F64 pow2(I64 a) {
  return {_mm256_castsi256_pd(_mm256_slli_epi64(_mm256_add_epi64(a.v, _mm256_set1_epi64x(1023)), 52))};
}

// Sixteen columns of doubles. Named members: g++ keeps an array of vectors in memory.
struct F64Columns {
  F64 q0, q1, q2, q3;
};
// factor * row + c for each column.
inline F64Columns exact_fma(F64 factor, const double* row, F64Columns c) {
  return {exact_fma(factor, load(row), c.q0), exact_fma(factor, load(row + 4), c.q1),
          exact_fma(factor, load(row + 8), c.q2), exact_fma(factor, load(row + 12), c.q3)};
}
inline F64Columns splat_f64_columns(double x) { return {splat(x), splat(x), splat(x), splat(x)}; }
inline F64Columns operator+(F64Columns a, F64Columns b) {
  return {a.q0 + b.q0, a.q1 + b.q1, a.q2 + b.q2, a.q3 + b.q3};
}
inline void store_columns(double* p, F64Columns a) {
  store(p, a.q0), store(p + 4, a.q1), store(p + 8, a.q2), store(p + 12, a.q3);
}

inline I16 load_columns(const int16_t* p) {
  return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))};
}
inline void store_columns(int16_t* p, I16 a) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), a.v); }
inline I16 splat_columns(int16_t x) { return {_mm256_set1_epi16(x)}; }
inline I16 operator+(I16 a, I16 b) { return {_mm256_add_epi16(a.v, b.v)}; }
inline I16 max(I16 a, I16 b) { return {_mm256_max_epi16(a.v, b.v)}; }
inline I16 min_unsigned(I16 a, I16 b) { return {_mm256_min_epu16(a.v, b.v)}; }
// Bit j of the result: a > b in column j.
inline unsigned greater_columns(I16 a, I16 b) {
  const __m256i mask = _mm256_cmpgt_epi16(a.v, b.v);
  const __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(mask), _mm256_extracti128_si256(mask, 1));
  return static_cast<unsigned>(_mm_movemask_epi8(bytes));
}

#else

template <class T, unsigned kCount>
struct Vector {
  T v[kCount];
};
using F64 = Vector<double, kLanes>;
using I64 = Vector<int64_t, kLanes>;
using I16 = Vector<int16_t, kColumns>;
using F64Columns = Vector<double, kColumns>;

template <class Result, class Function>
Result each(Function function) {
  Result result;
  for (unsigned i = 0; i < sizeof(result.v) / sizeof(result.v[0]); ++i) result.v[i] = function(i);
  return result;
}

inline F64 load(const double* p) {
  return each<F64>([=](unsigned i) { return p[i]; });
}
inline void store(double* p, F64 a) { std::copy_n(a.v, kLanes, p); }
inline F64 splat(double x) {
  return each<F64>([=](unsigned) { return x; });
}
inline F64 load_splat(const double* p) { return splat(*p); }
inline F64 load_f32(const uint32_t* p) {
  return each<F64>([=](unsigned i) { return static_cast<double>(f32_from_bits(p[i])); });
}
inline void store_f32(uint32_t* p, F64 x) {
  for (unsigned i = 0; i < kLanes; ++i) p[i] = f32_bits(static_cast<float>(x.v[i]));
}
inline F64 round_to_f32(F64 x) {
  // g++ 12 for AVX turns a vectorised double -> float -> double into nothing; volatile keeps the rounding.
  return each<F64>([=](unsigned i) {
    const volatile float rounded = static_cast<float>(x.v[i]);
    return static_cast<double>(rounded);
  });
}
inline F64 operator+(F64 a, F64 b) {
  return each<F64>([=](unsigned i) { return a.v[i] + b.v[i]; });
}
inline F64 operator*(F64 a, F64 b) {
  return each<F64>([=](unsigned i) { return a.v[i] * b.v[i]; });
}
inline F64 exact_fma(F64 a, F64 b, F64 c) { return a * b + c; }
inline F64 floor(F64 a) {
  return each<F64>([=](unsigned i) { return std::floor(a.v[i]); });
}
inline F64 trunc(F64 a) {
  return each<F64>([=](unsigned i) { return std::trunc(a.v[i]); });
}
inline F64 clamp(F64 a, F64 limit) {
  return each<F64>([=](unsigned i) { return std::max(std::min(a.v[i], limit.v[i]), -limit.v[i]); });
}
inline I64 splat(int64_t x) {
  return each<I64>([=](unsigned) { return x; });
}
inline I64 operator+(I64 a, I64 b) {
  return each<I64>([=](unsigned i) { return a.v[i] + b.v[i]; });
}
inline I64 operator-(I64 a, I64 b) {
  return each<I64>([=](unsigned i) { return a.v[i] - b.v[i]; });
}
inline I64 operator>(I64 a, I64 b) {
  return each<I64>([=](unsigned i) { return a.v[i] > b.v[i] ? -1 : 0; });
}
inline I64 operator==(I64 a, I64 b) {
  return each<I64>([=](unsigned i) { return a.v[i] == b.v[i] ? -1 : 0; });
}
inline I64 select(I64 mask, I64 a, I64 b) {
  return each<I64>([=](unsigned i) { return mask.v[i] ? a.v[i] : b.v[i]; });
}
inline F64 select(I64 mask, F64 a, F64 b) {
  return each<F64>([=](unsigned i) { return mask.v[i] ? a.v[i] : b.v[i]; });
}
inline I64 max(I64 a, I64 b) { return select(a > b, a, b); }
inline I64 load_i16(const int16_t* p) {
  return each<I64>([=](unsigned i) { return p[i]; });
}
inline I64 shift_right(I64 a, int by) {
  return each<I64>([=](unsigned i) { return static_cast<int64_t>(static_cast<uint64_t>(a.v[i]) >> by); });
}
inline I64 operator&(I64 a, I64 b) {
  return each<I64>([=](unsigned i) { return a.v[i] & b.v[i]; });
}
inline I64 bits(F64 a) {
  return each<I64>([=](unsigned i) { return bit_cast<int64_t>(a.v[i]); });
}
inline F64 pow2(I64 a) {
  return each<F64>([=](unsigned i) { return f64_from_bits(static_cast<uint64_t>(a.v[i] + 1023) << 52); });
}

inline F64Columns exact_fma(F64 factor, const double* row, F64Columns c) {
  return each<F64Columns>([=](unsigned i) { return factor.v[0] * row[i] + c.v[i]; });
}
inline F64Columns splat_f64_columns(double x) {
  return each<F64Columns>([=](unsigned) { return x; });
}
inline F64Columns operator+(F64Columns a, F64Columns b) {
  return each<F64Columns>([=](unsigned i) { return a.v[i] + b.v[i]; });
}
inline void store_columns(double* p, F64Columns a) { std::copy_n(a.v, kColumns, p); }

inline I16 load_columns(const int16_t* p) {
  return each<I16>([=](unsigned i) { return p[i]; });
}
inline void store_columns(int16_t* p, I16 a) { std::copy_n(a.v, kColumns, p); }
inline I16 splat_columns(int16_t x) {
  return each<I16>([=](unsigned) { return x; });
}
inline I16 operator+(I16 a, I16 b) {
  return each<I16>([=](unsigned i) { return static_cast<int16_t>(a.v[i] + b.v[i]); });
}
inline I16 max(I16 a, I16 b) {
  return each<I16>([=](unsigned i) { return std::max(a.v[i], b.v[i]); });
}
inline I16 min_unsigned(I16 a, I16 b) {
  return each<I16>([=](unsigned i) {
    return static_cast<uint16_t>(a.v[i]) < static_cast<uint16_t>(b.v[i]) ? a.v[i] : b.v[i];
  });
}
inline unsigned greater_columns(I16 a, I16 b) {
  unsigned mask = 0;
  for (unsigned i = 0; i < kColumns; ++i) mask |= static_cast<unsigned>(a.v[i] > b.v[i]) << i;
  return mask;
}

#endif

}  // namespace wavetwin::mfma::simd
