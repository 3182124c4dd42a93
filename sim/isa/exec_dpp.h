// SPDX-License-Identifier: MIT
// DPP: which lane feeds which (common/lane_map.h), and which lanes are written. source: CDNA4 ISA
// guide 13.3.9 and LLVM.
#pragma once

#include <cstdint>

#include "sim/isa/wave_state.h"

namespace wavetwin::isa {

struct DppLanes {
  const uint8_t* from;   // source lane of each lane; any lane where `valid` is off
  uint64_t valid = 0;    // lanes whose source exists and is enabled; the others read 0
  uint64_t written = 0;  // lanes the instruction may write
};

// A source lane outside the row or disabled in `exec` is invalid: with `bound_ctrl` it reads as 0, without it
// the destination lane is not written. (Disabled lanes: inferred from LLVM's intrinsic and AMD's emulator.)
DppLanes dpp_lanes(unsigned control, uint64_t exec, bool bound_ctrl);

// Destination lanes that the row mask (16 lanes a bit) and the bank mask (4 lanes a bit in every row) leave
// enabled.
uint64_t dpp_destinations(unsigned row_mask, unsigned bank_mask);

inline void gather_lanes(const DppLanes& dpp, const uint32_t* source, uint32_t* out) {
  for (unsigned lane = 0; lane < kLanes; ++lane) out[lane] = source[dpp.from[lane]];
  if (dpp.valid == ~uint64_t{0}) return;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!(dpp.valid >> lane & 1)) out[lane] = 0;
  }
}

}  // namespace wavetwin::isa
