// SPDX-License-Identifier: MIT
// Reading and writing scalar operands: SGPRs, constants and the read-only specials (isa guide, "SALU
// operands").
#pragma once

#include <bit>

#include "sim/isa/instruction.h"
#include "sim/isa/wave_state.h"

namespace wavetwin::isa {

// High dwords of the flat apertures, as the Linux driver programs them for GFX9 (amdkfd, kfd_flat_memory.c:
// 1 << 48 and 2 << 48).
inline constexpr uint32_t kSharedApertureHigh = 0x00010000;
inline constexpr uint32_t kPrivateApertureHigh = 0x00020000;

// Codes 235..254 that are not registers. The apertures are 64-bit values whose low dword is zero.
inline uint64_t read_special(const WaveState& wave, unsigned code) {
  switch (code) {
    case 235:
      return uint64_t{kSharedApertureHigh} << 32;
    case 236:
      return uint64_t{kSharedApertureHigh} << 32 | 0xffffffffu;
    case 237:
      return uint64_t{kPrivateApertureHigh} << 32;
    case 238:
      return uint64_t{kPrivateApertureHigh} << 32 | 0xffffffffu;
    case 251:
      return wave.vcc() == 0;
    case 252:
      return wave.exec() == 0;
    case 253:
      return wave.scc;
    default:
      return 0;
  }
}

inline uint32_t read_scalar32(const WaveState& wave, const Operand& operand) {
  if (operand.kind == OperandKind::sgpr) return wave.scalar[operand.index];
  if (operand.kind == OperandKind::constant) return static_cast<uint32_t>(operand.value);
  return static_cast<uint32_t>(read_special(wave, operand.index));
}

// The decoder lets no pair start at an odd register.
inline uint64_t read_scalar64(const WaveState& wave, const Operand& operand) {
  if (operand.kind == OperandKind::sgpr) return wave.pair(operand.index);
  if (operand.kind == OperandKind::constant) return operand.value;
  return read_special(wave, operand.index);
}

inline void write_scalar32(WaveState& wave, const Operand& operand, uint32_t value) {
  wave.set_scalar(operand.index, value);
}

inline void write_scalar64(WaveState& wave, const Operand& operand, uint64_t value) {
  wave.set_pair(operand.index, value);
}

}  // namespace wavetwin::isa
