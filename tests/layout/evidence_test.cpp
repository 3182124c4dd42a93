// SPDX-License-Identifier: MIT
// The table of common/mfma/LAYOUTS.md against the code: it cannot go stale unnoticed.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "golden/layout/lane_moves.h"
#include "golden/layout/mfma_map.h"
#include "golden/layout/numbers.h"
#include "sim/core/error.h"
#include "sim/isa/rows.h"
#include "sim/numerics/mfma.h"
#include "tests/cli/program.h"

namespace wavetwin::golden {
namespace {

const std::filesystem::path kRoot = WAVETWIN_ROOT;

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

struct FactRow {
  std::string fact, stated_in, evidence, examples, source, checked_by;
};

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  for (size_t at = 1; at < line.size();) {
    const size_t bar = std::min(line.find('|', at), line.size());
    const std::string cell = line.substr(at, bar - at);
    const size_t first = cell.find_first_not_of(' ');
    if (first != std::string::npos)
      cells.push_back(cell.substr(first, cell.find_last_not_of(' ') - first + 1));
    at = bar + 1;
  }
  return cells;
}

std::vector<FactRow> fact_rows() {
  std::istringstream in(text_of(kRoot / "common/mfma/LAYOUTS.md"));
  std::vector<FactRow> rows;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("| ") || line.starts_with("| fact ")) continue;
    const std::vector<std::string> c = cells_of(line);
    CAPTURE(line);
    REQUIRE(c.size() == 6);
    rows.push_back({c[0], c[1], c[2], c[3], c[4], c[5]});
  }
  return rows;
}

// The code spans of a cell.
std::vector<std::string> spans(const std::string& cell) {
  std::vector<std::string> found;
  for (size_t open = cell.find('`'); open != std::string::npos; open = cell.find('`', open)) {
    const size_t close = cell.find('`', open + 1);
    if (close == std::string::npos) break;
    found.push_back(cell.substr(open + 1, close - open - 1));
    open = close + 1;
  }
  return found;
}

// The level of "NAME" or of "NAME --exec MASK".
Evidence evidence_of(const std::string& example) {
  const size_t option = example.find(" --exec ");
  const std::string name = example.substr(0, option);
  LaneFields fields;
  if (option != std::string::npos) fields.exec = parse_number(example.substr(option + 8));
  if (name == "ds_swizzle_b32") fields.offset = 0;
  if (is_lane_instruction(name)) return lane_moves(name, fields).evidence;
  if (const mfma::Shape* shape = mfma::find_exact(name.c_str())) return mfma_map(*shape, {}).evidence;
  const mfma::SparseShape* sparse = mfma::find_sparse_shape(name);
  if (sparse == nullptr) throw Error("no such instruction: " + name);
  return smfmac_map(*sparse, {}).evidence;
}

// The lists of instructions at the end: level and fact of a list's first line, then its names.
struct List {
  std::string level, fact;
  std::vector<std::string> names;
};

std::vector<List> instruction_lists() {
  std::istringstream in(text_of(kRoot / "common/mfma/LAYOUTS.md"));
  std::vector<List> lists;
  for (std::string line; std::getline(in, line);) {
    const size_t colon = line.find(": ");
    if (line.starts_with("- ")) lists.push_back({line.substr(2, colon - 2), line.substr(colon + 2), {}});
    if (line.starts_with("  `")) {
      REQUIRE_FALSE(lists.empty());
      for (const std::string& name : spans(line)) lists.back().names.push_back(name);
    }
  }
  return lists;
}

}  // namespace

TEST_CASE("layout evidence: what a row names is there") {
  const std::vector<FactRow> rows = fact_rows();
  CHECK(rows.size() >= 20);
  for (const FactRow& row : rows) {
    CAPTURE(row.fact);
    const std::vector<std::string> place = spans(row.stated_in);
    REQUIRE(place.size() >= 2);
    const std::string code = text_of(kRoot / place[0]);
    for (size_t i = 1; i < place.size(); ++i) {
      CAPTURE(place[i]);
      CHECK(code.find(place[i]) != std::string::npos);
    }
    for (const std::string& test : spans(row.checked_by)) {
      CAPTURE(test);
      CHECK(std::filesystem::is_regular_file(kRoot / test));
    }
    CHECK_FALSE(spans(row.checked_by).empty());
    CHECK_FALSE(row.source.empty());
  }
}

TEST_CASE("layout evidence: every example has the level of its row") {
  for (const FactRow& row : fact_rows()) {
    CHECK_FALSE(spans(row.examples).empty());
    for (const std::string& example : spans(row.examples)) {
      CAPTURE(row.fact);
      CAPTURE(example);
      CHECK(row.evidence == wavetwin::to_string(evidence_of(example)));
    }
  }
}

TEST_CASE(
    "layout evidence: every matrix instruction of the opcode table stands in one list, with its level") {
  std::multiset<std::string> listed, shapes, opcodes;
  const std::vector<FactRow> rows = fact_rows();
  for (const List& list : instruction_lists()) {
    CAPTURE(list.fact);
    CHECK(std::any_of(rows.begin(), rows.end(),
                      [&](const FactRow& row) { return row.fact.starts_with(list.fact); }));
    for (const std::string& name : list.names) {
      CAPTURE(name);
      listed.insert(name);
      CHECK(list.level == wavetwin::to_string(evidence_of(name)));
    }
  }
  for (const mfma::Shape& shape : mfma::kShapes) shapes.insert(shape.name);
  for (const mfma::SparseShape& shape : mfma::kSparseShapes) shapes.insert(shape.name);
  for (const isa::Row& row : isa::rows()) {
    std::string name(row.name);
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    const bool matrix = name.starts_with("v_mfma_") || name.starts_with("v_smfmac_");
    if (matrix && name != "v_mfma_ld_scale_b32") opcodes.insert(name);
  }
  CHECK(listed == shapes);
  CHECK(listed == opcodes);
  CHECK(contains(text_of(kRoot / "common/mfma/LAYOUTS.md"), "All " + std::to_string(listed.size()) + ","));
}

TEST_CASE("layout evidence: what depends on a numeric option names it") {
  const std::vector<FactRow> rows = fact_rows();
  for (const auto& [example, option] : {std::pair{"v_permlane16_swap_b32 --exec 1", "permlane_exec"},
                                        std::pair{"row_shl:1 --exec 1", "dpp_disabled"}}) {
    CAPTURE(example);
    for (const FactRow& row : rows) {
      if (contains(row.examples, example)) CHECK(contains(row.source, std::string("`") + option + "`"));
    }
    LaneFields fields;
    fields.exec = 1;
    const std::string name(example, std::string_view(example).find(' '));
    const LaneMoves moves = lane_moves(name, fields);
    CHECK(std::any_of(moves.facts.begin(), moves.facts.end(), [&](const auto& fact) {
      return fact.first == "source" && contains(fact.second, std::string("option ") + option);
    }));
  }
}

TEST_CASE("layout evidence: every instruction that is not specified is an example of a row") {
  std::set<std::string> examples;
  for (const FactRow& row : fact_rows())
    for (const std::string& example : spans(row.examples)) examples.insert(example);
  const auto check = [&](const std::string& name) {
    CAPTURE(name);
    if (evidence_of(name) != Evidence::specified) CHECK(examples.count(name) == 1);
  };
  for (const mfma::Shape& shape : mfma::kShapes) check(shape.name);
  for (const mfma::SparseShape& shape : mfma::kSparseShapes) check(shape.name);
  for (const std::string& name : lane_instruction_names()) check(name);
}

}  // namespace wavetwin::golden
