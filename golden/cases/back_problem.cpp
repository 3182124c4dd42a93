// SPDX-License-Identifier: MIT
#include "golden/cases/back_problem.h"

#include <fmt/format.h>

#include "common/kernels/device.h"
#include "sim/core/error.h"

namespace wavetwin::golden {

const char* to_string(BackData data) { return data == BackData::model ? "model" : "exact"; }

void check_problem(const BackProblem& problem) {
  if (!back::Dims{problem.tp}.valid()) {
    throw Error(fmt::format("attention_back: {} ranks: the heads are split over 2 or 4", problem.tp));
  }
  if (problem.tokens == 0 || problem.tokens > kMaxTokens) {
    throw Error(fmt::format("attention_back: {} tokens, 1 .. {} are possible", problem.tokens, kMaxTokens));
  }
}

std::string back_case_name(back::Stage stage, const BackProblem& problem) {
  std::string name =
      fmt::format("attention_back/{}-tp{}-t{}-r{}-b{}", back::kStageNames[static_cast<int>(stage)],
                  problem.tp, problem.tokens, problem.ratio, problem.block);
  if (problem.window_block != 32) name += fmt::format("-w{}", problem.window_block);
  name += fmt::format("-{}", to_string(problem.data));
  if (problem.keys == BackKeys::built) name += "-built";
  if (problem.keys == BackKeys::far) name += "-far";
  if (problem.replays()) name += fmt::format("-x{}", problem.launches);
  if (problem.timeline) name += "-timeline";
  return fmt::format("{}/{}", name, problem.seed);
}

}  // namespace wavetwin::golden
