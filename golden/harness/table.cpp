// SPDX-License-Identifier: MIT
#include "golden/harness/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "golden/io/json_text.h"

namespace wavetwin::golden {
namespace {

bool is_number(const std::string& text) { return text.find_first_not_of("0123456789.") == std::string::npos; }

// Reasons of skipped rows, in order of appearance, with the backends and the number of rows they cover.
struct Skip {
  std::string backend, reason;
  uint64_t rows = 0;
};

std::vector<Skip> collect_skips(const std::vector<Row>& rows) {
  std::vector<Skip> skips;
  for (const Row& row : rows) {
    if (row.status != Status::skipped) continue;
    auto found = std::find_if(skips.begin(), skips.end(), [&](const Skip& skip) {
      return skip.backend == row.backend && skip.reason == row.reason;
    });
    if (found == skips.end()) found = skips.insert(skips.end(), {row.backend, row.reason, 0});
    ++found->rows;
  }
  return skips;
}

std::string summary(const std::vector<Row>& rows) {
  std::set<std::string> cases;
  std::map<std::string, uint64_t> evidence;
  uint64_t counts[4] = {};
  for (const Row& row : rows) {
    cases.insert(row.case_name);
    ++counts[static_cast<size_t>(row.status)];
    if (!row.evidence.empty()) ++evidence[row.evidence];
  }
  std::string text = fmt::format("{} cases: {} runs equal, {} different, {} skipped, {} errors\n",
                                 cases.size(), counts[0], counts[1], counts[2], counts[3]);
  if (!evidence.empty()) {
    text += "evidence:";
    for (const auto& [level, count] : evidence) text += fmt::format(" {} {}", level, count);
    text += "\n";
  }
  return text;
}

}  // namespace

std::string row_json(const Row& row) {
  return json_line({{"case", row.case_name},
                    {"backend", row.backend},
                    {"status", std::string(to_string(row.status))},
                    {"elements", row.elements},
                    {"hash", row.hash},
                    {"evidence", row.evidence},
                    {"reason", row.reason},
                    {"seconds", row.seconds}});
}

std::string aligned(const std::vector<std::vector<std::string>>& cells) {
  std::vector<size_t> width;
  std::vector<bool> numeric;
  for (size_t r = 0; r < cells.size(); ++r) {
    width.resize(std::max(width.size(), cells[r].size()));
    numeric.resize(width.size(), true);
    for (size_t c = 0; c < cells[r].size(); ++c) {
      width[c] = std::max(width[c], cells[r][c].size());
      if (r != 0 && !is_number(cells[r][c])) numeric[c] = false;
    }
  }
  std::string text;
  for (const auto& row : cells) {
    std::string line;
    for (size_t c = 0; c < row.size(); ++c) {
      line +=
          numeric[c] ? fmt::format("{:>{}}  ", row[c], width[c]) : fmt::format("{:<{}}  ", row[c], width[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string table_text(const std::vector<Row>& rows) {
  std::vector<std::vector<std::string>> cells = {
      {"case", "backend", "status", "elements", "evidence", "seconds", "reason"}};
  std::string previous;
  for (const Row& row : rows) {
    if (row.status == Status::skipped) continue;
    cells.push_back({row.case_name == previous ? "" : row.case_name, row.backend, to_string(row.status),
                     std::to_string(row.elements), row.evidence, fmt::format("{:.2f}", row.seconds),
                     row.reason});
    previous = row.case_name;
  }
  std::string text = cells.size() > 1 ? aligned(cells) + "\n" : "";
  for (const Skip& skip : collect_skips(rows)) {
    text += fmt::format("{} skipped in {} {}: {}\n", skip.backend, skip.rows,
                        skip.rows == 1 ? "case" : "cases", skip.reason);
  }
  return text + summary(rows);
}

}  // namespace wavetwin::golden
