// SPDX-License-Identifier: MIT
#include "golden/cases/drafter_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "golden/cases/random.h"

namespace wavetwin::golden {
namespace {

using namespace drafter;

constexpr int32_t kEdges[] = {0,    4090, 1,   122,  6,    4097, 100, 5000,
                              4102, 4088, 127, 4095, 4233, 4096, 125, 8190};
constexpr uint32_t kStride = 35;  // physical blocks of a request: its blocks, and some that nobody uses

template <class T, class F>
Tensor filled(DType dtype, const Shape& shape, F element) {
  std::vector<T> values(element_count(shape));
  for (uint64_t i = 0; i < values.size(); ++i) values[i] = element(i);
  return make_tensor<T>(dtype, shape, values);
}

uint16_t bf16_bits(double v) { return static_cast<uint16_t>(encode_element(DType::BF16, v)); }

// Cosine and sine of pair i at a position; quarter turns for exact data.
std::array<double, 2> turn(const DrafterProblem& problem, int32_t position, uint32_t i) {
  if (problem.data == DrafterData::exact) {
    constexpr double kQuarters[] = {1, 0, -1, 0};
    const uint32_t quarter = static_cast<uint32_t>(position) + i;
    return {kQuarters[quarter % 4], kQuarters[(quarter + 3) % 4]};
  }
  const double angle = position * std::pow(5e6, -2.0 * i / kRot);
  return {std::cos(angle), std::sin(angle)};
}

// Positions that index nothing: those of a request that was never filled, or of another program.
int32_t stale_p0(uint32_t r) { return r % 2 == 1 ? 0x7FFFFFF0 : -7; }

bool indexes_tables(const DrafterProblem& problem, uint32_t r) {
  return !(problem.stale && drafter_is_padded(problem, r));
}

// Cosines and sines of the rotated pairs, in the rows that some position needs.
Tensor cos_sin_table(const DrafterProblem& problem, const Shape& shape) {
  std::vector<uint16_t> values(element_count(shape));
  for (uint32_t r = 0; r < problem.requests; ++r) {
    if (!indexes_tables(problem, r)) continue;
    for (uint32_t row = 0; row < kRows; ++row) {
      const int32_t position = drafter_p0(problem, r) + static_cast<int32_t>(row);
      for (uint32_t i = 0; i < kRot / 2; ++i) {
        const auto [cosine, sine] = turn(problem, position, i);
        uint16_t* at = &values[static_cast<uint64_t>(position) * kRot + i];
        at[0] = bf16_bits(cosine);
        at[kRot / 2] = bf16_bits(sine);
      }
    }
  }
  return make_tensor<uint16_t>(DType::BF16, shape, values);
}

bool is_hole(const DrafterProblem& problem, int32_t block) { return problem.holes && block % 5 == 3; }

// A row of qkv whose heads norm to {-1, 0, 1}: 32 of 128 q and k elements are +-2, so that their mean square
// is 1.
Tensor unit_qkv(const DrafterProblem& problem, const Shape& shape) {
  const Random random(problem.seed, "drafter.qkv");
  return filled<uint16_t>(DType::BF16, shape, [&](uint64_t i) {
    const bool is_v = i % kQkvRow >= kQkvRow - kDim;
    const double sign = random.word(i) & 1 ? -1 : 1;
    if (is_v) return bf16_bits(random.below(i, 3) == 0 ? 0 : sign);
    return bf16_bits(random.below(i / 4, 4) == i % 4 ? 2 * sign : 0);
  });
}

// K as ever; V by data.
Tensor cache_tensor(const DrafterProblem& problem, const Shape& shape) {
  const bool exact = problem.data == DrafterData::exact;
  std::vector<uint8_t> codes =
      (exact ? drafter_unit_codes : drafter_codes)(problem.seed, "drafter.cache", element_count(shape));
  const bool keys = problem.data == DrafterData::keys;
  for (uint64_t i = 0; i < codes.size() && (keys || problem.data == DrafterData::dims); ++i) {
    if (i % kKeyBytes < kDim) continue;
    const uint64_t key = i / kKeyBytes % kBlock, dim = i % kDim;
    codes[i] = drafter_distinct_code(static_cast<uint32_t>(keys ? key : dim));
  }
  return make_tensor<uint8_t>(DType::U8, shape, codes);
}

int64_t slot_of_row(const DrafterProblem& problem, uint64_t row) {
  const auto r = static_cast<uint32_t>(row / kRows);
  const int32_t position = drafter_p0(problem, r) + static_cast<int32_t>(row % kRows);
  if (drafter_is_padded(problem, r) || row % 5 == 3) return -1;
  const int32_t block = position / static_cast<int32_t>(kBlock);
  const int32_t entry = drafter_table_entry(problem, r, block);
  if (entry < 0 || is_hole(problem, block)) return -1;
  return int64_t{entry} * kBlock + position % static_cast<int32_t>(kBlock);
}

}  // namespace

std::string drafter_shape(const DrafterProblem& problem) {
  return fmt::format("r{}-p{}{}{}{}{}{}", problem.requests, problem.p0, problem.padded ? "-padded" : "",
                     problem.holes ? "-holes" : "", problem.stale ? "-stale" : "",
                     problem.replay ? "-replay" : "", kDrafterData[static_cast<int>(problem.data)]);
}

bool drafter_is_padded(const DrafterProblem& problem, uint32_t r) { return problem.padded && r % 3 == 1; }

int32_t drafter_p0(const DrafterProblem& problem, uint32_t r) {
  if (!indexes_tables(problem, r)) return stale_p0(r);
  return r == 0 ? problem.p0 : kEdges[(r - 1) % std::size(kEdges)];
}

Window drafter_window(const DrafterProblem& problem, uint32_t r) {
  const int32_t p0 = drafter_p0(problem, r);
  return window_of(p0, p0 + 6, drafter_is_padded(problem, r) ? 0 : p0 + 7);
}

uint32_t drafter_positions(const DrafterProblem& problem) {
  int32_t last = 0;
  for (uint32_t r = 0; r < problem.requests; ++r) {
    if (indexes_tables(problem, r)) last = std::max(last, drafter_p0(problem, r) + 7);
  }
  return static_cast<uint32_t>(last);
}

uint32_t drafter_table_width(const DrafterProblem& problem) {
  return (drafter_positions(problem) - 1) / kBlock + 1;
}

uint32_t drafter_cache_blocks(const DrafterProblem& problem) { return problem.requests * kStride + 1; }

int32_t drafter_table_entry(const DrafterProblem& problem, uint32_t r, int32_t block) {
  const Window w = drafter_window(problem, r);
  if (block < w.first || block > w.last || is_hole(problem, block))
    return block % 2 == 0 ? -1 : 0x7FFFFFF0 + block % 8;
  const uint32_t place = static_cast<uint32_t>(block - w.first) * 11 % kStride;  // 11 and 35 share no factor
  return static_cast<int32_t>(1 + r * kStride + place);
}

uint8_t drafter_distinct_code(uint32_t index) {
  return static_cast<uint8_t>(index < 0x7F ? index : 0x81);  // 0x7F is NaN
}

std::vector<uint8_t> drafter_unit_codes(uint64_t seed, const std::string& stream, uint64_t count) {
  constexpr uint8_t kCodes[] = {0x00, 0x38, 0xB8};
  const Random random(seed, stream);
  std::vector<uint8_t> codes(count);
  for (uint64_t i = 0; i < count; ++i) codes[i] = kCodes[random.below(i, 3)];
  return codes;
}

std::vector<uint8_t> drafter_codes(uint64_t seed, const std::string& stream, uint64_t count) {
  const Random random(seed, stream);
  std::vector<uint8_t> codes(count);
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t word = random.word(i);
    codes[i] = static_cast<uint8_t>((word & 0x87) | (4 + (word >> 8) % 4) << 3);
  }
  return codes;
}

Tensor drafter_input(const DrafterProblem& problem, const std::string& name, DType dtype,
                     const Shape& shape) {
  const Random random(problem.seed, "drafter." + name);
  if (name == "cos_sin") return cos_sin_table(problem, shape);
  if (name == "cache") return cache_tensor(problem, shape);
  const bool exact = problem.data == DrafterData::exact;
  if (exact && name == "qkv") return unit_qkv(problem, shape);
  if (exact && (name == "qn" || name == "kn")) {
    return filled<uint16_t>(dtype, shape, [](uint64_t) { return bf16_bits(-0.5); });
  }
  if (name == "qkv" || name == "qn" || name == "kn") {
    const double scale = name == "qkv" ? 1.0 : 0.25;
    return filled<uint16_t>(dtype, shape, [&](uint64_t i) { return bf16_bits(scale * random.normal(i)); });
  }
  if (name == "positions") {
    return filled<int64_t>(dtype, shape, [&](uint64_t i) {
      return drafter_p0(problem, static_cast<uint32_t>(i / kRows)) + static_cast<int32_t>(i % kRows);
    });
  }
  if (name == "slots") {
    return filled<int64_t>(dtype, shape, [&](uint64_t i) { return slot_of_row(problem, i); });
  }
  if (name == "seq_lens") {
    return filled<int32_t>(dtype, shape, [&](uint64_t r) {
      const auto request = static_cast<uint32_t>(r);
      return drafter_is_padded(problem, request) ? 0 : drafter_p0(problem, request) + 7;
    });
  }
  return filled<int32_t>(dtype, shape, [&](uint64_t i) {  // block_table
    return drafter_table_entry(problem, static_cast<uint32_t>(i / shape[1]),
                               static_cast<int32_t>(i % shape[1]));
  });
}

}  // namespace wavetwin::golden
