// SPDX-License-Identifier: MIT
// Floats here are the kernel's f32 steps, in its order; doubles hold what must be exact.
#include "golden/oracle/drafter_exact.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "golden/oracle/mx.h"

namespace wavetwin::oracle {
namespace {

constexpr uint32_t kDims = 128, kKeys = 128, kQueryRows = 112, kHeadsOfRow = 16, kHalfRot = 32, kGroup = 32;
constexpr int32_t kWindowKeys = 4096;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
const auto kScoreScale = static_cast<float>(1 / std::sqrt(128.0));
const auto kLog2E = static_cast<float>(1 / std::log(2.0));
const auto kScoreLog2 = static_cast<float>(1 / std::log(2.0) / std::sqrt(128.0));

// The software exp2 both twins define: n + f by rounding to even, a polynomial in f by fma, 2^n.
float exp2_of(float x) {
  if (std::isnan(x) || x >= 128) return std::isnan(x) ? x : kInfinity;
  if (x < -126) return 0;
  const float n = std::nearbyintf(x), f = x - n;
  const uint32_t coefficients[] = {0x3AAF8448, 0x3C1D952A, 0x3D6357B6, 0x3E75FDF0, 0x3F317218, 0x3F800000};
  auto p = std::bit_cast<float>(uint32_t{0x392209C5});
  for (const uint32_t c : coefficients) p = std::fmaf(p, f, std::bit_cast<float>(c));
  return std::ldexp(p, static_cast<int>(n));  // x >= -126: a normal number
}

// Index of the e4m3 code nearest to v, ties to even; -0 keeps its sign.
uint8_t nearest_code(double v) {
  const auto& values = e4m3_values();
  uint8_t best = 0;
  for (uint8_t code = 0; code < 0x7F; ++code) {
    const double distance = std::abs(std::abs(v) - values[code]),
                 least = std::abs(std::abs(v) - values[best]);
    if (distance < least || (distance == least && code % 2 == 0)) best = code;
  }
  return static_cast<uint8_t>(best | (std::signbit(v) ? 0x80 : 0));
}

float to_bf16(float v) {
  const uint32_t bits = std::bit_cast<uint32_t>(v);
  return std::bit_cast<float>((bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000u);
}

double bf16_bits_value(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); }

// v as the conditioned value beside it.
double snapped(double v) {
  const double near = std::nearbyint(v);
  if (std::abs(v - near) > 0x1p-12) throw std::logic_error("drafter: a head's values are not near integers");
  return std::copysign(near, v);
}

// A sum that every order of addition gives exactly: multiples of 2^-9 below 2^15, or a single term.
class ExactSum {
 public:
  void add(double term) {
    sum_ += term;
    magnitude_ += std::abs(term);
    terms_ += term != 0;
  }
  float value(const char* what) const {
    const double steps = std::ldexp(sum_, 9);
    if (terms_ > 1 && (magnitude_ >= 0x1p15 || steps != std::nearbyint(steps))) {
      throw std::logic_error(std::string("drafter: ") + what + " is not an exact sum");
    }
    return static_cast<float>(sum_);
  }

 private:
  double sum_ = 0, magnitude_ = 0;
  uint32_t terms_ = 0;
};

// Query row `row` on the one block.
class ExactRow {
 public:
  ExactRow(const DrafterBlocks& data, uint32_t row) : data_(data), block_(data.blocks[0]), row_(row) {
    for (uint32_t k = 0; k < kKeys; ++k) scores_[k] = visible(k) ? score(k) : -kInfinity;
    m_ = *std::max_element(scores_, scores_ + kKeys);
    const float off = (m_ == -kInfinity ? 0 : m_) * kScoreLog2 - 8;
    for (uint32_t k = 0; k < kKeys; ++k) p_[k] = exp2_of(scores_[k] * kScoreLog2 - off);
  }

  void store(DrafterExactPartial& out) const {
    out.m.push_back(m_ * kScoreScale);
    out.l.push_back(sum());
    double rounded[kKeys];
    for (uint32_t k = 0; k < kKeys; ++k) rounded[k] = e4m3_values()[nearest_code(p_[k])];
    for (uint32_t d = 0; d < kDims; ++d) {
      ExactSum o;
      for (uint32_t k = 0; k < kKeys; ++k) o.add(rounded[k] * e4m3_values()[block_.v[k * kDims + d]]);
      out.o.push_back(o.value("an output"));
    }
  }

 private:
  bool visible(uint32_t k) const {
    const int32_t key = block_.first_key + static_cast<int32_t>(k);
    const int32_t position = data_.p0 + static_cast<int32_t>(row_ / kHeadsOfRow);
    return key > position - kWindowKeys && key >= data_.lo && key <= data_.hi;
  }

  float score(uint32_t k) const {
    ExactSum sum;
    for (uint32_t d = 0; d < kDims; ++d) {
      sum.add(e4m3_values()[data_.q[row_ * kDims + d]] * e4m3_values()[block_.k[k * kDims + d]]);
    }
    return sum.value("a score");
  }

  // Lane group g adds keys 16 i + 4 g + e by i, then e; the groups are added in pairs.
  float sum() const {
    float group[4];
    for (uint32_t g = 0; g < 4; ++g) {
      group[g] = p_[4 * g];
      for (uint32_t x = 1; x < 32; ++x) group[g] += p_[16 * (x / 4) + 4 * g + x % 4];
    }
    return (group[0] + group[1]) + (group[2] + group[3]);
  }

  const DrafterBlocks& data_;
  const DrafterBlocks::Block& block_;
  const uint32_t row_;
  float scores_[kKeys], p_[kKeys], m_;
};

// ceil(log2(amax / 448)) + 127 for the amax of a bf16 group; 1 for nothing.
uint32_t code_of(float amax) {
  int exponent;
  const double fraction = std::frexp(std::max<double>(amax, 0x1p-126) / 448, &exponent);
  return static_cast<uint32_t>(std::clamp((fraction == 0.5 ? exponent - 1 : exponent) + 127, 1, 254));
}

}  // namespace

Bytes drafter_exact_head(const DrafterHead& head) {
  double x[kDims];
  double squares = 0;
  for (uint32_t d = 0; d < kDims; ++d) {
    x[d] = bf16_bits_value(head.x[d]);
    squares += x[d] * x[d];
  }
  if (!head.weight.empty()) {
    const double rr = 1 / std::sqrt(squares / kDims + 1e-6);
    for (uint32_t d = 0; d < kDims; ++d) x[d] = snapped(x[d] * rr * (bf16_bits_value(head.weight[d]) + 1));
    for (uint32_t d = 0; d < kHalfRot; ++d) {
      const double c = bf16_bits_value(head.cos_sin[d]), s = bf16_bits_value(head.cos_sin[kHalfRot + d]);
      const double a = x[d], b = x[d + kHalfRot];
      x[d] = std::fma(a, c, -(b * s));  // exact; fma for the sign of a zero
      x[d + kHalfRot] = std::fma(b, c, a * s);
    }
  }
  Bytes out;
  for (const double v : x) {
    out.push_back(nearest_code(v));
    if (e4m3_values()[out.back()] != v)
      throw std::logic_error("drafter: a head's values are not e4m3 values");
  }
  return out;
}

DrafterExactPartial drafter_exact_block(const DrafterBlocks& data) {
  if (data.blocks.size() != 1) throw std::logic_error("drafter: a chain of blocks is not exact");
  DrafterExactPartial out;
  for (uint32_t row = 0; row < kQueryRows; ++row) ExactRow(data, row).store(out);
  return out;
}

DrafterExactOutput drafter_exact_merge(const DrafterExactMerge& data) {
  float m = -kInfinity, l = 0, y[kDims] = {};
  for (uint32_t i = 0; i < data.partials; ++i) m = std::max(m, data.m(i));
  const float safe = m == -kInfinity ? 0 : m;
  for (uint32_t i = 0; i < data.partials; ++i) {
    const float weight = exp2_of((data.m(i) - safe) * kLog2E);
    l = l + data.l(i) * weight;
    for (uint32_t d = 0; d < kDims; ++d) y[d] = y[d] + data.o(i, d) * weight;
  }
  for (float& v : y) v = l > 0 ? to_bf16(v * (1.0f / l)) : 0;
  DrafterExactOutput out;
  for (uint32_t g = 0; g < kDims / kGroup; ++g) {
    float amax = 0;
    for (uint32_t i = 0; i < kGroup; ++i) amax = std::max(amax, std::abs(y[g * kGroup + i]));
    out.codes.push_back(code_of(amax));
    for (uint32_t i = 0; i < kGroup; ++i) {
      const double scaled = std::ldexp(double{y[g * kGroup + i]}, 127 - static_cast<int>(out.codes[g]));
      out.data.push_back(nearest_code(scaled));  // |scaled| <= 448
    }
  }
  return out;
}

}  // namespace wavetwin::oracle
