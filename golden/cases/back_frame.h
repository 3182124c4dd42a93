// SPDX-License-Identifier: MIT
// What the parts of a case of the attention back share: the problem with its derived layout.
#pragma once

#include <cstdint>
#include <vector>

#include "common/kernels/back.h"
#include "common/kernels/device.h"
#include "golden/cases/back_inputs.h"
#include "golden/cases/back_problem.h"

namespace wavetwin::golden {

inline constexpr uint32_t kBackOutStride = back::kHidden + 64;
// The layer of a launch, and the other one that replays take turns with.
inline constexpr uint32_t kBackLayer = 7, kBackOtherLayer = 20;

struct BackFrame {
  back::Stage stage;
  BackProblem problem;
  back::Form form = problem.form();
  back::Dims dims = form.dims();
  uint32_t start = back::front_end(problem.tokens);
  back::Scratch at = back::scratch(form, problem.tokens, start);
  std::vector<uint32_t> counts = back_key_counts(problem);  // keys of each token in the last launch

  bool has(back::Stage other) const { return stage == other || stage == back::Stage::run; }
  bool reads_keys() const { return has(back::Stage::split) || has(back::Stage::combine); }
  bool unit_is_live(uint64_t unit) const {
    return unit % form.chunks() * form.chunk_keys() < counts[unit / form.chunks()];
  }
  // Step that the first launch runs: replays begin as a new scratch buffer does.
  uint32_t epoch() const { return problem.replays() ? 0 : 5; }
  // The last launch, and every second one before it, has this problem's inputs and layer.
  bool is_other(uint32_t launch) const { return (problem.launches - 1 - launch) % 2 == 1; }
  uint32_t layer(uint32_t launch) const { return is_other(launch) ? kBackOtherLayer : kBackLayer; }
  uint32_t tag(uint32_t launch) const { return 64 * (epoch() + launch) + layer(launch) + 1; }
  uint32_t last_tag() const { return tag(problem.launches - 1); }
  uint64_t out_bytes() const { return uint64_t{2} * kBackOutStride * problem.tokens; }  // of a launch
  bool sums_are_exact() const { return problem.data == BackData::exact; }
};

}  // namespace wavetwin::golden
