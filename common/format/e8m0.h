// SPDX-License-Identifier: MIT
// E8M0, the scale of an MX block: eight exponent bits, no sign, no mantissa. OCP MX v1.0 section 5.4.1.
//   code c = 2^(c - 127); 0 = 2^-127 (a subnormal f32), 127 = 1, 254 = 2^127
//   no zero, no infinity; NaN = 0xFF
#pragma once

#include <cstdint>

#include "common/bits.h"
#include "common/host_device.h"

namespace wavetwin {

struct E8M0 {
  uint8_t bits;
  static constexpr int32_t kBias = 127;
  static constexpr uint8_t kNan = 0xFF;
  friend constexpr bool operator==(E8M0, E8M0) = default;
};

WAVETWIN_HD constexpr bool is_nan(E8M0 code) { return code.bits == E8M0::kNan; }

// The value of a code; NaN for 0xFF.
WAVETWIN_HD constexpr float decode(E8M0 code) {
  if (is_nan(code)) return f32_from_bits(0x7FC00000);
  return f32_from_bits(code.bits == 0 ? 0x00400000u : static_cast<uint32_t>(code.bits) << 23);
}

// 1 / decode(code), exact: 2^(127 - c). c = 254 gives the subnormal 2^-127; NaN for 0xFF.
WAVETWIN_HD constexpr float decode_reciprocal(E8M0 code) {
  return decode(E8M0{is_nan(code) ? E8M0::kNan : static_cast<uint8_t>(2 * E8M0::kBias - code.bits)});
}

// What the hardware takes from an f32 scale operand: its exponent field, whatever sign and mantissa say. So
// 0.0 and subnormals mean 2^-127, and infinity and NaN mean NaN (CDNA4 ISA guide, v_cvt_scalef32_*).
WAVETWIN_HD constexpr E8M0 exponent_field(float scale) {
  return E8M0{static_cast<uint8_t>(extract_bits(f32_bits(scale), 23, 8))};
}

}  // namespace wavetwin
