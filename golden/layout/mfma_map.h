// SPDX-License-Identifier: MIT
// The register map of an MFMA or SMFMAC, from common/mfma.
#pragma once

#include <optional>

#include "common/mfma/sparse.h"
#include "golden/layout/register_map.h"

namespace wavetwin::golden {

// Instruction fields that change where elements are; what is not given is 0 (for a format: what CBSZ or BLGP
// says, or the instruction's own).
struct MatrixFields {
  std::optional<mfma::Format> a_format, b_format;  // f8f6f4; for others only their own
  std::optional<unsigned> cbsz;                    // broadcast size of A; f8f6f4: format of A
  std::optional<unsigned> abid;                    // block of A that is broadcast; SMFMAC: index set
  std::optional<unsigned> blgp;                    // lane pattern of B; f64: signs; f8f6f4: format of B
  std::optional<unsigned> opsel_a, opsel_b;        // byte of the scale VGPR, 0..3
};

// Throws Error for a field that means nothing to the instruction, is out of range, or contradicts another.
RegisterMap mfma_map(const mfma::Shape& shape, const MatrixFields& fields);
RegisterMap smfmac_map(const mfma::SparseShape& shape, const MatrixFields& fields);

}  // namespace wavetwin::golden
