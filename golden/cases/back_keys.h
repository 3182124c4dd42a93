// SPDX-License-Identifier: MIT
// Key tables of the attention back as the key list kernel builds them, and cache pages far from each other.
#pragma once

#include <cstdint>
#include <vector>

#include "golden/cases/back_problem.h"
#include "golden/harness/case.h"

namespace wavetwin::golden {

// Rows of cos_sin where positions are those of the contexts.
inline constexpr uint32_t kBackContext = 2048;

// Inputs of a built key table:
//   block_table   U32 [requests, pages of one]  physical compressed page of each logical one
//   topk          I32 [tokens, 512]             local compressed rows, -1 for none
//   window        U32 [tokens, 128]             window slots
//   window_len    U32 [tokens]                  how many of them
//   slots         I64 [tokens]                  where the token itself was written; negative for a pad row
//   request       U32 [tokens]                  row of block_table
// and the positions.
std::vector<InputSpec> back_key_inputs(const BackProblem& problem);
void generate_back_keys(const BackProblem& problem, Tensors& tensors);
std::vector<int64_t> back_built_positions(const BackProblem& problem);

struct BackKeyList {
  std::vector<uint32_t> table;   // [tokens][640]
  std::vector<uint32_t> counts;  // keys of each token
  std::vector<uint32_t> topk;    // of these, compressed ones
};
// Positions count (pos + 1) / ratio compressed rows, at most 512. Error for entries out of range.
BackKeyList build_back_keys(const BackProblem& problem, const Tensors& inputs);

// Where a page lies when pages are far apart: compressed ones at multiples of a few hundred MiB, so that the
// slot numbers grow; window ones with a stride past 4 GiB.
inline constexpr uint32_t kFarCompressedPages = 9973;
uint64_t far_stride(const BackProblem& problem, bool compressed);
uint64_t far_offset(const BackProblem& problem, bool compressed, uint64_t page);
// The entries of a table of near slots as slots of the far cache.
std::vector<uint32_t> far_table(const BackProblem& problem, std::span<const uint32_t> table);

}  // namespace wavetwin::golden
