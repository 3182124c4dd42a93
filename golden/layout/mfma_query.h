// SPDX-License-Identifier: MIT
// Which lane, VGPR and bits hold an element of an MFMA operand, and back, as text tables.
//
// A place is written as AMD's matrix instruction calculator writes it: v5{3}.[23:16] is bits 23..16 of VGPR 5
// of the operand in lane 3; without bits it is the whole register.
#pragma once

#include <string>

#include "common/mfma/layout.h"
#include "golden/layout/table.h"

namespace wavetwin::golden {

// A, B, C, D, and the scale operands of A and B.
enum class Operand : uint8_t { a, b, c, d, scale_a, scale_b };

// One instruction with everything that changes where elements lie. Throws Error for modifiers that it does
// not take.
class MfmaQuery {
 public:
  struct Modifiers {
    unsigned cbsz = 0, abid = 0, blgp = 0;  // broadcasts and lane patterns of A and B; formats for f8f6f4
    unsigned opsel_a = 0, opsel_b = 0;      // byte of the scale VGPR, 0..3
  };
  MfmaQuery(const mfma::Shape& shape, mfma::Format a_format, mfma::Format b_format,
            const Modifiers& modifiers);

  // Facts of the instruction: sizes, registers, formats, evidence.
  TextTable detail() const;

  // The register of one element. A, D ...: (i, j) are row and column; for A j is k, for B i is k; for scale_a
  // (i, j) is (row, K block), for scale_b (K block, column). With A or B of a scaled instruction the second
  // row is the scale that goes with the element.
  TextTable get_register(Operand operand, unsigned i, unsigned j, unsigned block) const;

  // The elements that VGPR `vgpr` of the operand holds in `lane`.
  TextTable matrix_entry(Operand operand, unsigned vgpr, unsigned lane) const;

  // A row a lane, a column a VGPR: the elements it holds.
  TextTable register_layout(Operand operand) const;

  // A row a matrix row, a column a matrix column: the register. Blocks follow each other.
  TextTable matrix_layout(Operand operand) const;

  // The same as data. A scale operand of an instruction without scales throws Error.
  struct Size {
    unsigned rows, columns, blocks, bits, vgprs;  // bits of one element
  };
  Size size(Operand operand) const;
  mfma::Place place(Operand operand, unsigned i, unsigned j, unsigned block) const;
  std::string register_name(Operand operand, unsigned i, unsigned j, unsigned block) const;
  const mfma::Shape& shape() const { return shape_; }
  mfma::Format a_format() const { return a_format_; }
  mfma::Format b_format() const { return b_format_; }

 private:
  std::string element_name(Operand operand, unsigned lane, unsigned bit) const;
  void check_element(Operand operand, unsigned i, unsigned j, unsigned block) const;

  const mfma::Shape& shape_;
  mfma::Format a_format_, b_format_;
  Modifiers modifiers_;
};

// "A", "b", "scale_a" ...; throws Error naming the legal ones.
Operand parse_operand(const std::string& text);
const char* to_string(Operand operand);

}  // namespace wavetwin::golden
