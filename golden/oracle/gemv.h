// SPDX-License-Identifier: MIT
// The MXFP8 GEMV in fp64: what every output and every wave's partial stands for, and how far a kernel may be
// off.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/kernels/gemv.h"

namespace wavetwin::oracle {

struct GemvData {
  uint32_t tokens;                   // 1 .. 48
  std::span<const uint8_t> w;        // e4m3 [N][K]
  std::span<const uint8_t> w_scale;  // E8M0 [N/32][K/32]
  std::span<const uint8_t> x;        // e4m3 [tokens][groups K]
  std::span<const uint8_t> x_scale;  // E8M0 [tokens][groups K/32]
};

// |result - value| <= bound, element by element; NaN where a NaN is the result.
struct Judged {
  std::vector<double> value;
  std::vector<double> bound;
};

struct GemvReference {
  Judged y;    // [windows][tokens][N]
  Judged red;  // [grid][token tiles][8 waves][64 lanes][4]
};

// Largest error of an element relative to the sum of its terms' magnitudes: products are cut at 2^-24 of
// their block's largest, the accumulator at 2^-24 of itself once a block, and eight partials are added in
// f32.
inline constexpr double kGemvTolerance = 0x1p-19;

// bound = kGemvTolerance * sum of |terms|, plus one f32 subnormal quantum (2^-149) a block and wave that was
// added; 0 where no term is nonzero, so that there the result must be zero.
GemvReference gemv(const GemvShape& shape, const GemvData& data);

}  // namespace wavetwin::oracle
