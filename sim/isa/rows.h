// SPDX-License-Identifier: MIT
// The instruction tables as data: one Row for each ROW of sim/isa/tables/*.inc, in the order of all.inc.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "common/evidence.h"
#include "sim/isa/instruction.h"

namespace wavetwin::isa {

// Column `traits` of a row.
enum Trait : uint32_t {
  // Encodings of a VOP1 / VOP2 / VOPC row besides its short form.
  E64 = 1u << 0,
  SDWA = 1u << 1,
  DPP = 1u << 2,
  ALLFORMS = E64 | SDWA | DPP,
  // The old destination is an input (fmac, writelane, half-register results): D holds it on entry.
  TIED = 1u << 3,
  // abs / neg of source i are modifiers ...
  MOD0 = 1u << 4,
  MOD1 = 1u << 5,
  MOD2 = 1u << 6,
  // ... or encodable without effect. Sources with neither must have the bits clear.
  FREE0 = 1u << 7,
  FREE1 = 1u << 8,
  FREE2 = 1u << 9,
  // Output modifiers of the 64-bit encodings. (SDWA always has clamp, and omod when the result is floating
  // point.)
  CLAMP = 1u << 10,
  OMOD = 1u << 11,
  FLOAT1 = MOD0 | CLAMP | OMOD,
  FLOAT2 = MOD1 | FLOAT1,
  FLOAT3 = MOD2 | FLOAT2,
  // VOP3: op_sel selects halves of 16-bit operands (bit 3: of the destination). OPSEL_HIDDEN: encodable, no
  // effect.
  OPSEL = 1u << 12,
  OPSEL_HIDDEN = 1u << 13,
  // VOP3: the abs, neg and omod bits hold the truth table of v_bitop3.
  BITOP3 = 1u << 14,
  // VOP3P: op_sel_hi chooses between f32 and f16 of each source (v_mad_mix*).
  MIX = 1u << 15,
  // The vector destination field names an SGPR (v_readlane, v_readfirstlane).
  SDST = 1u << 16,
  // SDWA without dst_sel / dst_unused (fp8 conversions).
  NO_DST_SEL = 1u << 17,
  // MFMA whose A and B widths follow from cbsz and blgp.
  F8F6F4 = 1u << 18,
  // Memory: the segments that have the opcode.
  SEG_FLAT = 1u << 20,
  SEG_GLOBAL = 1u << 21,
  SEG_SCRATCH = 1u << 22,
  // Memory: the destination exists only when sc0 (SMEM: glc) is set.
  RETURNS = 1u << 23,
  // Memory: data goes to LDS.
  LDS_DMA = 1u << 24,
  // DS: two 8-bit offsets; only with the gds bit.
  TWO_OFFSETS = 1u << 25,
  GDS_ONLY = 1u << 26,
  // VOP2 on pairs: abs of a source is neg of its high half (v_dot2c_f32_f16: option dot2c_abs).
  ABS_NEG_HI = 1u << 27,
};

#define TABLE(format)
#define ROW(opcode, name, dst, src, traits, evidence, source, ...) name,
enum class RowId : uint16_t {
#include "sim/isa/tables/all.inc"
  count
};
#undef ROW
#undef TABLE

inline constexpr size_t kRowCount = static_cast<size_t>(RowId::count);

struct Row {
  Format format;
  uint16_t opcode;
  std::string_view name;  // as in the table: V_ADD_F32
  std::array<OperandType, 2> dst;
  std::array<OperandType, 5> src;
  uint32_t traits;
  Evidence evidence;
  std::string_view source;
  std::string_view expression;
  bool implemented;         // the expression is not MISSING(...)
  std::string_view reason;  // of a missing row: why it has no meaning here

  bool has(uint32_t trait) const { return (traits & trait) != 0; }
};

// All rows; index = RowId = Instruction::row.
std::span<const Row, kRowCount> rows();

inline const Row& row_of(const Instruction& instruction) { return rows()[instruction.row]; }
// No RowId there is for what is not valid().
inline RowId id_of(const Instruction& instruction) { return static_cast<RowId>(instruction.row); }

}  // namespace wavetwin::isa
