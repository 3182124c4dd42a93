// SPDX-License-Identifier: MIT
#include "golden/oracle/back_detail.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "golden/oracle/mx.h"

namespace wavetwin::oracle::back_detail {

Row record(const BackSplitData& data, uint32_t entry) {
  const CachePages& pages = entry >> 31 ? data.compressed : data.window;
  const uint32_t slot = entry & 0x7FFFFFFFu;
  const uint8_t* page = &pages.bytes[slot / pages.block * pages.stride];
  const uint8_t* row = page + slot % pages.block * kDataBytes;
  const uint8_t* scale = page + pages.block * kDataBytes + slot % pages.block * 8;
  Row out(kDims);
  for (uint32_t d = 0; d < kNopeDims; ++d) out[d] = e4m3_values()[row[d]] * e8m0_values()[scale[d / 64]];
  for (uint32_t d = kNopeDims; d < kDims; ++d) {
    const uint8_t* pair = row + kNopeDims + 2 * (d - kNopeDims);
    out[d] = bf16_value(pair[0] | static_cast<uint32_t>(pair[1]) << 8);
  }
  return out;
}

namespace {
using Values = Eigen::Map<const Eigen::ArrayXd>;
}

double dot(const double* a, const double* b, uint32_t n) { return (Values(a, n) * Values(b, n)).sum(); }
double dot_magnitude(const double* a, const double* b, uint32_t n) {
  return (Values(a, n) * Values(b, n)).abs().sum();
}

void weight_row(const BackWeights& w, uint32_t row, double* out) {
  const auto& values = e4m3_values();
  const uint8_t* codes = &w.codes[uint64_t{row} * w.k];
  const uint8_t* scales = &w.scales[uint64_t{row} / 32 * (w.k / kGroup)];
  for (uint32_t g = 0; g < w.k / kGroup; ++g) {
    const double scale = e8m0_values()[scales[g]];
    for (uint32_t k = g * kGroup; k < (g + 1) * kGroup; ++k) out[k] = values[codes[k]] * scale;
  }
}

int mx_code_of(double amax) {
  int exponent;
  const double fraction = std::frexp(std::max(amax, 0x1p-126) / 448, &exponent);
  const int code = (fraction == 0.5 ? exponent - 1 : exponent) + 127;
  return std::clamp(code, 1, 254);
}

void rotate_back(const float* angles, Row& y) {
  for (uint32_t i = 0; i < 32; ++i) {
    double &even = y[kNopeDims + 2 * i], &odd = y[kNopeDims + 2 * i + 1];
    const double c = angles[i], s = angles[32 + i], e = even, o = odd;
    even = e * c + o * s;
    odd = o * c - e * s;
  }
}

}  // namespace wavetwin::oracle::back_detail
