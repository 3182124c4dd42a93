// SPDX-License-Identifier: MIT
#include "golden/layout/nearest_name.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace wavetwin::golden {
namespace {

// Levenshtein's distance, one row of the table at a time.
size_t distance(const std::string& a, const std::string& b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_name(const std::string& name, const std::vector<std::string>& names) {
  const auto unlike = [&](const std::string& known) {
    // A part of a name stands for the whole one.
    return known.find(name) != std::string::npos ? 0 : distance(name, known);
  };
  return *std::min_element(names.begin(), names.end(),
                           [&](const std::string& a, const std::string& b) { return unlike(a) < unlike(b); });
}

}  // namespace wavetwin::golden
