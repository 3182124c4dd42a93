// SPDX-License-Identifier: MIT
#include "sim/isa/vgpr_indexing.h"

#include <algorithm>

#include "sim/isa/operand_overlap.h"
#include "sim/isa/rows.h"
#include "sim/isa/wave_state.h"

namespace wavetwin::isa {
namespace {

constexpr unsigned kDestination = 3;  // bit of M0[15:12]
constexpr unsigned kVgprs = 256;

bool can_be_indexed(const Instruction& in) { return in.valid() && is_vector_alu(in); }

// Does `change` to the VGPR operands of `mask`.
template <typename Change>
Instruction changed(const Instruction& in, unsigned mask, Change change) {
  Instruction result = in;
  if (!can_be_indexed(in)) return result;
  for (unsigned i = 0; i <= kDestination; ++i) {
    Operand& operand = i == kDestination ? result.dst : result.src[i];
    if ((mask >> i & 1) && operand.kind == OperandKind::vgpr) change(operand);
  }
  return result;
}

// What is known of the indexing at one place: 0 if it is off; else kOn and the operands that may be indexed.
constexpr uint8_t kOn = 16, kAll = 15;

// No tuple reaches into M0 from another register.
bool writes_m0(const Operand& destination) {
  return destination.kind == OperandKind::sgpr && destination.index == kM0;
}

// MODE.GPR_IDX_EN after an s_setreg, whose value is not followed.
bool sets_mode(const Instruction& in) {
  const auto id = id_of(in);
  if (id != RowId::S_SETREG_B32 && id != RowId::S_SETREG_IMM32_B32) return false;
  constexpr unsigned kMode = 1, kEnableBit = 27;
  const unsigned offset = in.simm16 >> 6 & 31, size = (in.simm16 >> 11 & 31) + 1;
  return (in.simm16 & 63u) == kMode && offset <= kEnableBit && offset + size > kEnableBit;
}

uint8_t after(const Instruction& in, uint8_t state) {
  if (!in.valid()) return state;
  const auto operands = static_cast<uint8_t>(in.simm16 & kAll);
  switch (id_of(in)) {
    case RowId::S_SET_GPR_IDX_ON:
      return kOn | operands;
    case RowId::S_SET_GPR_IDX_OFF:
      return 0;
    case RowId::S_SET_GPR_IDX_MODE:
      return (state & kOn) != 0 ? kOn | operands : 0;
    default:
      break;
  }
  if (sets_mode(in)) return kOn | kAll;
  return (state & kOn) != 0 && writes_m0(in.dst) ? kOn | kAll : state;
}

}  // namespace

Instruction indexed(const Instruction& in, uint32_t m0) {
  return changed(in, m0 >> 12 & kAll,
                 [&](Operand& o) { o.index = static_cast<uint16_t>(o.index + (m0 & 0xff)); });
}

std::vector<uint8_t> indexed_operands(const Program& program, const FlowGraph& flow) {
  const std::vector<Instruction>& code = program.instructions;
  std::vector<uint8_t> operands(code.size());
  const auto may_index = [](const Instruction& in) { return after(in, 0) != 0; };
  if (std::none_of(code.begin(), code.end(), may_index)) return operands;
  const auto entry = entry_states<uint8_t>(
      flow, [&](uint8_t& state, uint32_t i) { state = after(code[i], state); },
      [](uint8_t& state, uint8_t other, const FlowGraph::Successor&) {
        const uint8_t before = state;
        state |= other;
        return state != before;
      });
  for (uint32_t block = 0; block < flow.blocks(); ++block) {
    uint8_t state = entry[block];
    for (uint32_t i = flow.first(block); i < flow.end(block); ++i) {
      if (can_be_indexed(code[i])) operands[i] = state & kAll;
      state = after(code[i], state);
    }
  }
  return operands;
}

Instruction with_any_index(const Instruction& in, unsigned mask) {
  return changed(in, mask, [](Operand& o) {
    if (o.index + o.dwords < kVgprs) o.dwords = static_cast<uint16_t>(kVgprs - o.index);
  });
}

Instruction without_indexed(const Instruction& in, unsigned mask) {
  return changed(in, mask, [](Operand& o) { o = {}; });
}

}  // namespace wavetwin::isa
