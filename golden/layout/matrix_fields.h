// SPDX-License-Identifier: MIT
// What instruction fields mean to an MFMA or SMFMAC.
#pragma once

#include <string>
#include <vector>

#include "golden/layout/mfma_map.h"

namespace wavetwin::golden {

// The fields of a dense MFMA, sorted out: CBSZ and BLGP have three meanings.
struct DenseFields {
  mfma::Format a_format, b_format;
  unsigned cbsz = 0, abid = 0;  // broadcast of A
  unsigned lane_pattern = 0;    // BLGP as a lane pattern of B
  unsigned negate = 0;          // BLGP of f64: bits 0, 1, 2 change the signs of A, B, C
  unsigned opsel_a = 0, opsel_b = 0;
  std::vector<std::string> meanings;  // one line a field that is not 0
};

// Throws Error for a field that means nothing to the instruction, is out of range or contradicts another.
// (AMD CDNA4 ISA guide, chapter 7.)
DenseFields dense_fields(const mfma::Shape& shape, const MatrixFields& fields);

// The set of index bits that an SMFMAC reads. Throws Error likewise.
unsigned sparse_set(const mfma::SparseShape& shape, const MatrixFields& fields);

}  // namespace wavetwin::golden
