// SPDX-License-Identifier: MIT
// The words of the generated kernels on the host: a variable holds a value for every thread of a workgroup,
// and what crosses lanes takes the set of active threads. Sources: CDNA4 ISA guide (ds_bpermute_b32,
// ds_permute_b32, ds_swizzle_b32, DPP, v_readfirstlane_b32, v_permlane*_swap_b32, integer instructions).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "tests/isa/differential/corpus.h"
#include "tests/isa/differential/host_floats.h"

namespace wavetwin::differential {

#define WORD inline
#define CALLED static __attribute__((noinline))

template <class To, class From>
To bits_as(From x) {
  return std::bit_cast<To>(x);
}

template <class T>
T addend(T x) {
  return x;
}

// ---- arithmetic ----

inline f16 root(f16 x) { return f16(std::sqrt(double(x))); }
inline bf16 root(bf16 x) { return bf16(std::sqrt(float(x))); }
inline float root(float x) { return std::sqrt(x); }
inline double root(double x) { return std::sqrt(x); }

inline f16 fused(f16 a, f16 b, f16 c) { return fused_f16(a, b, c); }
inline bf16 fused(bf16 a, bf16 b, bf16 c) { return bf16(std::fma(float(a), float(b), float(c))); }
inline float fused(float a, float b, float c) { return std::fma(a, b, c); }
inline double fused(double a, double b, double c) { return std::fma(a, b, c); }

#define WAVETWIN_ROUNDING(word, function)                        \
  inline f16 word(f16 x) { return f16(function(double(x))); }    \
  inline bf16 word(bf16 x) { return bf16(function(double(x))); } \
  inline float word(float x) { return function(x); }             \
  inline double word(double x) { return function(x); }
WAVETWIN_ROUNDING(round_down, std::floor)
WAVETWIN_ROUNDING(round_up, std::ceil)
WAVETWIN_ROUNDING(round_to_zero, std::trunc)
WAVETWIN_ROUNDING(round_to_even, std::nearbyint)
WAVETWIN_ROUNDING(magnitude, std::fabs)
#undef WAVETWIN_ROUNDING

template <class T>
T number_min(T a, T b) {
  return a != a ? b : b != b ? a : b < a ? b : a;
}
template <class T>
T number_max(T a, T b) {
  return a != a ? b : b != b ? a : a < b ? b : a;
}

template <class T>
T with_sign(T x, T s) {
  return T(std::copysign(double(x), double(s)));
}
// One rounding each: ldexp() rounds when the result is subnormal in its own type.
inline f16 scaled(f16 x, int32_t n) { return f16(std::ldexp(double(x), n)); }
inline bf16 scaled(bf16 x, int32_t n) { return bf16(std::ldexp(float(x), n)); }
inline float scaled(float x, int32_t n) { return std::ldexp(x, n); }
inline double scaled(double x, int32_t n) { return std::ldexp(x, n); }
template <class T>
T split_mantissa(T x) {
  int exponent;
  return T(std::frexp(double(x), &exponent));
}
template <class T>
int32_t split_exponent(T x) {
  int exponent;
  std::frexp(double(x), &exponent);
  return exponent;
}

inline double least_normal(f16) { return std::ldexp(1.0, -14); }
inline double least_normal(bf16) { return std::ldexp(1.0, -126); }
inline double least_normal(float) { return std::ldexp(1.0, -126); }
inline double least_normal(double) { return std::ldexp(1.0, -1022); }
template <uint32_t kMask, class T>
bool is_class(T x) {
  const double v = double(x), size = std::fabs(v);
  if (std::isnan(v)) return kMask & 3;
  const bool negative = std::signbit(v);
  const int kind = std::isinf(v) ? 3 : size >= least_normal(x) ? 2 : size != 0 ? 1 : 0;
  return kMask >> (negative ? 5 - kind : 6 + kind) & 1;
}

template <class T>
T reverse_bits(T x) {
  T result = 0;
  for (unsigned i = 0; i < 8 * sizeof(T); ++i) result |= (x >> i & 1) << (8 * sizeof(T) - 1 - i);
  return result;
}
template <class T>
T reverse_bytes(T x) {
  T result = 0;
  for (unsigned i = 0; i < sizeof(T); ++i) result |= (x >> 8 * i & 255) << 8 * (sizeof(T) - 1 - i);
  return result;
}
template <class T>
T rotated(T x, uint32_t n) {
  return std::rotl(x, static_cast<int>(n % (8 * sizeof(T))));
}

template <class T>
T saturated(__int128 x) {
  const __int128 low = std::is_signed_v<T> ? -(__int128{1} << (8 * sizeof(T) - 1)) : 0;
  const __int128 high = std::is_signed_v<T> ? -low - 1 : (__int128{1} << 8 * sizeof(T)) - 1;
  return static_cast<T>(x < low ? low : x > high ? high : x);
}
template <class T>
T add_saturated(T x, T y) {
  return saturated<T>(__int128{x} + y);
}
template <class T>
T sub_saturated(T x, T y) {
  return saturated<T>(__int128{x} - y);
}

template <class T>
T field(T x, uint32_t offset, uint32_t width) {
  offset &= 31, width &= 31;
  if (width == 0) return 0;
  const int64_t shifted = int64_t{x} >> offset;
  const int64_t low = shifted & ((int64_t{1} << width) - 1);
  // Bits above bit 31 of a signed operand are its sign, of an unsigned one zeros.
  const bool negative = std::is_signed_v<T> && (low >> (width - 1) & 1);
  return static_cast<T>(negative ? low - (int64_t{1} << width) : low);
}
inline uint32_t align_bits(uint32_t high, uint32_t low, uint32_t n) {
  return static_cast<uint32_t>((uint64_t{high} << 32 | low) >> (n & 31));
}
inline uint32_t align_bytes(uint32_t high, uint32_t low, uint32_t n) {
  return align_bits(high, low, 8 * (n & 3));
}
inline uint32_t permute_bytes(uint32_t high, uint32_t low, uint32_t select) {
  const uint64_t both = uint64_t{high} << 32 | low;
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const uint32_t code = select >> 8 * i & 255;
    uint32_t byte = 0xff;
    if (code < 8)
      byte = both >> 8 * code & 255;
    else if (code < 12)
      byte = both >> (16 * (code - 8) + 15) & 1 ? 255 : 0;
    else if (code == 12)
      byte = 0;
    result |= byte << 8 * i;
  }
  return result;
}
// Element i of a register that holds elements of `width` bits.
inline int64_t element(uint32_t x, unsigned i, unsigned width) {
  return x >> i * width & ((1u << width) - 1);
}
inline int64_t element(int32_t x, unsigned i, unsigned width) {
  return static_cast<int32_t>(static_cast<uint32_t>(x) << (32 - width - i * width)) >> (32 - width);
}
template <unsigned kWidth, class T>
T dot(T x, T y, T c) {
  int64_t sum = c;
  for (unsigned i = 0; i < 32 / kWidth; ++i) sum += element(x, i, kWidth) * element(y, i, kWidth);
  return static_cast<T>(sum);
}
template <class T>
T dot2(T x, T y, T c) {
  return dot<16>(x, y, c);
}
template <class T>
T dot4(T x, T y, T c) {
  return dot<8>(x, y, c);
}
template <class T>
T dot8(T x, T y, T c) {
  return dot<4>(x, y, c);
}
inline uint32_t sum_of_differences(uint32_t x, uint32_t y, uint32_t c) {
  for (unsigned i = 0; i < 4; ++i) c += static_cast<uint32_t>(std::abs(element(x, i, 8) - element(y, i, 8)));
  return c;
}
inline uint32_t average_bytes(uint32_t x, uint32_t y, uint32_t c) {
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const int64_t sum = element(x, i, 8) + element(y, i, 8) + (c >> 8 * i & 1);
    result |= static_cast<uint32_t>(sum >> 1) << 8 * i;
  }
  return result;
}

// ---- two numbers in a register ----

template <class T>
struct Pair {
  T x, y;
};
using F16Pair = Pair<f16>;
using F32Pair = Pair<float>;
using I16Pair = Pair<int16_t>;
using U16Pair = Pair<uint16_t>;

template <class T>
Pair<T> pair_add(Pair<T> a, Pair<T> b) {
  return {T(a.x + b.x), T(a.y + b.y)};
}
template <class T>
Pair<T> pair_sub(Pair<T> a, Pair<T> b) {
  return {T(a.x - b.x), T(a.y - b.y)};
}
// uint16_t promotes to int, where 0xffff * 0xffff would overflow.
inline uint16_t product(uint16_t a, uint16_t b) { return static_cast<uint16_t>(uint32_t{a} * b); }
inline int16_t product(int16_t a, int16_t b) { return static_cast<int16_t>(a * b); }
inline f16 product(f16 a, f16 b) { return a * b; }
inline float product(float a, float b) { return a * b; }
template <class T>
Pair<T> pair_mul(Pair<T> a, Pair<T> b) {
  return {product(a.x, b.x), product(a.y, b.y)};
}
template <class T>
Pair<T> pair_fused(Pair<T> a, Pair<T> b, Pair<T> c) {
  return {fused(a.x, b.x, c.x), fused(a.y, b.y, c.y)};
}
template <class T>
Pair<T> pair_max(Pair<T> a, Pair<T> b) {
  return {std::max(a.x, b.x), std::max(a.y, b.y)};
}
template <class T>
Pair<T> pair_min(Pair<T> a, Pair<T> b) {
  return {std::min(a.x, b.x), std::min(a.y, b.y)};
}
template <class T>
Pair<T> pair_shl(Pair<T> a, Pair<T> n) {
  return {T(a.x << (n.x & 15)), T(a.y << (n.y & 15))};
}
template <class T>
Pair<T> pair_shr(Pair<T> a, Pair<T> n) {
  return {T(a.x >> (n.x & 15)), T(a.y >> (n.y & 15))};
}

// ---- atomics: the threads run one after the other ----

template <class T, class Combine>
T replace(T* p, Combine combine) {
  const T old = *p;
  *p = combine(old);
  return old;
}
// Wraps around for integers.
template <class T>
T atomic_add(T* p, T x) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    return replace(p, [x](T old) { return static_cast<T>(U(old) + U(x)); });
  } else {
    return replace(p, [x](T old) { return old + x; });
  }
}
template <class T>
T atomic_min(T* p, T x) {
  return replace(p, [x](T old) { return std::min(old, x); });
}
template <class T>
T atomic_max(T* p, T x) {
  return replace(p, [x](T old) { return std::max(old, x); });
}
template <class T>
T atomic_and(T* p, T x) {
  return replace(p, [x](T old) { return old & x; });
}
template <class T>
T atomic_or(T* p, T x) {
  return replace(p, [x](T old) { return old | x; });
}
template <class T>
T atomic_xor(T* p, T x) {
  return replace(p, [x](T old) { return old ^ x; });
}
template <class T>
T atomic_exchange(T* p, T x) {
  return replace(p, [x](T) { return x; });
}
template <class T>
T atomic_compare_exchange(T* p, T expected, T x) {
  return replace(p, [=](T old) { return old == expected ? x : old; });
}

// ---- threads ----

// A value for every thread of a workgroup.
template <class T>
using Threads = std::array<T, kMaxThreads>;

struct Active {
  Threads<bool> on{};
  explicit Active(uint32_t threads) { std::fill_n(on.begin(), threads, true); }
  bool any() const { return std::find(on.begin(), on.end(), true) != on.end(); }
  // The threads of this set for which `condition` holds.
  template <class Condition>
  Active where(Condition condition) const {
    Active result(0);
    for (uint32_t t = 0; t < kMaxThreads; ++t) result.on[t] = on[t] && condition(t);
    return result;
  }
};
#define FOR_THREADS(active)                  \
  for (uint32_t t = 0; t < kMaxThreads; ++t) \
    if ((active).on[t])

// result[t] = value(t) for active threads; all values are taken before one is written.
template <class T, class Value>
void assign(Threads<T>& result, const Active& active, Value value) {
  Threads<T> values{};
  FOR_THREADS(active) values[t] = value(t);
  FOR_THREADS(active) result[t] = values[t];
}

// ---- what crosses lanes ----

inline uint32_t wave_base(uint32_t t) { return t / kWaveLanes * kWaveLanes; }

// result[t] = what thread from(t) has, zero if that one is not active.
template <class T, class Value, class From>
void pull(Threads<T>& result, const Active& active, Value value, From from) {
  Threads<T> values{};
  FOR_THREADS(active) values[t] = value(t);
  assign(result, active, [&](uint32_t t) { return active.on[from(t)] ? values[from(t)] : T{}; });
}
template <class T, class Value, class Lane>
void bpermute(Threads<T>& result, const Active& active, Value value, Lane lane) {
  pull(result, active, value, [&](uint32_t t) { return wave_base(t) + lane(t) % kWaveLanes; });
}
template <class T, class Value, class Lane>
void bpermute_active(Threads<T>& result, const Active& active, Value value, Lane lane) {
  const auto from = [&](uint32_t t) { return wave_base(t) + lane(t) % kWaveLanes; };
  assign(result, active, [&](uint32_t t) { return value(active.on[from(t)] ? from(t) : t); });
}
template <class T, class Value, class Lane>
void permute(Threads<T>& result, const Active& active, Value value, Lane lane) {
  Threads<T> sent{};
  FOR_THREADS(active) sent[wave_base(t) + lane(t) % kWaveLanes] = value(t);
  assign(result, active, [&](uint32_t t) { return sent[t]; });
}
// Rotate from 0xc000 on, quads with bit 15, else and, or, xor masks on the lane of its half.
inline uint32_t swizzle_source(uint32_t pattern, uint32_t lane) {
  if (pattern >= 0xc000) {
    const uint32_t count = pattern >> 5 & 31, keep = pattern & 31;
    const uint32_t moved = (pattern >> 10 & 1 ? lane - count : lane + count) & 31;
    return (lane & 32) | (lane & keep) | (moved & ~keep & 31);
  }
  if (pattern & 0x8000) return (lane & ~3u) | (pattern >> 2 * (lane & 3) & 3);
  const uint32_t low = (((lane & 31) & (pattern & 31)) | (pattern >> 5 & 31)) ^ (pattern >> 10 & 31);
  return (lane & 32) | low;
}
template <uint32_t kPattern, class T, class Value>
void swizzle(Threads<T>& result, const Active& active, Value value) {
  pull(result, active, value,
       [](uint32_t t) { return wave_base(t) + swizzle_source(kPattern, t % kWaveLanes); });
}

// The lane that DPP takes the value from, -1 for none.
inline int dpp_source(uint32_t control, int lane) {
  const int in_row = lane % 16, row = lane - in_row, n = static_cast<int>(control & 15);
  if (control < 0x100) return (lane & ~3) | (control >> 2 * (lane & 3) & 3);
  if (control < 0x110) return in_row + n < 16 ? lane + n : -1;
  if (control < 0x120) return in_row >= n ? lane - n : -1;
  if (control < 0x130) return row + ((in_row - n) & 15);
  switch (control) {
    case 0x130:
      return lane < 63 ? lane + 1 : -1;
    case 0x134:
      return (lane + 1) & 63;
    case 0x138:
      return lane - 1;
    case 0x13c:
      return (lane - 1) & 63;
    case 0x140:
      return row + 15 - in_row;
    case 0x141:
      return (lane & ~7) + 7 - lane % 8;
    case 0x142:
      return lane > 15 ? row - 1 : -1;
    case 0x143:
      return lane > 31 ? 31 : -1;
    default:
      return row + n;  // row_newbcast
  }
}
template <uint32_t kControl, uint32_t kRows, uint32_t kBanks, bool kZero, class Value, class Old>
void dpp(Threads<uint32_t>& result, const Active& active, Value value, Old old) {
  Threads<uint32_t> values{};
  FOR_THREADS(active) values[t] = value(t);
  assign(result, active, [&](uint32_t t) -> uint32_t {
    const uint32_t lane = t % kWaveLanes;
    const bool written = (kRows >> lane / 16 & 1) && (kBanks >> lane / 4 % 4 & 1);
    if (!written) return old(t);
    const int from = dpp_source(kControl, static_cast<int>(lane));
    if (from >= 0 && active.on[wave_base(t) + static_cast<uint32_t>(from)]) {
      return values[wave_base(t) + static_cast<uint32_t>(from)];
    }
    return kZero ? 0 : old(t);
  });
}
template <class T, class Value, class Lane>
void read_lane(Threads<T>& result, const Active& active, Value value, Lane lane) {
  bpermute(result, active, value, lane);
}
template <class T, class Value>
void read_first_lane(Threads<T>& result, const Active& active, Value value) {
  pull(result, active, value, [&](uint32_t t) {
    uint32_t first = wave_base(t);
    while (!active.on[first]) ++first;
    return first;
  });
}
template <class Value>
void ballot(Threads<uint64_t>& result, const Active& active, Value value) {
  std::array<uint64_t, kMaxThreads / kWaveLanes> masks{};
  FOR_THREADS(active) masks[t / kWaveLanes] |= uint64_t{value(t)} << t % kWaveLanes;
  assign(result, active, [&](uint32_t t) { return masks[t / kWaveLanes]; });
}
template <class Value>
void count_below(Threads<uint32_t>& result, const Active& active, Value value) {
  assign(result, active, [&](uint32_t t) {
    return static_cast<uint32_t>(std::popcount(value(t) & ((uint64_t{1} << t % kWaveLanes) - 1)));
  });
}
// `count` lanes of the second operand, at odd multiples, change places with those of the first.
template <class X, class Y>
void swap_lanes(Threads<uint64_t>& result, const Active& active, uint32_t count, X x, Y y) {
  assign(result, active, [&](uint32_t t) {
    const bool odd = t & count;
    const uint32_t first = odd ? y(t - count) : x(t), second = odd ? y(t) : x(t + count);
    return uint64_t{second} << 32 | first;
  });
}
template <class X, class Y>
void swap_rows_of_16(Threads<uint64_t>& result, const Active& active, X x, Y y) {
  swap_lanes(result, active, 16, x, y);
}
template <class X, class Y>
void swap_halves(Threads<uint64_t>& result, const Active& active, X x, Y y) {
  swap_lanes(result, active, 32, x, y);
}

}  // namespace wavetwin::differential
