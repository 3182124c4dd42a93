// SPDX-License-Identifier: MIT
// The instruction tables as a list, one entry an encoding, and the names that other lists have and these do
// not.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/isa/rows.h"

namespace wavetwin::isa {

// One encoding of a row: V_ADD_F32_E32 and V_ADD_F32_E64 are two, FLAT_LOAD_DWORD, GLOBAL_LOAD_DWORD and
// SCRATCH_LOAD_DWORD are three. SDWA and DPP are not counted apart.
struct ListedInstruction {
  std::string name;
  std::string_view encoding;  // VOP2, VOP3, VOP3SD (with an SGPR destination), VOP3PX2, GLOBAL ...
  unsigned opcode = 0;        // in that encoding
  const Row* row = nullptr;
};

std::vector<ListedInstruction> list_instructions();

// How often the tests execute the row beside an oracle that shares no code with it (sim/isa/tested_rows.inc).
uint64_t test_count(const Row& row);

struct InstructionCounts {
  size_t total = 0, executed = 0, tested = 0, missing = 0;
  uint64_t tests = 0;                            // of all rows
  std::array<size_t, 4> executed_by_evidence{};  // index: Evidence
};

InstructionCounts count_instructions();

// A published name without a row, or whose row is spelled otherwise (tables/exceptions.inc).
struct NameException {
  std::string_view encoding, name;
  std::string_view row_name;  // empty: there is no row
  std::string_view reason;
};

std::span<const NameException> name_exceptions();
const NameException* find_exception(std::string_view encoding, std::string_view name);

}  // namespace wavetwin::isa
