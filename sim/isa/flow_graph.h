// SPDX-License-Identifier: MIT
// Basic blocks of a program, for the analyses that look along its paths.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/isa/decode.h"

namespace wavetwin::isa {

// Code that is reached by s_setpc, s_swappc or s_call has no predecessor here.
class FlowGraph {
 public:
  explicit FlowGraph(const Program& program);

  uint32_t blocks() const { return static_cast<uint32_t>(first_.size()); }
  uint32_t first(uint32_t block) const { return first_[block]; }  // its first instruction
  uint32_t end(uint32_t block) const;                             // one past its last
  // Blocks that may follow: at most two.
  std::vector<uint32_t> successors(uint32_t block) const;

 private:
  const std::vector<Instruction>& code_;
  std::vector<uint32_t> first_;     // instruction of each block
  std::vector<uint32_t> block_of_;  // of each instruction
};

}  // namespace wavetwin::isa
