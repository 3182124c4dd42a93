// SPDX-License-Identifier: MIT
// E5M2FNUZ ("finite, NaN, unsigned zero"): s eeeee mm as gfx942 reads it. CDNA3 ISA guide; not an OCP format.
//   bias 16, so every value is half of what E5M2 gives the same code; largest finite 57344 = 0x7F
//   no infinity, no -0; NaN = 0x80 only
// Decode only: gfx950 never writes it; it is here to name the mix-up and to replay gfx942 recordings.
#pragma once

#include <cstdint>

#include "common/format/convert.h"

namespace wavetwin {

struct E5M2FNUZ {
  uint8_t bits;
  static constexpr FloatFormat kFormat{5, 2, 16, false, NanEncoding::negative_zero, false};
  friend constexpr bool operator==(E5M2FNUZ, E5M2FNUZ) = default;
};

}  // namespace wavetwin
