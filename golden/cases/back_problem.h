// SPDX-License-Identifier: MIT
// Which problem a case of the attention back is.
#pragma once

#include <cstdint>
#include <string>

#include "common/kernels/back.h"

namespace wavetwin::golden {

enum class BackData : uint8_t {
  model,  // near-normal values, quantised by the cache writer's rule
  exact   // every sum is exact in any order: integer keys and one query dim a head with scores in -4 .. 4;
          // integer GEMV operands of a stage, one code a weight row of the whole launch
};
const char* to_string(BackData data);

enum class BackKeys : uint8_t {
  table,  // the key table is an input
  built,  // it is built from top-k rows, block tables and window slots, as the key list kernel does
  far     // an input, but the pages lie more than 4 GiB apart from the first
};

struct BackProblem {
  uint32_t tp, tokens;
  uint32_t ratio;  // 0: window keys only
  uint32_t block;  // slots of a compressed page
  BackData data;
  uint64_t seed;
  uint32_t window_block = 32;  // slots of a window page
  BackKeys keys = BackKeys::table;
  uint32_t launches = 1;  // of the whole back, in turn for two layers, on one scratch buffer
  bool timeline = false;  // the build that stamps the clock

  back::Form form() const { return back::form_of(tp, tokens); }
  bool replays() const { return launches > 1; }
};

// Rank counts other than 2 and 4, no or more than 48 tokens: Error that says what is possible.
void check_problem(const BackProblem& problem);

// attention_back/<stage>-tp<ranks>-t<tokens>-r<ratio>-b<block>[-w<block>]-<data>[-...]/<seed>
std::string back_case_name(back::Stage stage, const BackProblem& problem);

}  // namespace wavetwin::golden
