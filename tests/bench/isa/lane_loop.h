// SPDX-License-Identifier: MIT
// The arithmetic of tests/isa/asm/valu_mix.s as a plain loop over lanes: what the host can do without an
// executor.
#pragma once

#include <cstdint>

namespace wavetwin::bench {

struct LaneRegisters {
  alignas(64) float f[3][64];     // v1..v3
  alignas(64) uint32_t u[3][64];  // v12..v14
};

// One pass of the unrolled body, 128 vector instructions.
void lane_loop(LaneRegisters& registers);

}  // namespace wavetwin::bench
