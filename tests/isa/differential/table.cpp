// SPDX-License-Identifier: MIT
#include "tests/isa/differential/table.h"

#include <fmt/format.h>

namespace wavetwin::differential {

void TableRow::add(const TableRow& other) {
  kernels += other.kernels;
  for (size_t i = 0; i < kLevels.size(); ++i) instructions[i] += other.instructions[i];
  mnemonics.insert(other.mnemonics.begin(), other.mnemonics.end());
  mismatches += other.mismatches;
}

TableRow& Table::row(const std::string& group) {
  for (auto& [name, row] : rows_) {
    if (name == group) return row;
  }
  return rows_.emplace_back(group, TableRow{}).second;
}

TableRow Table::total() const {
  TableRow total;
  for (const auto& [name, row] : rows_) total.add(row);
  return total;
}

std::string Table::text() const {
  std::string text = fmt::format("{:<26}{:>8}{:>14}{:>14}{:>14}{:>10}{:>12}\n", "group", "kernels",
                                 "executed -O0", "-O1", "-O3", "mnemonics", "mismatches");
  const auto line = [&text](const std::string& name, const TableRow& row) {
    text += fmt::format("{:<26}{:>8}{:>14}{:>14}{:>14}{:>10}{:>12}\n", name, row.kernels, row.instructions[0],
                        row.instructions[1], row.instructions[2], row.mnemonics.size(), row.mismatches);
  };
  for (const auto& [name, row] : rows_) line(name, row);
  line("total", total());
  return text;
}

}  // namespace wavetwin::differential
