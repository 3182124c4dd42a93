// SPDX-License-Identifier: MIT
// BF16: s eeeeeeee mmmmmmm, the upper half of an f32.
//   bias 127; largest finite 0x7F7F; infinity = 0x7F80; NaN above
// A conversion from f32 keeps subnormals. assumption: a NaN keeps its upper 16 bits and becomes quiet;
// rocjitsu keeps a signalling one, and whether v_cvt_pk_bf16_f32 sets the quiet bit is not published (0x7FC0
// either way for the canonical NaN). With saturation a finite overflow gives 0x7F7F, a true infinity stays
// infinite.
#pragma once

#include <cstdint>

#include "common/format/convert.h"

namespace wavetwin {

struct BF16 {
  uint16_t bits;
  static constexpr FloatFormat kFormat{8, 7, 127, true, NanEncoding::ieee_payload, true};
  friend constexpr bool operator==(BF16, BF16) = default;
};

// Exact, bit for bit: v_cvt_f32_bf16 shifts, so a signalling NaN stays one (CDNA4 ISA guide).
WAVETWIN_HD constexpr float decode(BF16 code) {
  return f32_from_bits(static_cast<uint32_t>(code.bits) << 16);
}

}  // namespace wavetwin
