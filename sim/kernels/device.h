// SPDX-License-Identifier: MIT
// Device words of the simulated kernels that are not methods of Wave; the twin of hip/device/intrinsics.h.
#pragma once

#include <cstdint>

#include "common/kernels/device.h"
#include "sim/core/lane.h"
#include "sim/core/wave.h"
#include "sim/numerics/mfma_model.h"

namespace wavetwin {

// The model that the matrix words compute with; gfx950-default unless it was replaced. Replaced only between
// launches.
const mfma::MfmaModel& mfma_model();
void set_mfma_model(const mfma::MfmaModel& model);

// Four f32 accumulators of a lane, as register bits.
using Accumulator = Vgprs<4>;

// v_mfma_scale_f32_16x16x128_f8f6f4, scales in byte 0 of their registers: lane l holds row (column) l % 16, K
// bytes 16 (l / 16) .. +16 in words 0..3 and 64 + 16 (l / 16) .. +16 in words 4..7, and the E8M0 code of K
// block l / 16.
Accumulator mfma_scaled(const Vgprs<8>& a, const Vgprs<8>& b, const Accumulator& c, const LaneU32& scale_a,
                        const LaneU32& scale_b, uint32_t a_format = kFp8, uint32_t b_format = kFp8);

// v_mfma_f32_16x16x32_bf16: lane l holds row (column) l % 16, K 8 (l / 16) .. +8, two a word.
Accumulator mfma_bf16(const Vgprs<4>& a, const Vgprs<4>& b, const Accumulator& c);

// v_mfma_f32_16x16x16_bf16: lane l holds row (column) l % 16, K 4 (l / 16) .. +4, two a word.
Accumulator mfma16_bf16(const Vgprs<2>& a, const Vgprs<2>& b, const Accumulator& c);

// Two operand halves side by side.
inline Vgprs<8> join(const Vgprs<4>& lo, const Vgprs<4>& hi) {
  Vgprs<8> out;
  for (unsigned i = 0; i < 4; ++i) {
    out[i] = lo[i];
    out[4 + i] = hi[i];
  }
  return out;
}

}  // namespace wavetwin
