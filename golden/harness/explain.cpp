// SPDX-License-Identifier: MIT
#include "golden/harness/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>

#include "golden/harness/compare.h"
#include "golden/harness/judge.h"
#include "golden/harness/rearrangement.h"
#include "golden/harness/run.h"

namespace wavetwin::golden {
namespace {

using Clock = std::chrono::steady_clock;

// An input mistake: the tensor to use in place of `input`.
struct InputMistake {
  std::string input, text;  // text: what it does, "read with columns c and c ^ 16 exchanged"
  std::function<Tensor(const Tensor&)> apply;
};

bool same_element(const RegionSpec& region, uint64_t a, uint64_t b) {
  if (a == b) return true;
  const bool nan_rule = is_float(region.dtype) && region.comparison == Comparison::automatic;
  return nan_rule && is_nan(region.dtype, a) && is_nan(region.dtype, b);
}

// `mistaken(i)`: the bits a mistake gives at element i, or nothing where it cannot tell.
template <class Mistaken>
Explained count(const RegionSpec& region, const Tensor& right, const Tensor& found,
                const Mistaken& mistaken) {
  Explained result{region.name, 0, 0, 0};
  for (uint64_t i = 0; i < right.elements(); ++i) {
    if (region.written && !region.written(i)) continue;
    const uint64_t is_right = right.bits(i), is_found = found.bits(i);
    const std::optional<uint64_t> would_be = mistaken(i);
    if (same_element(region, is_right, is_found)) {
      result.elsewhere += would_be && !same_element(region, *would_be, is_right);
    } else {
      ++result.different;
      result.matched += would_be && same_element(region, *would_be, is_found);
    }
  }
  return result;
}

Explained count_result(const RegionSpec& region, const Tensor& right, const Tensor& found,
                       const Rearrangement& rearrangement) {
  return count(region, right, found, [&](uint64_t i) -> std::optional<uint64_t> {
    const uint64_t source = rearrangement.source(i);
    if (region.written && !region.written(source)) return std::nullopt;
    return right.bits(source);
  });
}

// Share of the difference explained where it explains most.
double best_share(const Explanation& explanation) {
  double share = 0;
  for (const Explained& region : explanation.regions) {
    if (region.different != 0)
      share = std::max(share, static_cast<double>(region.matched) / static_cast<double>(region.different));
  }
  return share;
}

// All regions first, then the largest share, then the one that changes least of what is right.
bool better(const Explanation& a, const Explanation& b) {
  const auto key = [](const Explanation& explanation) {
    uint64_t whole = 0, elsewhere = 0;
    for (const Explained& region : explanation.regions) {
      whole += region.matched == region.different;
      elsewhere += region.elsewhere;
    }
    return std::tuple(whole, best_share(explanation), ~elsewhere);
  };
  return key(a) > key(b);
}

// Every differing element, and nothing that is right.
bool explains_all(const Explanation& explanation) {
  return std::all_of(explanation.regions.begin(), explanation.regions.end(), [](const Explained& region) {
    return region.matched == region.different && region.elsewhere == 0;
  });
}

// Fewer equal words than this are chance: among a hundred mistakes one meets a byte or two anyway.
bool is_significant(const Explained& region, const RegionSpec& spec) {
  constexpr uint64_t kBits = 64;
  return 2 * region.matched >= region.different && 8 * size_of(spec.dtype) * region.matched >= kBits;
}

void take(std::optional<Explanation>& best, Explanation&& next, const std::vector<RegionSpec>& regions) {
  const bool worth_saying =
      std::any_of(next.regions.begin(), next.regions.end(), [&](const Explained& region) {
        const auto spec = std::find_if(regions.begin(), regions.end(),
                                       [&](const RegionSpec& one) { return one.name == region.region; });
        return region.different != 0 && is_significant(region, *spec);
      });
  if (worth_saying && (!best || better(next, *best))) best = std::move(next);
}

std::string text_of(const Explanation& explanation) {
  std::string text = fmt::format("  would be explained by {}:\n", explanation.text);
  for (const Explained& region : explanation.regions) {
    text += fmt::format("    {} of the {} differing elements of '{}'", region.matched, region.different,
                        region.region);
    if (region.matched != 0 && region.elsewhere != 0) {
      text += fmt::format("; it would change {} more that are right: only some waves or steps do it",
                          region.elsewhere);
    }
    text += "\n";
  }
  return text;
}

bool differs(const RegionSpec& region, const Difference& difference) {
  const auto right = difference.right.find(region.name), found = difference.found.find(region.name);
  if (right == difference.right.end() || found == difference.found.end()) return false;
  // The order of an unordered region's elements is no layout.
  return region.comparison != Comparison::unordered &&
         !compare(right->second, found->second, compare_options(region, false)).equal();
}

// Every block scaled by the same E8M0 code.
InputMistake one_scale(const std::string& input, uint8_t code, const char* text) {
  return {input, text, [code](const Tensor& tensor) {
            Tensor same = tensor;
            std::fill(same.data.begin(), same.data.end(), std::byte{code});
            return same;
          }};
}

std::vector<InputMistake> input_mistakes(const KernelCase& kernel_case, const Tensors& inputs) {
  std::vector<std::vector<InputMistake>> by_input;
  for (const InputSpec& spec : kernel_case.inputs()) {
    auto& mistakes = by_input.emplace_back();
    if (spec.dtype == DType::F8_E8M0) {
      mistakes.push_back(one_scale(spec.name, 127, "not applied (a scale of 1 everywhere)"));
      mistakes.push_back(one_scale(
          spec.name, 0, "taken from a byte that is 0 (another opsel than the byte that holds the code?)"));
    }
    for (Rearrangement& map : rearrangements(spec.dtype, inputs.at(spec.name).shape)) {
      mistakes.push_back({spec.name, "read with " + map.text,
                          [map](const Tensor& tensor) { return rearranged(tensor, map); }});
    }
  }
  // In turn, so that every input's likeliest mistakes are tried before the time is up.
  std::vector<InputMistake> list;
  for (size_t i = 0; std::any_of(by_input.begin(), by_input.end(), [&](auto& m) { return i < m.size(); });
       ++i) {
    for (auto& mistakes : by_input) {
      if (i < mistakes.size()) list.push_back(std::move(mistakes[i]));
    }
  }
  return list;
}

// The right kernel on the mistaken input, or nothing when that breaks a contract or the run.
std::optional<Tensors> run_mistaken(const Difference& difference, const InputMistake& mistake) {
  Tensor tensor = mistake.apply(difference.inputs.at(mistake.input));
  if (tensor.data == difference.inputs.at(mistake.input).data) return std::nullopt;
  for (const InputSpec& spec : difference.kernel_case.inputs()) {
    if (spec.name == mistake.input && spec.contract && !spec.contract(tensor).empty()) return std::nullopt;
  }
  Tensors inputs = difference.inputs;
  inputs.at(mistake.input) = std::move(tensor);
  try {
    return run_case(difference.kernel_case, inputs, difference.backend, difference.options).regions;
  } catch (const std::exception&) {
    return std::nullopt;  // an index out of bounds, say: the found run came to an end, so this is not it
  }
}

// What the mistake explains in the regions that differ, or nothing when the kernel cannot run with it.
std::optional<Explanation> explanation_by(const InputMistake& mistake, const std::vector<RegionSpec>& regions,
                                          const Difference& difference) {
  const auto mistaken = run_mistaken(difference, mistake);
  if (!mistaken) return std::nullopt;
  Explanation explanation{fmt::format("'{}' {}", mistake.input, mistake.text), {}};
  for (const RegionSpec& region : regions) {
    const Tensor& would_be = mistaken->at(region.name);
    explanation.regions.push_back(
        count(region, difference.right.at(region.name), difference.found.at(region.name),
              [&](uint64_t i) { return std::optional<uint64_t>(would_be.bits(i)); }));
  }
  return explanation;
}

// A product of matrices cannot tell which of its operands was permuted along K: the same mistake in another
// input may give the same words.
std::string also_by(std::span<const InputMistake> untried, const InputMistake& found,
                    const std::vector<RegionSpec>& regions, const Difference& difference) {
  std::string text;
  for (const InputMistake& mistake : untried) {
    if (mistake.text != found.text) continue;
    const auto other = explanation_by(mistake, regions, difference);
    if (other && explains_all(*other)) text += fmt::format("  or, with the same words, by {}\n", other->text);
  }
  return text;
}

std::string written_with(const std::string& name, const Rearrangement& map) {
  return fmt::format("'{}' written with {}", name, map.text);
}

// Which result mistakes fit, over all regions that differ: each region is explained by its own map.
void explain_results(const std::vector<RegionSpec>& regions, const Difference& difference,
                     std::optional<Explanation>& best, uint64_t& tried) {
  for (const RegionSpec& region : regions) {
    for (const Rearrangement& map : rearrangements(region.dtype, region.shape)) {
      ++tried;
      take(best,
           {written_with(region.name, map),
            {count_result(region, difference.right.at(region.name), difference.found.at(region.name), map)}},
           regions);
    }
  }
}

}  // namespace

std::string explain(const Difference& difference, double seconds) {
  std::vector<RegionSpec> regions;
  for (const RegionSpec& region : difference.kernel_case.regions()) {
    if (differs(region, difference)) regions.push_back(region);
  }
  if (regions.empty() || seconds <= 0) return "";
  std::optional<Explanation> best;
  uint64_t tried = 0, left = 0;
  explain_results(regions, difference, best, tried);
  const auto start = Clock::now();
  const std::vector<InputMistake> mistakes = input_mistakes(difference.kernel_case, difference.inputs);
  std::string also;
  for (size_t i = 0; i < mistakes.size(); ++i) {
    if (std::chrono::duration<double>(Clock::now() - start).count() > seconds) {
      ++left;
      continue;
    }
    ++tried;
    auto next = explanation_by(mistakes[i], regions, difference);
    if (!next) continue;
    const std::string name = next->text;
    take(best, std::move(*next), regions);
    if (best && explains_all(*best) && best->regions.size() == regions.size()) {
      if (best->text == name)
        also = also_by(std::span(mistakes).subspan(i + 1), mistakes[i], regions, difference);
      break;
    }
  }
  std::string text = best ? text_of(*best) + also
                          : fmt::format("  no layout mistake in one tensor explains it ({} tried)\n", tried);
  if (left != 0)
    text +=
        fmt::format("  {} more were not tried for lack of time (--explain SECONDS gives it more)\n", left);
  return text;
}

std::string explain_result(const std::string& name, const Tensor& right, const Tensor& found) {
  RegionSpec region;
  region.name = name;
  region.dtype = right.dtype;
  region.shape = right.shape;
  std::optional<Explanation> best;
  for (const Rearrangement& map : rearrangements(region.dtype, region.shape)) {
    take(best, {written_with(name, map), {count_result(region, right, found, map)}}, {region});
  }
  return best ? text_of(*best) : "";
}

}  // namespace wavetwin::golden
