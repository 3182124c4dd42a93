// SPDX-License-Identifier: MIT
#include "golden/cli/instruction_listing.h"

#include <fmt/format.h>

#include "common/evidence.h"
#include "golden/harness/table.h"
#include "sim/isa/listing.h"

namespace wavetwin::golden {

namespace {

const char* status_of(const isa::Row& row) {
  if (!row.implemented) return "missing";
  return isa::test_count(row) != 0 ? "tested" : "executed";
}

}  // namespace

std::string instruction_listing() {
  std::vector<std::vector<std::string>> cells = {
      {"encoding", "opcode", "instruction", "status", "tests", "evidence", "source"}};
  for (const isa::ListedInstruction& in : isa::list_instructions()) {
    const isa::Row& row = *in.row;
    cells.push_back({std::string(in.encoding), fmt::format("{:#x}", in.opcode), in.name, status_of(row),
                     std::to_string(isa::test_count(row)), row.implemented ? to_string(row.evidence) : "",
                     std::string(row.implemented ? row.source : row.reason)});
  }
  const isa::InstructionCounts counts = isa::count_instructions();
  std::string text = aligned(cells);
  text += fmt::format("{} instructions: {} executed (", counts.total, counts.executed);
  for (size_t level = 0; level < counts.executed_by_evidence.size(); ++level) {
    text += fmt::format("{}{} {}", level == 0 ? "" : ", ", counts.executed_by_evidence[level],
                        to_string(static_cast<Evidence>(level)));
  }
  text += fmt::format("), {} of them tested, {} missing\n", counts.tested, counts.missing);
  text += fmt::format(
      "tests: how often the tests execute the row, in any of its encodings and on up to 64 lanes, beside an "
      "oracle; {} in all\n",
      counts.tests);
  for (const isa::NameException& exception : isa::name_exceptions()) {
    text += fmt::format("{} {}: {}\n", exception.encoding, exception.name, exception.reason);
  }
  return text;
}

}  // namespace wavetwin::golden
