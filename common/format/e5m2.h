// SPDX-License-Identifier: MIT
// E5M2, OCP 8-bit: s eeeee mm, laid out as IEEE. OCP OFP8 v1.0 section 5; AMD calls it bf8.
//   bias 15; largest finite 57344 = 0x7B; smallest normal 2^-14; smallest subnormal 2^-16
//   infinity = 0x7C, 0xFC; NaN = 0x7D..0x7F, 0xFD..0xFF
// Without saturation |x| < 61440 goes to 57344, 61440 (a tie) and above to infinity; with it an infinite
// input becomes 57344 too. assumption: a conversion writes NaN as sign | 0x7F, as PyTorch and rocjitsu do;
// AMD's HIP host emulation writes 0x7E, and no hardware word is published.
#pragma once

#include <cstdint>

#include "common/format/convert.h"

namespace wavetwin {

struct E5M2 {
  uint8_t bits;
  static constexpr FloatFormat kFormat{5, 2, 15, true, NanEncoding::ieee_canonical, false};
  friend constexpr bool operator==(E5M2, E5M2) = default;
};

}  // namespace wavetwin
