// SPDX-License-Identifier: MIT
// What the encodings do around a vector instruction: which bits of a register it sees as a source, what
// becomes of its result, and which lanes take part. Written from the CDNA4 ISA guide ("guide"), chapter 6 and
// sections 13.3.4 to 13.3.9; where the guide is silent the other source is named.
#pragma once

#include <array>
#include <cstdint>

#include "tests/oracle/isa/valu_oracle.h"

namespace wavetwin::reference {

enum class Coding : uint8_t { short_form, vop3, vop3p, sdwa, dpp };

// An operand's elements. `elements` 2 with width 16 is the two halves of a register, with 32 a register pair.
struct OperandShape {
  int registers = 0;
  int width = 0;  // bits of an element: 16, 32, 64; 0: bytes, nibbles and tuples that no modifier looks into
  int elements = 1;
  bool floating = false;
  bool brain = false;     // bf16
  bool lane_bit = false;  // one bit a lane, in scalar registers
};

// An instruction's operands and what is special about them.
struct Shape {
  OperandShape result;
  std::array<OperandShape, 3> source;
  std::array<bool, 3> signs{};  // abs and neg reach the source
  bool op_sel_halves = false;   // VOP3: op_sel names the half of 16-bit operands
  // v_dot2c: abs changes the sign of the high half: always, or by option dot2c_abs.
  enum class AbsIsNegHi { never, always, by_option } abs_is_neg_hi = AbsIsNegHi::never;
  bool mix = false;     // v_mad_mix*: op_sel_hi makes a source f16
  int fixed_half = -1;  // v_mad_mixlo, v_mad_mixhi: the half that takes the result
};

// Fields of the encodings. In VOP3P `neg` is neg_lo. Bit i belongs to source i.
struct Modifiers {
  Coding coding = Coding::short_form;
  unsigned abs = 0, neg = 0, neg_hi = 0;
  unsigned op_sel = 0, op_sel_hi = 7;
  unsigned omod = 0;  // 1: * 2, 2: * 4, 3: / 2
  bool clamp = false;
  unsigned table = 0;  // v_bitop3
  // SDWA: selects 0..3 are bytes, 4 and 5 halves, 6 the register; dst_unused 0 zeros, 1 sign, 2 kept.
  std::array<unsigned, 2> src_sel{6, 6};
  unsigned sext = 0, dst_sel = 6, dst_unused = 0;
  bool whole_result = false;  // the conversions whose SDWA form has no dst_sel
  // DPP
  unsigned dpp_ctrl = 0xe4, row_mask = 15, bank_mask = 15;  // quad_perm:[0,1,2,3]
  bool bound_ctrl = false;
};

using OperandWords = std::array<uint32_t, 32>;

// An inline constant (operand codes 128..208 and 240..248) as an operand of this shape sees it.
OperandWords inline_constant(const OperandShape& shape, unsigned code);

// Source i of one lane from its registers, in place.
void modify_source(const Shape& shape, const Modifiers& m, unsigned i, const ModeBits& mode,
                   OperandWords& words);

// OMOD and CLAMP of a floating-point result.
void modify_result(const Shape& shape, const Modifiers& m, const ModeBits& mode, OperandWords& words);

// A register of the destination from the result and what it held.
uint32_t placed(const Shape& shape, const Modifiers& m, uint32_t result, uint32_t old);
// The old value as an instruction that reads its destination sees it.
uint32_t old_operand(const Shape& shape, const Modifiers& m, uint32_t old);
// The half of the register that takes a 16-bit result, -1 for the whole of it.
int result_half(const Shape& shape, const Modifiers& m);

// The lane that feeds `lane` under a DPP control, -1 when there is none; guide 13.3.9. Valid controls only.
int dpp_lane(unsigned control, int lane);
bool dpp_control_exists(unsigned control);

// How a lane takes part under EXEC and, with DPP, its masks. `from` is source 0's lane, -1: reads zero.
struct Participation {
  bool active = false;
  int from = 0;
};
Participation participation(const Modifiers& m, uint64_t exec, int lane);

}  // namespace wavetwin::reference
