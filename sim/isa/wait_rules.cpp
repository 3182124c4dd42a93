// SPDX-License-Identifier: MIT
#include "sim/isa/wait_rules.h"

#include <algorithm>

#include "sim/isa/operand_overlap.h"
#include "sim/isa/rows.h"
#include "sim/isa/wave_state.h"

namespace wavetwin::isa {
namespace {

bool is_vector_register(const Operand& o) {
  return o.kind == OperandKind::vgpr || o.kind == OperandKind::agpr;
}

bool is_vector(const Instruction& in) { return is_vector_alu(in) || is_matrix_format(in); }
bool is_vector_not_matrix(const Instruction& in) { return is_vector(in) && !is_matrix(in); }
bool is_memory(const Instruction& in) { return is_vector_memory(in) || in.format == Format::ds; }
bool is_scalar(const Instruction& in) {
  return in.format == Format::sop1 || in.format == Format::sop2 || in.format == Format::sopk ||
         in.format == Format::sopc || in.format == Format::sopp;
}

bool is_transcendental(const Instruction& in) {
  switch (id_of(in)) {
    case RowId::V_EXP_F32:
    case RowId::V_LOG_F32:
    case RowId::V_RCP_F32:
    case RowId::V_RCP_IFLAG_F32:
    case RowId::V_RSQ_F32:
    case RowId::V_SQRT_F32:
    case RowId::V_SIN_F32:
    case RowId::V_COS_F32:
    case RowId::V_RCP_F64:
    case RowId::V_RSQ_F64:
    case RowId::V_SQRT_F64:
    case RowId::V_RCP_F16:
    case RowId::V_SQRT_F16:
    case RowId::V_RSQ_F16:
    case RowId::V_LOG_F16:
    case RowId::V_EXP_F16:
    case RowId::V_SIN_F16:
    case RowId::V_COS_F16:
    case RowId::V_EXP_LEGACY_F32:
    case RowId::V_LOG_LEGACY_F32:
      return true;
    default:
      return false;
  }
}

bool is_dot(const Instruction& in) { return row_of(in).name.starts_with("V_DOT"); }
bool is_cmpx(const Instruction& in) { return row_of(in).name.starts_with("V_CMPX"); }
bool is_compare(const Instruction& in) { return row_of(in).name.starts_with("V_CMP"); }
bool is_lane_swap(const Instruction& in) {
  return id_of(in) == RowId::V_PERMLANE16_SWAP_B32 || id_of(in) == RowId::V_PERMLANE32_SWAP_B32;
}
bool reads_one_lane(const Instruction& in) {
  return id_of(in) == RowId::V_READLANE_B32 || id_of(in) == RowId::V_READFIRSTLANE_B32;
}
bool selects_lane(const Instruction& in) {
  return id_of(in) == RowId::V_READLANE_B32 || id_of(in) == RowId::V_WRITELANE_B32;
}
bool is_f64_fma(const Instruction& in) {
  return id_of(in) == RowId::V_FMA_F64 || id_of(in) == RowId::V_FMAC_F64;
}

// ---- matrix instructions

// The datapath: f64, f32, or the one of the narrow formats.
enum class Matrix : uint8_t { f64, f32, narrow };
Matrix datapath(const Instruction& in) {
  const std::string_view name = row_of(in).name;
  if (name.starts_with("V_MFMA_F64")) return Matrix::f64;
  return name.ends_with("_F32") ? Matrix::f32 : Matrix::narrow;
}
bool is_small(const Instruction& in) { return row_of(in).name.find("_4X4X") != std::string_view::npos; }

// The result of `first` is complete for everybody (guide 7.6; LLVM 22).
unsigned states_until_result(const Instruction& first, bool second_is_memory) {
  const unsigned passes = matrix_passes(first);
  switch (datapath(first)) {
    case Matrix::f64:
      if (is_small(first)) return second_is_memory ? 9 : 6;
      return second_is_memory ? 18 : 19;
    case Matrix::f32:
      return passes + 2;
    default:
      return passes + 3 + (passes != 2);
  }
}

unsigned states_until_overwrite(const Instruction& first) {
  if (datapath(first) == Matrix::f64) return is_small(first) ? 6 : 11;
  return states_until_result(first, false);
}

// A following matrix instruction reads D as its C.
unsigned states_until_accumulate(const Instruction& first, const Instruction& second, const Operand& c) {
  const unsigned passes = matrix_passes(first);
  const Matrix from = datapath(first), to = datapath(second);
  if (c.index == first.dst.index && c.dwords == first.dst.dwords) {
    if (from == Matrix::f64) return is_small(first) && to == Matrix::f64 ? 4 : 0;
    return passes == 2 ? 2 : 0;
  }
  if (from == Matrix::f64) return to == Matrix::narrow ? 0 : is_small(first) ? 4 : 17;
  if (from == Matrix::f32) return to == Matrix::narrow ? 0 : passes;
  return passes + 1 + (to == Matrix::narrow || passes != 2);
}

// C of `first` is overwritten by something else than a matrix instruction.
unsigned states_until_c_overwrite(const Instruction& first) {
  if (datapath(first) != Matrix::narrow) return 0;
  return matrix_passes(first) - 1;
}

// ---- operands

bool reads(const Instruction& in, const Operand& what) {
  for (const Operand& source : in.src) {
    if (overlaps(source, what)) return true;
  }
  return row_of(in).has(TIED) && overlaps(in.dst, what);
}
bool writes(const Instruction& in, const Operand& what) {
  // A lane swap writes both of its registers.
  return overlaps(in.dst, what) || (is_lane_swap(in) && overlaps(in.src[0], what));
}

// The C of a matrix instruction; SMFMAC has it in D.
const Operand& accumulator(const Instruction& in) { return row_of(in).has(TIED) ? in.dst : in.src[2]; }

// Whether a result fills only a part of its register although the instruction could fill all of it: the
// register is then forwarded too early.
bool writes_part(const Instruction& in) {
  if (in.form == Form::sdwa) return in.dst_sel != Select::dword;
  if (in.form != Form::e64 && in.format != Format::vop3) return false;
  const std::string_view name = row_of(in).name;
  if (name.starts_with("V_CVT_SCALEF32_SR_PK_FP4") || name.starts_with("V_CVT_SCALEF32_PK_FP4") ||
      name.starts_with("V_CVT_SR_") || name.starts_with("V_CVT_SCALEF32_SR_"))
    return (in.op_sel & 12) != 0 || name.starts_with("V_CVT_SCALEF32_SR_PK_FP4");
  return (in.op_sel & 8) != 0;
}

// Data of a store that the memory unit still reads after it was issued: more than two registers, unless a
// buffer instruction has its offset in an SGPR.
const Operand* late_store_data(const Instruction& in) {
  if (!is_vector_memory(in) || in.src[1].dwords <= 2 || !is_vector_register(in.src[1])) return nullptr;
  if (in.format != Format::flat && in.src[3].kind == OperandKind::sgpr) return nullptr;
  return &in.src[1];
}

// M0 or SGPRs that a vector instruction writes, VCC among them.
bool writes_scalars(const Instruction& in) {
  return is_vector(in) && (in.dst.kind == OperandKind::sgpr || in.sdst.kind == OperandKind::sgpr);
}
bool takes_carry(const Instruction& in) {
  return row_of(in).name.starts_with("V_ADDC_") || row_of(in).name.starts_with("V_SUBB");
}
// As constants, which carries are not.
bool reads_scalars_of(const Instruction& in, const Instruction& writer) {
  return std::any_of(in.src.begin(), in.src.end(), [&](const Operand& source) {
    return source.kind == OperandKind::sgpr && !(takes_carry(in) && &source == &in.src[2]) &&
           (overlaps(source, writer.dst) || overlaps(source, writer.sdst));
  });
}
// Whether an operand covers one of `count` scalar registers from `code` on.
bool covers(const Operand& o, unsigned code, unsigned count) {
  return o.kind == OperandKind::sgpr && o.index < code + count && o.index + o.dwords > code;
}
bool has_exec_as_result(const Instruction& in) {
  return is_cmpx(in) || covers(in.dst, kExecLo, 2) || covers(in.sdst, kExecLo, 2);
}
bool writes_vcc(const Instruction& in) { return covers(in.dst, kVccLo, 2) || covers(in.sdst, kVccLo, 2); }
bool reads_special(const Instruction& in, unsigned code) {
  return std::any_of(in.src.begin(), in.src.end(), [&](const Operand& source) {
    return source.kind == OperandKind::special && source.index == code;
  });
}

bool writes_m0(const Instruction& in) {
  switch (id_of(in)) {
    case RowId::S_SET_GPR_IDX_ON:
    case RowId::S_SET_GPR_IDX_IDX:
    case RowId::S_SET_GPR_IDX_MODE:
      return true;
    default:
      return is_scalar(in) && covers(in.dst, kM0, 1);
  }
}
bool takes_m0_unasked(const Instruction& in) {
  switch (id_of(in)) {
    case RowId::S_MOVRELS_B32:
    case RowId::S_MOVRELS_B64:
    case RowId::S_MOVRELD_B32:
    case RowId::S_MOVRELD_B64:
    case RowId::S_SENDMSG:
    case RowId::S_SENDMSGHALT:
    case RowId::S_TTRACEDATA:
    case RowId::DS_READ_ADDTID_B32:
    case RowId::DS_WRITE_ADDTID_B32:
      return true;
    default:
      return in.gds || in.lds;
  }
}

bool is_setreg(const Instruction& in) {
  return id_of(in) == RowId::S_SETREG_B32 || id_of(in) == RowId::S_SETREG_IMM32_B32;
}
constexpr unsigned kModeRegister = 1;
unsigned hardware_register(const Instruction& in) { return in.simm16 & 63; }
bool switches_vskip(const Instruction& in) {
  if (id_of(in) == RowId::S_SETVSKIP) return true;
  constexpr unsigned kVskipBit = 28;
  const unsigned offset = in.simm16 >> 6 & 31, size = (in.simm16 >> 11 & 31) + 1;
  return is_setreg(in) && hardware_register(in) == kModeRegister && offset <= kVskipBit &&
         offset + size > kVskipBit;
}

// ---- rules, by what the first is

class Needs {
 public:
  void add(WaitRule rule, unsigned states) {
    if (states > most_.states) most_ = {rule, static_cast<uint8_t>(states)};
  }
  WaitNeed most() const { return most_; }

 private:
  WaitNeed most_;
};

void after_matrix(Needs& needs, const Instruction& first, const Instruction& second) {
  if (is_matrix(second)) {
    const Operand& c = accumulator(second);
    for (const Operand& source : second.src) {
      if (&source != &c && overlaps(source, first.dst))
        needs.add(WaitRule::matrix_read, states_until_result(first, false));
    }
    if (overlaps(c, first.dst))
      needs.add(WaitRule::matrix_accumulate, states_until_accumulate(first, second, c));
    return;
  }
  if (datapath(first) == Matrix::f64 && is_f64_fma(second)) needs.add(WaitRule::matrix_then_f64, 2);
  if (!is_vector(second) && !is_memory(second)) return;
  if (reads(second, first.dst))
    needs.add(WaitRule::matrix_read, states_until_result(first, is_memory(second)));
  if (writes(second, first.dst)) needs.add(WaitRule::matrix_overwrite, states_until_overwrite(first));
  if (writes(second, accumulator(first)))
    needs.add(WaitRule::matrix_c_overwrite, states_until_c_overwrite(first));
}

void after_dot(Needs& needs, const Instruction& first, const Instruction& second) {
  if (is_matrix(second) || (!is_vector(second) && !is_memory(second))) return;
  constexpr unsigned kStates = 3;
  if (first.row != second.row) {
    if (reads(second, first.dst) || writes(second, first.dst)) needs.add(WaitRule::dot_result, kStates);
  } else if (overlaps(second.src[0], first.dst) || overlaps(second.src[1], first.dst)) {
    needs.add(WaitRule::dot_result, kStates);
  }
}

// Vector registers that a vector instruction other than a matrix one writes.
void after_vector(Needs& needs, const Instruction& first, const Instruction& second) {
  if (!is_vector(second)) return;
  const bool read = reads(second, first.dst);
  if (read && is_matrix(second) && !is_dot(first)) needs.add(WaitRule::vector_to_matrix, 2);
  if (read && (second.form == Form::dpp || is_lane_swap(second))) needs.add(WaitRule::vector_to_lane_move, 2);
  if (read && reads_one_lane(second)) needs.add(WaitRule::vector_to_lane_move, 1);
  if (read && is_transcendental(first) && !is_transcendental(second)) needs.add(WaitRule::transcendental, 1);
  if ((read || writes(second, first.dst)) && writes_part(first)) needs.add(WaitRule::partial_result, 1);
}

void after_vector_scalars(Needs& needs, const Instruction& first, const Instruction& second) {
  if (is_vector_memory(second) && reads_scalars_of(second, first)) needs.add(WaitRule::memory_scalar, 5);
  if (!is_vector(second)) return;
  const bool div_fmas = id_of(second) == RowId::V_DIV_FMAS_F32 || id_of(second) == RowId::V_DIV_FMAS_F64;
  if (div_fmas && writes_vcc(first)) needs.add(WaitRule::div_scale_flag, 4);
  constexpr unsigned kVccz = 251;
  if (writes_vcc(first) && reads_special(second, kVccz)) needs.add(WaitRule::condition_zero, 5);
  if (!reads_scalars_of(second, first)) return;
  needs.add(WaitRule::vector_scalar_result, 2);
  const Operand& lane = second.src[1];
  if (selects_lane(second) && (overlaps(lane, first.dst) || overlaps(lane, first.sdst)))
    needs.add(WaitRule::lane_select, 4);
}

void after_exec(Needs& needs, const Instruction& first, const Instruction& second) {
  constexpr unsigned kExecz = 252;
  if (second.form == Form::dpp) needs.add(WaitRule::exec_to_lanes, 5);
  if (is_matrix(second) || reads_one_lane(second) || selects_lane(second))
    needs.add(WaitRule::exec_to_lanes, 4);
  if (is_compare(first) && is_lane_swap(second)) needs.add(WaitRule::exec_to_lanes, 4);
  const auto is_exec = [](const Operand& source) { return covers(source, kExecLo, 2); };
  if (is_cmpx(first) && is_vector(second) && std::any_of(second.src.begin(), second.src.end(), is_exec))
    needs.add(WaitRule::vector_scalar_result, 2);
  if (is_vector(second) && reads_special(second, kExecz)) needs.add(WaitRule::condition_zero, 5);
}

void after_scalar(Needs& needs, const Instruction& first, const Instruction& second) {
  if (writes_m0(first) && takes_m0_unasked(second)) needs.add(WaitRule::m0, 1);
  if (is_setreg(first) && (is_setreg(second) || id_of(second) == RowId::S_GETREG_B32) &&
      hardware_register(first) == hardware_register(second))
    needs.add(WaitRule::hardware_register, 2);
  if (id_of(first) == RowId::S_SETVSKIP && id_of(second) == RowId::S_GETREG_B32 &&
      hardware_register(second) == kModeRegister)
    needs.add(WaitRule::hardware_register, 2);
  if (switches_vskip(first) && (is_vector(second) || is_memory(second))) needs.add(WaitRule::vector_skip, 2);
}

}  // namespace

const char* wait_rule_name(WaitRule rule) {
  switch (rule) {
    case WaitRule::none:
      return "nothing";
    case WaitRule::matrix_read:
      return "reads the result of";
    case WaitRule::matrix_accumulate:
      return "adds to the result of";
    case WaitRule::matrix_overwrite:
      return "overwrites the result of";
    case WaitRule::matrix_c_overwrite:
      return "overwrites C of";
    case WaitRule::matrix_then_f64:
      return "is f64 arithmetic after";
    case WaitRule::vector_to_matrix:
      return "takes as a matrix operand the result of";
    case WaitRule::dot_result:
      return "uses the register of the dot product of";
    case WaitRule::transcendental:
      return "reads the transcendental result of";
    case WaitRule::partial_result:
      return "uses the register partly written by";
    case WaitRule::vector_to_lane_move:
      return "reads across lanes the result of";
    case WaitRule::exec_to_lanes:
      return "depends on EXEC as written by";
    case WaitRule::vector_scalar_result:
      return "reads the scalar result of";
    case WaitRule::lane_select:
      return "takes its lane from the result of";
    case WaitRule::div_scale_flag:
      return "takes its flag from the result of";
    case WaitRule::condition_zero:
      return "reads VCCZ or EXECZ after";
    case WaitRule::memory_scalar:
      return "addresses memory with the scalar result of";
    case WaitRule::store_data:
      return "overwrites the data of";
    case WaitRule::m0:
      return "takes M0 from";
    case WaitRule::hardware_register:
      return "accesses the hardware register of";
    case WaitRule::vector_skip:
      return "is a vector instruction after";
  }
  return "nothing";
}

bool does_nothing_without_lanes(const Instruction& in) {
  if (!in.valid()) return false;
  // v_writelane and the matrix instructions do not look at EXEC.
  if (is_vector_alu(in))
    return in.dst.kind == OperandKind::vgpr && !writes_scalars(in) && id_of(in) != RowId::V_WRITELANE_B32;
  return is_vector_memory(in);
}

bool writes_exec(const Instruction& in) {
  if (!in.valid()) return false;
  const std::string_view name = row_of(in).name;
  return has_exec_as_result(in) || name.ends_with("EXEC_B64") || name.starts_with("S_CBRANCH_G_FORK") ||
         name.starts_with("S_CBRANCH_JOIN");
}

bool is_matrix(const Instruction& in) {
  if (!is_matrix_format(in) || !in.valid() || !in.dst) return false;
  const std::string_view name = row_of(in).name;
  return name.starts_with("V_MFMA") || name.starts_with("V_SMFMAC");
}

// Guide 7.6, tables of passes; of LLVM 22's scheduling model for gfx950 where they are short.
unsigned matrix_passes(const Instruction& in) {
  if (is_small(in)) return datapath(in) == Matrix::f64 ? 4 : 2;
  const unsigned registers = in.dst.dwords;  // of D: 4 for 16x16, 16 for 32x32 or four blocks of 16x16, 32
  switch (datapath(in)) {
    case Matrix::f64:
      return 16;
    case Matrix::f32:
      return row_of(in).name.find("_32X32X") != std::string_view::npos ? 16 : 8;
    default:
      break;
  }
  const unsigned passes = registers == 4 ? 4 : registers / 2;
  if (!row_of(in).has(F8F6F4)) return passes;
  constexpr unsigned kFirst6Bit = 2;  // CBSZ and BLGP 0 and 1 are the 8-bit formats
  return in.cbsz < kFirst6Bit || in.blgp < kFirst6Bit ? 2 * passes : passes;
}

WaitNeed wait_need(const Instruction& first, const Instruction& second) {
  Needs needs;
  if (!first.valid() || !second.valid()) return needs.most();
  if (is_matrix(first)) after_matrix(needs, first, second);
  if (is_vector_not_matrix(first)) {
    if (is_vector_register(first.dst)) {
      if (is_dot(first)) after_dot(needs, first, second);
      after_vector(needs, first, second);
    }
    if (writes_scalars(first)) after_vector_scalars(needs, first, second);
    if (has_exec_as_result(first)) after_exec(needs, first, second);
  }
  if (const Operand* data = late_store_data(first)) {
    if (is_vector(second) && writes(second, *data)) needs.add(WaitRule::store_data, 2);
  }
  if (is_scalar(first)) after_scalar(needs, first, second);
  return needs.most();
}

unsigned most_wait_states_after(const Instruction& first) {
  if (!first.valid()) return 0;
  if (is_matrix(first)) return std::max(states_until_result(first, true), states_until_result(first, false));
  if (is_vector(first)) return 5;
  if (late_store_data(first) != nullptr) return 2;
  if (is_scalar(first) && (is_setreg(first) || switches_vskip(first))) return 2;
  return is_scalar(first) && writes_m0(first) ? 1 : 0;
}

unsigned wait_states_of(const Instruction& in) {
  return in.valid() && id_of(in) == RowId::S_NOP ? 1u + (in.simm16 & 15) : 1u;
}

}  // namespace wavetwin::isa
