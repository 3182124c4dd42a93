// SPDX-License-Identifier: MIT
// Matrix instructions from their mnemonics: shape, formats, and the registers that hold an element, by the
// formulas of the CDNA4 ISA guide, 7.1.4 and 7.1.5. Nothing of sim/ or common/ is used here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace wavetwin::reference {

struct MatrixShape {
  unsigned m = 0, n = 0, k = 0, blocks = 1;
  std::string result;  // F32, I32, F64
  std::string a, b;    // F16, BF16, F32, F64, I8, FP8, BF8, FP6, BF6, FP4
};

// V_MFMA_F32_16X16X4_4B_F16 and the like; for ..._F8F6F4 the two formats follow from CBSZ and BLGP. Nothing
// for other names.
std::optional<MatrixShape> matrix_shape(const std::string& name, unsigned cbsz = 0, unsigned blgp = 0);

unsigned format_width(const std::string& format);             // bits
uint64_t integer_code(const std::string& format, int value);  // of -3 .. 3; F32, I32, F64: of any

// Where an element is: `item` counts elements of the lane's registers from their lowest bit.
struct MatrixPlace {
  unsigned lane, item;
};
MatrixPlace a_place(const MatrixShape& shape, unsigned block, unsigned i, unsigned k);
MatrixPlace b_place(const MatrixShape& shape, unsigned block, unsigned k, unsigned j);
MatrixPlace d_place(const MatrixShape& shape, unsigned block, unsigned i, unsigned j);

}  // namespace wavetwin::reference
