// SPDX-License-Identifier: MIT
// Comparing two tensors element by element, and saying where they differ.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "golden/harness/case.h"
#include "golden/io/hash.h"
#include "golden/io/tensor.h"

namespace wavetwin::golden {

struct CompareOptions {
  Comparison comparison = Comparison::automatic;
  bool nan_bits = false;  // a NaN with another payload or sign is a mismatch
  // Elements that take part; empty: all.
  std::function<bool(uint64_t index)> included;
};

struct Mismatch {
  uint64_t index = 0;            // row major
  uint64_t left = 0, right = 0;  // bits
};

struct CompareResult {
  uint64_t compared = 0;
  uint64_t different = 0;
  uint64_t nan_differences = 0;  // both NaN, other payload or sign; mismatches only with nan_bits
  std::optional<Mismatch> first;
  uint64_t max_ulp = 0;  // over mismatches of numbers
  int power = 0;         // F32: not 0 when nearly all pairs differ by 2^power, as OCP codes read as FNUZ do

  bool equal() const { return different == 0; }
};

// Throws Error when dtype or shape differ.
CompareResult compare(const Tensor& left, const Tensor& right, const CompareOptions& options = {});

bool is_nan(DType dtype, uint64_t bits);

// Steps between two values on the number line of the format; for integers their distance. Nothing for NaNs.
std::optional<uint64_t> ulp_distance(DType dtype, uint64_t left, uint64_t right);

// [2,5] of shape [16,8] for index 21.
std::vector<uint64_t> unravel(const Shape& shape, uint64_t index);

// "(row 2, column 5)"; leading indices come first: "[1] (row 2, column 5)". Vectors have one row.
std::string position_text(std::span<const uint64_t> index);

// "0x3f800000 (1)"
std::string element_text(DType dtype, uint64_t bits);

// What a manifest hashes: NaNs of float types made canonical (not for Comparison::bits), unordered elements
// sorted, elements that do not take part zeroed.
Tensor canonical(const Tensor& tensor, const CompareOptions& options);

struct MismatchNames {
  std::string case_name, tensor, left, right;  // left, right: "sim", "golden"
};

// The report of one differing tensor: case, tensor, count, first index, (row, column), tile / wave / lane /
// VGPR, both values in hex and decimal, ULP distance. Several lines, each ended by a newline.
std::string mismatch_report(const MismatchNames& names, const Tensor& tensor, const CompareResult& result,
                            const std::function<std::string(std::span<const uint64_t>)>& locate);

}  // namespace wavetwin::golden
