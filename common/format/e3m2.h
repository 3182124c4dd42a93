// SPDX-License-Identifier: MIT
// E3M2, OCP MX 6-bit: s eee mm in the low 6 bits. OCP MX v1.0 section 5.3.2; AMD calls it bf6.
//   bias 3; largest finite 28 = 0x1F; smallest normal 0.25; smallest subnormal 0.0625
//   no infinity, no NaN: conversions saturate
#pragma once

#include <cstdint>

#include "common/format/convert.h"

namespace wavetwin {

struct E3M2 {
  uint8_t bits;
  static constexpr FloatFormat kFormat{3, 2, 3, false, NanEncoding::none, false};
  friend constexpr bool operator==(E3M2, E3M2) = default;
};

}  // namespace wavetwin
