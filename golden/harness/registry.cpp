// SPDX-License-Identifier: MIT
#include "golden/harness/registry.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/core/error.h"

namespace wavetwin::golden {

bool matches(std::string_view pattern, std::string_view text) {
  size_t p = 0, t = 0;
  size_t star = std::string_view::npos, resume = 0;  // last '*' seen, and where its run ends so far
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

CaseList select_cases(std::span<const KernelEntry> kernels, std::string_view pattern) {
  CaseList exact, glob;
  const std::string below = std::string(pattern) + "/*";
  for (const KernelEntry& kernel : kernels) {
    for (auto& kernel_case : kernel.cases()) {
      const std::string name = kernel_case->name();
      if (name == pattern) {
        exact.push_back(std::move(kernel_case));
      } else if (matches(pattern, name) || matches(below, name)) {
        glob.push_back(std::move(kernel_case));
      }
    }
  }
  if (!exact.empty()) return exact;
  if (glob.empty()) {
    throw Error(fmt::format(
        "no case matches '{}' (`wavetwin list` shows the kernels, `wavetwin list KERNEL` its cases)",
        pattern));
  }
  return glob;
}

bool has_label(const KernelCase& kernel_case, std::string_view label) {
  const auto labels = kernel_case.labels();
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

}  // namespace wavetwin::golden
