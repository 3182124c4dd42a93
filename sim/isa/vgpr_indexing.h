// SPDX-License-Identifier: MIT
// VGPR indexing (isa guide 6.6): while MODE.GPR_IDX_EN is set, M0[7:0] is added to the VGPR
// numbers of the vector ALU operands that M0[15:12] names: bit 0 to 2 the sources, bit 3 the destination.
// Also the VGPR that v_readlane, v_readfirstlane or v_writelane accesses.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/isa/decode.h"
#include "sim/isa/flow_graph.h"

namespace wavetwin::isa {

// What `in` operates on under the value of M0.
Instruction indexed(const Instruction& in, uint32_t m0);

// Of each instruction, the operands that may be indexed when it is executed, on any path; bits as in
// M0[15:12]. Code that flow_graph.h finds no way to begins with indexing off.
std::vector<uint8_t> indexed_operands(const Program& program, const FlowGraph& flow);

// For what must hold for every index: the operands of `mask` reach from their register to the last VGPR ...
Instruction with_any_index(const Instruction& in, unsigned mask);
// ... and for what holds whatever the index is: they are left out.
Instruction without_indexed(const Instruction& in, unsigned mask);

}  // namespace wavetwin::isa
