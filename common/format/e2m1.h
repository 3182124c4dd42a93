// SPDX-License-Identifier: MIT
// E2M1, OCP MX 4-bit: s ee m in the low 4 bits. OCP MX v1.0 section 5.3.3; AMD calls it fp4.
//   bias 1; values 0, 0.5, 1, 1.5, 2, 3, 4, 6 = codes 0..7, codes 8..15 the same negated
//   no infinity, no NaN: conversions saturate
#pragma once

#include <cstdint>

#include "common/format/convert.h"

namespace wavetwin {

struct E2M1 {
  uint8_t bits;
  static constexpr FloatFormat kFormat{2, 1, 1, false, NanEncoding::none, false};
  friend constexpr bool operator==(E2M1, E2M1) = default;
};

}  // namespace wavetwin
