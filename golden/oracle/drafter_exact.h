// SPDX-License-Identifier: MIT
// Every bit of the drafter attention on exactness-conditioned data: scores and P V are sums that no order of
// addition rounds, so only the stated f32 steps remain. One block a partition (a rescaled accumulator is not
// exact).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "golden/oracle/drafter.h"

namespace wavetwin::oracle {

// e4m3 codes of 128 elements of one head. Throws std::logic_error when a value lies near a rounding boundary
// of bf16 or e4m3: then the data are not conditioned.
Bytes drafter_exact_head(const DrafterHead& head);

struct DrafterExactPartial {
  std::vector<float> m, l;  // [112]
  std::vector<float> o;     // [112][128]
};
// Throws std::logic_error for more than one block, or a score or an output whose sum is not exact.
DrafterExactPartial drafter_exact_block(const DrafterBlocks& data);

// A row's head from its partials: codes of MXFP8.
struct DrafterExactMerge {
  uint32_t partials;
  std::function<float(uint32_t i)> m, l;
  std::function<float(uint32_t i, uint32_t d)> o;
};
struct DrafterExactOutput {
  Bytes data;                   // e4m3 [128]
  std::vector<uint32_t> codes;  // E8M0 [4]
};
DrafterExactOutput drafter_exact_merge(const DrafterExactMerge& data);

}  // namespace wavetwin::oracle
