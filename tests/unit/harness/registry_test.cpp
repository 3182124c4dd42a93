// SPDX-License-Identifier: MIT
#include "golden/harness/registry.h"

#include <doctest/doctest.h>

#include "sim/core/error.h"
#include "tests/unit/harness/fake_case.h"

namespace wavetwin::golden {
namespace {

CaseList named(std::initializer_list<const char*> names) {
  CaseList cases;
  for (const char* name : names) {
    auto fake = std::make_unique<FakeCase>();
    fake->case_name = name;
    cases.push_back(std::move(fake));
  }
  return cases;
}

constexpr KernelEntry kKernels[] = {
    {"gemv", "",
     [] {
       return named({"gemv/a-t6/1", "gemv/a-t6/2", "gemv/b/1"});
     }},
    {"gemv2", "", [] { return named({"gemv2/a-t6/1"}); }},
};

std::vector<std::string> selected(const char* pattern) {
  std::vector<std::string> names;
  for (const auto& kernel_case : select_cases(kKernels, pattern)) names.push_back(kernel_case->name());
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("pattern: stars cross slashes and backtrack") {
  CHECK(matches("*", ""));
  CHECK(matches("gemv/*", "gemv/a/b/c"));
  CHECK(matches("*a*b", "xaab_b"));
  CHECK(matches("g?mv", "gemv"));
  CHECK_FALSE(matches("g?mv", "gmv"));
  CHECK_FALSE(matches("*a*b", "xaab_c"));
  CHECK_FALSE(matches("", "x"));
}

TEST_CASE("selection: by pattern, by name, by kernel, by leading part") {
  CHECK(selected("gemv/*") == Names{"gemv/a-t6/1", "gemv/a-t6/2", "gemv/b/1"});
  CHECK(selected("gemv") == Names{"gemv/a-t6/1", "gemv/a-t6/2", "gemv/b/1"});
  CHECK(selected("gemv/a-t6") == Names{"gemv/a-t6/1", "gemv/a-t6/2"});
  CHECK(selected("gemv/a-t6/2") == Names{"gemv/a-t6/2"});
  CHECK(selected("*/1") == Names{"gemv/a-t6/1", "gemv/b/1", "gemv2/a-t6/1"});
  CHECK_THROWS_WITH_AS(selected("gem"), doctest::Contains("no case matches 'gem'"), Error);
  CHECK_THROWS_AS(selected(""), Error);
}

}  // namespace wavetwin::golden
