// SPDX-License-Identifier: MIT
// VOP1, VOP2, VOPC, VOP3 in every form, VOP3P and the matrix instructions.
#include <fmt/format.h>

#include <array>

#include "sim/isa/decode_fields.h"
#include "sim/isa/disassemble_fields.h"

namespace wavetwin::isa {
namespace {

bool has_no_suffix(const Row& row) {
  return row.name == "V_NOP" || row.name == "V_CLREXCP" || !row.has(ALLFORMS);
}

std::string vector_mnemonic(const Instruction& in, const Row& row) {
  std::string name = lower_case(row.name);
  if (row.format == Format::vop3 || has_no_suffix(row)) return name;
  constexpr std::array<std::string_view, 4> kSuffix = {"_e32", "_e64", "_sdwa", "_dpp"};
  return name + std::string(kSuffix[static_cast<size_t>(in.form)]);
}

// -v1, |v1|, -|v1|, neg(1.0), sext(v1).
std::string source_text(const Instruction& in, unsigned i) {
  const bool neg = in.neg >> i & 1, abs = in.abs >> i & 1, sext = in.src_sext >> i & 1;
  Operand operand = in.src[i];
  if (operand.type == I16 && in.src[0].type == F16) operand.type = F16;  // v_ldexp_f16 shows 1.0, not 0x3c00
  std::string text = operand_text(operand, in.dwords[1]);
  if (sext) return "sext(" + text + ")";
  if (abs) return (neg ? "-|" : "|") + text + "|";
  if (!neg) return text;
  return in.src[i].kind == OperandKind::constant ? "neg(" + text + ")" : "-" + text;
}

std::string_view omod_text(unsigned omod) {
  constexpr std::array<std::string_view, 4> kText = {"", "mul:2", "mul:4", "div:2"};
  return kText[omod];
}

void add_output_modifiers(Line& line, const Instruction& in) {
  line.flag(in.clamp, "clamp");
  line.flag(in.omod != 0, omod_text(in.omod));
}

std::string truth_table_text(unsigned table) {
  return table <= 10 ? std::to_string(table) : fmt::format("{:#x}", table);
}

void add_vop3_modifiers(Line& line, const Instruction& in, const Row& row) {
  line.flag(row.has(BITOP3) && in.simm16 != 0, "bitop3:" + truth_table_text(in.simm16));
  if (in.op_sel != 0) {
    // Sources, then the destination half; two-source rows have no bit 2 unless the field is free.
    const bool three = row.src[2] != NONE || row.has(FREE2);
    const unsigned bits = three ? in.op_sel : (in.op_sel & 3u) | (in.op_sel >> 3 & 1u) << 2;
    line.modifier("op_sel:" + bit_list(bits, three ? 4 : 3));
  }
  add_output_modifiers(line, in);
  line.flag(in.bound_ctrl, "bound_ctrl:1");
  line.flag(in.fetch_inactive, "fi:1");
}

std::string_view select_text(Select select) {
  constexpr std::array<std::string_view, 7> kText = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3",
                                                     "WORD_0", "WORD_1", "DWORD"};
  return kText[static_cast<size_t>(select)];
}

void add_sdwa_modifiers(Line& line, const Instruction& in, const Row& row) {
  if (!in.src[0]) return;
  add_output_modifiers(line, in);
  constexpr std::array<std::string_view, 3> kUnused = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"};
  if (row.format != Format::vopc && !row.has(NO_DST_SEL)) {
    line.modifier(fmt::format("dst_sel:{} dst_unused:{}", select_text(in.dst_sel),
                              kUnused[static_cast<size_t>(in.dst_unused)]));
  }
  line.modifier(fmt::format("src0_sel:{}", select_text(in.src_sel[0])));
  if (row.src[1] != NONE) line.modifier(fmt::format("src1_sel:{}", select_text(in.src_sel[1])));
}

std::string dpp_control_text(unsigned c) {
  if (c <= 0xff) return fmt::format("quad_perm:[{},{},{},{}]", c & 3, c >> 2 & 3, c >> 4 & 3, c >> 6);
  switch (c & 0x1f0) {
    case 0x100:
      return fmt::format("row_shl:{}", c & 15);
    case 0x110:
      return fmt::format("row_shr:{}", c & 15);
    case 0x120:
      return fmt::format("row_ror:{}", c & 15);
    case 0x150:
      return fmt::format("row_newbcast:{}", c & 15);
    default:
      break;
  }
  switch (c) {
    case 0x130:
      return "wave_shl:1";
    case 0x134:
      return "wave_rol:1";
    case 0x138:
      return "wave_shr:1";
    case 0x13c:
      return "wave_ror:1";
    case 0x140:
      return "row_mirror";
    case 0x141:
      return "row_half_mirror";
    case 0x142:
      return "row_bcast:15";
    default:
      return "row_bcast:31";
  }
}

void add_dpp_modifiers(Line& line, const Instruction& in) {
  line.modifier(dpp_control_text(in.dpp_ctrl));
  line.modifier(fmt::format("row_mask:{:#x} bank_mask:{:#x}", in.row_mask, in.bank_mask));
  line.flag(in.bound_ctrl, "bound_ctrl:1");
}

unsigned source_count(const Row& row) {
  unsigned count = 0;
  while (count < row.src.size() && row.src[count] != NONE) ++count;
  return count;
}

}  // namespace

std::string disassemble_vector(const Instruction& in, const Row& row) {
  Line line(vector_mnemonic(in, row));
  const bool constant_row = row.format == Format::vop2 && row.src[2] != NONE && row.src[2] != LANES;
  if (in.dst) line.operand(operand_text(in.dst));
  if (in.sdst) line.operand(operand_text(in.sdst));
  for (unsigned i = 0; i < source_count(row) && in.src[i]; ++i) {
    // The constant of v_fmamk and its kin is shown as encoded.
    const bool constant = constant_row && i > 0 && in.src[i].kind == OperandKind::constant;
    line.operand(constant ? fmt::format("{:#x}", in.dwords[1]) : source_text(in, i));
  }
  switch (in.form) {
    case Form::sdwa:
      add_sdwa_modifiers(line, in, row);
      break;
    case Form::dpp:
      add_dpp_modifiers(line, in);
      break;
    default:
      add_vop3_modifiers(line, in, row);
      break;
  }
  return std::move(line).text();
}

std::string disassemble_packed(const Instruction& in, const Row& row) {
  std::string name = lower_case(row.name);
  if (row.has(MIX)) name.replace(0, 9, "v_fma_mix");  // the assembler's name
  Line line(std::move(name));
  line.operand(operand_text(in.dst));
  const unsigned count = source_count(row), all = (1u << count) - 1;
  for (unsigned i = 0; i < count; ++i)
    line.operand(row.has(MIX) ? source_text(in, i) : operand_text(in.src[i]));
  line.flag(in.op_sel != 0, "op_sel:" + bit_list(in.op_sel, count));
  line.flag(in.op_sel_hi != (row.has(MIX) ? 0 : all), "op_sel_hi:" + bit_list(in.op_sel_hi, count));
  if (!row.has(MIX)) {
    line.flag(in.neg != 0, "neg_lo:" + bit_list(in.neg, count));
    line.flag(in.neg_hi != 0, "neg_hi:" + bit_list(in.neg_hi, count));
  }
  line.flag(in.clamp, "clamp");
  return std::move(line).text();
}

std::string disassemble_matrix(const Instruction& in, const Row& row) {
  Line line(lower_case(row.name));
  if (in.dst) line.operand(operand_text(in.dst));
  for (unsigned i = 0; i < source_count(row); ++i) line.operand(operand_text(in.src[i]));
  if (row.format == Format::vop3px) {
    line.flag(in.op_sel != 0, "op_sel:" + bit_list(in.op_sel, 3));
    line.modifier("op_sel_hi:" + bit_list(in.op_sel_hi, 3));
  } else if (row.dst[0] == NONE) {  // v_mfma_ld_scale_b32
    line.flag(in.op_sel != 0, "op_sel:" + bit_list(in.op_sel, 2));
    line.flag(in.op_sel_hi != 3, "op_sel_hi:" + bit_list(in.op_sel_hi, 2));
  }
  line.flag(in.cbsz != 0, fmt::format("cbsz:{}", in.cbsz));
  line.flag(in.abid != 0, fmt::format("abid:{}", in.abid));
  if (in.blgp != 0) {
    line.modifier(row.src[0] == F64 ? "neg:" + bit_list(in.blgp, 3) : fmt::format("blgp:{}", in.blgp));
  }
  return std::move(line).text();
}

}  // namespace wavetwin::isa
