// SPDX-License-Identifier: MIT
// Words for the census kernels: instructions that clang emits for kernels of this kind and the random ones
// miss.
#pragma once

#include "tests/isa/differential/words.h"

namespace wavetwin::differential {

// Integers from -3 to 4, and an E8M0 code of a half, one, two or four.
WORD i32 small_integer(u32 word, u32 i) { return i32(word * (2 * i + 1) >> 20 & 7) - 3; }
WORD u32 scale_code(u32 word) { return 126 + (word >> 9 & 3); }
// The e4m3 code of such an integer.
WORD u32 e4m3_of(i32 x) {
  const u32 size = u32(x < 0 ? -x : x);
  const u32 code = size == 0 ? 0 : size == 1 ? 0x38 : size == 2 ? 0x40 : size == 3 ? 0x44 : 0x48;
  return x < 0 ? code | 0x80 : code;
}
// Exact in bf16 and f16, between -32 and 31.75.
WORD f32 small_real(u32 word) { return f32(i32(word & 255) - 128) * 0.25f; }
// An even power of two.
WORD f32 small_power(u32 word) { return bits_as<f32>((127 + 2 * (word % 40) - 40) << 23); }

}  // namespace wavetwin::differential

#if defined(__HIP__)
#include "tests/isa/differential/census_words_device.h"
#else
#include "tests/isa/differential/census_words_host.h"
#endif
