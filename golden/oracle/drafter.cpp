// SPDX-License-Identifier: MIT
#include "golden/oracle/drafter.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "golden/oracle/mx.h"

namespace wavetwin::oracle {
namespace {

constexpr uint32_t kDims = 128, kKeys = 128, kQueryRows = 112, kHeadsOfRow = 16, kHalfRot = 32, kGroup = 32;
constexpr int32_t kWindowKeys = 4096;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kScale = 1 / std::sqrt(128.0);

void put(Judged& out, double value, double bound) {
  out.value.push_back(value);
  out.bound.push_back(bound);
}

// A value that is rounded to bf16 on top of its bound.
void put_bf16(Judged& to, double y, double bound) { put(to, y, bound + (std::abs(y) + bound) * 0x1p-8); }

struct Score {
  double value, error;
};

// A block with its values decoded.
struct Decoded {
  explicit Decoded(const DrafterBlocks::Block& block) : first_key(block.first_key) {
    for (const uint8_t code : block.k) k.push_back(e4m3_values()[code]);
    for (const uint8_t code : block.v) v.push_back(e4m3_values()[code]);
  }
  int32_t first_key;
  std::vector<double> k, v;
};

// One query row over the blocks. P is scaled by 256.
class Row {
 public:
  Row(const DrafterBlocks& data, uint32_t row) : data_(data), row_(row), q_(kDims), sums_(kDims) {
    for (uint32_t d = 0; d < kDims; ++d) q_[d] = e4m3_values()[data.q[row * kDims + d]];
  }

  void fold(const Decoded& block) {
    std::vector<Score> scores(kKeys);
    double m = m_;
    for (uint32_t k = 0; k < kKeys; ++k) {
      scores[k] = visible(block.first_key + static_cast<int32_t>(k)) ? score(block, k) : Score{-kInfinity, 0};
      if (scores[k].value > m) {
        m = scores[k].value;
        m_error_ = std::max(m_error_, scores[k].error);
      }
    }
    if (m == -kInfinity) return;
    rescale(std::exp((m_ - m) * kScale), m);
    m_ = m;
    for (uint32_t k = 0; k < kKeys; ++k) {
      if (scores[k].value != -kInfinity) add(&block.v[k * kDims], scores[k]);
    }
  }

  void store(DrafterPartial& out) const {
    put(out.m, m_ * kScale, m_ == -kInfinity ? 0 : m_error_ * kScale + std::abs(m_) * 0x1p-22);
    put(out.l, l_, l_error_);
    for (const Sums& sums : sums_) {
      put(out.o, sums.o, sums.error);
      put(out.semantic, sums.semantic, sums.error + 0x1p-4 * sums.magnitude + 0x1p-10 * sums.v_magnitude);
      out.magnitude.push_back(sums.magnitude);
      out.v_magnitude.push_back(sums.v_magnitude);
    }
  }

 private:
  struct Sums {  // of one dim
    double o = 0, error = 0, semantic = 0, magnitude = 0, v_magnitude = 0;
  };

  bool visible(int32_t key) const {
    const int32_t position = data_.p0 + static_cast<int32_t>(row_ / kHeadsOfRow);
    return key > position - kWindowKeys && key >= data_.lo && key <= data_.hi;
  }

  Score score(const Decoded& block, uint32_t k) const {
    double sum = 0, magnitude = 0;
    for (uint32_t d = 0; d < kDims; ++d) {
      const double product = q_[d] * block.k[k * kDims + d];
      sum += product;
      magnitude += std::abs(product);
    }
    return {sum, magnitude * 0x1p-19};
  }

  // Relative error of exp((score - maximum) / sqrt(128)) x 256: the two products, the differences and exp2.
  double relative(const Score& s) const {
    return (s.error + m_error_) * kScale + (std::abs(s.value) + std::abs(m_) + 128) * kScale * 0x1p-22 +
           0x1p-22;
  }

  void rescale(double alpha, double m) {
    if (m_ == -kInfinity) return;
    const double error = relative({m, m_error_});
    l_error_ = alpha * (l_error_ + l_ * error);
    l_ *= alpha;
    for (Sums& sums : sums_) {
      // The rounded sum is at most 17 / 16 of the unrounded one and its subnormals.
      const double magnitude = 1.0625 * sums.magnitude + 0x1p-10 * sums.v_magnitude;
      sums.error = alpha * (sums.error + magnitude * error);
      sums.o *= alpha;
      sums.semantic *= alpha;
      sums.magnitude *= alpha;
    }
  }

  void add(const double* values, const Score& s) {
    const double p = 256 * std::exp((s.value - m_) * kScale), error = relative(s);
    l_ += p;
    l_error_ += p * (error + 0x1p-18);
    const double rounded = round_to_e4m3(p);
    const double slack = round_to_e4m3(p * (1 + error)) - round_to_e4m3(p * (1 - error)) + rounded * 0x1p-18;
    for (uint32_t d = 0; d < kDims; ++d) {
      const double v = values[d];
      Sums& sums = sums_[d];
      sums.o += rounded * v;
      sums.error += std::abs(v) * slack;
      sums.semantic += p * v;
      sums.magnitude += p * std::abs(v);
      sums.v_magnitude += std::abs(v);
    }
  }

  const DrafterBlocks& data_;
  const uint32_t row_;
  std::vector<double> q_;
  double m_ = -kInfinity, m_error_ = 0, l_ = 0, l_error_ = 0;
  std::vector<Sums> sums_;
};

// The smallest code whose 448 * 2^(code - 127) holds amax; 1 for what is smaller.
double mx_code_of(double amax) {
  int exponent;
  const double fraction = std::frexp(std::max(amax, 0x1p-126) / 448, &exponent);
  return std::clamp((fraction == 0.5 ? exponent - 1 : exponent) + 127, 1, 254);
}

void put_group(DrafterMxfp8& out, const double* y, const double* bound, uint32_t code) {
  double low = 0, high = 0;
  for (uint32_t i = 0; i < kGroup; ++i) {
    low = std::max(low, std::abs(y[i]) - bound[i]);
    high = std::max(high, std::abs(y[i]) + bound[i]);
  }
  const double first = mx_code_of(low), last = mx_code_of(high);
  put(out.codes, (first + last) / 2, (last - first) / 2);
  const double mul = std::ldexp(1.0, 127 - static_cast<int>(code));
  for (uint32_t i = 0; i < kGroup; ++i) {
    const double value = y[i] * mul, error = bound[i] * mul;
    put(out.data, value, error + std::max(0x1p-4 * (std::abs(value) + error), 0x1p-10));
  }
}

}  // namespace

uint32_t drafter_tile_byte(uint32_t row, uint32_t byte) {
  const uint32_t chunk = byte / 16 ^ row % 8;
  return row * 128 + chunk * 16 + byte % 16;
}

uint32_t drafter_key_byte(uint32_t key) {
  const uint32_t i = key / 16, g = key % 16 / 4, e = key % 4;
  return 32 * g + 4 * i + e;
}

Bytes drafter_plain_rows(std::span<const uint8_t> tile) {
  Bytes out(tile.size());
  for (uint32_t i = 0; i < out.size(); ++i) out[i] = tile[drafter_tile_byte(i / 128, i % 128)];
  return out;
}

Bytes drafter_plain_values(std::span<const uint8_t> tile) {
  Bytes out(tile.size());
  for (uint32_t i = 0; i < out.size(); ++i) {
    out[i] = tile[drafter_tile_byte(i % 128, drafter_key_byte(i / 128))];
  }
  return out;
}

Judged drafter_head(const DrafterHead& head) {
  std::vector<double> x(kDims);
  for (uint32_t d = 0; d < kDims; ++d) x[d] = bf16_value(head.x[d]);
  std::vector<double> error(kDims, 0);
  if (!head.weight.empty()) {
    double squares = 0;
    for (const double v : x) squares += v * v;
    const double rr = 1 / std::sqrt(squares / kDims + 1e-6);
    for (uint32_t d = 0; d < kDims; ++d) {
      x[d] *= rr * (bf16_value(head.weight[d]) + 1);
      error[d] = std::abs(x[d]) * (0x1p-8 + 0x1p-20);  // one bf16 rounding: half of 2^-7
    }
    for (uint32_t d = 0; d < kHalfRot; ++d) {
      const double c = bf16_value(head.cos_sin[d]), s = bf16_value(head.cos_sin[kHalfRot + d]);
      const double a = x[d], b = x[d + kHalfRot], ea = error[d], eb = error[d + kHalfRot];
      const auto turned = [&](uint32_t at, double value, double before) {
        x[at] = value;
        error[at] = before + (std::abs(value) + before) * (0x1p-8 + 0x1p-20);
      };
      turned(d, a * c - b * s, ea * std::abs(c) + eb * std::abs(s));
      turned(d + kHalfRot, b * c + a * s, eb * std::abs(c) + ea * std::abs(s));
    }
  }
  Judged out;
  for (uint32_t d = 0; d < kDims; ++d) {
    const double v = std::clamp(x[d], -448.0, 448.0);
    const double step = std::max(0x1p-4 * (std::abs(v) + error[d]), 0x1p-10);  // half an e4m3 step
    put(out, v, error[d] + step);
  }
  return out;
}

DrafterPartial drafter_blocks(const DrafterBlocks& data) {
  const std::vector<Decoded> blocks(data.blocks.begin(), data.blocks.end());
  DrafterPartial out;
  for (uint32_t row = 0; row < kQueryRows; ++row) {
    Row state(data, row);
    for (const Decoded& block : blocks) state.fold(block);
    state.store(out);
  }
  return out;
}

Judged drafter_merge(const DrafterMerge& data) {
  double m = -kInfinity, l = 0;
  for (uint32_t i = 0; i < data.partials; ++i) m = std::max(m, data.m(i));
  std::vector<double> y(kDims), magnitude(kDims);
  for (uint32_t i = 0; i < data.partials && m != -kInfinity; ++i) {
    const double weight = std::exp(data.m(i) - m);
    if (weight == 0) continue;
    l += data.l(i) * weight;
    for (uint32_t d = 0; d < kDims; ++d) {
      y[d] += data.o(i, d) * weight;
      magnitude[d] += std::abs(data.o(i, d)) * weight;
    }
  }
  Judged out;
  for (uint32_t d = 0; d < kDims; ++d) {
    // bf16 of the result; the weights' exponents in f32 (differences of maxima below 2^7).
    if (l > 0) put(out, y[d] / l, std::abs(y[d] / l) * 0x1p-8 + magnitude[d] / l * 0x1p-16);
    if (!(l > 0)) put(out, 0, 0);
  }
  return out;
}

DrafterWhole::DrafterWhole() : m_(kQueryRows, -kInfinity), l_(kQueryRows), sums_(kQueryRows * kDims) {}

void DrafterWhole::add(const DrafterPartial& partial) {
  for (uint32_t row = 0; row < kQueryRows; ++row) {
    if (partial.m.value[row] == -kInfinity) continue;
    const double m = std::max(m_[row], partial.m.value[row]);
    const double before = std::exp(m_[row] - m), weight = std::exp(partial.m.value[row] - m);
    m_[row] = m;
    l_[row] = l_[row] * before + partial.l.value[row] * weight;
    for (uint32_t at = row * kDims; at < (row + 1) * kDims; ++at) {
      Sums& sums = sums_[at];
      sums.o = sums.o * before + partial.o.value[at] * weight;
      sums.error = sums.error * before + partial.o.bound[at] * weight;
      sums.semantic = sums.semantic * before + partial.semantic.value[at] * weight;
      sums.magnitude = sums.magnitude * before + partial.magnitude[at] * weight;
      sums.v_magnitude = sums.v_magnitude * before + partial.v_magnitude[at] * weight;
    }
  }
}

Judged DrafterWhole::quantised(uint32_t row) const {
  const double scale = l_[row] > 0 ? 1 / l_[row] : 0;
  Judged out;
  for (uint32_t d = 0; d < kDims; ++d) {
    const Sums& s = sums_[row * kDims + d];
    put_bf16(out, s.o * scale, std::max(0x1p-8 * s.magnitude, s.error + 0x1p-12 * s.magnitude) * scale);
  }
  return out;
}

Judged DrafterWhole::semantic(uint32_t row) const {
  const double scale = l_[row] > 0 ? 1 / l_[row] : 0;
  Judged out;
  for (uint32_t d = 0; d < kDims; ++d) {
    const Sums& s = sums_[row * kDims + d];
    put_bf16(out, s.semantic * scale, (0x1p-4 * s.magnitude + 0x1p-10 * s.v_magnitude + s.error) * scale);
  }
  return out;
}

DrafterMxfp8 drafter_mxfp8(const Judged& y, std::span<const uint32_t> codes) {
  DrafterMxfp8 out;
  for (uint32_t g = 0; g < kDims / kGroup; ++g) {
    put_group(out, &y.value[g * kGroup], &y.bound[g * kGroup], codes[g]);
  }
  return out;
}

void narrow(Judged& judged, const Judged& other) {
  for (size_t i = 0; i < judged.value.size(); ++i) {
    if (!std::isfinite(judged.value[i])) continue;
    const double low = std::max(judged.value[i] - judged.bound[i], other.value[i] - other.bound[i]);
    const double high = std::min(judged.value[i] + judged.bound[i], other.value[i] + other.bound[i]);
    judged.value[i] = low / 2 + high / 2;
    judged.bound[i] = std::max(high - judged.value[i], 0.0) * (1 + 0x1p-40);  // the interval's own rounding
  }
}

}  // namespace wavetwin::oracle
