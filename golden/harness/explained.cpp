// SPDX-License-Identifier: MIT
#include "golden/harness/explained.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "golden/harness/compare.h"

namespace wavetwin::golden {
namespace {

constexpr uint64_t kChanceBits = 64;

bool is_credible(const Explained& region) {
  if (region.different == 0 || region.bits_each * region.matched < kChanceBits) return false;
  if (region.whole()) return true;
  if (region.bits_each * region.words < kChanceBits) return false;
  return region.elsewhere == 0 ? 2 * region.matched >= region.different : region.matched == region.different;
}

double share(const Explained& region) {
  return static_cast<double>(region.matched) / static_cast<double>(std::max<uint64_t>(region.different, 1));
}

}  // namespace

bool same_element(const RegionSpec& region, uint64_t a, uint64_t b) {
  if (a == b) return true;
  const bool nan_rule = is_float(region.dtype) && region.comparison == Comparison::automatic;
  return nan_rule && is_nan(region.dtype, a) && is_nan(region.dtype, b);
}

bool Explanation::explains_all() const {
  return std::all_of(regions.begin(), regions.end(), [](const Explained& r) { return r.whole(); });
}

Explained count_explained(const RegionSpec& region, const Tensor& right, const Tensor& found,
                          const WouldBe& would_be) {
  constexpr size_t kEnough = kChanceBits;  // different words: of any type these are no chance
  Explained result{region.name, 8 * size_of(region.dtype)};
  std::set<uint64_t> matched_words;
  std::vector<uint64_t> words;
  for (uint64_t i = 0; i < right.elements(); ++i) {
    if (!region.is_written(i)) continue;
    const uint64_t is_right = right.bits(i), is_found = found.bits(i);
    const auto gives = [&](uint64_t wanted) {
      return std::any_of(words.begin(), words.end(),
                         [&](uint64_t word) { return same_element(region, word, wanted); });
    };
    words.clear();
    would_be(i, words);
    if (same_element(region, is_right, is_found)) {
      result.elsewhere += !words.empty() && !gives(is_right);
      continue;
    }
    ++result.different;
    if (!gives(is_found)) continue;
    ++result.matched;
    if (matched_words.size() < kEnough) matched_words.insert(is_found);
  }
  result.words = matched_words.size();
  return result;
}

bool is_credible(const Explanation& explanation) {
  return std::any_of(explanation.regions.begin(), explanation.regions.end(),
                     [](const Explained& region) { return is_credible(region); });
}

bool is_better(const Explanation& a, const Explanation& b) {
  const auto key = [](const Explanation& explanation) {
    uint64_t complete = 0, elsewhere = 0;
    double best = 0;
    for (const Explained& region : explanation.regions) {
      complete += region.matched == region.different;
      elsewhere += region.elsewhere;
      best = std::max(best, share(region));
    }
    return std::tuple(complete, best, ~elsewhere);
  };
  return key(a) > key(b);
}

std::string text_of(const Explanation& explanation) {
  const bool complete =
      std::all_of(explanation.regions.begin(), explanation.regions.end(),
                  [](const Explained& region) { return region.matched == region.different; });
  std::string text =
      fmt::format("  would be explained {}by {}:\n", complete ? "" : "in part ", explanation.text);
  for (const Explained& region : explanation.regions) {
    text += fmt::format("    {} of the {} differing elements of '{}'", region.matched, region.different,
                        region.region);
    if (region.matched != 0 && region.elsewhere != 0) {
      text += fmt::format("; it would change {} more that are right", region.elsewhere);
      if (region.matched == region.different) text += ": only some waves or steps do it";
    }
    text += "\n";
  }
  return text;
}

}  // namespace wavetwin::golden
