// SPDX-License-Identifier: MIT
// Scalar ALU instructions with sources in s[4:5] and s[6:7] and the destination s[8:9].
#pragma once

#include <cstdint>
#include <vector>

#include "sim/isa/rows.h"

namespace wavetwin::isa {

inline constexpr unsigned kS0 = 4, kS1 = 6, kD = 8;

inline std::vector<uint32_t> encode_scalar(const Row& row, uint16_t simm16) {
  const uint32_t op = row.opcode;
  switch (row.format) {
    case Format::sop2:
      return {0x80000000u | op << 23 | (row.dst[0] != NONE ? kD : 0) << 16 | kS1 << 8 | kS0};
    case Format::sop1:
      return {0xbe800000u | (row.dst[0] != NONE ? kD : 0) << 16 | op << 8 | (row.src[0] != NONE ? kS0 : 0)};
    case Format::sopc:
      return {0xbf000000u | op << 16 | kS1 << 8 | kS0};
    case Format::sopp:
      return {0xbf800000u | op << 16 | simm16};
    // SOPK: a compare or a fork reads the register in the destination field, s_setreg too.
    default: {
      const bool compare = row.dst[0] == NONE && row.src[0] != HWREG;
      const bool immediate = row.src[1] == IMM32;
      return {0xb0000000u | op << 23 | (immediate ? 0 : compare ? kS0 : kD) << 16 | simm16};
    }
  }
}

}  // namespace wavetwin::isa
