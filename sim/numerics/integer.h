// SPDX-License-Identifier: MIT
// Integer and bit operations that are more than one C++ operator (CDNA4 ISA guide, section 12).
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "common/bits.h"

namespace wavetwin {

// Position of the first set bit from the top or the bottom; -1 when there is none. T is uint32_t or uint64_t.
template <class T>
constexpr int32_t find_first_from_top(T x) {
  return x ? std::countl_zero(x) : -1;
}
template <class T>
constexpr int32_t find_first_from_bottom(T x) {
  return x ? std::countr_zero(x) : -1;
}
// Number of leading bits equal to the sign bit; -1 when all are. T is int32_t or int64_t.
template <class T>
constexpr int32_t find_sign_change(T x) {
  return find_first_from_top(static_cast<std::make_unsigned_t<T>>(x < 0 ? ~x : x));
}
constexpr uint32_t reverse_bits(uint32_t x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return x >> 24 | (x >> 8 & 0xff00u) | (x & 0xff00u) << 8 | x << 24;
}
constexpr uint64_t reverse_bits(uint64_t x) {
  return uint64_t{reverse_bits(static_cast<uint32_t>(x))} << 32 |
         reverse_bits(static_cast<uint32_t>(x >> 32));
}

constexpr uint32_t bit_field_unsigned(uint32_t x, uint32_t offset, uint32_t width) {
  return x >> (offset & 31) & ((1u << (width & 31)) - 1);
}
constexpr int32_t bit_field_signed(int32_t x, uint32_t offset, uint32_t width) {
  const uint32_t bits = width & 31;
  return bits == 0 ? 0 : sign_extend(static_cast<uint32_t>(x >> (offset & 31)), bits);
}

// v_bitop3: result bit = table[{a, b, c}]. source: guide, V_BITOP3_B32.
constexpr uint32_t bitop3(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
  uint32_t result = 0;
  for (int i = 0; i < 8; ++i) {
    const uint32_t match = (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    result |= table >> i & 1 ? match : 0u;
  }
  return result;
}

// v_perm_b32: every byte of `selector` picks a byte of {high, low}, a sign fill or a constant. source: guide,
// V_PERM_B32.
constexpr uint32_t permute_bytes(uint32_t high, uint32_t low, uint32_t selector) {
  const uint64_t data = uint64_t{high} << 32 | low;
  uint32_t result = 0;
  for (int i = 0; i < 32; i += 8) {
    const uint32_t s = selector >> i & 0xff;
    uint32_t byte = 0xff;
    if (s < 8)
      byte = data >> (8 * s) & 0xff;
    else if (s < 12)
      byte = data >> (16 * (s - 8) + 15) & 1 ? 0xff : 0;  // the sign of byte 1, 3, 5, 7
    else if (s == 12)
      byte = 0;
    result |= byte << i;
  }
  return result;
}

// Sums of absolute differences of 8-bit elements; the masked one skips bytes whose reference is 0. source:
// guide, V_SAD_U8, V_MSAD_U8.
constexpr uint32_t sad_u8(uint32_t a, uint32_t b, uint32_t sum, bool masked) {
  for (int i = 0; i < 32; i += 8) {
    const uint32_t x = a >> i & 0xff, y = b >> i & 0xff;
    sum += masked && y == 0 ? 0 : x > y ? x - y : y - x;
  }
  return sum;
}
constexpr uint32_t sad_u16(uint32_t a, uint32_t b, uint32_t sum) {
  for (int i = 0; i < 32; i += 16) {
    const uint32_t x = a >> i & 0xffff, y = b >> i & 0xffff;
    sum += x > y ? x - y : y - x;
  }
  return sum;
}
// Four sums over a window that moves by a byte, truncated to 16 bits each. source: guide, V_QSAD_PK_U16_U8.
constexpr uint64_t qsad_u16(uint64_t window, uint32_t reference, uint64_t sums, bool masked) {
  uint64_t result = 0;
  for (int i = 0; i < 4; ++i) {
    const uint32_t sum = sad_u8(static_cast<uint32_t>(window >> (8 * i)), reference,
                                static_cast<uint32_t>(sums >> (16 * i) & 0xffff), masked);
    result |= uint64_t{sum & 0xffff} << (16 * i);
  }
  return result;
}
// Per byte (a + b + (c & 1)) >> 1. source: guide, V_LERP_U8.
constexpr uint32_t lerp_u8(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t result = 0;
  for (int i = 0; i < 32; i += 8) result |= (((a >> i & 0xff) + (b >> i & 0xff) + (c >> i & 1)) >> 1) << i;
  return result;
}

template <class T>
constexpr T median(T a, T b, T c) {
  const T low = a < b ? a : b, high = a < b ? b : a;
  return c < low ? low : c > high ? high : c;
}

// CLAMP on integer results: the exact value, saturated to `T`. source: guide, VOP3 "CLAMP".
template <class T>
constexpr T saturate(int64_t exact) {
  constexpr int64_t kLow = std::numeric_limits<T>::min(), kHigh = std::numeric_limits<T>::max();
  return static_cast<T>(exact < kLow ? kLow : exact > kHigh ? kHigh : exact);
}

// v_mad_u64_u32, v_mad_i64_i32: a * b + c and bit 64 of the exact 65-bit result. source: guide,
// V_MAD_U64_U32.
constexpr uint64_t mad_u64(uint32_t a, uint32_t b, uint64_t c, bool& top, bool saturating) {
  const uint64_t sum = uint64_t{a} * b + c;
  top = sum < c;
  return saturating && top ? ~uint64_t{0} : sum;
}
constexpr int64_t mad_i64(int32_t a, int32_t b, int64_t c, bool& top, bool saturating) {
  const int64_t product = int64_t{a} * b;
  int64_t sum = 0;
  const bool overflow = __builtin_add_overflow(product, c, &sum);
  top = overflow ? product < 0 : sum < 0;  // on overflow both terms have the exact sum's sign
  if (saturating && overflow)
    return product < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
  return sum;
}

// v_screen_partition_4se_b32: which of four shader engines the tiles of a rectangle belong to. `corners` is
// {x_min, y_min, x_max, y_max}, two bits each, from bit 7 down, in tiles modulo 4; tile (x, y) belongs to
// engine {x[0] ^ y[1], y[0] ^ x[1]}. source: AMD Vega ISA guide, V_SCREEN_PARTITION_4SE_B32.
constexpr uint32_t screen_partition_4se(uint32_t corners) {
  const uint32_t x_min = corners >> 6 & 3, y_min = corners >> 4 & 3;
  const uint32_t width = ((corners >> 2) - x_min) & 3, height = (corners - y_min) & 3;
  uint32_t engines = 0;
  for (uint32_t i = 0; i <= 3; ++i) {
    for (uint32_t j = 0; j <= 3; ++j) {
      const uint32_t x = x_min + i, y = y_min + j;
      const uint32_t engine = ((x ^ y >> 1) & 1) << 1 | ((y ^ x >> 1) & 1);
      engines |= i <= width && j <= height ? 1u << engine : 0u;
    }
  }
  return engines;
}

// v_mbcnt: set bits of `mask` below this lane, in the low or the high 32 lanes. source: guide,
// V_MBCNT_LO_U32_B32.
constexpr uint32_t mbcnt_low(uint32_t mask, uint32_t add, unsigned lane) {
  const uint32_t below = lane >= 32 ? ~0u : (1u << lane) - 1;
  return add + static_cast<uint32_t>(std::popcount(mask & below));
}
constexpr uint32_t mbcnt_high(uint32_t mask, uint32_t add, unsigned lane) {
  const uint32_t below = lane <= 32 ? 0u : (1u << (lane - 32)) - 1;
  return add + static_cast<uint32_t>(std::popcount(mask & below));
}

}  // namespace wavetwin
