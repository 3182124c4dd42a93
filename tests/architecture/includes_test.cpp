// SPDX-License-Identifier: MIT
// Who may include whom: the arrows of the tree, and the files CONTRIBUTING.md lists for each package.
#include <doctest/doctest.h>

#include <map>
#include <regex>
#include <set>

#include "tests/architecture/source_tree.h"

namespace wavetwin::architecture {
namespace {

bool starts_with(const std::string& text, const std::string& prefix) { return text.rfind(prefix, 0) == 0; }

// Longest prefix first: the layer of a path, and the layers it may include (its own is always allowed).
struct Layer {
  std::string prefix;
  std::set<std::string> may_include;
};
const std::vector<Layer> kLayers = {
    {"common/kernels/", {"common/"}},
    {"common/", {}},
    {"sim/core/", {"common/"}},
    {"sim/numerics/", {"common/", "sim/core/"}},
    {"sim/kernels/", {"common/", "common/kernels/", "sim/core/", "sim/numerics/"}},
    {"sim/isa/", {"common/", "sim/core/", "sim/numerics/"}},
    {"hip/runtime/", {}},
    {"hip/", {"common/", "common/kernels/"}},
    {"golden/oracle/", {"common/kernels/"}},
    {"golden/io/", {"common/", "sim/core/"}},
    {"golden/",
     {"common/", "common/kernels/", "sim/core/", "sim/numerics/", "sim/kernels/", "sim/isa/", "hip/runtime/",
      "golden/oracle/", "golden/io/"}},
    {"tests/oracle/", {}},
    {"tests/",
     {"common/", "common/kernels/", "sim/core/", "sim/numerics/", "sim/kernels/", "sim/isa/", "hip/", "hip/runtime/",
      "golden/", "golden/oracle/", "golden/io/", "tests/oracle/"}},
};

const Layer* layer_of(const std::string& path) {
  for (const Layer& layer : kLayers) {
    if (starts_with(path, layer.prefix)) return &layer;
  }
  return nullptr;
}

bool arrow_allowed(const Layer& from, const Layer& to) {
  return from.prefix == to.prefix || from.may_include.count(to.prefix) != 0;
}

// The table "Packages" of CONTRIBUTING.md: | package | header pattern | files | -> pattern and globs.
struct PackageRule {
  std::string name;
  std::regex header;
  std::vector<std::string> files;  // path prefixes
};

std::vector<std::string> code_spans(const std::string& cell) {
  static const std::regex kSpan("`([^`]+)`");
  std::vector<std::string> spans;
  for (auto it = std::sregex_iterator(cell.begin(), cell.end(), kSpan); it != std::sregex_iterator(); ++it) {
    spans.push_back((*it)[1]);
  }
  return spans;
}

std::vector<PackageRule> package_rules() {
  static const std::regex kRow(R"(^\|([^|]+)\|([^|]+)\|([^|]+)\|\s*$)");
  std::vector<PackageRule> rules;
  bool inside = false;
  for (const std::string& line : read_lines("CONTRIBUTING.md")) {
    if (starts_with(line, "## ")) inside = line == "## Packages";
    std::smatch match;
    if (!inside || !std::regex_match(line, match, kRow)) continue;
    const auto header = code_spans(match[2]);
    if (header.empty()) continue;
    std::string pattern;
    for (const std::string& h : header) pattern += (pattern.empty() ? "" : "|") + h;
    rules.push_back({match[1], std::regex("^(" + pattern + ")"), code_spans(match[3])});
  }
  return rules;
}

const std::set<std::string> kSystemHeaders = {"dlfcn.h",  "unistd.h", "fcntl.h",  "immintrin.h", "spawn.h",
                                              "stdlib.h", "stddef.h", "stdint.h"};

bool is_standard(const std::string& header) {
  static const std::regex kStandard("^[a-z_0-9]+$");
  return std::regex_match(header, kStandard) || starts_with(header, "sys/") || kSystemHeaders.count(header) != 0;
}

TEST_CASE("architecture: includes follow the arrows of the tree") {
  for (const SourceFile& file : source_files()) {
    const Layer* from = layer_of(file.path);
    REQUIRE_MESSAGE(from != nullptr, file.path);
    for (const Include& include : includes(file)) {
      if (!include.quoted) continue;
      const Layer* to = layer_of(include.target);
      CHECK_MESSAGE(to != nullptr, file.path, ":", include.line, " includes \"", include.target,
                    "\": quoted includes are paths from the root");
      if (to == nullptr) continue;
      CHECK_MESSAGE(arrow_allowed(*from, *to), file.path, ":", include.line, " includes ", include.target);
    }
  }
}

TEST_CASE("architecture: each package is included only where CONTRIBUTING.md says") {
  const auto rules = package_rules();
  REQUIRE(rules.size() >= 8);
  for (const SourceFile& file : source_files()) {
    for (const Include& include : includes(file)) {
      if (include.quoted || is_standard(include.target)) continue;
      bool known = false;
      for (const PackageRule& rule : rules) {
        if (!std::regex_search(include.target, rule.header)) continue;
        known = true;
        bool allowed = false;
        for (const std::string& prefix : rule.files) allowed = allowed || starts_with(file.path, prefix);
        CHECK_MESSAGE(allowed, file.path, ":", include.line, " includes <", include.target, "> of", rule.name);
      }
      CHECK_MESSAGE(known, file.path, ":", include.line, " includes <", include.target,
                    ">, which CONTRIBUTING.md's Packages table does not list");
    }
  }
}

TEST_CASE("architecture: every package of the table is really used where it is listed") {
  std::map<std::string, int> uses;
  const auto rules = package_rules();
  for (const SourceFile& file : source_files()) {
    for (const Include& include : includes(file)) {
      for (const PackageRule& rule : rules) uses[rule.name] += std::regex_search(include.target, rule.header);
    }
  }
  for (const PackageRule& rule : rules) CHECK_MESSAGE(uses[rule.name] > 0, rule.name);
}

}  // namespace
}  // namespace wavetwin::architecture
