// SPDX-License-Identifier: MIT
// The host's meaning of the words in rows.inc. Plain arithmetic on doubles and wide integers, written after
// the ISA guide and AMDGPUUsage; nothing of the simulator is used.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>

#include "tests/isa/foreign/builtins/inputs.h"

namespace wavetwin::isa::builtins {

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
using f16 = _Float16;
template <typename T, size_t count>
using Vector = std::array<T, count>;
using u32x2 = Vector<u32, 2>;
using u32x3 = Vector<u32, 3>;
using u32x4 = Vector<u32, 4>;
using std::popcount;

inline constexpr double kTwoPi = 6.283185307179586;

template <typename A, typename B>
struct Pair {
  A first;
  B second;
};
template <typename A, typename B>
Pair<A, B> pair(A a, B b) {
  return {a, b};
}

template <typename T>
T value_at(const u32* words) {
  T value;
  std::memcpy(&value, words, sizeof value);
  return value;
}
template <typename T>
void put(u32* out, const T& value) {
  if (sizeof value < 4) *out = 0;
  std::memcpy(out, &value, sizeof value);
}

// --- number formats

inline u32 half_bits(double value) { return std::bit_cast<u16>(static_cast<f16>(value)); }
inline double half_value(u32 bits) { return std::bit_cast<f16>(static_cast<u16>(bits)); }
// Of values that are bf16 numbers.
inline u32 bf16_bits(double value) { return std::bit_cast<u32>(static_cast<f32>(value)) >> 16; }
inline double bf16_value(u32 bits) { return std::bit_cast<f32>(bits << 16); }

inline u32 toward_zero_half(f32 value) {
  const u32 bits = half_bits(value);
  return std::abs(half_value(bits)) > std::abs(value) ? bits - 1 : bits;
}

// A format without infinities and NaNs among the values asked for.
struct SmallFormat {
  unsigned exponent_bits, mantissa_bits;
  int bias;

  unsigned bits() const { return 1 + exponent_bits + mantissa_bits; }
  double value(u32 code) const {
    const u32 mantissa = code & ((1u << mantissa_bits) - 1);
    const u32 exponent = code >> mantissa_bits & ((1u << exponent_bits) - 1);
    const double fraction = std::ldexp(mantissa, -static_cast<int>(mantissa_bits)) + (exponent != 0);
    const double magnitude = std::ldexp(fraction, std::max(1, static_cast<int>(exponent)) - bias);
    return code >> (bits() - 1) & 1 ? -magnitude : magnitude;
  }
  // Of a value that the format has; not +-0 for one another.
  u32 code(double wanted) const {
    for (u32 c = 0; c < 1u << bits(); ++c) {
      if (value(c) == wanted && std::signbit(value(c)) == std::signbit(wanted)) return c;
    }
    return ~0u;
  }
};
inline constexpr SmallFormat kE4{4, 3, 7}, kE5{5, 2, 15}, kFp6{2, 3, 1}, kBf6{3, 2, 3}, kFp4{2, 1, 1};

inline double mantissa(double value) {
  int exponent;
  return std::frexp(value, &exponent);
}
inline int exponent(double value) {
  int exponent;
  std::frexp(value, &exponent);
  return exponent;
}

// --- integers

inline i32 clamped(i32 value, i32 low, i32 high) { return std::clamp(value, low, high); }

// To a 16-bit fraction of the range [-1, 1] (signed) or [0, 1].
inline i32 normal(double value, i32 lowest) {
  return static_cast<i32>(lowest < 0 ? std::nearbyint(std::clamp(value, -1.0, 1.0) * 32767)
                                     : std::nearbyint(std::clamp(value, 0.0, 1.0) * 65535));
}

template <typename Body>
u32 by_bytes(u32 a, u32 b, u32 c, Body body) {
  u32 result = 0;
  for (unsigned at = 0; at < 32; at += 8)
    result |= (body(a >> at & 0xff, b >> at & 0xff, c >> at & 0xff) & 0xff) << at;
  return result;
}

// Bytes 0-3 of `selectors` pick from b, 4-7 from a; 12 is 0, above it 0xff; 8-11 a sign of each half.
inline u32 permute_bytes(u32 a, u32 b, u32 selectors) {
  const u64 both = u64{a} << 32 | b;
  return by_bytes(selectors, 0, 0, [&](u32 s, u32, u32) -> u32 {
    if (s < 8) return static_cast<u32>(both >> (8 * s));
    if (s < 12) return both >> (16 * (s - 8) + 15) & 1 ? 0xff : 0;
    return s == 12 ? 0 : 0xff;
  });
}

inline u32 bit_operation(u32 a, u32 b, u32 c, u32 table) {
  u32 result = 0;
  for (unsigned bit = 0; bit < 32; ++bit) {
    const u32 row = (a >> bit & 1) << 2 | (b >> bit & 1) << 1 | (c >> bit & 1);
    result |= (table >> row & 1) << bit;
  }
  return result;
}

// Sum of absolute differences; masked: where b's field is not 0.
inline u32 sad(u32 a, u32 b, unsigned bits, bool masked) {
  u32 sum = 0;
  for (unsigned at = 0; at < 32; at += bits) {
    const i32 mask = (1 << bits) - 1, left = a >> at & mask, right = b >> at & mask;
    if (!masked || right != 0) sum += std::abs(left - right);
  }
  return sum;
}
inline u64 sad_at_four_places(u64 a, u32 b, u64 sums, bool masked) {
  u64 result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const u32 sum = sad(static_cast<u32>(a >> (8 * i)), b, 8, masked) + static_cast<u32>(sums >> (16 * i));
    result |= u64{static_cast<u16>(sum)} << (16 * i);
  }
  return result;
}
inline u32x4 masked_sad_words(u64 a, u32 b, u32x4 sums) {
  for (unsigned i = 0; i < 4; ++i) sums[i] += sad(static_cast<u32>(a >> (8 * i)), b, 8, true);
  return sums;
}

inline u32 dot(u32 a, u32 b, unsigned bits, bool is_signed) {
  u32 sum = 0;
  for (unsigned at = 0; at < 32; at += bits) {
    const unsigned up = 32 - bits - at, down = 32 - bits;
    const u32 left = a << up, right = b << up;
    sum += is_signed ? static_cast<u32>((static_cast<i32>(left) >> down) * (static_cast<i32>(right) >> down))
                     : (left >> down) * (right >> down);
  }
  return sum;
}

// --- lanes

template <typename Test>
u64 ballot(Test test) {
  u64 mask = 0;
  for (u32 lane = 0; lane < kLanesOfWave; ++lane) mask |= u64{test(lane) != 0} << lane;
  return mask;
}

template <typename T, typename Value, typename Combine>
T reduce(Value value, Combine combine) {
  T result = value(0);
  for (u32 lane = 1; lane < kLanesOfWave; ++lane) result = combine(result, value(lane));
  return result;
}

// What lane `lane` gets of the rows of 16 columns that its 16 lanes read, each 64 bits of its words 0 and 1.
template <unsigned bits>
u64 transposed(const u32* in_of, u32 lane) {
  constexpr unsigned kPerLane = 64 / bits;
  const u32 first = lane / 16 * 16, column = lane % 16;
  u64 result = 0;
  for (unsigned row = 0; row < kPerLane; ++row) {
    const u32 source = first + row * (16 / kPerLane) + column / kPerLane;
    const u64 field = value_at<u64>(in_of + kInputWords * source) >> (bits * (column % kPerLane));
    result |= (field & ((u64{1} << bits) - 1)) << (bits * row);
  }
  return result;
}

inline u32 field_of(const u32* words, unsigned bit, unsigned bits) {
  u64 both = words[bit / 32];
  if (bit % 32 + bits > 32) both |= u64{words[bit / 32 + 1]} << 32;
  return static_cast<u32>(both >> (bit % 32)) & static_cast<u32>((u64{1} << bits) - 1);
}
inline void or_field(u32* words, unsigned bit, unsigned bits, u32 value) {
  words[bit / 32] |= value << (bit % 32);
  if (bit % 32 + bits > 32) words[bit / 32 + 1] |= value >> (32 - bit % 32);
}
inline u32x3 transposed_6(const u32* in_of, u32 lane) {
  u32x3 result{};
  for (unsigned row = 0; row < 16; ++row) {
    const u32* source = in_of + kInputWords * (lane / 16 * 16 + row);
    or_field(result.data(), 6 * row, 6, field_of(source, 6 * (lane % 16), 6));
  }
  return result;
}

// --- floating point

template <typename T>
f32 median(T a, T b, T c) {
  return std::max(std::min<f32>(a, b), std::min<f32>(std::max<f32>(a, b), c));
}

struct CubeFace {
  f32 face, s, t, major;
};
inline CubeFace cube(f32 x, f32 y, f32 z) {
  const f32 ax = std::abs(x), ay = std::abs(y), az = std::abs(z);
  if (az >= ax && az >= ay) return {z < 0 ? 5.0f : 4.0f, z < 0 ? -x : x, -y, 2 * z};
  if (ay >= ax) return {y < 0 ? 3.0f : 2.0f, x, y < 0 ? -z : z, 2 * y};
  return {x < 0 ? 1.0f : 0.0f, x < 0 ? z : -z, -y, 2 * x};
}

// --- lists

template <typename Element>
Vector<u32, 32> each32(Element element) {
  Vector<u32, 32> out{};
  for (u32 e = 0; e < 32; ++e) out[e] = element(e);
  return out;
}
template <typename Element>
Vector<u32, 16> each16(Element element) {
  Vector<u32, 16> out{};
  for (u32 e = 0; e < 32; ++e) out[e / 2] |= element(e) << (16 * (e % 2));
  return out;
}
template <typename Element>
Vector<u32, 6> each6(Element element) {
  Vector<u32, 6> out{};
  for (u32 e = 0; e < 32; ++e) or_field(out.data(), 6 * e, 6, element(e));
  return out;
}

// The four words from `word`, their first bytes replaced by those of word `from`.
template <size_t bytes>
u32x4 overwritten(const u32* in, unsigned word, unsigned from) {
  auto words = value_at<u32x4>(in + word);
  std::memcpy(words.data(), in + from, bytes);
  return words;
}

}  // namespace wavetwin::isa::builtins
