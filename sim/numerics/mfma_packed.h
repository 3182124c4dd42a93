// SPDX-License-Identifier: MIT
// One block of an MFMA with its operands taken out of the register layout: every row of A and every column of
// B is a bit string of its K codes in ascending k.
#pragma once

#include <cstdint>

#include "common/format/pack.h"
#include "common/mfma/shape.h"
#include "sim/numerics/mfma_steps.h"

namespace wavetwin::mfma {

struct PackedBlock {
  const uint32_t* a;       // [M][K * bits / 32]
  const uint32_t* b;       // [N][K * bits / 32]
  const uint8_t* scale_a;  // [M][K / 32], null for an unscaled instruction
  const uint8_t* scale_b;  // [N][K / 32]
  const uint32_t* c;       // [M][N]
  uint32_t* d;             // [M][N], apart from the others
};

inline unsigned packed_words(unsigned k, Format format) { return k * format_bits(format) / 32; }

// The K codes of one packed row, for formats of at most 16 bits.
inline void unpack_codes(const uint32_t* row, Format format, unsigned k, uint16_t* codes) {
  switch (format_bits(format)) {
    case 16:
      for (unsigned i = 0; i < k; ++i) codes[i] = static_cast<uint16_t>(row[i / 2] >> i % 2 * 16);
      break;
    case 8:
      for (unsigned i = 0; i < k; ++i) codes[i] = static_cast<uint8_t>(row[i / 4] >> i % 4 * 8);
      break;
    case 4:
      for (unsigned i = 0; i < k; ++i) codes[i] = row[i / 8] >> i % 8 * 4 & 15;
      break;
    default:
      for (unsigned i = 0; i < k; ++i) codes[i] = extract_code(row, format_bits(format), i);
      break;
  }
}

}  // namespace wavetwin::mfma
