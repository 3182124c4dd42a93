// SPDX-License-Identifier: MIT
// The row tables as data: complete, without overlaps, consistent.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "sim/isa/decode.h"
#include "sim/isa/listing.h"
#include "sim/isa/rows.h"
#include "tests/isa/decode/random_encoding.h"

namespace wavetwin::isa {
namespace {

struct PublishedOpcode {
  std::string format, name;
  unsigned opcode;
};

std::vector<PublishedOpcode> published() {
  std::ifstream file(DECODE_DATA "opcodes.tsv");
  std::vector<PublishedOpcode> list;
  for (std::string line; std::getline(file, line);) {
    std::istringstream columns(line);
    std::string format, opcode, name;
    columns >> format >> opcode >> name;
    if (format == "format" || line[0] == '#') continue;
    list.push_back({format, name, static_cast<unsigned>(std::stoul(opcode, nullptr, 16))});
  }
  return list;
}

std::string without_suffix(const std::string& name) {
  return name.ends_with("_E32") || name.ends_with("_E64") ? name.substr(0, name.size() - 4) : name;
}

using Key = std::pair<std::string, unsigned>;  // published format name, opcode

}  // namespace

TEST_CASE("tables: every published opcode has its row, or an exception that says why") {
  std::map<Key, std::string> ours;
  for (const ListedInstruction& listed : list_instructions())
    ours[{std::string(listed.encoding), listed.opcode}] = listed.name;
  const auto list = published();
  CHECK(list.size() == 1595);
  size_t used_exceptions = 0;
  for (const PublishedOpcode& p : list) {
    INFO(p.format, " ", p.opcode, " ", p.name);
    const NameException* exception = find_exception(p.format, p.name);
    used_exceptions += exception != nullptr;
    const auto found = ours.find({p.format, p.opcode});
    if (exception != nullptr && exception->row_name.empty()) {
      CHECK(found == ours.end());
      continue;
    }
    REQUIRE(found != ours.end());
    const std::string expected = exception != nullptr ? std::string(exception->row_name) : p.name;
    CHECK(without_suffix(found->second) == without_suffix(expected));
  }
  CHECK(used_exceptions == name_exceptions().size());
  CHECK(ours.size() == 1595 - 6);
}

TEST_CASE("tables: exceptions are real: llvm has no such name, or spells it otherwise") {
  for (const NameException& exception : name_exceptions()) CHECK_FALSE(exception.reason.empty());
  CHECK(name_exceptions().size() == 11);
}

TEST_CASE("tables: no two rows share an encoding") {
  std::map<std::pair<Format, unsigned>, std::string_view> seen;
  std::set<std::string_view> names;
  for (const Row& row : rows()) {
    INFO(row.name);
    CHECK(names.insert(row.name).second);
    CHECK(seen.emplace(std::pair{row.format, row.opcode}, row.name).second);
  }
  // VOP3P and MAI divide one opcode space, VOP3 is shared with promoted instructions below 0x1c0.
  for (const Row& row : rows()) {
    INFO(row.name);
    if (row.format == Format::mai) CHECK(seen.count({Format::vop3p, row.opcode}) == 0);
    if (row.format == Format::vop3) CHECK(row.opcode >= 0x1c0);
    if (row.format == Format::vop2) CHECK(row.opcode < 0x3e);
    if (row.format == Format::vop1) CHECK(row.opcode < 0x80);
  }
}

TEST_CASE("tables: random encodings of a row decode to that row") {
  test::EncodingGenerator generator(7);
  for (size_t i = 0; i < kRowCount; ++i) {
    const Row& row = rows()[i];
    const Segment segment = row.has(SEG_FLAT) || row.format != Format::flat ? Segment::flat
                            : row.has(SEG_GLOBAL)                           ? Segment::global
                                                                            : Segment::scratch;
    unsigned decoded = 0;
    for (int draw = 0; draw < 16; ++draw) {
      const Instruction in = try_decode(generator.of_row(row, Form::base, segment), 0);
      if (!in.valid()) continue;
      ++decoded;
      INFO(row.name, " became ", row_of(in).name);
      CHECK(in.row == i);
    }
    INFO(row.name);
    CHECK(decoded > 0);
  }
}

TEST_CASE("tables: columns are consistent") {
  for (const Row& row : rows()) {
    INFO(row.name);
    CHECK_FALSE(row.source.empty());
    CHECK_FALSE(row.expression.empty());
    CHECK(row.implemented == !row.expression.starts_with("MISSING("));
    CHECK(row.implemented == row.reason.empty());
    for (unsigned i = 0; i < 3; ++i) CHECK_FALSE((row.has(MOD0 << i) && row.has(FREE0 << i)));
    const bool forms = row.format == Format::vop1 || row.format == Format::vop2 || row.format == Format::vopc;
    if (!forms) CHECK_FALSE(row.has(ALLFORMS));
    if (row.format == Format::flat) CHECK(row.has(SEG_FLAT | SEG_GLOBAL | SEG_SCRATCH));
    if (row.has(RETURNS)) CHECK(row.dst[0] != NONE);
  }
}

TEST_CASE("listing: counts and columns are those of the rows") {
  const auto listed = list_instructions();
  const InstructionCounts counts = count_instructions();
  CHECK(counts.total == listed.size());
  size_t missing = 0;
  for (const ListedInstruction& in : listed) missing += !in.row->implemented;
  CHECK(counts.missing == missing);
  CHECK(counts.executed + counts.missing == counts.total);
  size_t by_level = 0;
  for (const size_t n : counts.executed_by_evidence) by_level += n;
  CHECK(by_level == counts.executed);
}

}  // namespace wavetwin::isa
