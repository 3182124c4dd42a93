// SPDX-License-Identifier: MIT
// The list of kernels the program knows, and selection of cases by pattern.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "golden/harness/case.h"

namespace wavetwin::golden {

// One line of golden/cases/registry.cpp.
struct KernelEntry {
  const char* name;                  // first part of its cases' names
  const char* summary;               // one line for `wavetwin list`
  CaseList (*cases)();               // builds the descriptions only: cheap, no data
  std::string (*about)() = nullptr;  // more text for `wavetwin list <name>`, if any
};

// Shell-style match of the whole text: `*` any run of characters (also '/'), `?` one character.
bool matches(std::string_view pattern, std::string_view text);

// The cases whose names match, in registry order. A pattern without '*' or '?' names one case or, when no
// case has that name, a kernel or the start of names up to a '/'. Throws Error when nothing matches.
CaseList select_cases(std::span<const KernelEntry> kernels, std::string_view pattern);

bool has_label(const KernelCase& kernel_case, std::string_view label);

}  // namespace wavetwin::golden
