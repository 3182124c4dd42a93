// SPDX-License-Identifier: MIT
#include "sim/isa/listing.h"

#include <unordered_map>

namespace wavetwin::isa {
namespace {

#define EXCEPTION(encoding, name, row_name, reason) {encoding, name, row_name, reason},
constexpr NameException kExceptions[] = {
#include "sim/isa/tables/exceptions.inc"
};
#undef EXCEPTION

struct TestedRow {
  std::string_view name;
  uint64_t tests;
};
#define TESTED(name, tests) {name, tests},
constexpr TestedRow kTestedRows[] = {
#include "sim/isa/tested_rows.inc"
};
#undef TESTED

// Encoding names of the tables, in the order of Format; VOP3P and MAI are one encoding.
constexpr std::array<std::string_view, static_cast<size_t>(Format::count)> kEncodings = {
    "SOP2", "SOPK",  "SOP1",  "SOPC",    "SOPP", "SMEM", "VOP2",  "VOP1", "VOPC",
    "VOP3", "VOP3P", "VOP3P", "VOP3PX2", "DS",   "FLAT", "MUBUF", "MTBUF"};

void add_flat(std::vector<ListedInstruction>& list, const Row& row) {
  struct SegmentName {
    uint32_t trait;
    std::string_view encoding;
  };
  constexpr SegmentName kSegments[] = {{SEG_FLAT, "FLAT"}, {SEG_GLOBAL, "GLOBAL"}, {SEG_SCRATCH, "SCRATCH"}};
  const std::string rest(row.name.substr(row.name.find('_')));
  for (const SegmentName& segment : kSegments) {
    if (row.has(segment.trait))
      list.push_back({std::string(segment.encoding) + rest, segment.encoding, row.opcode, &row});
  }
}

void add_vector(std::vector<ListedInstruction>& list, const Row& row) {
  const unsigned promoted = row.format == Format::vop1 ? 0x140 : row.format == Format::vop2 ? 0x100 : 0;
  const std::string name(row.name);
  list.push_back({name + "_E32", kEncodings[static_cast<size_t>(row.format)], row.opcode, &row});
  if (!row.has(E64)) return;
  const bool two_destinations = row.dst[1] != NONE;
  list.push_back({name + "_E64", two_destinations ? "VOP3SD" : "VOP3", row.opcode + promoted, &row});
}

}  // namespace

std::vector<ListedInstruction> list_instructions() {
  std::vector<ListedInstruction> list;
  for (const Row& row : rows()) {
    if (row.format == Format::flat) {
      add_flat(list, row);
    } else if (row.format == Format::vop1 || row.format == Format::vop2 || row.format == Format::vopc) {
      add_vector(list, row);
    } else {
      const bool two_destinations = row.format == Format::vop3 && row.dst[1] != NONE;
      const std::string_view encoding =
          two_destinations ? "VOP3SD" : kEncodings[static_cast<size_t>(row.format)];
      list.push_back({std::string(row.name), encoding, row.opcode, &row});
    }
  }
  return list;
}

uint64_t test_count(const Row& row) {
  static const auto kCounts = [] {
    std::unordered_map<std::string_view, uint64_t> by_name;
    for (const TestedRow& tested : kTestedRows) by_name.emplace(tested.name, tested.tests);
    return by_name;
  }();
  const auto found = kCounts.find(row.name);
  return found == kCounts.end() ? 0 : found->second;
}

InstructionCounts count_instructions() {
  InstructionCounts counts;
  for (const Row& row : rows()) counts.tests += test_count(row);
  for (const ListedInstruction& listed : list_instructions()) {
    ++counts.total;
    if (!listed.row->implemented) {
      ++counts.missing;
      continue;
    }
    ++counts.executed;
    counts.tested += test_count(*listed.row) != 0;
    ++counts.executed_by_evidence[static_cast<size_t>(listed.row->evidence)];
  }
  return counts;
}

std::span<const NameException> name_exceptions() { return kExceptions; }

const NameException* find_exception(std::string_view encoding, std::string_view name) {
  for (const NameException& exception : kExceptions) {
    if (exception.encoding == encoding && exception.name == name) return &exception;
  }
  return nullptr;
}

}  // namespace wavetwin::isa
