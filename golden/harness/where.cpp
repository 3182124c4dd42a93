// SPDX-License-Identifier: MIT
#include "golden/harness/where.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "golden/harness/compare.h"
#include "golden/harness/explained.h"
#include "golden/harness/value_map.h"

namespace wavetwin::golden {
namespace {

// Positions of one dimension: those that take part, and those with a difference.
struct Positions {
  std::vector<bool> seen, differing;
};

std::string dimension_name(size_t d, size_t dimensions) {
  if (d + 1 == dimensions) return "columns";
  return d + 2 == dimensions ? "rows" : fmt::format("dimension {}:", d);
}

// "5", "48..63, 70", "1, 3 .. 7 in steps of 2", or "" for what is no pattern.
std::string positions_text(const Positions& positions) {
  constexpr size_t kMostRanges = 4;
  std::vector<uint64_t> list;
  std::vector<std::string> ranges;
  uint64_t first = 0;
  for (uint64_t p = 0; p < positions.differing.size(); ++p) {
    if (!positions.differing[p]) continue;
    if (list.empty() || list.back() + 1 != p) first = p;
    list.push_back(p);
    const bool is_last = p + 1 == positions.differing.size() || !positions.differing[p + 1];
    if (is_last) ranges.push_back(first == p ? std::to_string(p) : fmt::format("{}..{}", first, p));
  }
  const auto uneven = std::adjacent_find(list.begin(), list.end(),
                                         [&](uint64_t a, uint64_t b) { return b - a != list[1] - list[0]; });
  if (ranges.size() > 2 && uneven == list.end())
    return fmt::format("{}, {} .. {} in steps of {}", list[0], list[1], list.back(), list[1] - list[0]);
  return ranges.size() <= kMostRanges ? fmt::format("{}", fmt::join(ranges, ", ")) : "";
}

}  // namespace

std::string where_text(const RegionSpec& region, const Tensor& right, const Tensor& found) {
  constexpr uint64_t kFew = 8;
  const size_t dimensions = right.shape.size();
  std::vector<Positions> by_dimension(dimensions);
  for (size_t d = 0; d < dimensions; ++d) {
    by_dimension[d] = {std::vector<bool>(right.shape[d]), std::vector<bool>(right.shape[d])};
  }
  uint64_t different = 0;
  for (uint64_t i = 0; i < right.elements(); ++i) {
    if (!region.is_written(i)) continue;
    const bool differs = !same_element(region, right.bits(i), found.bits(i));
    different += differs;
    uint64_t rest = i;
    for (size_t d = dimensions; d-- > 0; rest /= right.shape[d]) {
      by_dimension[d].seen[rest % right.shape[d]] = true;
      if (differs) by_dimension[d].differing[rest % right.shape[d]] = true;
    }
  }
  if (different < kFew) return "";
  std::string text;
  for (size_t d = 0; d < dimensions; ++d) {
    if (by_dimension[d].seen == by_dimension[d].differing) continue;
    const std::string positions = positions_text(by_dimension[d]);
    if (positions.empty()) continue;
    text += fmt::format("{}{} {} (of {})", text.empty() ? "" : ", ", dimension_name(d, dimensions), positions,
                        right.shape[d]);
  }
  return text.empty() ? "" : fmt::format("  all of '{}' that differ lie in {}\n", region.name, text);
}

std::string rounding_text(const RegionSpec& region, const Tensor& right, const Tensor& found) {
  constexpr uint64_t kEnough = 16;  // coins that all fall on one side
  if (!has_values(region.dtype)) return "";
  uint64_t toward = 0, away = 0;
  for (uint64_t i = 0; i < right.elements(); ++i) {
    if (!region.is_written(i)) continue;
    const uint64_t a = right.bits(i), b = found.bits(i);
    if (same_element(region, a, b)) continue;
    if (ulp_distance(region.dtype, a, b) != 1) return "";
    (std::fabs(found.value(i)) < std::fabs(right.value(i)) ? toward : away) += 1;
  }
  if (toward + away < kEnough || (toward != 0 && away != 0)) return "";
  return fmt::format(
      "  every differing element of '{}' is the next number {} zero: {} in place of nearest even?\n",
      region.name, away == 0 ? "toward" : "away from",
      away == 0 ? "rounding toward zero" : "rounding halves or everything away from zero");
}

}  // namespace wavetwin::golden
