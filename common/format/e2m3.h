// SPDX-License-Identifier: MIT
// E2M3, OCP MX 6-bit: s ee mmm in the low 6 bits. OCP MX v1.0 section 5.3.2; AMD calls it fp6.
//   bias 1; largest finite 7.5 = 0x1F; smallest normal 1; smallest subnormal 0.125
//   no infinity, no NaN: conversions saturate
#pragma once

#include <cstdint>

#include "common/format/convert.h"

namespace wavetwin {

struct E2M3 {
  uint8_t bits;
  static constexpr FloatFormat kFormat{2, 3, 1, false, NanEncoding::none, false};
  friend constexpr bool operator==(E2M3, E2M3) = default;
};

}  // namespace wavetwin
