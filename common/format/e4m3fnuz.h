// SPDX-License-Identifier: MIT
// E4M3FNUZ ("finite, NaN, unsigned zero"): s eeee mmm as gfx942 reads it. CDNA3 ISA guide; not an OCP format.
//   bias 8, so every value is half of what E4M3 gives the same code; largest finite 240 = 0x7F
//   no infinity, no -0; NaN = 0x80 only
// Decode only: gfx950 never writes it; it is here to name the mix-up and to replay gfx942 recordings.
#pragma once

#include <cstdint>

#include "common/format/convert.h"

namespace wavetwin {

struct E4M3FNUZ {
  uint8_t bits;
  static constexpr FloatFormat kFormat{4, 3, 8, false, NanEncoding::negative_zero, false};
  friend constexpr bool operator==(E4M3FNUZ, E4M3FNUZ) = default;
};

}  // namespace wavetwin
