// SPDX-License-Identifier: MIT
// Generated inputs of the attention back: queries, cache pages, key tables, rotations and partials.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "golden/cases/back_problem.h"
#include "golden/io/tensor.h"

namespace wavetwin::golden {

// The generators' version: a change of any byte they make raises it.
inline constexpr uint32_t kBackDataVersion = 2;

inline constexpr uint32_t kBackWindowSlots = 256;
inline constexpr uint32_t kBackCompressedSlots = 1024;
inline constexpr uint32_t kBackPositions = 512;  // rows of cos_sin

// Keys of each token: a fixed list of edges (0 for a pad row, 1, 15 .. 129, 639, 640), from another start
// for each seed.
std::vector<uint32_t> back_key_counts(const BackProblem& problem);
std::vector<int64_t> back_positions(const BackProblem& problem);

Tensor back_query(const BackProblem& problem, uint32_t heads);  // BF16 [tokens, heads, 512]
// U8 [pages, stride]; padding is 0xA5.
Tensor back_pages(const BackProblem& problem, std::string_view stream, uint32_t slots, uint32_t block);
// U32 [tokens, 640]: top-k rows (compressed slots) with holes, then window slots, then nothing. Tokens share
// slots, and every fourth token has no key among 128 .. 255.
Tensor back_key_table(const BackProblem& problem);
Tensor back_sink(const BackProblem& problem, uint32_t heads);  // F32 [heads]: -30, 0, 30 and others
Tensor back_cos_sin(uint32_t positions);                       // F32 [positions, 64]
// What a split stage could have left: BF16 [tokens, chunks, heads, 512] and F32 [tokens, chunks, heads, 2].
// Some partials are -0, some chunks have no key.
Tensor back_part(const BackProblem& problem, uint32_t chunks, uint32_t heads);
Tensor back_stats(const BackProblem& problem, uint32_t chunks, uint32_t heads);

// One code other than zero a row, anywhere in its K, at scale 2^-1 .. 2: a product is one term, exact in any
// order. E4M3 [rows, k]; `stream` names the matrix.
Tensor back_one_hot(const BackProblem& problem, std::string_view stream, uint64_t rows, uint64_t k);

}  // namespace wavetwin::golden
