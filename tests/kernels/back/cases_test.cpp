// SPDX-License-Identifier: MIT
// The list of cases has what the kernel's plans, tiles and contract distinguish.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "golden/cases/back.h"
#include "golden/cases/back_inputs.h"
#include "golden/harness/registry.h"

namespace wavetwin::golden {
namespace {

uint64_t count_of(const CaseList& cases, const std::string& pattern) {
  return std::count_if(cases.begin(), cases.end(),
                       [&](const auto& one) { return matches(pattern, one->name()); });
}

TEST_CASE("back cases: every token count, rank count and ratio is there, with pages of every size") {
  const CaseList cases = back_cases();
  for (const char* tokens :
       {"1", "2", "6", "9", "10", "15", "16", "17", "25", "26", "32", "33", "47", "48"}) {
    for (const char* tp : {"2", "4"}) {
      for (const char* ratio : {"0", "1", "2", "4"}) {
        const std::string pattern =
            std::string("attention_back/run-tp") + tp + "-t" + tokens + "-r" + ratio + "-*-model/0";
        CHECK_MESSAGE(count_of(cases, pattern) >= 1, pattern);
      }
    }
  }
  for (const char* tp : {"2", "4"}) {
    for (const char* pages : {"-b32-model", "-b64-model", "-b128-model", "-w64-model", "-w128-model"}) {
      const std::string pattern = std::string("attention_back/run-tp") + tp + "-*" + pages + "*";
      CHECK_MESSAGE(count_of(cases, pattern) >= 3, pattern);
    }
    for (const char* kind : {"-built/0", "-far/0", "-exact/0", "-timeline/0", "-x*/?"}) {
      const std::string pattern = std::string("attention_back/run-tp") + tp + "-*" + kind;
      CHECK_MESSAGE(count_of(cases, pattern) >= 1, pattern);
    }
  }
  CHECK(count_of(cases, "*-x300/*") >= 1);
}

TEST_CASE("back cases: names are unique") {
  std::set<std::string> names;
  for (const auto& one : back_cases()) CHECK_MESSAGE(names.insert(one->name()).second, one->name());
}

TEST_CASE("back cases: tokens of a batch have every key count at the edges, and each also runs alone") {
  const std::set<uint32_t> wanted{0, 1, 15, 16, 17, 63, 64, 65, 127, 128, 129, 639, 640};
  const auto mixed = back_key_counts({4, 15, 1, 64, BackData::model, 0});
  CHECK(std::set<uint32_t>(mixed.begin(), mixed.end()) == wanted);
  std::set<uint32_t> alone;
  for (uint64_t seed = 0; seed <= 12; ++seed) {
    alone.insert(back_key_counts({4, 1, 1, 64, BackData::model, seed})[0]);
  }
  CHECK(alone == wanted);
}

TEST_CASE("back cases: key tables have holes, a chunk of none, and slots that tokens share") {
  const BackProblem problem{2, 9, 1, 64, BackData::model, 0};
  const Tensor tensor = back_key_table(problem);
  const auto table = tensor.view<uint32_t>();
  CHECK(std::all_of(&table[128], &table[256], [](uint32_t entry) { return entry == back::kNoKey; }));
  const auto holes = std::count(&table[0], &table[128], back::kNoKey);
  CHECK((holes > 0 && holes < 64));
  std::map<uint32_t, std::set<uint64_t>> tokens;
  for (uint64_t i = 0; i < table.size(); ++i) tokens[table[i]].insert(i / back::kKeys);
  tokens.erase(back::kNoKey);
  CHECK(std::count_if(tokens.begin(), tokens.end(), [](const auto& one) { return one.second.size() > 1; }) >
        100);
  const Tensor sinks = back_sink(problem, 32);
  for (const float edge : {-30.0f, 0.0f, 30.0f}) {
    const auto sink = sinks.view<float>();
    CHECK_MESSAGE(std::count(sink.begin(), sink.end(), edge) > 0, edge);
  }
}

}  // namespace
}  // namespace wavetwin::golden
