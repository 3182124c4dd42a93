// SPDX-License-Identifier: MIT
#include "golden/cases/drafter_inputs.h"

#include <algorithm>
#include <cmath>

#include "golden/cases/random.h"

namespace wavetwin::golden {
namespace {

using namespace drafter;

constexpr int32_t kEdges[] = {0,    4090, 1,   122,  6,    4097, 100, 5000,
                              4102, 4088, 127, 4095, 4233, 4096, 125, 8190};
constexpr uint32_t kStride = 35;  // physical blocks of a request: its blocks, and some that nobody uses

bool is_padded(const DrafterProblem& problem, uint32_t r) { return problem.padded && r % 3 == 1; }

template <class T, class F>
Tensor filled(DType dtype, const Shape& shape, F element) {
  std::vector<T> values(element_count(shape));
  for (uint64_t i = 0; i < values.size(); ++i) values[i] = element(i);
  return make_tensor<T>(dtype, shape, values);
}

uint16_t bf16_bits(double v) { return static_cast<uint16_t>(encode_element(DType::BF16, v)); }

// Cosines and sines of the rotated pairs, in the rows that some position needs.
Tensor cos_sin_table(const DrafterProblem& problem, const Shape& shape) {
  std::vector<uint16_t> values(element_count(shape));
  for (uint32_t r = 0; r < problem.requests; ++r) {
    for (uint32_t row = 0; row < kRows; ++row) {
      const int32_t position = drafter_p0(problem, r) + static_cast<int32_t>(row);
      for (uint32_t i = 0; i < kRot / 2; ++i) {
        const double angle = position * std::pow(5e6, -2.0 * i / kRot);
        uint16_t* at = &values[static_cast<uint64_t>(position) * kRot + i];
        at[0] = bf16_bits(std::cos(angle));
        at[kRot / 2] = bf16_bits(std::sin(angle));
      }
    }
  }
  return make_tensor<uint16_t>(DType::BF16, shape, values);
}

int64_t slot_of_row(const DrafterProblem& problem, uint64_t row) {
  const auto r = static_cast<uint32_t>(row / kRows);
  const int32_t position = drafter_p0(problem, r) + static_cast<int32_t>(row % kRows);
  const int32_t entry = drafter_table_entry(problem, r, position / static_cast<int32_t>(kBlock));
  if (is_padded(problem, r) || row % 5 == 3 || entry < 0) return -1;
  return int64_t{entry} * kBlock + position % static_cast<int32_t>(kBlock);
}

}  // namespace

int32_t drafter_p0(const DrafterProblem& problem, uint32_t r) {
  return r == 0 ? problem.p0 : kEdges[(r - 1) % std::size(kEdges)];
}

Window drafter_window(const DrafterProblem& problem, uint32_t r) {
  const int32_t p0 = drafter_p0(problem, r);
  return window_of(p0, p0 + 6, is_padded(problem, r) ? 0 : p0 + 7);
}

uint32_t drafter_positions(const DrafterProblem& problem) {
  int32_t last = 0;
  for (uint32_t r = 0; r < problem.requests; ++r) last = std::max(last, drafter_p0(problem, r) + 7);
  return static_cast<uint32_t>(last);
}

uint32_t drafter_table_width(const DrafterProblem& problem) {
  return (drafter_positions(problem) - 1) / kBlock + 1;
}

uint32_t drafter_cache_blocks(const DrafterProblem& problem) { return problem.requests * kStride + 1; }

int32_t drafter_table_entry(const DrafterProblem& problem, uint32_t r, int32_t block) {
  const Window w = drafter_window(problem, r);
  const bool hole = problem.holes && block % 5 == 3;
  if (block < w.first || block > w.last || hole) return block % 2 == 0 ? -1 : 0x7FFFFFF0 + block % 8;
  const uint32_t place = static_cast<uint32_t>(block - w.first) * 11 % kStride;  // 11 and 35 share no factor
  return static_cast<int32_t>(1 + r * kStride + place);
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
  if (name == "qkv" || name == "qn" || name == "kn") {
    const double scale = name == "qkv" ? 1.0 : 0.25;
    return filled<uint16_t>(dtype, shape, [&](uint64_t i) { return bf16_bits(scale * random.normal(i)); });
  }
  if (name == "cache") {
    const std::vector<uint8_t> codes = drafter_codes(problem.seed, "drafter.cache", element_count(shape));
    return make_tensor<uint8_t>(dtype, shape, codes);
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
      return is_padded(problem, request) ? 0 : drafter_p0(problem, request) + 7;
    });
  }
  return filled<int32_t>(dtype, shape, [&](uint64_t i) {  // block_table
    return drafter_table_entry(problem, static_cast<uint32_t>(i / shape[1]),
                               static_cast<int32_t>(i % shape[1]));
  });
}

}  // namespace wavetwin::golden
