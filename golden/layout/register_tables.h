// SPDX-License-Identifier: MIT
// The questions of `wavetwin layout` about one instruction, answered as tables. The names are those of AMD's
// matrix instruction calculator: a register layout shows the registers of a matrix, a matrix layout the
// elements of the registers.
#pragma once

#include "golden/layout/register_map.h"
#include "golden/layout/table.h"

namespace wavetwin::golden {

// Facts of the instruction: sizes, registers, formats, evidence.
TextTable detail(const RegisterMap& map);

// The register of one element, and of the scale or the index bits that go with it. Throws Error for an
// element outside.
TextTable get_register(const RegisterMap& map, const OperandMap& operand, unsigned row, unsigned column,
                       unsigned block);

// The same for the compressed A of an SMFMAC and a k of the matrix: the elements that may stand for it.
TextTable get_register_of_k(const RegisterMap& map, unsigned row, unsigned k);

// What VGPR `vgpr` of the operand holds in `lane`; parts that no element is read from say so.
TextTable matrix_entry(const RegisterMap& map, const OperandMap& operand, unsigned vgpr, unsigned lane);

// A row a lane, a column a VGPR: the elements it holds, lowest bits first. Elements that read the same bits
// are joined by '/', "-" stands for bits that nobody reads.
TextTable matrix_layout(const RegisterMap& map, const OperandMap& operand);

// A row a matrix row, a column a matrix column: the register. Blocks follow each other.
TextTable register_layout(const RegisterMap& map, const OperandMap& operand);

}  // namespace wavetwin::golden
