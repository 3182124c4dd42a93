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
#include "sim/isa/scalar_operand.h"

namespace wavetwin::isa {
namespace {

// What the documents leave open; tests run waves without an environment.
const NumericModel* model_of(const WaveState& wave) {
  return wave.env != nullptr ? wave.env->numeric_model : &kDefaultNumericModel;
}

constexpr uint64_t kAllLanes = ~uint64_t{0};
constexpr unsigned kMaxDwords = 32;

std::array<LaneRow, kRowCount> collect_lane_rows() {
  std::array<LaneRow, kRowCount> all{};
  for (const LaneTable& table : {vop1_lane_rows(), vop2_lane_rows(), vopc_lane_rows(), vop3_lane_rows(),
                                 vop3p_lane_rows(), mai_lane_rows(), vop3px_lane_rows()}) {
    for (size_t i = 0; i < table.count; ++i) all[static_cast<size_t>(table.first) + i] = table.rows[i];
  }
  return all;
}
const std::array<LaneRow, kRowCount> kLaneRows = collect_lane_rows();

// --- operands

void broadcast(uint32_t* out, uint32_t value) {
  for (unsigned lane = 0; lane < kLanes; ++lane) out[lane] = value;
}

// A lane mask as one dword a lane.
void expand_mask(uint32_t* out, uint64_t mask) {
  const uint32_t low = static_cast<uint32_t>(mask), high = static_cast<uint32_t>(mask >> 32);
  for (unsigned lane = 0; lane < 32; ++lane) out[lane] = low >> lane & 1;
  for (unsigned lane = 0; lane < 32; ++lane) out[32 + lane] = high >> lane & 1;
}

bool is_packed_32(OperandType type) { return type == F32X2 || type == B32X2; }
bool is_packed_16(OperandType type) {
  return type == F16X2 || type == BF16X2 || type == U16X2 || type == I16X2 || type == B16X2;
}
bool is_half(OperandType type) {
  return type == B16 || type == U16 || type == I16 || type == F16 || type == BF16;
}

// A scalar or constant in every lane. Packed f32 pairs replicate a constant (AMD's emulator).
void broadcast_scalar(const WaveState& wave, const Operand& operand, OperandType type, unsigned dwords,
                      uint32_t* out) {
  uint64_t value = dwords >= 2 ? read_scalar64(wave, operand) : read_scalar32(wave, operand);
  if (is_packed_32(type) && operand.kind == OperandKind::constant) {
    value = static_cast<uint32_t>(value) | value << 32;
  }
  broadcast(out, static_cast<uint32_t>(value));
  if (dwords >= 2) broadcast(out + kLanes, static_cast<uint32_t>(value >> 32));
  for (unsigned r = 2; r < dwords; ++r) broadcast(out + r * kLanes, 0);
}

// Registers of a source in place, or copied into `buffer` when they are scalar or leave the allocation.
const uint32_t* raw_source(const WaveState& wave, const Operand& operand, OperandType type, unsigned dwords,
                           uint32_t* buffer) {
  const bool agpr = operand.kind == OperandKind::agpr;
  if (!agpr && operand.kind != OperandKind::vgpr) {
    broadcast_scalar(wave, operand, type, dwords, buffer);
    return buffer;
  }
  const auto at = [&](unsigned r) { return agpr ? wave.agpr_source(r) : wave.vgpr_source(r); };
  if (dwords == 1 || operand.index + dwords <= (agpr ? wave.agpr_count : wave.vgpr_count))
    return at(operand.index);
  for (unsigned r = 0; r < dwords; ++r) std::memcpy(buffer + r * kLanes, at(operand.index + r), kLanes * 4);
  return buffer;
}

// --- source modifiers, in place on a buffer

void apply_select(uint32_t* words, Select select, bool sign_extended) {
  const unsigned width = select == Select::dword ? 32 : select >= Select::word0 ? 16 : 8;
  if (width == 32) return;
  const unsigned shift = width == 8 ? 8 * static_cast<unsigned>(select) : 16 * (select == Select::word1);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint32_t field = words[lane] >> shift & low_mask<uint32_t>(width);
    words[lane] = sign_extended ? static_cast<uint32_t>(sign_extend(field, width)) : field;
  }
}

// Sign bits of an element type, by register.
uint32_t sign_bits(OperandType type, unsigned dword) {
  if (is_half(type)) return 0x8000;
  if (is_packed_16(type)) return 0x80008000;
  if (type == F64 || type == B64) return dword == 1 ? 0x80000000 : 0;
  return 0x80000000;
}

// `out` may be `words`.
void copy_abs_neg(uint32_t* out, const uint32_t* words, OperandType type, unsigned dwords, bool abs,
                  bool neg) {
  for (unsigned r = 0; r < dwords; ++r) {
    const uint32_t sign = sign_bits(type, r);
    const uint32_t keep = abs ? ~sign : ~0u, flip = neg ? sign : 0u;
#pragma GCC ivdep
    for (unsigned lane = r * kLanes; lane < (r + 1) * kLanes; ++lane) out[lane] = (words[lane] & keep) ^ flip;
  }
}

// VOP3P: which half (or dword of a pair) feeds the low and the high result, and their signs.
void apply_packed(uint32_t* words, const Instruction& in, unsigned i, OperandType type) {
  const bool low_from_high = in.op_sel >> i & 1, high_from_high = in.op_sel_hi >> i & 1;
  const bool neg_low = is_float(type) && (in.neg >> i & 1), neg_high = is_float(type) && (in.neg_hi >> i & 1);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (is_packed_32(type)) {
      const uint32_t low = words[lane + low_from_high * kLanes], high = words[lane + high_from_high * kLanes];
      words[lane] = low ^ (neg_low ? 0x80000000u : 0u);
      words[kLanes + lane] = high ^ (neg_high ? 0x80000000u : 0u);
    } else if (is_packed_16(type)) {
      const uint32_t low = words[lane] >> (16 * low_from_high) & 0xffff,
                     high = words[lane] >> (16 * high_from_high) & 0xffff;
      words[lane] = (low | high << 16) ^ (neg_low ? 0x8000u : 0u) ^ (neg_high ? 0x80000000u : 0u);
    } else if (neg_low) {
      words[lane] ^= 0x80000000u;
    }
  }
}

// v_mad_mix: op_sel_hi chooses f16, op_sel its half; the field of neg_hi is abs. source: guide,
// V_MAD_MIX_F32.
void apply_mix(uint32_t* words, const Instruction& in, unsigned i, const Mode& mode) {
  const bool half = in.op_sel_hi >> i & 1;
  const unsigned shift = in.op_sel >> i & 1 ? 16 : 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    uint32_t x = words[lane];
    if (half) x = f16_to_f32(static_cast<uint16_t>(x >> shift), mode);
    if (in.abs >> i & 1) x &= 0x7fffffff;
    if (in.neg >> i & 1) x ^= 0x80000000;
    words[lane] = x;
  }
}

// The half of a 16-bit source that op_sel names, for rows with op_sel.
bool takes_high_half(const Instruction& in, const Row& row, unsigned i) {
  return row.has(OPSEL) && is_half(row.src[i]) && (in.op_sel >> i & 1);
}

struct Scratch {
  alignas(64) uint32_t source[3][kMaxDwords * kLanes];
  alignas(64) uint32_t result[kMaxDwords * kLanes];
  alignas(64) uint32_t vcc[kLanes];
};
thread_local Scratch scratch;

const uint32_t* fetch(const WaveState& wave, const Instruction& in, const Row& row, unsigned i,
                      const DppLanes* dpp) {
  const OperandType type = row.src[i];
  uint32_t* buffer = scratch.source[i];
  if (type == NONE) return buffer;
  if (type == LANES) {
    const bool implicit = in.src[i].kind == OperandKind::none;
    expand_mask(buffer, implicit ? wave.vcc() : read_scalar64(wave, in.src[i]));
    return buffer;
  }
  const unsigned dwords = operand_dwords(type);
  const uint32_t* base = raw_source(wave, in.src[i], type, dwords, buffer);
  const bool packed = row.format == Format::vop3p;
  const bool permuted = dpp != nullptr && i == 0;
  const bool selected = in.form == Form::sdwa && i < 2 && in.src_sel[i] != Select::dword;
  const bool abs = !packed && row.has(MOD0 << i) && (in.abs >> i & 1);
  const bool neg = !packed && row.has(MOD0 << i) && (in.neg >> i & 1);
  const bool high = takes_high_half(in, row, i);
  if (!packed && !permuted && !selected && !abs && !neg && !high) return base;

  if (permuted) {
    alignas(64) uint32_t moved[2 * kLanes];
    for (unsigned r = 0; r < dwords; ++r) gather_lanes(*dpp, base + r * kLanes, moved + r * kLanes);
    std::memcpy(buffer, moved, dwords * kLanes * 4);
  } else if (base != buffer) {
    std::memcpy(buffer, base, dwords * kLanes * 4);
  }
  if (selected) apply_select(buffer, in.src_sel[i], in.src_sext >> i & 1);
  if (high) {
    for (unsigned lane = 0; lane < kLanes; ++lane) buffer[lane] >>= 16;
  }
  if (abs || neg) copy_abs_neg(buffer, buffer, type, dwords, abs, neg);
  if (packed && row.has(MIX)) {
    apply_mix(buffer, in, i, Mode::from_register(wave.mode.bits));
  } else if (packed) {
    apply_packed(buffer, in, i, type);
  }
  return buffer;
}

// --- results

uint32_t modify_f16(uint32_t x, const Instruction& in, const Mode& mode) {
  uint16_t r = soft::apply_omod<F16Layout>(static_cast<uint16_t>(x), in.omod, mode.f16());
  if (in.clamp) r = soft::clamp_result<F16Layout>(r, mode.dx10_clamp);
  return r;
}
uint32_t modify_f32(uint32_t x, const Instruction& in, const Mode& mode) {
  const uint32_t r = soft::apply_omod<F32Layout>(x, in.omod, mode.f32());
  return in.clamp ? soft::clamp_result<F32Layout>(r, mode.dx10_clamp) : r;
}
uint64_t modify_f64(uint64_t x, const Instruction& in, const Mode& mode) {
  const uint64_t r = soft::apply_omod<F64Layout>(x, in.omod, mode.f64());
  return in.clamp ? soft::clamp_result<F64Layout>(r, mode.dx10_clamp) : r;
}

// omod and clamp of floating-point results.
void apply_output_modifiers(uint32_t* words, OperandType type, const Instruction& in, const Mode& mode) {
  if ((in.omod == 0 && !in.clamp) || !is_float(type)) return;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    uint32_t& low = words[lane];
    uint32_t& high = words[kLanes + lane];
    if (type == F16) {
      low = modify_f16(low, in, mode);
    } else if (type == F16X2) {
      low = modify_f16(low & 0xffff, in, mode) | modify_f16(low >> 16, in, mode) << 16;
    } else if (type == F32 || type == F32X2) {
      low = modify_f32(low, in, mode);
      if (type == F32X2) high = modify_f32(high, in, mode);
    } else if (type == F64) {
      const uint64_t r = modify_f64(low | uint64_t{high} << 32, in, mode);
      low = static_cast<uint32_t>(r);
      high = static_cast<uint32_t>(r >> 32);
    }
  }
}

// SDWA: the result's low bits go to one byte or half; the rest is zero, a sign fill, or kept.
uint32_t place_selected(uint32_t result, uint32_t old, Select select, DstUnused unused) {
  if (select == Select::dword) return result;
  const unsigned width = select >= Select::word0 ? 16 : 8;
  const unsigned shift = width == 8 ? 8 * static_cast<unsigned>(select) : 16 * (select == Select::word1);
  const uint32_t field = result & low_mask<uint32_t>(width);
  if (unused == DstUnused::preserve) return insert_bits<uint32_t>(old, shift, width, field);
  const uint32_t extended =
      unused == DstUnused::sext ? static_cast<uint32_t>(sign_extend(field, width)) : field;
  return extended << shift;
}

// Where a 16-bit result goes. On GFX9 the old encodings zero the other half; instructions that exist only
// with op_sel keep it, and so does the packed format. source: guide, the *_LEGACY_* pairs; LLVM relies on it.
enum class HalfRule : uint8_t { whole, low, high };
HalfRule half_rule(const Instruction& in, const Row& row) {
  if (!is_half(row.dst[0])) return HalfRule::whole;
  if (in.row == static_cast<uint16_t>(RowId::V_MAD_MIXHI_F16)) return HalfRule::high;
  if (row.format == Format::vop3p) return HalfRule::low;
  if (!row.has(OPSEL)) return HalfRule::whole;
  return in.op_sel & 8 ? HalfRule::high : HalfRule::low;
}

void blend(uint32_t* destination, const uint32_t* result, uint64_t mask) {
  alignas(64) uint32_t enabled[kLanes];
  expand_mask(enabled, mask);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    destination[lane] = enabled[lane] ? result[lane] : destination[lane];
}

void merge_register(uint32_t* destination, const uint32_t* result, uint64_t mask, const Instruction& in,
                    HalfRule half) {
  if (in.form != Form::sdwa && half == HalfRule::whole) return blend(destination, result, mask);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    uint32_t value = result[lane];
    const uint32_t old = destination[lane];
    if (in.form == Form::sdwa) value = place_selected(value, old, in.dst_sel, in.dst_unused);
    if (half == HalfRule::low) value = (old & 0xffff0000u) | (value & 0xffffu);
    if (half == HalfRule::high) value = (old & 0xffffu) | value << 16;
    destination[lane] = mask >> lane & 1 ? value : old;
  }
}

void write_mask(WaveState& wave, const Operand& operand, uint64_t mask) {
  if (operand.kind == OperandKind::none) {
    wave.set_vcc(mask);
  } else {
    write_scalar64(wave, operand, mask);
  }
}

// Lane masks: bits of lanes that did not take part are 0.
void write_masks(WaveState& wave, const Instruction& in, const LaneArgs& args, bool first, bool second,
                 bool exec, uint64_t active) {
  if (first) write_mask(wave, in.dst, args.d_mask & active);
  if (second) write_mask(wave, in.sdst, args.d1_mask & active);
  if (exec) wave.set_exec(args.exec_mask & active);
}

// --- the two ways to execute

void execute_general(WaveState& wave, const Instruction& in) {
  const Row& row = row_of(in);
  const LaneRow& lanes = kLaneRows[in.row];
  const bool has_dpp = in.form == Form::dpp;
  DppLanes dpp{};
  uint64_t active = wave.exec();
  if (has_dpp) {
    dpp = dpp_lanes(in.dpp_ctrl, active, in.bound_ctrl);
    active &= dpp.written & dpp_destinations(in.row_mask, in.bank_mask);
  }

  LaneArgs args{};
  args.in = &in;
  args.wave = &wave;
  args.mode_bits = wave.mode.bits;
  args.model = model_of(wave);
  args.saturating = in.clamp && !is_float(row.dst[0]);
  for (unsigned i = 0; i < 3; ++i) args.src[i] = fetch(wave, in, row, i, has_dpp ? &dpp : nullptr);
  if (lanes.reads_vcc) {
    expand_mask(scratch.vcc, wave.vcc());
    args.vcc = scratch.vcc;
  }
  args.dst = scratch.result;
  const bool mask_result = row.dst[0] == LANES;
  const unsigned dwords = mask_result ? 0 : operand_dwords(row.dst[0]);
  const bool agpr = in.dst.kind == OperandKind::agpr;
  const auto destination = [&](unsigned r) {
    return agpr ? wave.agpr_destination(in.dst.index + r) : wave.vgpr_destination(in.dst.index + r);
  };
  // Rows that read their destination, or build it piece by piece, find the old value in the result.
  for (unsigned r = 0; r < dwords; ++r) std::memcpy(scratch.result + r * kLanes, destination(r), kLanes * 4);
  const HalfRule half = half_rule(in, row);
  if (half == HalfRule::high) {
    for (unsigned lane = 0; lane < kLanes; ++lane) scratch.result[lane] >>= 16;
  }
  args.old = scratch.result;

  lanes.loop(args);
  apply_output_modifiers(scratch.result, row.dst[0], in, Mode::from_register(args.mode_bits));
  for (unsigned r = 0; r < dwords; ++r)
    merge_register(destination(r), scratch.result + r * kLanes, active, in, half);
  write_masks(wave, in, args, mask_result, row.dst[1] == LANES, lanes.writes_exec, active);
}

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
const uint32_t* with_modifiers(const Instruction& in, unsigned i, const uint32_t* source, uint32_t* buffer) {
  const bool abs = in.abs >> i & 1, neg = in.neg >> i & 1;
  if (!abs && !neg) return source;
  copy_abs_neg(buffer, source, in.src[i].type, in.src[i].dwords, abs, neg);
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
  args.model = model_of(wave);
  args.saturating = in.clamp;
  args.src[0] = kSources > 0 ? plain_source(wave, in.src[0], buffer[0]) : nullptr;
  args.src[1] = kSources > 1 ? plain_source(wave, in.src[1], buffer[kSources > 1 ? 1 : 0]) : nullptr;
  args.src[2] = kSources > 2 ? plain_source(wave, in.src[2], buffer[kSources > 2 ? 2 : 0]) : nullptr;
  if constexpr (kModifiers) {
    for (unsigned i = 0; i < kSources; ++i) args.src[i] = with_modifiers(in, i, args.src[i], buffer[i]);
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
    for (unsigned r = 0; r < in.dst.dwords; ++r) blend(destination + r * kLanes, result + r * kLanes, exec);
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
