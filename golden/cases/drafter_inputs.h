// SPDX-License-Identifier: MIT
// What the drafter attention reads: positions, block tables with holes, an FP8 cache, rows of qkv.
#pragma once

#include <cstdint>
#include <string>

#include "common/kernels/drafter.h"
#include "golden/io/tensor.h"

namespace wavetwin::golden {

inline constexpr uint32_t kDrafterDataVersion = 1;

struct DrafterProblem {
  uint32_t requests;
  int32_t p0;   // of the first request; the others follow in a list of edge positions
  bool padded;  // every third request (from the second on) has no keys and stale positions
  bool holes;   // also blocks inside the window are missing from the table (reads only)
  uint64_t seed;
};

int32_t drafter_p0(const DrafterProblem& problem, uint32_t r);
drafter::Window drafter_window(const DrafterProblem& problem, uint32_t r);
uint32_t drafter_table_width(const DrafterProblem& problem);
uint32_t drafter_cache_blocks(const DrafterProblem& problem);
uint32_t drafter_positions(const DrafterProblem& problem);  // rows of cos_sin
int32_t drafter_table_entry(const DrafterProblem& problem, uint32_t r, int32_t block);

Tensor drafter_input(const DrafterProblem& problem, const std::string& name, DType dtype, const Shape& shape);
// e4m3 bytes of magnitudes 2^-3 .. 2, no NaN.
std::vector<uint8_t> drafter_codes(uint64_t seed, const std::string& stream, uint64_t count);

}  // namespace wavetwin::golden
