// SPDX-License-Identifier: MIT
#include "golden/cases/back_inputs.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "common/format/e4m3.h"
#include "common/format/mx_code.h"
#include "common/kernels/back.h"
#include "golden/cases/random.h"

namespace wavetwin::golden {
namespace {

using namespace back;

constexpr uint32_t kCounts[] = {640, 17, 129, 0, 65, 128, 639, 1, 64, 127, 16, 63, 15};

uint16_t bf16_bits(float v) { return static_cast<uint16_t>(encode_element(DType::BF16, v)); }

// A record of 512 near-normal values by the cache writer's rule: a scale each 64 dims, bf16 for the rest.
void write_model(const Random& random, uint64_t slot, uint8_t* row, uint8_t* scale) {
  for (uint32_t b = 0; b < kNope / 64; ++b) {
    float v[64], amax = 1e-4f;
    for (uint32_t i = 0; i < 64; ++i) {
      v[i] = random.normal(slot * kHeadDim + 64 * b + i) * (i % 16 == 3 ? 4.0f : 1.0f);
      amax = std::max(amax, std::abs(v[i]));
    }
    const E8M0 code{static_cast<uint8_t>(ceil_exp(div_rn(amax, kFp8Max, kReciprocalFp8Max)))};
    scale[b] = code.bits;
    for (uint32_t i = 0; i < 64; ++i) {
      const double clamped = clamp_fp8(v[i] * mx_mul(code));
      row[64 * b + i] = static_cast<uint8_t>(encode_element(DType::F8_E4M3, clamped));
    }
  }
  for (uint32_t i = 0; i < kRope; ++i) {
    const uint16_t bits = bf16_bits(random.normal(slot * kHeadDim + kNope + i));
    row[kNope + 2 * i] = static_cast<uint8_t>(bits);
    row[kNope + 2 * i + 1] = static_cast<uint8_t>(bits >> 8);
  }
}

// Integers -4 .. 4 at scale 1.
void write_integers(const Random& random, uint64_t slot, uint8_t* row, uint8_t* scale) {
  for (uint32_t d = 0; d < kHeadDim; ++d) {
    const double value = static_cast<int>(random.below(slot * kHeadDim + d, 9)) - 4;
    if (d < kNope) {
      row[d] = static_cast<uint8_t>(encode_element(DType::F8_E4M3, value));
    } else {
      const uint16_t bits = bf16_bits(static_cast<float>(value));
      row[kNope + 2 * (d - kNope)] = static_cast<uint8_t>(bits);
      row[kNope + 2 * (d - kNope) + 1] = static_cast<uint8_t>(bits >> 8);
    }
  }
  std::fill_n(scale, kNope / 64, static_cast<uint8_t>(kUnitScale));
}

}  // namespace

std::vector<uint32_t> back_key_counts(const BackProblem& problem) {
  std::vector<uint32_t> counts(problem.tokens);
  for (uint32_t t = 0; t < problem.tokens; ++t) {
    const uint32_t count = kCounts[(t + problem.seed) % std::size(kCounts)];
    counts[t] = problem.ratio == 0 ? std::min(count, kWindow) : count;
  }
  return counts;
}

std::vector<int64_t> back_positions(const BackProblem& problem) {
  std::vector<int64_t> positions(problem.tokens);
  for (uint32_t t = 0; t < problem.tokens; ++t) positions[t] = (37 * t + 5 + problem.seed) % kBackPositions;
  return positions;
}

Tensor back_query(const BackProblem& problem, uint32_t heads) {
  Tensor tensor(DType::BF16, {problem.tokens, heads, kHeadDim});
  const auto q = tensor.view<uint16_t>();
  const Random random(problem.seed, "back.q");
  if (problem.data == BackData::model) {
    for (uint64_t i = 0; i < q.size(); ++i) q[i] = bf16_bits(random.normal(i));
  } else {
    for (uint64_t row = 0; row < q.size() / kHeadDim; ++row) {
      q[row * kHeadDim + random.below(2 * row, kHeadDim)] =
          bf16_bits(random.word(2 * row + 1) & 1 ? -1.0f : 1.0f);
    }
  }
  return tensor;
}

Tensor back_pages(const BackProblem& problem, std::string_view stream, uint32_t slots, uint32_t block) {
  const uint64_t stride = page_stride(block);
  Tensor tensor(DType::U8, {slots / block, stride});
  const auto bytes = tensor.view<uint8_t>();
  std::fill(bytes.begin(), bytes.end(), uint8_t{0xA5});
  const Random random(problem.seed, "back." + std::string(stream));
  for (uint32_t slot = 0; slot < slots; ++slot) {
    uint8_t* page = &bytes[slot / block * stride];
    uint8_t* row = page + data_row_at(slot % block);
    uint8_t* scale = page + scale_row_at(block, slot % block);
    scale[7] = 0;
    (problem.data == BackData::model ? write_model : write_integers)(random, slot, row, scale);
  }
  return tensor;
}

Tensor back_key_table(const BackProblem& problem) {
  Tensor tensor(DType::U32, {problem.tokens, kKeys});
  const auto table = tensor.view<uint32_t>();
  const Random random(problem.seed, "back.kt");
  const auto counts = back_key_counts(problem);
  for (uint32_t t = 0; t < problem.tokens; ++t) {
    const uint32_t window = std::min(counts[t], kWindow);
    const uint32_t top = counts[t] - window;
    for (uint32_t k = 0; k < kKeys; ++k) {
      const uint64_t i = uint64_t{t} * kKeys + k;
      const bool hole = random.below(2 * i, 12) == 0 || (t % 4 == 0 && k >= 128 && k < 256);
      if (k < top) {
        table[i] = hole ? kNoKey : random.below(2 * i + 1, kBackCompressedSlots) | ~kSlotMask;
      } else {
        table[i] = k < counts[t] ? random.below(2 * i + 1, kBackWindowSlots) : kNoKey;
      }
    }
  }
  return tensor;
}

Tensor back_sink(const BackProblem& problem, uint32_t heads) {
  Tensor tensor(DType::F32, {heads});
  const auto sink = tensor.view<float>();
  const Random random(problem.seed, "back.sink");
  constexpr float kEdges[] = {-30.0f, 0.0f, 30.0f};
  for (uint32_t h = 0; h < heads; ++h) sink[h] = h % 5 < 3 ? kEdges[h % 5] : random.normal(h);
  return tensor;
}

// Rational points of the unit circle, so that no library's cosine is needed.
Tensor back_cos_sin(uint32_t positions) {
  Tensor tensor(DType::F32, {positions, kRope});
  const auto rows = tensor.view<float>();
  for (uint32_t position = 0; position < positions; ++position) {
    for (uint32_t i = 0; i < kHalf; ++i) {
      const double u = static_cast<double>(position * (2 * i + 1) % 1021) / 255 - 2;
      rows[position * kRope + i] = static_cast<float>((1 - u * u) / (1 + u * u));
      rows[position * kRope + kHalf + i] = static_cast<float>(2 * u / (1 + u * u));
    }
  }
  return tensor;
}

Tensor back_part(const BackProblem& problem, uint32_t chunks, uint32_t heads) {
  Tensor tensor(DType::BF16, {problem.tokens, chunks, heads, kHeadDim});
  const auto part = tensor.view<uint16_t>();
  const Random random(problem.seed, "back.part");
  for (uint64_t i = 0; i < part.size(); ++i) {
    const uint64_t group = i / 32;
    const bool zero = mix64(group + problem.seed) % 16 == 0;
    const auto sign = static_cast<uint16_t>(random.word(i) << 15);
    part[i] = zero ? sign : bf16_bits(random.normal(i) * 4);
  }
  return tensor;
}

Tensor back_stats(const BackProblem& problem, uint32_t chunks, uint32_t heads) {
  Tensor tensor(DType::F32, {problem.tokens, chunks, heads, 2});
  const auto stats = tensor.view<float>();
  const Random random(problem.seed, "back.stats");
  for (uint64_t row = 0; row < stats.size() / 2; ++row) {
    stats[2 * row] = random.normal(2 * row) * 4;
    stats[2 * row + 1] = 1.0f + std::abs(random.normal(2 * row + 1)) * 16;
  }
  return tensor;
}

Tensor back_one_hot(const BackProblem& problem, std::string_view stream, uint64_t rows, uint64_t k) {
  Tensor tensor(DType::F8_E4M3, {rows, k});
  const auto codes = tensor.view<uint8_t>();
  const Random random(problem.seed, "back." + std::string(stream));
  for (uint64_t row = 0; row < rows; ++row) {
    const uint32_t magnitude = 0x30 + random.below(3 * row, 16);  // 2^-1 .. 1.875
    const uint32_t sign = random.below(3 * row + 1, 2) << 7;
    codes[row * k + random.below(3 * row + 2, static_cast<uint32_t>(k))] =
        static_cast<uint8_t>(sign | magnitude);
  }
  return tensor;
}

}  // namespace wavetwin::golden
