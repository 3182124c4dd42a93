// SPDX-License-Identifier: MIT
// What the decode_*.cpp files share: bit fields, operand codes, the reason of a refusal.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sim/isa/instruction.h"
#include "sim/isa/rows.h"

namespace wavetwin::isa {

// An encoding that is no instruction; turned into Error (with pc and dwords) by decode().
struct Refused {
  std::string reason;
};

[[noreturn]] void refuse(const std::string& reason);

// Bits [high:low] of a dword.
constexpr uint32_t field(uint32_t word, unsigned high, unsigned low) {
  return (word >> low) & (~0u >> (31 - (high - low)));
}
constexpr bool bit(uint32_t word, unsigned position) { return (word >> position) & 1; }

// Refuses unless the field is 0: a field that the instruction does not have.
void require_zero(uint32_t value, const char* what);

// The dwords that are left; every read is checked.
class Cursor {
 public:
  explicit Cursor(std::span<const uint32_t> code) : code_(code) {}
  // Dword `index` of the instruction; refuses past the end of the code.
  uint32_t word(unsigned index) const;
  bool has(unsigned index) const { return index < code_.size(); }

 private:
  std::span<const uint32_t> code_;
};

// Source codes (isa guide 5.2, table of SALU operands; 6.2.1 adds VGPRs, SDWA, DPP, literal).
enum SourceCode : unsigned {
  kCodeSgprEnd = 102,
  kCodeTtmpFirst = 108,
  kCodeM0 = 124,
  kCodeNull = 125,
  kCodeExec = 126,
  kCodeIntegerZero = 128,
  kCodeMinusOne = 193,
  kCodeIntegerEnd = 209,
  kCodeSharedBase = 235,
  kCodePrivateLimit = 238,
  kCodePops = 239,
  kCodeFloatFirst = 240,
  kCodeInverseTwoPi = 248,
  kCodeSdwa = 249,
  kCodeDpp = 250,
  kCodeVccz = 251,
  kCodeExecz = 252,
  kCodeScc = 253,
  kCodeLdsDirect = 254,
  kCodeLiteral = 255,
  kCodeVgpr = 256,
};

// v[index] / a[index] of the type's width; tuples of two and more registers are even-aligned and end at 255.
Operand vector_register(unsigned index, OperandType type, unsigned dwords, bool accumulation);
Operand vgpr(unsigned index, OperandType type);

// Refuses a scalar register tuple that does not start at an even register, or with more than two registers at
// a multiple of 4 (isa guide 3.6.3, 8.1: required; nothing says what the hardware does otherwise).
void require_scalar_alignment(unsigned code, unsigned dwords);

// An aligned scalar register tuple by operand code 0..127.
Operand scalar_register(unsigned code, OperandType type, unsigned dwords);
Operand scalar_destination(unsigned code, OperandType type);

// A 9-bit source: scalar register, special value, inline constant, literal (`literal` is the dword after the
// instruction) or VGPR. Codes 249 and 250 never get here.
Operand source(unsigned code, OperandType type, uint32_t literal);

// The bits of inline constant `code` (128..208, 240..248) in an operand of `type`.
uint64_t inline_constant(unsigned code, OperandType type);
// The bits of a 32-bit literal in an operand of `type` (isa guide 5.2; 64-bit: f64 high half, signed
// extended, else zero-extended [observed with clang 22]).
uint64_t literal_constant(uint32_t literal, OperandType type);

constexpr bool is_16_bit(OperandType t) { return t >= B16 && t <= BF16; }
constexpr bool is_64_bit(OperandType t) { return t >= B64 && t <= F64; }

// row_newbcast:0..15, the only DPP control of 64-bit operands (isa guide 13.3.9).
constexpr bool is_row_newbcast(unsigned dpp_ctrl) { return dpp_ctrl >= 0x150 && dpp_ctrl <= 0x15f; }

// Row of an opcode; kNoRow when the table has none.
uint16_t row_of_opcode(Format format, unsigned opcode);

// One decoder per encoding; `in` has pc and the first dword. Each sets row, size, operands and modifiers.
void decode_sop(Instruction& in, const Cursor& code);
void decode_smem(Instruction& in, const Cursor& code);
void decode_vop1(Instruction& in, const Cursor& code);
void decode_vop2(Instruction& in, const Cursor& code);
void decode_vopc(Instruction& in, const Cursor& code);
void decode_vop3(Instruction& in, const Cursor& code);
void decode_vop3p(Instruction& in, const Cursor& code);
void decode_vop3px(Instruction& in, const Cursor& code);
void decode_ds(Instruction& in, const Cursor& code);
void decode_flat(Instruction& in, const Cursor& code);
void decode_mubuf(Instruction& in, const Cursor& code);
void decode_mtbuf(Instruction& in, const Cursor& code);

// SDWA and DPP dwords of a VOP1 / VOP2 / VOPC instruction whose row and short fields are known
// (decode_modifiers.cpp).
void decode_sdwa(Instruction& in, const Row& row, uint32_t vsrc1, uint32_t control);
void decode_dpp(Instruction& in, const Row& row, uint32_t vsrc1, uint32_t control);

}  // namespace wavetwin::isa
