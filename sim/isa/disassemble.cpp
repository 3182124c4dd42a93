// SPDX-License-Identifier: MIT
#include "sim/isa/disassemble.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cctype>

#include "sim/isa/decode_fields.h"
#include "sim/isa/disassemble_fields.h"

namespace wavetwin::isa {
namespace {

constexpr std::array<std::string_view, 9> kFloatText = {"0.5",  "-0.5", "1.0",  "-1.0",      "2.0",
                                                        "-2.0", "4.0",  "-4.0", "0.15915494"};
constexpr std::string_view kInverseTwoPi64 = "0.15915494309189532";

std::string tuple(std::string_view prefix, unsigned first, unsigned dwords) {
  if (dwords <= 1) return fmt::format("{}{}", prefix, first);
  return fmt::format("{}[{}:{}]", prefix, first, first + dwords - 1);
}

// vcc, exec, flat_scratch, xnack_mask: a pair has the bare name, halves end in _lo and _hi.
std::string named_pair(std::string_view name, const Operand& operand) {
  if (operand.dwords == 2) return std::string(name);
  return fmt::format("{}{}", name, operand.index % 2 == 0 ? "_lo" : "_hi");
}

std::string scalar_text(const Operand& operand) {
  const unsigned code = operand.index;
  const bool past_pair =
      code < kCodeTtmpFirst && operand.dwords > 2;  // scalar memory data that is not executed
  if (code < kCodeSgprEnd || past_pair) return tuple("s", code, operand.dwords);
  if (code < 104) return named_pair("flat_scratch", operand);
  if (code < 106) return named_pair("xnack_mask", operand);
  if (code < kCodeTtmpFirst) return named_pair("vcc", operand);
  if (code < kCodeM0) return tuple("ttmp", code - kCodeTtmpFirst, operand.dwords);
  if (code == kCodeM0) return "m0";
  return named_pair("exec", operand);
}

std::string_view special_text(unsigned code) {
  switch (code) {
    case 235:
      return "src_shared_base";
    case 236:
      return "src_shared_limit";
    case 237:
      return "src_private_base";
    case 238:
      return "src_private_limit";
    case 239:
      return "src_pops_exiting_wave_id";
    case 251:
      return "src_vccz";
    case 252:
      return "src_execz";
    case 253:
      return "src_scc";
    default:
      return "src_lds_direct";
  }
}

bool is_integer_16(OperandType t) { return t == B16 || t == U16 || t == I16; }

std::string inline_constant_text(const Operand& operand) {
  const unsigned code = operand.index;
  if (code < kCodeMinusOne) return std::to_string(code - 128);
  if (code < kCodeIntegerEnd) return std::to_string(192 - static_cast<int>(code));
  const bool wide = is_64_bit(operand.type) || operand.type == F64X4;
  if (code == kCodeInverseTwoPi && wide) return std::string(kInverseTwoPi64);
  return std::string(kFloatText[code - kCodeFloatFirst]);
}

// The inline constant with the same bits, or 0.
unsigned equivalent_inline_code(uint64_t value, OperandType type) {
  for (unsigned code = kCodeIntegerZero; code <= kCodeInverseTwoPi; ++code) {
    const bool inline_code = code < kCodeIntegerEnd || code >= kCodeFloatFirst;
    if (inline_code && inline_constant(code, type) == value) return code;
  }
  return 0;
}

// A literal whose bits an inline constant could state is marked lit(), with all its 32 bits; an f64 literal
// prints as that constant. 16-bit integers are compared as 32-bit values [LLVM 22].
std::string literal_text(const Operand& operand, uint32_t literal) {
  if (operand.type == F64) {
    const unsigned same = equivalent_inline_code(operand.value, F64);
    if (same == 0) return fmt::format("{:#x}", literal);
    Operand constant = operand;
    constant.index = static_cast<uint16_t>(same);
    return inline_constant_text(constant);
  }
  const bool integer_16 = is_integer_16(operand.type);
  const uint64_t compared = integer_16 || is_64_bit(operand.type) ? literal : operand.value;
  if (equivalent_inline_code(compared, integer_16 ? B32 : operand.type) != 0)
    return fmt::format("lit({:#x})", literal);
  return fmt::format("{:#x}", operand.type == I64 || operand.type == BF16 ? literal : operand.value);
}

}  // namespace

std::string lower_case(std::string_view name) {
  std::string out(name);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::string operand_text(const Operand& operand, uint32_t literal) {
  switch (operand.kind) {
    case OperandKind::none:
      return "off";
    case OperandKind::vgpr:
      return tuple("v", operand.index, operand.dwords);
    case OperandKind::agpr:
      return tuple("a", operand.index, operand.dwords);
    case OperandKind::sgpr:
      return scalar_text(operand);
    case OperandKind::special:
      return std::string(special_text(operand.index));
    case OperandKind::constant:
      return operand.index == kCodeLiteral ? literal_text(operand, literal) : inline_constant_text(operand);
  }
  return {};
}

std::string bit_list(unsigned bits, unsigned count) {
  std::string out = "[";
  for (unsigned i = 0; i < count; ++i) {
    if (i != 0) out += ',';
    out += (bits >> i & 1) != 0 ? '1' : '0';
  }
  return out + "]";
}

std::string immediate_text(uint32_t value) {
  const int32_t number = static_cast<int32_t>(value);
  return number >= -16 && number <= 64 ? std::to_string(number) : fmt::format("{:#x}", value);
}

std::string disassemble(const Instruction& in) {
  if (!in.valid()) return fmt::format(".long {:#010x}", in.dwords[0]);
  const Row& row = row_of(in);
  switch (row.format) {
    case Format::sop2:
    case Format::sopk:
    case Format::sop1:
    case Format::sopc:
    case Format::sopp:
      return disassemble_scalar(in, row);
    case Format::smem:
      return disassemble_smem(in, row);
    case Format::vop2:
    case Format::vop1:
    case Format::vopc:
    case Format::vop3:
      return disassemble_vector(in, row);
    case Format::vop3p:
      return disassemble_packed(in, row);
    case Format::mai:
    case Format::vop3px:
      return disassemble_matrix(in, row);
    default:
      return disassemble_memory(in, row);
  }
}

}  // namespace wavetwin::isa
