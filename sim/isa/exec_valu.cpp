// SPDX-License-Identifier: MIT
// The vector formats: operand fetch, source modifiers (abs, neg, op_sel, SDWA, DPP), EXEC masking, output
// modifiers (omod, clamp, destination selects) and write-back. What an instruction computes is in its row.
//
// execute_plain handles what compilers emit most: operands of one or two registers, no other modifiers than
// abs and neg. Everything else goes through execute_general.
#include "sim/isa/exec_valu.h"

#include <array>

#include "sim/isa/environment.h"
#include "sim/isa/exec.h"
#include "sim/isa/exec_dpp.h"
#include "sim/isa/exec_valu_result.h"
#include "sim/isa/exec_valu_source.h"
#include "sim/isa/scalar_operand.h"

namespace wavetwin::isa {
namespace {

constexpr uint64_t kAllLanes = ~uint64_t{0};

std::array<LaneRow, kRowCount> collect_lane_rows() {
  std::array<LaneRow, kRowCount> all{};
  for (const LaneTable& table : {vop1_lane_rows(), vop2_lane_rows(), vopc_lane_rows(), vop3_lane_rows(),
                                 vop3p_lane_rows(), mai_lane_rows(), vop3px_lane_rows()}) {
    for (size_t i = 0; i < table.count; ++i) all[static_cast<size_t>(table.first) + i] = table.rows[i];
  }
  return all;
}
const std::array<LaneRow, kRowCount> kLaneRows = collect_lane_rows();

// Lane masks: bits of lanes that did not take part are 0.
void write_masks(WaveState& wave, const Instruction& in, const LaneArgs& args, bool first, bool second,
                 bool exec, uint64_t active) {
  if (first) write_lane_mask(wave, in.dst, args.d_mask & active);
  if (second) write_lane_mask(wave, in.sdst, args.d1_mask & active);
  if (exec) wave.set_exec(args.exec_mask & active);
}

// --- every form and modifier

struct Scratch {
  alignas(64) uint32_t source[3][kMaxOperandDwords * kLanes];
  alignas(64) uint32_t result[kMaxOperandDwords * kLanes];
  alignas(64) uint32_t vcc[kLanes];
};
thread_local Scratch scratch;

uint32_t* destination_register(WaveState& wave, const Instruction& in, unsigned r) {
  return in.dst.kind == OperandKind::agpr ? wave.agpr_destination(in.dst.index + r)
                                          : wave.vgpr_destination(in.dst.index + r);
}

// Rows that read their destination find the old value in the result, a high half shifted down.
void load_old_value(WaveState& wave, const Instruction& in, unsigned dwords, HalfRule half) {
  for (unsigned r = 0; r < dwords; ++r) {
    std::memcpy(scratch.result + r * kLanes, destination_register(wave, in, r), kLanes * 4);
  }
  if (half != HalfRule::high) return;
  for (unsigned lane = 0; lane < kLanes; ++lane) scratch.result[lane] >>= 16;
}

void execute_general(WaveState& wave, const Instruction& in) {
  const Row& row = row_of(in);
  const LaneRow& lanes = kLaneRows[in.row];
  const bool has_dpp = in.form == Form::dpp;
  DppLanes dpp{};
  uint64_t active = wave.exec();
  if (has_dpp) {
    // A source lane that EXEC disables counts as invalid (LLVM's description, AMD's emulator), or is read.
    const uint64_t readable = numeric_model_of(wave)->dpp_reads_disabled ? kAllLanes : active;
    dpp = dpp_lanes(in.dpp_ctrl, readable, in.bound_ctrl);
    active &= dpp.written & dpp_destinations(in.row_mask, in.bank_mask);
  }

  LaneArgs args{};
  args.in = &in;
  args.wave = &wave;
  args.mode_bits = wave.mode.bits;
  args.model = numeric_model_of(wave);
  args.saturating = in.clamp && !is_float(row.dst[0]);
  for (unsigned i = 0; i < 3; ++i) {
    args.src[i] = fetch_source(wave, in, row, i, has_dpp ? &dpp : nullptr, scratch.source[i]);
  }
  if (lanes.reads_vcc) expand_mask(scratch.vcc, wave.vcc());
  args.vcc = scratch.vcc;
  args.old = args.dst = scratch.result;
  const bool mask_result = row.dst[0] == LANES;
  const unsigned dwords = mask_result ? 0 : operand_dwords(row.dst[0]);
  const HalfRule half = half_rule(in, row);
  if (row.has(TIED)) load_old_value(wave, in, dwords, half);

  lanes.loop(args);
  apply_output_modifiers(scratch.result, row.dst[0], in, Mode::from_register(args.mode_bits, args.model));
  for (unsigned r = 0; r < dwords; ++r) {
    merge_register(destination_register(wave, in, r), scratch.result + r * kLanes, active, in, half);
  }
  write_masks(wave, in, args, mask_result, row.dst[1] == LANES, lanes.writes_exec, active);
}

// --- the short way

// A scalar source of at most two registers, or a lane mask, in every lane.
[[gnu::noinline]] const uint32_t* plain_scalar(const WaveState& wave, const Operand& operand,
                                               uint32_t* buffer) {
  if (operand.type == LANES) {
    expand_mask(buffer, read_scalar64(wave, operand));
  } else if (operand.dwords == 2) {
    const uint64_t value = read_scalar64(wave, operand);
    broadcast(buffer, static_cast<uint32_t>(value));
    broadcast(buffer + kLanes, static_cast<uint32_t>(value >> 32));
  } else {
    broadcast(buffer, read_scalar32(wave, operand));
  }
  return buffer;
}

// A source of at most two registers without modifiers.
inline const uint32_t* plain_source(const WaveState& wave, const Operand& operand, uint32_t* buffer) {
  if (operand.kind == OperandKind::vgpr) [[likely]]
    return wave.vgpr_source(operand.index);
  return plain_scalar(wave, operand, buffer);
}

inline bool leaves_allocation(const WaveState& wave, const Operand& operand) {
  return operand.dwords == 2 && operand.kind == OperandKind::vgpr && operand.index + 2u > wave.vgpr_count;
}

// The source with abs and neg applied, in the buffer when there are any. (The 64-bit encoding has the bits
// only where the row allows them.)
const uint32_t* with_modifiers(const Instruction& in, unsigned i, const uint32_t* source, uint32_t* buffer,
                               const NumericModel& model) {
  const bool abs = in.abs >> i & 1, neg = in.neg >> i & 1;
  if (!abs && !neg) return source;
  copy_abs_neg(buffer, source, in.src[i].type, in.src[i].dwords, abs, neg, abs_is_neg_hi(row_of(in), model));
  return buffer;
}

template <int kSources, bool kMasks, bool kModifiers>
void execute_plain(WaveState& wave, const Instruction& in) {
  if ((kSources > 0 && leaves_allocation(wave, in.src[0])) ||
      (kSources > 1 && leaves_allocation(wave, in.src[1])) ||
      (kSources > 2 && leaves_allocation(wave, in.src[2]))) [[unlikely]] {
    return execute_general(wave, in);
  }
  if (leaves_allocation(wave, in.dst)) [[unlikely]]
    return execute_general(wave, in);

  const LaneRow& lanes = kLaneRows[in.row];
  alignas(64) uint32_t buffer[kSources == 0 ? 1 : kSources][2 * kLanes];
  alignas(64) uint32_t vcc[kMasks ? kLanes : 1];
  LaneArgs args;  // what the row does not use stays unset
  args.in = &in;
  args.wave = &wave;
  args.mode_bits = wave.mode.bits;
  args.model = numeric_model_of(wave);
  args.saturating = in.clamp;
  args.src[0] = kSources > 0 ? plain_source(wave, in.src[0], buffer[0]) : nullptr;
  args.src[1] = kSources > 1 ? plain_source(wave, in.src[1], buffer[kSources > 1 ? 1 : 0]) : nullptr;
  args.src[2] = kSources > 2 ? plain_source(wave, in.src[2], buffer[kSources > 2 ? 2 : 0]) : nullptr;
  if constexpr (kModifiers) {
    for (unsigned i = 0; i < kSources; ++i)
      args.src[i] = with_modifiers(in, i, args.src[i], buffer[i], *args.model);
  }
  const uint64_t exec = wave.exec();
  if constexpr (kMasks) {
    if (lanes.reads_vcc) {
      expand_mask(vcc, wave.vcc());
      args.vcc = vcc;
    }
    if (in.dst.kind == OperandKind::sgpr) {  // a compare
      lanes.loop(args);
      return write_masks(wave, in, args, true, false, lanes.writes_exec, exec);
    }
  }
  uint32_t* destination = wave.vgpr_destination(in.dst.index);
  args.old = args.dst = destination;
  if (exec == kAllLanes) [[likely]] {
    lanes.loop(args);
  } else {
    alignas(64) uint32_t result[2 * kLanes];
    args.dst = result;
    lanes.loop(args);
    for (unsigned r = 0; r < in.dst.dwords; ++r)
      blend_lanes(destination + r * kLanes, result + r * kLanes, exec);
  }
  if constexpr (kMasks) {
    if (in.sdst.kind == OperandKind::sgpr) write_masks(wave, in, args, false, true, false, exec);
  }
}

// Nothing that execute_plain does not do.
bool is_plain(const Instruction& in, const Row& row) {
  if (in.form == Form::sdwa || in.form == Form::dpp) return false;
  if (in.omod || (in.clamp && is_float(row.dst[0]))) return false;
  if (row.format == Format::vop3p) {
    if (in.neg || in.neg_hi || in.abs) return false;
    for (unsigned i = 0; i < 3; ++i) {
      const bool none = row.src[i] == NONE;
      if (!none && ((in.op_sel >> i & 1) || !(in.op_sel_hi >> i & 1))) return false;
      if (is_packed_32(row.src[i]) && in.src[i].kind == OperandKind::constant) return false;
    }
    if (row.has(MIX) || is_half(row.dst[0])) return false;
  } else if (row.has(OPSEL)) {
    if (is_half(row.dst[0]) || is_half(row.src[0]) || is_half(row.src[1]) || is_half(row.src[2]))
      return false;
  }
  if (row.dst[0] == NONE || in.dst.dwords > 2) return false;
  if (in.dst.kind != OperandKind::vgpr && !(row.dst[0] == LANES && in.dst.kind == OperandKind::sgpr))
    return false;
  for (unsigned i = 0; i < 3; ++i) {
    const Operand& s = in.src[i];
    if (row.src[i] != NONE && (s.dwords > 2 || s.kind == OperandKind::none || s.kind == OperandKind::agpr))
      return false;
  }
  return row.dst[1] != LANES || in.sdst.kind == OperandKind::sgpr;
}

template <bool kMasks, bool kModifiers>
ExecFn plain_function(unsigned sources) {
  constexpr ExecFn kBySources[] = {execute_plain<0, kMasks, false>, execute_plain<1, kMasks, kModifiers>,
                                   execute_plain<2, kMasks, kModifiers>,
                                   execute_plain<3, kMasks, kModifiers>};
  return kBySources[sources];
}

}  // namespace

ExecFn valu_function(const Instruction& in) {
  if (!in.valid()) return execute_missing;
  const Row& row = row_of(in);
  const LaneRow& lanes = kLaneRows[in.row];
  if (lanes.whole != nullptr) return lanes.whole;
  if (lanes.loop == nullptr) return execute_missing;
  if (!is_plain(in, row)) return execute_general;
  unsigned sources = 0;
  while (sources < 3 && row.src[sources] != NONE) ++sources;
  const bool masks = row.dst[0] == LANES || row.dst[1] == LANES || lanes.reads_vcc;
  if (in.abs || in.neg)
    return masks ? plain_function<true, true>(sources) : plain_function<false, true>(sources);
  return masks ? plain_function<true, false>(sources) : plain_function<false, false>(sources);
}

}  // namespace wavetwin::isa
