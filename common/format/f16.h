// SPDX-License-Identifier: MIT
// F16, IEEE 754 binary16: s eeeee mmmmmmmmmm.
//   bias 15; largest finite 65504 = 0x7BFF; smallest normal 2^-14; smallest subnormal 2^-24
//   infinity = 0x7C00; NaN above. A conversion keeps the sign and the payload's top bits and sets the quiet
//   bit (inferred for the payload: CDNA4 ISA guide, v_cvt_f16_f32). With saturation a true infinity stays
//   infinite.
#pragma once

#include <cstdint>

#include "common/format/convert.h"

namespace wavetwin {

struct F16 {
  uint16_t bits;
  static constexpr FloatFormat kFormat{5, 10, 15, true, NanEncoding::ieee_payload, true};
  friend constexpr bool operator==(F16, F16) = default;
};

}  // namespace wavetwin
