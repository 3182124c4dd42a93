// SPDX-License-Identifier: MIT
#include "golden/harness/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

#include "golden/harness/compare.h"
#include "golden/harness/explained.h"
#include "golden/harness/judge.h"
#include "golden/harness/mistake.h"
#include "golden/harness/run.h"
#include "golden/harness/value_map.h"
#include "golden/harness/where.h"

namespace wavetwin::golden {
namespace {

using Clock = std::chrono::steady_clock;

// An explanation and the family of what it says.
struct Candidate {
  Explanation explanation;
  std::string family;
};

void take(std::optional<Candidate>& best, Candidate&& next) {
  if (!is_credible(next.explanation)) return;
  if (!best || is_better(next.explanation, best->explanation)) best = std::move(next);
}

// ---- from the words of the result alone ----

Candidate by_places(const RegionSpec& region, const Tensor& right, const Tensor& found,
                    const Rearrangement& map) {
  const auto would_be = [&](uint64_t i, std::vector<uint64_t>& words) {
    const uint64_t source = map.source(i);
    if (region.is_written(source)) words.push_back(right.bits(source));
  };
  return {{fmt::format("'{}' written with {}", region.name, map.text),
           {count_explained(region, right, found, would_be)}},
          map.text};
}

Candidate by_values(const RegionSpec& region, const Tensor& right, const Tensor& found, const ValueMap& map) {
  const auto would_be = [&](uint64_t i, std::vector<uint64_t>& words) {
    words.push_back(map.apply(right.bits(i)));
  };
  return {{fmt::format("'{}' {}", region.name, map.text), {count_explained(region, right, found, would_be)}},
          map.family};
}

std::optional<Candidate> best_of_result(const RegionSpec& region, const Tensor& right, const Tensor& found,
                                        uint64_t& tried) {
  std::optional<Candidate> best;
  const auto whole = [&] { return best && best->explanation.explains_all(); };
  for (const ValueMap& map : value_maps(region.dtype)) {
    if (!whole()) ++tried, take(best, by_values(region, right, found, map));
  }
  for (const Rearrangement& map : rearrangements(region.dtype, region.shape)) {
    if (!whole()) ++tried, take(best, by_places(region, right, found, map));
  }
  for (const Rearrangement& map : swizzles(region.dtype, region.shape)) {
    if (!whole()) ++tried, take(best, by_places(region, right, found, map));
  }
  return best;
}

// ---- by the kernel run again ----

// The right kernel with the changes, or nothing when they change nothing or break the run. A mistaken kernel
// keeps to no contract on inputs, so neither do the changes.
std::optional<Tensors> run_mistaken(const Difference& difference, const std::vector<InputChange>& changes,
                                    const RunOptions& options, bool other_rules) {
  Tensors inputs = difference.inputs;
  bool changed = other_rules;
  for (const InputChange& change : changes) {
    Tensor tensor = change.apply(inputs.at(change.input));
    changed |= tensor.data != inputs.at(change.input).data;
    inputs.at(change.input) = std::move(tensor);
  }
  if (!changed) return std::nullopt;
  try {
    return run_case(difference.kernel_case, inputs, difference.backend, options).regions;
  } catch (const std::exception&) {
    return std::nullopt;  // an index out of bounds, say: the found run came to an end, so this is not it
  }
}

// The search for one difference.
class Search {
 public:
  Search(const Difference& difference, std::vector<RegionSpec> regions, double seconds)
      : difference_(difference), regions_(std::move(regions)), seconds_(seconds) {}

  std::string text() {
    look_at_results();
    if (one_result_says_all()) return text_of(own_.front().explanation);
    mistakes_ = list_mistakes();
    for (const Mistake& mistake : mistakes_) {
      if (is_late()) {
        ++left_;
        continue;
      }
      ++tried_;
      auto next = explanation_by(mistake);
      if (!next) continue;
      take(best_, {std::move(*next), mistake.family});
      if (best_ && explains_everything(best_->explanation)) break;
    }
    return found_text();
  }

 private:
  bool is_late() const { return std::chrono::duration<double>(Clock::now() - start_).count() > seconds_; }
  bool explains_everything(const Explanation& explanation) const {
    return explanation.explains_all() && explanation.regions.size() == regions_.size();
  }

  // Each region by its own words.
  void look_at_results() {
    for (const RegionSpec& region : regions_) {
      auto one = best_of_result(region, difference_.right.at(region.name), difference_.found.at(region.name),
                                tried_);
      if (one) own_.push_back(std::move(*one));
    }
  }
  // One factor has many makers: the kernel says which of them.
  bool one_result_says_all() const {
    return regions_.size() == 1 && results_say_all() && own_.front().family != kPowerFamily;
  }
  bool results_say_all() const {
    return own_.size() == regions_.size() && std::all_of(own_.begin(), own_.end(), [](const Candidate& own) {
             return own.explanation.explains_all();
           });
  }

  // Small differences are rounding more often than layout.
  bool is_small() const {
    const RegionSpec& region = regions_.front();
    if (!is_float(region.dtype) && region.dtype != DType::F8_E4M3) return false;
    const Tensor& right = difference_.right.at(region.name);
    const Tensor& found = difference_.found.at(region.name);
    double error = 0, all = 0;
    for (uint64_t i = 0; i < right.elements(); ++i) {
      if (!region.is_written(i)) continue;
      const double a = right.value(i), b = found.value(i);
      if (!std::isfinite(a) || !std::isfinite(b)) continue;
      error += (a - b) * (a - b);
      all += a * a;
    }
    return error < 0.01 * all;
  }

  std::vector<Mistake> list_mistakes() const {
    const KernelCase& kernel_case = difference_.kernel_case;
    std::vector<Mistake> inputs = input_mistakes(kernel_case, difference_.inputs);
    std::vector<Mistake> swizzles = swizzle_mistakes(kernel_case, difference_.inputs);
    std::vector<Mistake> operands = operand_mistakes(kernel_case, difference_.inputs);
    std::vector<Mistake> rules = rule_mistakes(difference_.options, difference_.backend);
    if (is_small()) {
      auto rest = in_turn({std::move(operands), std::move(inputs), std::move(swizzles)});
      std::move(rest.begin(), rest.end(), std::back_inserter(rules));
      return rules;
    }
    return in_turn({std::move(inputs), std::move(rules), std::move(swizzles), std::move(operands)});
  }

  // What the mistake explains in the regions that differ, or nothing when the kernel cannot run with it.
  std::optional<Explanation> explanation_by(const Mistake& mistake) const {
    RunOptions options = difference_.options;
    if (mistake.by_options) mistake.by_options(options);
    std::vector<Tensors> runs;
    for (const auto& changes : mistake.runs) {
      auto run = run_mistaken(difference_, changes, options, mistake.by_options != nullptr);
      if (run) runs.push_back(std::move(*run));
    }
    if (runs.empty()) return std::nullopt;
    Explanation explanation{mistake.text, {}};
    for (const RegionSpec& region : regions_) {
      const auto would_be = [&](uint64_t i, std::vector<uint64_t>& words) {
        for (const Tensors& run : runs) words.push_back(run.at(region.name).bits(i));
      };
      explanation.regions.push_back(count_explained(region, difference_.right.at(region.name),
                                                    difference_.found.at(region.name), would_be));
    }
    return explanation;
  }

  // A product cannot tell which of its operands was permuted along K, nor which factor was doubled: what
  // else gives the same words.
  std::string also() const {
    std::string text;
    if (best_->family.empty() || !explains_everything(best_->explanation)) return text;
    for (const Mistake& mistake : mistakes_) {
      if (mistake.family != best_->family || mistake.text == best_->explanation.text || is_late()) continue;
      const auto other = explanation_by(mistake);
      if (other && explains_everything(*other))
        text += fmt::format("  or, with the same words, by {}\n", other->text);
    }
    return text;
  }

  // What regions say by themselves besides the best mistake: where it leaves some of them, or where they may
  // have been written wrong and the others made of them.
  std::string by_own_words() const {
    std::string text;
    for (const Candidate& own : own_) {
      const Explained& region = own.explanation.regions.front();
      if (!best_ || own.explanation.explains_all() || region.matched > matched_by_best(region.region))
        text += text_of(own.explanation);
    }
    return text;
  }
  uint64_t matched_by_best(const std::string& region) const {
    for (const Explained& explained : best_->explanation.regions) {
      if (explained.region == region) return explained.matched;
    }
    return 0;
  }

  std::string found_text() const {
    std::string text = best_ ? text_of(best_->explanation) + also() : "";
    text += by_own_words();
    if (text.empty()) {
      text = fmt::format("  no single mistake of the {} that were tried explains it\n", tried_);
      for (const RegionSpec& region : regions_) {
        text += rounding_text(region, difference_.right.at(region.name), difference_.found.at(region.name));
      }
    }
    if (left_ != 0 && !results_say_all()) {
      text +=
          fmt::format("  {} more were not tried for lack of time (--explain SECONDS gives it more)\n", left_);
    }
    return text;
  }

  const Difference& difference_;
  const std::vector<RegionSpec> regions_;  // that differ
  const double seconds_;
  const Clock::time_point start_ = Clock::now();
  std::vector<Candidate> own_;     // by the words of one region
  std::optional<Candidate> best_;  // by the kernel run again
  std::vector<Mistake> mistakes_;
  uint64_t tried_ = 0, left_ = 0;
};

bool differs(const RegionSpec& region, const Difference& difference) {
  const auto right = difference.right.find(region.name), found = difference.found.find(region.name);
  if (right == difference.right.end() || found == difference.found.end()) return false;
  // The order of an unordered region's elements is no layout.
  return region.comparison != Comparison::unordered &&
         !compare(right->second, found->second, compare_options(region, false)).equal();
}

// The region without the elements that the found run never wrote: they hold nothing to explain.
RegionSpec written_part(const RegionSpec& region, const Difference& difference) {
  const auto at = difference.never_written.find(region.name);
  if (at == difference.never_written.end()) return region;
  RegionSpec part = region;
  part.written = [&left_out = at->second, written = region.written](uint64_t i) {
    return (!written || written(i)) && !std::binary_search(left_out.begin(), left_out.end(), i);
  };
  return part;
}

}  // namespace

std::string explain(const Difference& difference, double seconds) {
  if (seconds <= 0) return "";
  std::vector<RegionSpec> regions;
  std::string text, equal;
  for (const RegionSpec& region : difference.kernel_case.regions()) {
    if (differs(region, difference)) {
      text += where_text(region, difference.right.at(region.name), difference.found.at(region.name));
      RegionSpec part = written_part(region, difference);
      if (differs(part, difference)) {
        regions.push_back(std::move(part));
      } else {
        text += fmt::format(
            "  what was written of '{}' is right: a mask, a loop bound or the grid leaves the rest out\n",
            region.name);
      }
    } else if (difference.found.contains(region.name)) {
      equal += fmt::format("{}'{}'", equal.empty() ? "" : ", ", region.name);
    }
  }
  if (text.empty() && regions.empty()) return "";
  if (!equal.empty()) text = fmt::format("  equal: {}\n", equal) + text;
  return regions.empty() ? text : text + Search(difference, std::move(regions), seconds).text();
}

std::string explain_result(const std::string& name, const Tensor& right, const Tensor& found) {
  RegionSpec region;
  region.name = name;
  region.dtype = right.dtype;
  region.shape = right.shape;
  uint64_t tried = 0;
  const auto best = best_of_result(region, right, found, tried);
  return where_text(region, right, found) +
         (best ? text_of(best->explanation) : rounding_text(region, right, found));
}

}  // namespace wavetwin::golden
