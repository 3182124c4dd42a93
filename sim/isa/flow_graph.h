// SPDX-License-Identifier: MIT
// Basic blocks of a program, for the analyses that look along its paths.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "sim/isa/decode.h"

namespace wavetwin::isa {

// Code that is reached by s_setpc or s_swappc has no predecessor here; what s_call calls has one, what stands
// behind the call has none.
class FlowGraph {
 public:
  explicit FlowGraph(const Program& program);

  uint32_t blocks() const { return static_cast<uint32_t>(first_.size()); }
  uint32_t first(uint32_t block) const { return first_[block]; }  // its first instruction
  uint32_t end(uint32_t block) const;                             // one past its last
  // Blocks that may follow: at most two.
  struct Successor {
    uint32_t block;
    bool no_lanes;  // s_cbranch_execz or _execnz goes this way when EXEC is 0
  };
  std::vector<Successor> successors(uint32_t block) const;

 private:
  const std::vector<Instruction>& code_;
  std::vector<uint32_t> first_;     // instruction of each block
  std::vector<uint32_t> block_of_;  // of each instruction
};

// The state at the start of each block when nothing changes any more: step(state, instruction) goes through a
// block, join(entry, state, successor) into the entry of each that follows; it says whether the entry
// changed.
template <typename State, typename Step, typename Join>
std::vector<State> entry_states(const FlowGraph& flow, Step step, Join join) {
  std::vector<State> entry(flow.blocks());
  std::vector<bool> queued(flow.blocks(), true);
  std::deque<uint32_t> work;
  for (uint32_t block = 0; block < flow.blocks(); ++block) work.push_back(block);
  while (!work.empty()) {
    const uint32_t block = work.front();
    work.pop_front();
    queued[block] = false;
    State state = entry[block];
    for (uint32_t i = flow.first(block); i < flow.end(block); ++i) step(state, i);
    for (const FlowGraph::Successor& next : flow.successors(block)) {
      if (!join(entry[next.block], state, next) || queued[next.block]) continue;
      queued[next.block] = true;
      work.push_back(next.block);
    }
  }
  return entry;
}

}  // namespace wavetwin::isa
