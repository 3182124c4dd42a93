// SPDX-License-Identifier: MIT
#include "sim/isa/flow_graph.h"

#include "sim/isa/rows.h"

namespace wavetwin::isa {
namespace {

// Where control goes besides the next instruction.
struct Flow {
  bool next = true, target = false;
};
Flow flow_of(const Instruction& in) {
  if (!in.valid()) return {false, false};
  switch (id_of(in)) {
    case RowId::S_BRANCH:
    case RowId::S_CALL_B64:
      return {false, true};
    case RowId::S_ENDPGM:
    case RowId::S_SETPC_B64:
    case RowId::S_SWAPPC_B64:
    case RowId::S_TRAP:
      return {false, false};
    default:
      return {true, in.target >= 0};
  }
}

}  // namespace

FlowGraph::FlowGraph(const Program& program) : code_(program.instructions) {
  if (code_.empty()) return;
  std::vector<bool> leader(code_.size() + 1);
  leader[0] = true;
  for (uint32_t i = 0; i < code_.size(); ++i) {
    const Flow flow = flow_of(code_[i]);
    if (!flow.next || flow.target) leader[i + 1] = true;
    if (flow.target && code_[i].target >= 0) leader[static_cast<uint32_t>(code_[i].target)] = true;
  }
  block_of_.resize(code_.size());
  for (uint32_t i = 0; i < code_.size(); ++i) {
    if (leader[i]) first_.push_back(i);
    block_of_[i] = static_cast<uint32_t>(first_.size() - 1);
  }
}

uint32_t FlowGraph::end(uint32_t block) const {
  return block + 1 < blocks() ? first_[block + 1] : static_cast<uint32_t>(code_.size());
}

std::vector<FlowGraph::Successor> FlowGraph::successors(uint32_t block) const {
  const uint32_t last = end(block) - 1;
  const Instruction& in = code_[last];
  const Flow flow = flow_of(in);
  std::vector<Successor> found;
  if (flow.next && last + 1 < code_.size())
    found.push_back({block_of_[last + 1], id_of(in) == RowId::S_CBRANCH_EXECNZ});
  if (flow.target && in.target >= 0)
    found.push_back({block_of_[static_cast<uint32_t>(in.target)], id_of(in) == RowId::S_CBRANCH_EXECZ});
  return found;
}

}  // namespace wavetwin::isa
