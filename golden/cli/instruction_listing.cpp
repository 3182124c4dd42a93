// SPDX-License-Identifier: MIT
#include "golden/cli/instruction_listing.h"

#include <fmt/format.h>

#include "common/evidence.h"
#include "golden/harness/table.h"
#include "sim/isa/listing.h"

namespace wavetwin::golden {

std::string instruction_listing() {
  std::vector<std::vector<std::string>> cells = {
      {"encoding", "opcode", "instruction", "status", "evidence", "source"}};
  for (const isa::ListedInstruction& in : isa::list_instructions()) {
    const bool executed = in.row->implemented;
    cells.push_back({std::string(in.encoding), fmt::format("{:#x}", in.opcode), in.name,
                     executed ? "executed" : "missing", executed ? to_string(in.row->evidence) : "",
                     std::string(in.row->source)});
  }
  const isa::InstructionCounts counts = isa::count_instructions();
  std::string text = aligned(cells);
  text += fmt::format("{} instructions: {} executed (", counts.total, counts.executed);
  for (size_t level = 0; level < counts.executed_by_evidence.size(); ++level) {
    text += fmt::format("{}{} {}", level == 0 ? "" : ", ", counts.executed_by_evidence[level],
                        to_string(static_cast<Evidence>(level)));
  }
  text += fmt::format("), {} missing\n", counts.missing);
  for (const isa::NameException& exception : isa::name_exceptions()) {
    text += fmt::format("{} {}: {}\n", exception.encoding, exception.name, exception.reason);
  }
  return text;
}

}  // namespace wavetwin::golden
