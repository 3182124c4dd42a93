// SPDX-License-Identifier: MIT
// One block of an MFMA with its operands taken out of the register layout: every row of A and every column of
// B is a bit string of its K codes in ascending k.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

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
  static_assert(std::endian::native == std::endian::little, "a VGPR's byte 0 is its lowest bits");
  const auto* bytes = reinterpret_cast<const uint8_t*>(row);
  switch (format_bits(format)) {
    case 16:
      std::memcpy(codes, row, k * sizeof *codes);
      break;
    case 8:
      for (unsigned i = 0; i < k; ++i) codes[i] = bytes[i];
      break;
    case 4:
      for (unsigned i = 0; i < k; i += 2) {
        codes[i] = bytes[i / 2] & 15;
        codes[i + 1] = bytes[i / 2] >> 4;
      }
      break;
    default:  // 6 bits: four codes in three bytes
      for (unsigned i = 0; i < k; i += 4, bytes += 3) {
        const unsigned four = bytes[0] | bytes[1] << 8 | bytes[2] << 16;
        for (unsigned e = 0; e < 4; ++e) codes[i + e] = four >> 6 * e & 63;
      }
      break;
  }
}

}  // namespace wavetwin::mfma
