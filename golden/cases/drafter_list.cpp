// SPDX-License-Identifier: MIT
// Which cases of the drafter there are.
#include "golden/cases/drafter.h"

namespace wavetwin::golden {
namespace {

using drafter::Stage;

using Labels = std::vector<std::string>;

class List {
 public:
  explicit List(CaseList& cases) : cases_(cases) {}
  void add(Stage stage, const DrafterProblem& problem, Labels labels) {
    cases_.push_back(drafter_case(stage, problem, std::move(labels)));
  }

 private:
  CaseList& cases_;
};

// Tiles from the cache: a byte of another key or dim shows, and stale metadata leads nowhere.
void add_loads(List& list) {
  list.add(Stage::kv, {1, 6}, {"test", "small"});
  list.add(Stage::kv, {.requests = 2, .p0 = 4100, .padded = true, .holes = true}, {"test", "small", "opt"});
  for (const DrafterData data : {DrafterData::keys, DrafterData::dims}) {
    list.add(Stage::kv, {.requests = 1, .p0 = 4100, .data = data}, {"test", "small", "exact", "opt"});
  }
  list.add(Stage::kv, {.requests = 5, .p0 = 4100, .padded = true, .stale = true}, {"test", "small"});
}

// New rows: inside a block, over a block's edge, to the cache or not.
void add_rows(List& list) {
  for (const int32_t p0 : {0, 100, 4090}) list.add(Stage::rows, {1, p0}, {"test", "small"});
  for (int32_t p0 = 121; p0 <= 127; ++p0) {
    list.add(Stage::rows, {.requests = 1, .p0 = p0, .seed = 1}, {"test", "small"});
  }
  list.add(Stage::rows, {.requests = 5, .p0 = 131071, .padded = true}, {"test", "small", "opt"});
  list.add(Stage::rows, {.requests = 5, .p0 = 122, .padded = true, .holes = true, .stale = true},
           {"test", "small"});
  list.add(Stage::rows, {.requests = 2, .p0 = 125, .data = DrafterData::exact},
           {"test", "small", "exact", "opt"});
}

// 1, 2, 33 and 34 partials.
void add_merges(List& list) {
  list.add(Stage::merge, {1, 6}, {"test", "small", "full"});
  for (const int32_t p0 : {122, 4096, 4218}) list.add(Stage::merge, {1, p0}, {"test", "small"});
  list.add(Stage::merge, {.requests = 2, .p0 = 4102, .padded = true}, {"test", "small"});
}

void add_runs(List& list) {
  list.add(Stage::run, {1, 6}, {"test", "small"});
  list.add(Stage::run, {.requests = 2, .p0 = 122, .padded = true}, {"test", "small"});
  list.add(Stage::run, {.requests = 1, .p0 = 122, .data = DrafterData::exact}, {"test", "small", "exact"});
  list.add(Stage::run, {.requests = 1, .p0 = 100, .replay = true}, {"test", "small"});
  list.add(Stage::run, {1, 4090}, {"run"});
  // 34 partitions of one block; the oldest is masked whole for some rows.
  list.add(Stage::run, {.requests = 2, .p0 = 4218, .data = DrafterData::exact}, {"slow", "exact"});
  list.add(Stage::run,
           {.requests = 8, .p0 = 8190, .padded = true, .holes = true, .stale = true, .replay = true},
           {"slow"});
}

// Every request count at every first position around the window's length and at the longest context; new rows
// over every place of a block's edge.
void add_slow_runs(List& list) {
  std::vector<int32_t> positions{0, 1, 6, 100, 5000, 131071};
  for (int32_t p0 = 4088; p0 <= 4102; ++p0) positions.push_back(p0);
  for (const uint32_t requests : {1u, 2u, 5u, 8u, 16u}) {
    for (const int32_t p0 : positions) {
      const bool listed = requests == 1 && (p0 == 6 || p0 == 4090);
      // At -O0 a launch takes ten times as long: one does.
      const Labels labels = requests == 1 && p0 == 1 ? Labels{"slow", "opt"} : Labels{"slow"};
      if (!listed) list.add(Stage::run, {requests, p0}, labels);
    }
    if (requests > 1) list.add(Stage::run, {.requests = requests, .p0 = 4097, .padded = true}, {"slow"});
  }
  for (int32_t p0 = 4217; p0 <= 4223; ++p0) list.add(Stage::run, {1, p0}, {"slow"});  // p0 % 128: 121 .. 127
}

}  // namespace

CaseList drafter_cases() {
  CaseList cases = drafter_block_cases();
  List list(cases);
  add_loads(list);
  add_rows(list);
  add_merges(list);
  add_runs(list);
  add_slow_runs(list);
  return cases;
}

}  // namespace wavetwin::golden
