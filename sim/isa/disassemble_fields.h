// SPDX-License-Identifier: MIT
// What the disassemble_*.cpp files share: the text of operands, and lists of [0,1] bits.
#pragma once

#include <string>
#include <string_view>

#include "sim/isa/instruction.h"
#include "sim/isa/rows.h"

namespace wavetwin::isa {

// Registers, constants and special values, as LLVM 22 spells them: v[2:3], vcc_lo, -0.5, 0x12345678,
// lit(0x1). `literal` is the dword after the instruction, for operands that are literals.
std::string operand_text(const Operand& operand, uint32_t literal = 0);

// "[1,0,1]": bit i of `bits`, lowest first.
std::string bit_list(unsigned bits, unsigned count);

// Decimal when it fits an inline constant, else hexadecimal.
std::string immediate_text(uint32_t value);

// "name op, op, ...": operands are added with commas, modifiers with spaces.
class Line {
 public:
  explicit Line(std::string mnemonic) : text_(std::move(mnemonic)) {}
  void operand(std::string_view text) {
    text_ += operands_++ == 0 ? " " : ", ";
    text_ += text;
  }
  void modifier(std::string_view text) {
    text_ += ' ';
    text_ += text;
  }
  void flag(bool on, std::string_view text) {
    if (on) modifier(text);
  }
  std::string text() && { return std::move(text_); }

 private:
  std::string text_;
  unsigned operands_ = 0;
};

std::string lower_case(std::string_view name);

std::string disassemble_scalar(const Instruction& in, const Row& row);  // SOP*
std::string disassemble_smem(const Instruction& in, const Row& row);
std::string disassemble_vector(const Instruction& in, const Row& row);  // VOP1, VOP2, VOPC, VOP3
std::string disassemble_packed(const Instruction& in, const Row& row);  // VOP3P
std::string disassemble_matrix(const Instruction& in, const Row& row);  // MAI, VOP3PX
std::string disassemble_memory(const Instruction& in, const Row& row);  // DS, FLAT, MUBUF, MTBUF

}  // namespace wavetwin::isa
