// SPDX-License-Identifier: MIT
// The whole attention back as one fp64 chain that rounds where the kernels do (everything but f32).
#include <algorithm>
#include <cmath>
#include <vector>

#include "golden/oracle/back_detail.h"
#include "golden/oracle/mx.h"

namespace wavetwin::oracle {
namespace {

using namespace back_detail;

// MXFP8 of each 32 values, in place.
void quantise(Row& y) {
  for (size_t g = 0; g < y.size(); g += kGroup) {
    double amax = 0;
    for (size_t i = g; i < g + kGroup; ++i) amax = std::max(amax, std::abs(y[i]));
    const int code = mx_code_of(amax);
    for (size_t i = g; i < g + kGroup; ++i) {
      y[i] = std::ldexp(round_to_e4m3(std::ldexp(y[i], 127 - code)), code - 127);
    }
  }
}

// Keys of a token, chunk by chunk.
using Chunks = std::vector<std::vector<Row>>;

// Flash decoding of a chunk, relative to its own maximum.
struct Partial {
  double most = -HUGE_VAL, sum = 0;
  Row value = Row(kDims);  // bf16, of bf16 probabilities
};

Partial decode_chunk(const Row& q, const std::vector<Row>& keys) {
  Partial out;
  std::vector<double> scores;
  for (const Row& key : keys) {
    scores.push_back(dot(q.data(), key.data(), kDims));
    out.most = std::max(out.most, scores.back());
  }
  for (size_t k = 0; k < keys.size(); ++k) {
    const double p = std::exp2(scores[k] - out.most), rounded = round_to_bf16(p);
    out.sum += p;
    for (uint32_t d = 0; d < kDims; ++d) out.value[d] += rounded * keys[k][d];
  }
  for (double& v : out.value) v = round_to_bf16(v);
  return out;
}

// softmax(q . K) V of one head with the sink, bf16, turned back.
Row head_output(const BackChainData& data, uint32_t t, uint32_t h, const Chunks& chunks) {
  const uint16_t* bits = &data.split.q[(uint64_t{t} * data.split.heads + h) * kDims];
  Row q(kDims);
  for (uint32_t d = 0; d < kDims; ++d) q[d] = bf16_value(bits[d]) * data.split.qk_scale;
  std::vector<Partial> partials;
  for (const auto& keys : chunks) partials.push_back(decode_chunk(q, keys));
  const double sink = data.sink[h] * kLog2E;
  double most = sink;
  for (const Partial& partial : partials) most = std::max(most, partial.most);
  double total = std::exp2(sink - most);
  Row y(kDims);
  for (const Partial& partial : partials) {
    const double weight = std::exp2(partial.most - most);  // 0 where no key is there
    total += partial.sum * weight;
    for (uint32_t d = 0; d < kDims; ++d) y[d] += partial.value[d] * weight;
  }
  for (double& v : y) v = round_to_bf16(v / total);
  rotate_back(&data.cos_sin[static_cast<uint64_t>(data.pos[t]) * 64], y);
  return y;
}

// Row t of xo: every head, MXFP8.
Row attention(const BackChainData& data, uint32_t t) {
  Chunks chunks(kAllKeys / data.split.chunk_keys);
  for (uint32_t k = 0; k < data.split.key_counts[t]; ++k) {
    const uint32_t entry = data.split.key_table[uint64_t{t} * kAllKeys + k];
    if (entry != kNoEntry) chunks[k / data.split.chunk_keys].push_back(record(data.split, entry));
  }
  Row out;
  for (uint32_t h = 0; h < data.split.heads; ++h) {
    const Row y = head_output(data, t, h, chunks);
    out.insert(out.end(), y.begin(), y.end());
  }
  quantise(out);
  return out;
}

// x[tokens][groups * k] . w of each row's group, bf16.
std::vector<Row> product(const BackWeights& w, const std::vector<Row>& x) {
  std::vector<Row> out(x.size(), Row(w.rows));
  std::vector<double> row(w.k);
  for (uint32_t r = 0; r < w.rows; ++r) {
    weight_row(w, r, row.data());
    const uint64_t column = uint64_t{r} / (w.rows / w.groups) * w.k;
    for (size_t t = 0; t < x.size(); ++t) {
      out[t][r] = round_to_bf16(dot(row.data(), &x[t][column], w.k));
    }
  }
  return out;
}

}  // namespace

std::vector<double> back_chain(const BackChainData& data) {
  std::vector<Row> xo;
  for (uint32_t t = 0; t < data.split.tokens; ++t) xo.push_back(attention(data, t));
  std::vector<Row> x8b = product(data.woa, xo);
  for (Row& row : x8b) quantise(row);
  std::vector<double> out;
  for (const Row& row : product(data.wob, x8b)) out.insert(out.end(), row.begin(), row.end());
  return out;
}

}  // namespace wavetwin::oracle
