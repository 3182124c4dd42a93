// SPDX-License-Identifier: MIT
// How LDS serves one instruction of a wave: groups of lanes one after the other, and in a group every bank
// gives one 4-byte word a cycle. Lanes of a group that want different words of one bank wait for each other;
// lanes that want the same word do not (rocprofiler-compute's documentation: a word is broadcast).
//
// AMD's documents name the banks (64 on CDNA4, 4 bytes wide) and not the groups. What is known of the groups
// was measured by users on an MI355X, and is not what the number of banks suggests: some instructions behave
// as if there were 32 banks, and wide reads take lanes out of order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/evidence.h"

namespace wavetwin::golden {

// Which lanes are served together.
enum class LaneGroups : uint8_t {
  all,       // 64
  halves,    // 0..31, ...
  quarters,  // 0..15, ...
  eighths,   // 0..7, ...
  // Of each half of the wave:
  mixed_eighths,  // 0..3 with 20..23, 4..7 with 16..19, 8..11 with 28..31, 12..15 with 24..27
  mixed_quarters  // 0..3, 12..15, 20..23, 24..27, and the others
};
std::vector<std::vector<unsigned>> lanes_of(LaneGroups groups);

struct LdsInstruction {
  const char* name;  // as LLVM spells it
  unsigned bytes;    // of one lane
  unsigned banks;
  LaneGroups groups;
  // Whether lanes that want the same word of a bank get it together.
  bool shares;
  Evidence evidence;
  const char* source;
};
const std::vector<LdsInstruction>& lds_instructions();

// How instructions are served. measured: the table above. in_order: 64 banks, lanes in order, as many at a
// time as fill the banks; the model that a bank count alone suggests.
enum class BankModel : uint8_t { measured, in_order };
// The entry of the table that stands for an instruction (any spelling of its letters): sign extension, halves
// of registers and what an atomic computes are nothing to the banks. Of those with two elements it is the
// entry of one of them. Nothing for what the model does not know.
std::optional<LdsInstruction> known_lds_instruction(const std::string& name,
                                                    BankModel model = BankModel::measured);
// The same, or an Error naming the nearest name of the table.
LdsInstruction find_lds_instruction(const std::string& name, BankModel model = BankModel::measured);

inline constexpr unsigned kBankBytes = 4;

// An address of a lane that does nothing.
inline constexpr uint32_t kInactiveLane = 0xFFFFFFFFu;
using LaneAddresses = std::vector<uint32_t>;  // 64 byte addresses

// A word that a bank gives in one cycle, and the lanes that get it.
struct BankWord {
  uint32_t word;   // address / 4
  uint64_t lanes;  // bit l: lane l
};

// What one group of lanes costs.
struct BankGroup {
  std::vector<unsigned> lanes;               // the active ones
  unsigned cycles = 0;                       // most words wanted of one bank; 0 when no lane is active
  unsigned worst_bank = 0;                   // the first bank with that many
  std::vector<std::vector<BankWord>> words;  // of each bank: the words wanted, in the order of the lanes
};

struct BankUse {
  std::vector<BankGroup> groups;
  unsigned cycles() const;      // of the instruction
  unsigned unhindered() const;  // without conflicts: one a group with active lanes
  unsigned degree() const;      // of the worst group: 1 is conflict free
};

// Throws Error when there are not 64 addresses.
BankUse bank_use(const LdsInstruction& instruction, const LaneAddresses& addresses);

}  // namespace wavetwin::golden
