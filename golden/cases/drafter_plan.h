// SPDX-License-Identifier: MIT
// What a launch of a drafter stage does on a problem: which workgroup holds which blocks, what is written.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/kernels/drafter.h"
#include "golden/cases/drafter_inputs.h"

namespace wavetwin::golden {

inline constexpr uint32_t kDrafterTileBytes = 4 * drafter::kTileWords;

struct DrafterPlan {
  DrafterPlan(drafter::Stage launched, const DrafterProblem& the_problem)
      : stage(launched), problem(the_problem) {
    for (uint32_t r = 0; r < problem.requests; ++r) windows.push_back(drafter_window(problem, r));
  }

  bool is(drafter::Stage other) const { return stage == other; }
  bool attends() const { return !is(drafter::Stage::merge); }
  bool has_rows() const { return is(drafter::Stage::rows) || is(drafter::Stage::run); }
  bool merges() const { return is(drafter::Stage::merge) || is(drafter::Stage::run); }

  uint32_t rows() const { return problem.requests * drafter::kRows; }
  uint32_t parts() const { return drafter::partitions(problem.requests); }
  uint32_t merge_tasks() const { return rows() * drafter::kHeadQuads; }
  uint32_t live_parts(uint32_t r) const { return drafter::live_partitions(windows[r], problem.requests); }
  bool live_part(uint64_t r, uint64_t p) const { return p < live_parts(static_cast<uint32_t>(r)); }
  uint32_t workgroups() const {
    const uint32_t of_stage[] = {problem.requests * drafter::kMaxBlocks, problem.requests, merge_tasks(),
                                 kBlocks};
    return of_stage[static_cast<uint32_t>(stage)];
  }

  // Request and blocks of the tile pairs that a workgroup dumps.
  struct Dumped {
    uint32_t request;
    int32_t block[2];
    uint32_t count;
  };
  Dumped dumped(uint32_t workgroup) const {
    if (is(drafter::Stage::kv)) {
      const uint32_t r = workgroup / drafter::kMaxBlocks;
      return {r, {windows[r].first + static_cast<int32_t>(workgroup % drafter::kMaxBlocks), 0}, 1};
    }
    if (is(drafter::Stage::rows)) {
      const drafter::Window& w = windows[workgroup];
      return {workgroup, {w.last, w.last - 1}, std::min(2u, drafter::block_count(w))};
    }
    const uint32_t r = workgroup / parts();
    if (r >= problem.requests) return {0, {0, 0}, 0};
    const drafter::Partition p = drafter::partition(windows[r], problem.requests, workgroup % parts());
    return {r, {p.block(0), p.block(1)}, std::min(2u, p.count)};
  }

  drafter::Stage stage;
  DrafterProblem problem;
  std::vector<drafter::Window> windows;
};

}  // namespace wavetwin::golden
