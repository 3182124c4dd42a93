// SPDX-License-Identifier: MIT
// s_getreg / s_setreg. Source: isa guide, "Hardware registers" (ids and fields).
#pragma once

#include <cstdint>

#include "sim/isa/wave_state.h"

namespace wavetwin::isa {

// SIMM16 of s_getreg / s_setreg: id [5:0], offset [10:6], size - 1 [15:11].
struct HardwareRegisterField {
  uint32_t id, offset, size;

  static constexpr HardwareRegisterField decode(uint16_t simm16) {
    return {simm16 & 63u, simm16 >> 6 & 31u, (simm16 >> 11 & 31u) + 1};
  }
  constexpr uint32_t mask() const { return size == 32 ? ~0u : (1u << size) - 1; }
};

// The field's value. Error for a register that has no defined value here.
uint32_t read_system_register(const WaveState& wave, uint16_t simm16);

// Writes the field. MODE takes every bit but the reserved ones; TRAPSTS may be written and never has an
// effect, as there is no trap handler; other registers are read-only and raise Error.
void write_system_register(WaveState& wave, uint16_t simm16, uint32_t value);

}  // namespace wavetwin::isa
