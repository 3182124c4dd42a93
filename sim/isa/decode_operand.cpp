// SPDX-License-Identifier: MIT
// Operand codes: registers, special values, inline constants, literals.
#include <array>
#include <bit>

#include "sim/isa/decode_fields.h"

namespace wavetwin::isa {
namespace {

// Inline floating-point constants 240..248 (isa guide 5.2): the patterns of each format.
constexpr std::array<uint16_t, 9> kF16 = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000,
                                          0xc000, 0x4400, 0xc400, 0x3118};
constexpr std::array<uint16_t, 9> kBf16 = {0x3f00, 0xbf00, 0x3f80, 0xbf80, 0x4000,
                                           0xc000, 0x4080, 0xc080, 0x3e22};
constexpr std::array<uint32_t, 9> kF32 = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000,
                                          0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983};
constexpr uint64_t kF64InverseTwoPi = 0x3fc45f306dc9c882;

uint64_t float_constant(unsigned index, OperandType type) {
  if (type == BF16 || type == BF16X2) return kBf16[index];
  if (type == F16 || type == F16X2) return kF16[index];
  if (is_64_bit(type) || type == F64X4) {
    if (index == kCodeInverseTwoPi - kCodeFloatFirst) return kF64InverseTwoPi;
    return std::bit_cast<uint64_t>(static_cast<double>(std::bit_cast<float>(kF32[index])));
  }
  // Integers too; those of 16 bits are the low half of it, so that 1.0 is 0 (AMD engineers in LLVM pull
  // requests 84106 and 198005; LLVM 22 for packed ones).
  return kF32[index];
}

constexpr bool is_special(unsigned code) {
  return (code >= kCodeSharedBase && code <= kCodePops) || (code >= kCodeVccz && code <= kCodeLdsDirect);
}

}  // namespace

void refuse(const std::string& reason) { throw Refused{reason}; }

void require_zero(uint32_t value, const char* what) {
  if (value != 0) refuse(std::string("field ") + what + " must be 0");
}

uint32_t Cursor::word(unsigned index) const {
  if (index >= code_.size()) refuse("the code ends inside the instruction");
  return code_[index];
}

Operand vector_register(unsigned index, OperandType type, unsigned dwords, bool accumulation) {
  if (dwords > 1 && index % 2 != 0) refuse("register tuples must start at an even register");
  if (index + dwords > 256) refuse("register tuple ends above register 255");
  Operand out;
  out.kind = accumulation ? OperandKind::agpr : OperandKind::vgpr;
  out.type = type;
  out.dwords = static_cast<uint8_t>(dwords);
  out.index = static_cast<uint16_t>(index);
  return out;
}

Operand vgpr(unsigned index, OperandType type) {
  return vector_register(index, type, operand_dwords(type), false);
}

void require_scalar_alignment(unsigned code, unsigned dwords) {
  const unsigned alignment = dwords > 2 ? 4 : dwords;
  if (code % alignment == 0) return;
  const bool ttmp = code >= kCodeTtmpFirst && code < kCodeM0;
  const unsigned first = ttmp ? code - kCodeTtmpFirst : code;
  refuse(std::string("scalar operand ") + (ttmp ? "ttmp[" : "s[") + std::to_string(first) + ":" +
         std::to_string(first + dwords - 1) + "] is not aligned to " + std::to_string(alignment) +
         " registers");
}

Operand scalar_register(unsigned code, OperandType type, unsigned dwords) {
  if (code >= kCodeIntegerZero) refuse("operand must be a scalar register");
  if (code == kCodeNull) refuse("scalar operand 125 is reserved");
  if (dwords > 1) {
    const bool pair_only = code >= kCodeSgprEnd && (code < kCodeTtmpFirst || code >= kCodeM0);
    if (pair_only && (code % 2 != 0 || code == kCodeM0 || dwords > 2)) {
      refuse("scalar operand " + std::to_string(code) + " is no tuple of " + std::to_string(dwords) +
             " registers");
    }
    require_scalar_alignment(code, dwords);
    const unsigned end = code < kCodeSgprEnd ? 102 : code < kCodeM0 ? 124 : 128;
    if (code + dwords > end) refuse("scalar register tuple is out of range");
  }
  Operand out;
  out.kind = OperandKind::sgpr;
  out.type = type;
  out.dwords = static_cast<uint8_t>(dwords);
  out.index = static_cast<uint16_t>(code);
  return out;
}

Operand scalar_destination(unsigned code, OperandType type) {
  return scalar_register(code, type, operand_dwords(type));
}

uint64_t inline_constant(unsigned code, OperandType type) {
  if (code >= kCodeFloatFirst) return float_constant(code - kCodeFloatFirst, type);
  const int64_t value =
      code < kCodeMinusOne ? static_cast<int64_t>(code) - 128 : 192 - static_cast<int64_t>(code);
  if (is_64_bit(type) || type == F64X4) return static_cast<uint64_t>(value);
  if (is_16_bit(type)) return static_cast<uint16_t>(value);
  return static_cast<uint32_t>(value);
}

uint64_t literal_constant(uint32_t literal, OperandType type) {
  if (type == F64) return static_cast<uint64_t>(literal) << 32;
  if (type == I64) return static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(literal)));
  return is_16_bit(type) ? literal & 0xffff : literal;
}

Operand source(unsigned code, OperandType type, uint32_t literal) {
  const unsigned dwords = operand_dwords(type);
  if (code >= kCodeVgpr) return vgpr(code - kCodeVgpr, type);
  if (code < kCodeIntegerZero) return scalar_register(code, type, dwords);
  Operand out;
  out.type = type;
  out.dwords = static_cast<uint8_t>(dwords);
  out.index = static_cast<uint16_t>(code);
  if (code == kCodeLiteral) {
    out.kind = OperandKind::constant;
    out.value = literal_constant(literal, type);
  } else if (code < kCodeIntegerEnd || (code >= kCodeFloatFirst && code <= kCodeInverseTwoPi)) {
    out.kind = OperandKind::constant;
    out.value = inline_constant(code, type);
  } else if (is_special(code)) {
    if (code == kCodeLdsDirect && dwords > 1) refuse("LDS direct reads are 32 bits");
    out.kind = OperandKind::special;
  } else {
    refuse("source operand " + std::to_string(code) + " is reserved");
  }
  return out;
}

}  // namespace wavetwin::isa
