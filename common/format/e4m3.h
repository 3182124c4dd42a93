// SPDX-License-Identifier: MIT
// E4M3, OCP 8-bit "fn" (finite, one NaN): s eeee mmm. OCP OFP8 v1.0 section 5; AMD calls it fp8.
//   bias 7; largest finite 448 = 0x7E; smallest normal 2^-6; smallest subnormal 2^-9; -0 = 0x80
//   no infinity; NaN = 0x7F, 0xFF
// Without saturation |x| <= 464 goes to 448 (464 is the tie with the absent 480, and 448 is even), above to
// NaN (inferred: two AMD-written emulations agree). gfx942 reads the same bytes as E4M3FNUZ, see e4m3fnuz.h.
#pragma once

#include <cstdint>

#include "common/format/convert.h"

namespace wavetwin {

struct E4M3 {
  uint8_t bits;
  static constexpr FloatFormat kFormat{4, 3, 7, false, NanEncoding::all_ones, false};
  friend constexpr bool operator==(E4M3, E4M3) = default;
};

}  // namespace wavetwin
