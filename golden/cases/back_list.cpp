// SPDX-License-Identifier: MIT
// Which cases of the attention back there are.
#include "golden/cases/back.h"

namespace wavetwin::golden {
namespace {

using back::Stage;

void add_stages(CaseList& cases) {
  for (const Stage stage : {Stage::split, Stage::combine, Stage::woa, Stage::wob, Stage::push}) {
    const bool attention = stage == Stage::split || stage == Stage::combine;
    for (const uint32_t tp : {2u, 4u}) {
      for (const uint32_t tokens : {1u, 6u, 26u}) {
        for (const BackData data : {BackData::model, BackData::exact}) {
          const bool exact = data == BackData::exact;
          if (exact && stage == Stage::combine) continue;  // it has no sums of products
          const uint32_t block = tokens == 1 ? 32 : tokens == 6 ? 64 : 128;
          const bool test = attention ? tokens < 26 : tp == 4 && tokens == 6;
          std::vector<std::string> labels{test ? "test" : "slow"};
          if (exact) labels.push_back("exact");
          if (tokens == 1 && !exact) labels.push_back("opt");
          cases.push_back(back_case(stage, {tp, tokens, tp == 2 ? 1u : 2u, block, data, 0}, labels));
        }
      }
    }
  }
}

// Every token count at which a plan or a tile changes, pages of every size.
void add_runs(CaseList& cases) {
  constexpr uint32_t kTokens[] = {1, 2, 6, 9, 10, 15, 16, 17, 25, 26, 32, 33, 47, 48};
  for (const uint32_t tp : {2u, 4u}) {
    for (const uint32_t tokens : kTokens) {
      for (const uint32_t ratio : {0u, 1u, 2u, 4u}) {
        BackProblem problem{tp, tokens, ratio, 32u << (tokens + ratio) % 3, BackData::model, 0};
        if (ratio == 4) problem.window_block = tokens % 2 == 0 ? 128 : 64;
        const bool first = tp == 4 && ratio == 1;
        std::vector<std::string> labels{first && tokens == 1   ? "test"
                                        : first && tokens == 6 ? "run"
                                                               : "slow"};
        if (first && tokens == 2) labels.push_back("opt");
        cases.push_back(back_case(Stage::run, problem, labels));
      }
    }
  }
}

// A single token with each of the generator's other key counts, 0 among them.
void add_key_counts(CaseList& cases) {
  for (const uint32_t tp : {2u, 4u}) {
    for (uint64_t seed = 1; seed <= 12; ++seed) {
      cases.push_back(back_case(Stage::run, {tp, 1, 1, 64, BackData::model, seed}, {"slow"}));
    }
  }
}

void add_variations(CaseList& cases) {
  const auto add = [&cases](Stage stage, BackProblem problem, std::vector<std::string> labels) {
    cases.push_back(back_case(stage, problem, std::move(labels)));
  };
  const BackProblem one{4, 1, 1, 64, BackData::model, 0}, six{4, 6, 2, 64, BackData::model, 0};
  const auto with = [](BackProblem problem, auto change) {
    change(problem);
    return problem;
  };
  const auto exact = [](BackProblem& p) { p.data = BackData::exact; };
  const auto built = [](BackProblem& p) { p.keys = BackKeys::built; };
  const auto far = [](BackProblem& p) { p.keys = BackKeys::far; };
  const auto timeline = [](BackProblem& p) { p.timeline = true; };

  add(Stage::run, with(one, exact), {"test"});
  add(Stage::run, with({2, 6, 2, 32, BackData::model, 0}, exact), {"slow"});
  add(Stage::run, with({2, 26, 1, 128, BackData::model, 0}, exact), {"slow"});

  add(Stage::run, with(six, built), {"test"});
  add(Stage::run, with({4, 17, 4, 32, BackData::model, 0}, built), {"slow"});
  add(Stage::run, with({2, 26, 1, 128, BackData::model, 0}, built), {"slow"});
  add(Stage::run, with({2, 9, 0, 64, BackData::model, 0}, built), {"slow"});

  add(Stage::split, with(six, far), {"test"});
  add(Stage::split, with({2, 6, 1, 32, BackData::model, 0}, far), {"slow"});
  add(Stage::run, with(six, far), {"slow"});
  add(Stage::run, with({2, 26, 1, 128, BackData::model, 0}, far), {"slow"});

  add(Stage::run, with(one, timeline), {"test"});
  add(Stage::run, with({2, 17, 1, 64, BackData::model, 0}, timeline), {"slow"});

  const auto launches = [&](BackProblem problem, uint32_t count, const char* label) {
    problem.launches = count;
    add(Stage::run, problem, {label});
  };
  launches(one, 4, "test");
  launches({4, 1, 1, 64, BackData::model, 3}, 300, "slow");
  launches({2, 10, 2, 32, BackData::model, 0}, 8, "slow");
  launches({2, 33, 1, 128, BackData::model, 0}, 3, "slow");
}

}  // namespace

CaseList back_cases() {
  CaseList cases;
  add_stages(cases);
  add_runs(cases);
  add_key_counts(cases);
  add_variations(cases);
  return cases;
}

}  // namespace wavetwin::golden
