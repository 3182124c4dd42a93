// SPDX-License-Identifier: MIT
// What LDS accesses cost, as tables and as a picture of bank x lane.
#pragma once

#include <string>
#include <vector>

#include "golden/layout/memory_layout.h"
#include "golden/layout/table.h"

namespace wavetwin::golden {

// Every instruction of the bank model: width, banks, lanes served together, evidence, source.
TextTable bank_instruction_list();

// One instruction with its addresses.
struct BankAccess {
  std::string name;
  LdsInstruction instruction;
  LaneAddresses addresses;
};
std::vector<BankAccess> bank_accesses(const std::vector<LdsAccess>& accesses, BankModel model);

// A row an instruction: degree, cycles, cycles without conflicts, where the worst conflict is, evidence; then
// the total.
TextTable bank_report(const std::vector<BankAccess>& accesses);
// A row a group of lanes.
TextTable bank_detail(const std::vector<BankAccess>& accesses);
// An SVG: of each access a grid, lanes in the order they are served down, banks across; conflicts stand out.
// At most kMostPanels accesses, else Error.
inline constexpr size_t kMostPanels = 16;
std::string bank_picture(const std::vector<BankAccess>& accesses);

// Lane l accesses base + row_stride (l % rows) + chunk_stride (l / rows); with a swizzle, the index of its
// `swizzle_chunk`-byte chunk in the row is XORed with row % swizzle_rows.
struct StridePattern {
  uint32_t base = 0, rows = 64, row_stride = 4, chunk_stride = 0, swizzle_chunk = 0, swizzle_rows = 0;
};
// Throws Error for a pattern that is not one (no rows, half a swizzle, addresses past 32 bits).
LaneAddresses stride_addresses(const StridePattern& pattern);

// What a wave does when lane l accesses row l % 16 and there the (l / 16)-th piece of the instruction's
// width: the operands of the 16-row MFMAs. For layouts whose rows keep such pieces together; else Error.
LdsAccess operand_access(const MemoryLayout& layout, const std::string& instruction);

}  // namespace wavetwin::golden
