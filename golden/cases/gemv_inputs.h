// SPDX-License-Identifier: MIT
// Generated inputs of the GEMV: weights with one E8M0 scale a 32x32 block, activations with one a 32-group.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace wavetwin::golden {

struct MxMatrix {
  std::vector<uint8_t> codes;   // e4m3 [rows][columns]
  std::vector<uint8_t> scales;  // E8M0 [rows / scale_rows][columns / 32]
};

struct MxExtent {
  uint32_t rows;
  uint32_t columns;     // a multiple of 32
  uint32_t scale_rows;  // rows that share a scale: 32 (weights) or 1 (activations)
};

enum class GemvData : uint8_t {
  model,      // normal values (one channel in 64 eight times larger in activations), quantised by vllm_rocm
  uniform,    // every finite code, scales 2^-10 .. 2^10
  extremes,   // subnormals, largest values, +-0, zero groups, scales down to 2^-127; sums stay finite
  exact,      // integers |v| <= 8, scale 1: every sum is exact in any order
  exact_pm1,  // the same, scales 1/2, 1, 2
  nan         // uniform with a few NaN codes
};
inline constexpr GemvData kGemvData[] = {GemvData::model, GemvData::uniform,   GemvData::extremes,
                                         GemvData::exact, GemvData::exact_pm1, GemvData::nan};
const char* to_string(GemvData data);

// True where every sum of products is exact in f32 whatever the order: the oracle fixes every bit.
constexpr bool is_exact(GemvData data) { return data == GemvData::exact || data == GemvData::exact_pm1; }

// The generators' version: a change of any byte they make raises it.
inline constexpr uint32_t kGemvDataVersion = 1;

// True when every code is an integer |v| <= 8 and every scale 1/2, 1 or 2: what the two exact generators
// make, and what keeps any sum of up to 5120 products below 2^24 units of its smallest term.
bool is_exactness_conditioned(std::span<const uint8_t> codes, std::span<const uint8_t> scales);

// `stream` names the tensor ("w", "x"), so that two tensors of a case differ.
MxMatrix generate_mx(GemvData data, uint64_t seed, std::string_view stream, MxExtent extent);

}  // namespace wavetwin::golden
