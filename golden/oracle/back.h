// SPDX-License-Identifier: MIT
// The stages of the attention back in fp64, each judged on the input that the stage actually had.
#pragma once

#include <cstdint>
#include <span>

#include "golden/oracle/gemv.h"

namespace wavetwin::oracle {

// Pages of `block` slots: block data rows of 576 bytes (448 e4m3, 64 bf16), then block scale rows of 8 bytes.
struct CachePages {
  std::span<const uint8_t> bytes;
  uint64_t stride;
  uint32_t block;
};

struct BackSplitData {
  uint32_t tokens, heads, chunk_keys;
  std::span<const uint32_t> key_counts;  // [tokens]
  std::span<const uint16_t> q;           // bf16 [tokens][heads][512]
  std::span<const uint32_t> key_table;   // [tokens][640]: slot, slot | 1 << 31 (compressed), or all ones
  CachePages window, compressed;
  double qk_scale;                // of a dot product, in log2 units
  std::span<const float> maxima;  // the stage's own [tokens][chunks][heads], which partials refer to
  bool exact;                     // the data make every sum exact: bounds are zero
};
struct BackSplitReference {
  Judged part;  // [tokens][chunks][heads][512]: sum of 2^(score - maximum) V
  Judged max;   // [tokens][chunks][heads]
  Judged sum;
};
BackSplitReference back_split(const BackSplitData& data);

// A tensor quantised by 32-groups: data judged at the stage's own codes.
struct MxReference {
  Judged data;   // the e4m3 values
  Judged codes;  // the E8M0 codes
};

struct BackCombineData {
  uint32_t tokens, heads, chunk_keys;
  std::span<const uint32_t> key_counts;
  std::span<const uint16_t> part;   // bf16 [tokens][chunks][heads][512]
  std::span<const float> stats;     // [tokens][chunks][heads]{max, sum}
  std::span<const float> sink;      // [heads], natural units
  std::span<const int64_t> pos;     // [tokens]
  std::span<const float> cos_sin;   // [positions][64]
  std::span<const uint32_t> codes;  // the stage's own [tokens][heads * 16]
};
MxReference back_combine(const BackCombineData& data);

// e4m3 [rows][k] with E8M0 [rows / 32][k / 32]; groups of rows read consecutive columns.
struct BackWeights {
  uint32_t rows, k, groups;
  std::span<const uint8_t> codes, scales;
};
struct BackGemvData {
  uint32_t tokens;
  BackWeights weights;
  std::span<const uint8_t> x;              // e4m3 [tokens][groups * k]
  std::span<const uint32_t> x_codes;       // E8M0 [tokens][groups * k / 32]
  std::span<const uint32_t> result_codes;  // wo_a: the stage's own [tokens][rows / 32]
  bool exact;                              // the data make every sum exact: bounds are zero
};
MxReference back_woa(const BackGemvData& data);
Judged back_wob(const BackGemvData& data);  // bf16 [tokens][rows]

struct BackChainData {
  BackSplitData split;  // maxima unused
  std::span<const float> sink;
  std::span<const int64_t> pos;
  std::span<const float> cos_sin;
  BackWeights woa, wob;
};
// From the rotated query to [tokens][5120] in fp64, with the kernels' roundings to bf16 (probabilities, a
// chunk's partial, attention, wo_a, wo_b) and MXFP8 (attention, wo_a).
std::vector<double> back_chain(const BackChainData& data);

}  // namespace wavetwin::oracle
