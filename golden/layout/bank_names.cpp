// SPDX-License-Identifier: MIT
// Which entry of the bank model's table an instruction is served as.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "golden/layout/bank_model.h"
#include "golden/layout/nearest_name.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

constexpr unsigned kBanksInOrder = 64;

bool cut(std::string& name, const std::string& part) {
  const size_t at = name.find(part);
  if (at == std::string::npos) return false;
  name.erase(at, part.size());
  return true;
}

// Whether "max", "f64" and their like change memory by what is there (CDNA4 ISA guide 12.12).
bool is_atomic(const std::string& operation, const std::string& type) {
  static const std::set<std::string> kOperations = {"add",  "sub",    "rsub",       "inc",   "dec",   "min",
                                                    "max",  "and",    "or",         "xor",   "mskor", "cmpst",
                                                    "wrap", "wrxchg", "condxchg32", "pk_add"};
  static const std::set<std::string> kTypes = {"u32",  "i32", "b32", "f32", "f16",
                                               "bf16", "u64", "i64", "b64", "f64"};
  return kOperations.count(operation) != 0 && kTypes.count(type) != 0;
}

// The name of the table's entry, if there is one.
std::string table_name(std::string name) {
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (name == "ds_append" || name == "ds_consume") return "ds_add_u32";
  cut(name, "_d16_hi");
  cut(name, "_d16");
  cut(name, "_addtid");
  if (name.starts_with("ds_read_i")) name[8] = 'u';
  cut(name, "st64");
  if (name.starts_with("ds_read2_") || name.starts_with("ds_write2_") || name.starts_with("ds_wrxchg2_"))
    cut(name, "2");
  cut(name, "_rtn");
  const size_t type = name.rfind('_');
  if (!name.starts_with("ds_") || type < 4 || !is_atomic(name.substr(3, type - 3), name.substr(type + 1)))
    return name;
  return name.ends_with("64") ? "ds_add_u64" : "ds_add_u32";
}

// As many lanes as fill the banks with their words.
LdsInstruction in_order_of(LdsInstruction instruction) {
  const unsigned words = (instruction.bytes + kBankBytes - 1) / kBankBytes;
  instruction.banks = kBanksInOrder;
  instruction.groups = words == 1 ? LaneGroups::all : words == 2 ? LaneGroups::halves : LaneGroups::quarters;
  instruction.evidence = Evidence::unknown;
  instruction.source = "assumption: 64 banks, lanes in order";
  return instruction;
}

}  // namespace

std::optional<LdsInstruction> known_lds_instruction(const std::string& name, BankModel model) {
  const std::string of_table = table_name(name);
  for (const LdsInstruction& instruction : lds_instructions()) {
    if (of_table != instruction.name) continue;
    return model == BankModel::measured ? instruction : in_order_of(instruction);
  }
  return std::nullopt;
}

LdsInstruction find_lds_instruction(const std::string& name, BankModel model) {
  if (const auto known = known_lds_instruction(name, model)) return *known;
  std::vector<std::string> names;
  for (const LdsInstruction& instruction : lds_instructions()) names.emplace_back(instruction.name);
  throw Error(fmt::format("no LDS instruction '{}'; did you mean {}? (`wavetwin layout --banks` lists them)",
                          name, nearest_name(name, names)));
}

}  // namespace wavetwin::golden
