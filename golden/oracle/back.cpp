// SPDX-License-Identifier: MIT
#include "golden/oracle/back.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <vector>

#include "golden/oracle/back_detail.h"
#include "golden/oracle/mx.h"

namespace wavetwin::oracle {
namespace {

using namespace back_detail;

void put(Judged& out, uint64_t at, double value, double bound) {
  out.value[at] = value;
  out.bound[at] = bound;
}

Judged judged(uint64_t elements) { return {Row(elements), Row(elements)}; }

struct Score {
  double value, magnitude;  // magnitude: of the sum of its terms
};

class Split {
 public:
  explicit Split(const BackSplitData& data) : data_(data), chunks_(kAllKeys / data.chunk_keys) {
    const uint64_t rows = uint64_t{data.tokens} * chunks_ * data.heads;
    result_ = {judged(rows * kDims), judged(rows), judged(rows)};
  }

  BackSplitReference run() {
    for (uint32_t t = 0; t < data_.tokens; ++t) {
      for (uint32_t c = 0; c * data_.chunk_keys < data_.key_counts[t] && c < chunks_; ++c) chunk(t, c);
    }
    return std::move(result_);
  }

 private:
  void chunk(uint32_t t, uint32_t c) {
    std::vector<Row> keys;
    for (uint32_t i = 0; i < data_.chunk_keys; ++i) {
      const uint32_t k = c * data_.chunk_keys + i;
      const uint32_t entry = data_.key_table[uint64_t{t} * kAllKeys + k];
      if (k >= data_.key_counts[t] || entry == kNoEntry) continue;
      keys.push_back(record(data_, entry));
    }
    for (uint32_t h = 0; h < data_.heads; ++h) head(t, c, h, keys);
  }

  Score score(const Row& q, const Row& key) const {
    return {dot(q.data(), key.data(), kDims) * data_.qk_scale,
            dot_magnitude(q.data(), key.data(), kDims) * data_.qk_scale};
  }

  void head(uint32_t t, uint32_t c, uint32_t h, const std::vector<Row>& keys) {
    const uint64_t row = (uint64_t{t} * chunks_ + c) * data_.heads + h;
    if (keys.empty()) return put(result_.max, row, -FLT_MAX, 0);  // sum and partial: exactly zero
    Row q(kDims);
    for (uint32_t d = 0; d < kDims; ++d)
      q[d] = bf16_value(data_.q[(uint64_t{t} * data_.heads + h) * kDims + d]);
    std::vector<Score> scores;
    double most = -HUGE_VAL, magnitude = 0;
    for (const Row& key : keys) {
      scores.push_back(score(q, key));
      most = std::max(most, scores.back().value);
      magnitude = std::max(magnitude, scores.back().magnitude);
    }
    put(result_.max, row, most, data_.exact ? 0 : 0x1p-18 * magnitude);
    double sum = 0;
    Row value(kDims), size(kDims);
    for (size_t k = 0; k < keys.size(); ++k) {
      const double p = std::exp2(scores[k].value - data_.maxima[row]);
      sum += p;
      for (uint32_t d = 0; d < kDims; ++d) {
        value[d] += p * keys[k][d];
        size[d] += p * std::abs(keys[k][d]);
      }
    }
    put(result_.sum, row, sum, data_.exact ? 0 : sum * std::max(1e-4, magnitude * 0x1p-18 * kLn2));
    for (uint32_t d = 0; d < kDims; ++d) {
      // bf16 of p and of the partial
      put(result_.part, row * kDims + d, data_.exact ? round_to_bf16(value[d]) : value[d],
          data_.exact ? 0 : 0x1p-7 * size[d] + 1e-6);
    }
  }

  const BackSplitData data_;
  const uint32_t chunks_;
  BackSplitReference result_;
};

// A group of 32 values, each within its bound, as e4m3 at the stage's own code.
void put_group(MxReference& out, uint64_t group, const double* y, const double* bound, uint32_t code) {
  double low = 0, high = 0;
  for (uint32_t i = 0; i < kGroup; ++i) {
    low = std::max(low, std::abs(y[i]) - bound[i]);
    high = std::max(high, std::abs(y[i]) + bound[i]);
  }
  const double first = mx_code_of(low), last = mx_code_of(high);
  put(out.codes, group, (first + last) / 2, (last - first) / 2);
  const double mul = std::ldexp(1.0, 127 - static_cast<int>(code));
  for (uint32_t i = 0; i < kGroup; ++i) {
    const double e = bound[i] * mul;
    if (e == 0) {  // the data are exact: so is what the kernel must store
      put(out.data, group * kGroup + i, round_to_e4m3(y[i] * mul), 0);
      continue;
    }
    put(out.data, group * kGroup + i, y[i] * mul, e + std::max(0x1p-4 * (std::abs(y[i] * mul) + e), 0x1p-10));
  }
}

class Combine {
 public:
  explicit Combine(const BackCombineData& data) : data_(data), chunks_(kAllKeys / data.chunk_keys) {
    const uint64_t elements = uint64_t{data.tokens} * data.heads * kDims;
    result_ = {judged(elements), judged(elements / kGroup)};
  }

  MxReference run() {
    for (uint32_t t = 0; t < data_.tokens; ++t) {
      for (uint32_t h = 0; h < data_.heads; ++h) head(t, h);
    }
    return std::move(result_);
  }

 private:
  void head(uint32_t t, uint32_t h) {
    const uint32_t live = (data_.key_counts[t] + data_.chunk_keys - 1) / data_.chunk_keys;
    const double sink = data_.sink[h] * kLog2E;
    double most = sink;
    for (uint32_t c = 0; c < live; ++c) most = std::max(most, double{data_.stats[2 * row(t, c, h)]});
    double total = std::exp2(sink - most);
    Row y(kDims), size(kDims);
    for (uint32_t c = 0; c < live; ++c) {
      const uint64_t at = row(t, c, h);
      const double weight = std::exp2(data_.stats[2 * at] - most);
      total += data_.stats[2 * at + 1] * weight;
      for (uint32_t d = 0; d < kDims; ++d) {
        const double v = bf16_value(data_.part[at * kDims + d]) * weight;
        y[d] += v;
        size[d] += std::abs(v);
      }
    }
    Row bound(kDims);
    for (uint32_t d = 0; d < kDims; ++d) {
      y[d] /= total;
      bound[d] = 0x1p-8 * std::abs(y[d]) + 0x1p-17 * size[d] / total + 0x1p-133;
    }
    turn_back(t, y, bound);
    for (uint32_t g = 0; g < kDims / kGroup; ++g) {
      const uint64_t group = (uint64_t{t} * data_.heads + h) * (kDims / kGroup) + g;
      put_group(result_, group, &y[g * kGroup], &bound[g * kGroup], data_.codes[group]);
    }
  }

  void turn_back(uint32_t t, Row& y, Row& bound) const {
    const float* angles = &data_.cos_sin[static_cast<uint64_t>(data_.pos[t]) * 64];
    for (uint32_t i = 0; i < 32; ++i) {
      const double c = std::abs(angles[i]), s = std::abs(angles[32 + i]);
      double &even = bound[kNopeDims + 2 * i], &odd = bound[kNopeDims + 2 * i + 1];
      const double e = even, o = odd;
      const double rounding = 0x1p-22 * (std::abs(y[kNopeDims + 2 * i]) + std::abs(y[kNopeDims + 2 * i + 1]));
      even = c * e + s * o + rounding;
      odd = c * o + s * e + rounding;
    }
    rotate_back(angles, y);
  }

  uint64_t row(uint32_t t, uint32_t c, uint32_t h) const {
    return (uint64_t{t} * chunks_ + c) * data_.heads + h;
  }

  const BackCombineData data_;
  const uint32_t chunks_;
  MxReference result_;
};

// value[tokens][rows] and the bound of the f32 sums, rounded to bf16.
Judged bf16_products(const BackGemvData& data) {
  const BackWeights& weights = data.weights;
  const uint64_t pitch = uint64_t{weights.groups} * weights.k;
  Row x(data.tokens * pitch);
  for (uint64_t i = 0; i < x.size(); ++i)
    x[i] = e4m3_values()[data.x[i]] * e8m0_values()[data.x_codes[i / kGroup]];
  Judged out = judged(uint64_t{data.tokens} * weights.rows);
  Row w(weights.k);
  for (uint32_t row = 0; row < weights.rows; ++row) {
    weight_row(weights, row, w.data());
    const uint64_t column = uint64_t{row} / (weights.rows / weights.groups) * weights.k;
    for (uint32_t t = 0; t < data.tokens; ++t) {
      const double* xs = &x[t * pitch + column];
      const double sum = dot(w.data(), xs, weights.k);
      const uint64_t at = uint64_t{t} * weights.rows + row;
      if (data.exact) {
        put(out, at, round_to_bf16(sum), 0);
        continue;
      }
      const double error = kGemvTolerance * dot_magnitude(w.data(), xs, weights.k);
      put(out, at, sum, error + 0x1p-8 * (std::abs(sum) + error));
    }
  }
  return out;
}

}  // namespace

BackSplitReference back_split(const BackSplitData& data) { return Split(data).run(); }
MxReference back_combine(const BackCombineData& data) { return Combine(data).run(); }
Judged back_wob(const BackGemvData& data) { return bf16_products(data); }

MxReference back_woa(const BackGemvData& data) {
  const Judged z = bf16_products(data);
  MxReference out{judged(z.value.size()), judged(z.value.size() / kGroup)};
  for (uint64_t g = 0; g < z.value.size() / kGroup; ++g) {
    put_group(out, g, &z.value[g * kGroup], &z.bound[g * kGroup], data.result_codes[g]);
  }
  return out;
}

}  // namespace wavetwin::oracle
