// SPDX-License-Identifier: MIT
#include "golden/cases/gemv_inputs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "common/format/mx_block.h"
#include "golden/cases/random.h"

namespace wavetwin::golden {
namespace {

constexpr uint32_t kBlock = 32;  // columns that share a scale

constexpr uint8_t kInteger[] = {0x00, 0x38, 0x40, 0x44, 0x48, 0x4A, 0x4C, 0x4E, 0x50};  // e4m3 of 0 .. 8

MxMatrix zeros(MxExtent extent) {
  const uint64_t codes = uint64_t{extent.rows} * extent.columns;
  return {std::vector<uint8_t>(codes), std::vector<uint8_t>(codes / extent.scale_rows / kBlock)};
}

uint64_t scale_index(MxExtent extent, uint64_t row, uint64_t column) {
  return row / extent.scale_rows * (extent.columns / kBlock) + column / kBlock;
}

// Rows of one scale block, quantised together: one scale a `scale_rows` x 32 block.
void quantize_rows(MxExtent extent, const std::vector<float>& values, uint64_t row0, MxMatrix& out) {
  for (uint64_t column = 0; column < extent.columns; column += kBlock) {
    float amax = 0;
    for (uint64_t r = 0; r < extent.scale_rows; ++r) {
      amax = std::max(amax, block_amax(&values[r * extent.columns + column], kBlock));
    }
    const E8M0 scale = scale_code(ScaleRule::vllm_rocm, E4M3::kFormat, amax);
    out.scales[scale_index(extent, row0, column)] = scale.bits;
    for (uint64_t r = 0; r < extent.scale_rows; ++r) {
      for (uint64_t i = 0; i < kBlock; ++i) {
        const float value = values[r * extent.columns + column + i];
        out.codes[(row0 + r) * extent.columns + column + i] =
            quantize_element(ScaleRule::vllm_rocm, E4M3::kFormat, value, scale);
      }
    }
  }
}

// Weights have standard deviation 2^-6, activations 1 with outlier channels.
MxMatrix model(const Random& random, const Random& channels, MxExtent extent) {
  MxMatrix out = zeros(extent);
  const bool activations = extent.scale_rows == 1;
  std::vector<float> values(uint64_t{extent.scale_rows} * extent.columns);
  for (uint64_t row0 = 0; row0 < extent.rows; row0 += extent.scale_rows) {
    for (uint64_t i = 0; i < values.size(); ++i) {
      const float size = !activations ? 0x1p-6f : (channels.below(i % extent.columns, 64) == 0 ? 8.0f : 1.0f);
      values[i] = random.normal(row0 * extent.columns + i) * size;
    }
    quantize_rows(extent, values, row0, out);
  }
  return out;
}

uint8_t finite_code(uint64_t word) {
  const auto magnitude = static_cast<uint8_t>((word >> 32) % 127);  // 0x00 .. 0x7E
  return static_cast<uint8_t>(magnitude | (word & 0x80));
}

MxMatrix uniform(const Random& random, const Random& scales, MxExtent extent) {
  MxMatrix out = zeros(extent);
  for (uint64_t i = 0; i < out.codes.size(); ++i) out.codes[i] = finite_code(random.word(i));
  for (uint64_t i = 0; i < out.scales.size(); ++i)
    out.scales[i] = static_cast<uint8_t>(117 + scales.below(i, 21));
  return out;
}

// Scales of one row block or token are all tiny, from everywhere, or ordinary, so that results of every size,
// f32 subnormals among them, are not drowned by larger ones. The largest pair is 2^43 * 2^48: with 448 * 448
// * 5120 a sum stays below 2^122.
MxMatrix extremes(const Random& random, const Random& scales, MxExtent extent) {
  static constexpr uint8_t kCodes[] = {0x00, 0x80, 0x01, 0x81, 0x07, 0x87, 0x08,
                                       0x88, 0x7E, 0xFE, 0x7D, 0xFD, 0x38, 0xB8};
  const bool activations = extent.scale_rows == 1;
  const uint8_t mixed[] = {0, 1, 63, 126, 127, 128, static_cast<uint8_t>(activations ? 175 : 170)};
  const uint32_t low = activations ? 86 : 0;  // 2^-41 and 2^-127: together about 2^-143 for a sum
  MxMatrix out = zeros(extent);
  for (uint64_t i = 0; i < out.scales.size(); ++i) {
    const uint64_t band = i / (extent.columns / kBlock) % 3;  // token 0 is ordinary
    const uint32_t draw = scales.below(2 * i, 1u << 16);
    out.scales[i] = band == 0   ? static_cast<uint8_t>(120 + draw % 15)
                    : band == 1 ? mixed[draw % 7]
                                : static_cast<uint8_t>(low + draw % 4);
  }
  for (uint64_t row = 0; row < extent.rows; ++row) {
    for (uint64_t column = 0; column < extent.columns; ++column) {
      const uint64_t i = row * extent.columns + column;
      const uint64_t word = random.word(i);
      const bool zero_group = scales.below(2 * scale_index(extent, row, column) + 1, 8) == 0;
      const uint8_t code = word >> 62 ? kCodes[(word >> 8) % std::size(kCodes)] : finite_code(word);
      out.codes[i] = zero_group ? code & 0x80 : code;
    }
  }
  return out;
}

MxMatrix integers(const Random& random, const Random& scales, MxExtent extent, bool vary_scales) {
  MxMatrix out = zeros(extent);
  for (uint64_t i = 0; i < out.codes.size(); ++i) {
    const auto value = static_cast<int32_t>(random.below(i, 17)) - 8;
    out.codes[i] = static_cast<uint8_t>(kInteger[std::abs(value)] | (value < 0 ? 0x80 : 0));
  }
  for (uint64_t i = 0; i < out.scales.size(); ++i) {
    out.scales[i] = static_cast<uint8_t>(vary_scales ? 126 + scales.below(i, 3) : 127);
  }
  return out;
}

// About one weight in 2^14, and one activation of the last of several tokens in 2^9, are NaN: some outputs
// are, most are not.
MxMatrix with_nans(const Random& random, const Random& scales, const Random& where, MxExtent extent) {
  MxMatrix out = uniform(random, scales, extent);
  const bool activations = extent.scale_rows == 1;
  const bool only_token = activations && extent.rows == 1;
  const uint64_t last_row = out.codes.size() - extent.columns;
  const uint64_t first = only_token ? out.codes.size() : activations ? last_row : 0;
  for (uint64_t i = first; i < out.codes.size(); ++i) {
    const uint64_t word = where.word(i);
    if (word >> (activations ? 55 : 50) == 0) out.codes[i] = static_cast<uint8_t>(0x7F | (word & 0x80));
  }
  return out;
}

}  // namespace

const char* to_string(GemvData data) {
  static constexpr const char* kNames[] = {"model", "uniform", "extremes", "exact", "exact_pm1", "nan"};
  return kNames[static_cast<uint8_t>(data)];
}

bool is_exactness_conditioned(std::span<const uint8_t> codes, std::span<const uint8_t> scales) {
  std::array<bool, 256> integer{};
  for (const uint8_t code : kInteger) integer[code] = integer[code | 0x80] = true;
  return std::all_of(codes.begin(), codes.end(), [&](uint8_t code) { return integer[code]; }) &&
         std::all_of(scales.begin(), scales.end(), [](uint8_t code) { return code >= 126 && code <= 128; });
}

MxMatrix generate_mx(GemvData data, uint64_t seed, std::string_view stream, MxExtent extent) {
  const std::string name = std::string(to_string(data)) + "." + std::string(stream);
  const Random codes(seed, name), scales(seed, name + ".scale"), extra(seed, name + ".extra");
  switch (data) {
    case GemvData::model:
      return model(codes, extra, extent);
    case GemvData::uniform:
      return uniform(codes, scales, extent);
    case GemvData::extremes:
      return extremes(codes, scales, extent);
    case GemvData::exact:
      return integers(codes, scales, extent, false);
    case GemvData::exact_pm1:
      return integers(codes, scales, extent, true);
    case GemvData::nan:
      break;
  }
  return with_nans(codes, scales, extra, extent);
}

}  // namespace wavetwin::golden
