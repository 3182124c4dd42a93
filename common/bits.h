// SPDX-License-Identifier: MIT
// Bit patterns and bit fields, constexpr on the host and on the device.
#pragma once

#include <cstdint>

#include "common/host_device.h"

namespace wavetwin {

// The bits of `from` read as a To of the same size.
template <class To, class From>
WAVETWIN_HD constexpr To bit_cast(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}

WAVETWIN_HD constexpr uint32_t f32_bits(float value) { return bit_cast<uint32_t>(value); }
WAVETWIN_HD constexpr float f32_from_bits(uint32_t bits) { return bit_cast<float>(bits); }
WAVETWIN_HD constexpr uint64_t f64_bits(double value) { return bit_cast<uint64_t>(value); }
WAVETWIN_HD constexpr double f64_from_bits(uint64_t bits) { return bit_cast<double>(bits); }

// `width` ones in the low bits; width 0 .. the number of bits of T.
template <class T>
WAVETWIN_HD constexpr T low_mask(unsigned width) {
  constexpr unsigned kBits = 8 * sizeof(T);
  return width == 0 ? T{0} : static_cast<T>(static_cast<T>(~T{0}) >> (kBits - width));
}

// Zeros above the highest one of `word`, which is not 0.
WAVETWIN_HD constexpr int leading_zeros(uint64_t word) { return __builtin_clzll(word); }

// Bits [low, low + width) of `word`, moved down to bit 0. T is unsigned.
template <class T>
WAVETWIN_HD constexpr T extract_bits(T word, unsigned low, unsigned width) {
  return static_cast<T>((word >> low) & low_mask<T>(width));
}

// `word` with bits [low, low + width) replaced by the low bits of `field`.
template <class T>
WAVETWIN_HD constexpr T insert_bits(T word, unsigned low, unsigned width, T field) {
  const T mask = static_cast<T>(low_mask<T>(width) << low);
  return static_cast<T>((word & ~mask) | ((field << low) & mask));
}

// The low `width` bits (1 .. 32) of `word` as a two's complement number.
WAVETWIN_HD constexpr int32_t sign_extend(uint32_t word, unsigned width) {
  return static_cast<int32_t>(word << (32 - width)) >> (32 - width);
}

}  // namespace wavetwin
