// SPDX-License-Identifier: MIT
// The differential test's table: what ran, a line a group of kernels.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace wavetwin::differential {

inline constexpr std::array<int, 3> kLevels = {0, 1, 3};  // -O levels

struct TableRow {
  uint64_t kernels = 0;
  std::array<uint64_t, kLevels.size()> instructions{};  // executed, by level
  std::set<std::string> mnemonics;                      // distinct, over all levels
  uint64_t mismatches = 0;                              // runs that differ from the host

  void add(const TableRow& other);
};

class Table {
 public:
  TableRow& row(const std::string& group);
  TableRow total() const;
  std::string text() const;

 private:
  std::vector<std::pair<std::string, TableRow>> rows_;
};

}  // namespace wavetwin::differential
