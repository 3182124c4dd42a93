// SPDX-License-Identifier: MIT
// What the fp64 references of the attention back share.
#pragma once

#include <cstdint>
#include <vector>

#include "golden/oracle/back.h"

namespace wavetwin::oracle::back_detail {

inline constexpr uint32_t kDims = 512, kNopeDims = 448, kAllKeys = 640, kDataBytes = 576, kGroup = 32;
inline constexpr uint32_t kNoEntry = 0xFFFFFFFFu;  // of a key table
inline constexpr double kLn2 = 0.6931471805599453, kLog2E = 1.4426950408889634;

using Row = std::vector<double>;

// The 512 values of the record of a key table's entry (kNoEntry excluded).
Row record(const BackSplitData& data, uint32_t entry);

// n values against n others: the sum of their products, and of the products' magnitudes.
double dot(const double* a, const double* b, uint32_t n);
double dot_magnitude(const double* a, const double* b, uint32_t n);

// Row `row` of e4m3 [rows][k] with E8M0 [rows / 32][k / 32], in values.
void weight_row(const BackWeights& w, uint32_t row, double* out);

// The smallest code whose 448 * 2^(code - 127) holds amax; 1 for what is smaller.
int mx_code_of(double amax);

// Dims 448 + 2 i, 448 + 2 i + 1 of a head by minus the angle of a position: 32 cosines, then 32 sines.
void rotate_back(const float* angles, Row& y);

}  // namespace wavetwin::oracle::back_detail
