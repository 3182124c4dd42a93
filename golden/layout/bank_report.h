// SPDX-License-Identifier: MIT
// What LDS accesses cost, as tables and as a picture of bank x lane.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "golden/layout/memory_layout.h"
#include "golden/layout/table.h"

namespace wavetwin::golden {

// Every instruction of the bank model: width, banks, lanes served together, evidence, source.
TextTable bank_instruction_list();

// Cycles of one access or of many; `least`: what they would take without conflicts.
struct BankCost {
  uint64_t cycles = 0, least = 0;
  unsigned degree = 0;  // the worst

  void add(const BankUse& use);
  void add(const BankCost& cost);
};

// One instruction of a pattern, or one of a program with all of its executions.
struct BankAccess {
  std::string name, text;  // what is accessed, or its pc; the instruction as written
  LdsInstruction instruction;
  LaneAddresses addresses;  // of the execution that takes the banks longest
  BankCost cost;
  std::optional<uint64_t> times = std::nullopt;  // executions; nothing where it is a pattern
};
std::vector<BankAccess> bank_accesses(const std::vector<LdsAccess>& accesses, BankModel model);

// An instruction of a program that the model counts nothing for.
struct UncountedAccess {
  std::string name, text;
  uint64_t times;
};

// A word that one lane gets from one bank: in cycle `cycle` (counted from 1) of the group's, one of `words`
// that the bank has to give. The order is that of the lanes: assumption, it changes no count.
struct BankCell {
  unsigned lane, bank;
  uint32_t word;
  unsigned cycle, words;
};
// Of one group, in the order of banks.
std::vector<BankCell> bank_cells(const BankGroup& group);
// A row an instruction: how often it is executed, degree, cycles, cycles without conflicts, where the worst
// conflict is, evidence; then what is not counted, and the total.
TextTable bank_report(const std::vector<BankAccess>& accesses,
                      const std::vector<UncountedAccess>& uncounted = {});
// A row a group of lanes.
TextTable bank_detail(const std::vector<BankAccess>& accesses);
// The accesses that a picture shows where all of them are too many: those that lose most cycles to conflicts,
// in their order; and the words that say so.
std::vector<size_t> costliest(const std::vector<BankAccess>& accesses, size_t most);
std::string shown_text(const std::vector<BankAccess>& accesses, size_t most);

// An SVG: of each access a grid, lanes in the order they are served down, banks across; conflicts stand out.
std::string bank_picture(const std::vector<BankAccess>& accesses);

// A self-contained HTML page: the accesses with what they cost, and the chosen one as lanes x banks; pointing
// at a cell shows its lane, address, bank and cycle, at a bank the lanes that ask it. page.html#2,17 chooses
// lane 17 of access 2.
std::string bank_page(const std::string& title, const std::vector<BankAccess>& accesses);

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
