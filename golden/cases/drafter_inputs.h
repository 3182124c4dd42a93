// SPDX-License-Identifier: MIT
// What the drafter attention reads: positions, block tables with holes, an FP8 cache, rows of qkv.
#pragma once

#include <cstdint>
#include <string>

#include "common/kernels/drafter.h"
#include "golden/io/tensor.h"

namespace wavetwin::golden {

inline constexpr uint32_t kDrafterDataVersion = 1;

enum class DrafterData : uint8_t {
  random,
  exact,  // scores and P V are exact in any order: K, V and normed q in {-1, 0, 1}, quarter turns
  keys,   // V holds a code of its key: a byte of another key shows
  dims    // V holds a code of its dim
};
inline constexpr const char* kDrafterData[] = {"", "-exact", "-keys", "-dims"};

struct DrafterProblem {
  uint32_t requests;
  int32_t p0;  // of the first request; the others follow in a list of edge positions
  bool padded =
      false;  // every third request (from the second on) has no keys and positions of an earlier step
  bool holes = false;  // also blocks inside the window are missing from the table
  uint64_t seed = 0;
  bool stale = false;   // padded requests' positions are out of any range
  bool replay = false;  // a second launch on the same flags and partials, without the dump
  DrafterData data = DrafterData::random;
};
// "r2-p4097-padded"
std::string drafter_shape(const DrafterProblem& problem);

bool drafter_is_padded(const DrafterProblem& problem, uint32_t r);
int32_t drafter_p0(const DrafterProblem& problem, uint32_t r);
drafter::Window drafter_window(const DrafterProblem& problem, uint32_t r);
uint32_t drafter_table_width(const DrafterProblem& problem);
uint32_t drafter_cache_blocks(const DrafterProblem& problem);
uint32_t drafter_positions(const DrafterProblem& problem);  // rows of cos_sin
int32_t drafter_table_entry(const DrafterProblem& problem, uint32_t r, int32_t block);

Tensor drafter_input(const DrafterProblem& problem, const std::string& name, DType dtype, const Shape& shape);
// The code that stands for key or dim `index`; no two are alike, none is NaN.
uint8_t drafter_distinct_code(uint32_t index);
// e4m3 codes of -1, 0 and 1.
std::vector<uint8_t> drafter_unit_codes(uint64_t seed, const std::string& stream, uint64_t count);
// e4m3 bytes of magnitudes 2^-3 .. 2, no NaN.
std::vector<uint8_t> drafter_codes(uint64_t seed, const std::string& stream, uint64_t count);

}  // namespace wavetwin::golden
