// SPDX-License-Identifier: MIT
#include "tests/isa/differential/saboteur.h"

#include <algorithm>

#include "sim/core/error.h"
#include "tests/isa/differential/coverage.h"

namespace wavetwin::differential {
namespace {

using isa::Format;
using isa::OperandKind;

// The data of a store or an atomic. What an atomic returns arrives later and cannot be spoilt here.
const isa::Operand* stored(const isa::Instruction& in) {
  const bool memory = in.format == Format::ds || in.format == Format::flat || in.format == Format::mubuf;
  return memory && in.src[1] && (!in.dst || in.format != Format::ds) ? &in.src[1] : nullptr;
}

// Of M0, the LDS address of a load to LDS: 16 bytes away.
constexpr uint32_t kOtherPlace = 16;

}  // namespace

// In every active lane of a vector register.
void Saboteur::spoil(isa::WaveState& state, const isa::Operand& operand) const {
  const unsigned dwords = std::max<unsigned>(operand.dwords, 1);
  if (operand.kind == OperandKind::sgpr) {
    // One bit a lane: all of the active ones.
    if (operand.type == isa::LANES)
      return state.set_pair(operand.index, state.pair(operand.index) ^ state.exec());
    for (unsigned i = 0; i < dwords; ++i) state.scalar[operand.index + i] ^= bits_;
    return;
  }
  for (unsigned i = 0; i < dwords; ++i) {
    uint32_t* const lanes = operand.kind == OperandKind::agpr ? state.agpr_destination(operand.index + i)
                                                              : state.vgpr_destination(operand.index + i);
    for (unsigned lane = 0; lane < isa::kLanes; ++lane) lanes[lane] ^= state.exec() >> lane & 1 ? bits_ : 0;
  }
}

bool Saboteur::concerned(const isa::Instruction& in) {
  const auto [place, first] = concerned_.try_emplace(&in, false);
  if (first) place->second = mnemonic_of(in) == mnemonic_;
  return place->second;
}

void Saboteur::begin(const isa::WaveState& state, const isa::Instruction& in) {
  if (++executed_ > most_) throw Error("a spoilt kernel does not end");
  fall_through_ = state.next;
  // The observer sees the wave's own registers, which are not const.
  if (!concerned(in)) return;
  auto& own = const_cast<isa::WaveState&>(state);
  if (stored(in)) spoil(own, *stored(in));
  if (in.lds) own.scalar[isa::kM0] ^= kOtherPlace;
}

// What an instruction without a destination register does. False when that is nothing that can be spoilt.
bool Saboteur::spoil_other(isa::WaveState& state, const isa::Instruction& in) const {
  if (in.lds) {
    state.scalar[isa::kM0] ^= kOtherPlace;  // back to what it was
  } else if (in.format == Format::sopc || mnemonic_.rfind("s_cmpk_", 0) == 0) {
    state.scc = !state.scc;
  } else if (in.format == Format::sopp && in.target >= 0) {
    const auto target = static_cast<uint32_t>(in.target);
    state.next = state.next == fall_through_ ? target : fall_through_;
  } else if (mnemonic_ == "s_setpc_b64") {
    state.next = fall_through_;
  } else if (mnemonic_.rfind("s_setreg_", 0) == 0) {
    state.mode.bits ^= bits_ & 3;  // how f32 is rounded
  } else if (mnemonic_ == "s_set_gpr_idx_off") {
    state.mode.bits |= 1u << 27;
    state.attention |= isa::kAttentionGprIndex;
  } else {
    return false;
  }
  return true;
}

void Saboteur::end(const isa::WaveState& seen, const isa::Instruction& in) {
  if (!concerned(in)) return;
  auto& state = const_cast<isa::WaveState&>(seen);
  acted_ = true;
  if (stored(in)) {
    spoil(state, *stored(in));  // back to what it was
  } else if (in.dst) {
    spoil(state, in.dst);
  } else {
    acted_ = spoil_other(state, in);
  }
}

}  // namespace wavetwin::differential
