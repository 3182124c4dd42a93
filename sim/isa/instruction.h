// SPDX-License-Identifier: MIT
// The decoded form of one instruction: what the executor, the disassembler and the tracer work on.
#pragma once

#include <array>
#include <cstdint>

namespace wavetwin::isa {

// The tables of rows, one file sim/isa/tables/<name>.inc each. A promoted VOP1/VOP2/VOPC instruction keeps
// the format of its row; Form says how it was encoded.
enum class Format : uint8_t {
  sop2,
  sopk,
  sop1,
  sopc,
  sopp,
  smem,
  vop2,
  vop1,
  vopc,
  vop3,
  vop3p,
  mai,     // VOP3P-MAI: MFMA, SMFMAC, accvgpr moves
  vop3px,  // the 16-byte scaled MFMA
  ds,
  flat,  // FLAT, GLOBAL and SCRATCH: see Segment
  mubuf,
  mtbuf,
  count
};

// How a vector ALU instruction was encoded; `base` is the short form, and the only form of other formats.
enum class Form : uint8_t { base, e64, sdwa, dpp };

// What one register or memory element means. The names are those of the row tables. The width in dwords is
// operand_dwords(); the type also fixes what an inline constant or a literal means (isa guide 5.2, 6.2.1).
enum OperandType : uint8_t {
  NONE,
  // 16 bits of a 32-bit register
  B16,
  U16,
  I16,
  F16,
  BF16,
  // 32 bits
  B32,
  U32,
  I32,
  F32,
  // 64 bits, two registers
  B64,
  U64,
  I64,
  F64,
  // packed in one register
  B16X2,
  U16X2,
  I16X2,
  F16X2,
  BF16X2,
  U8X4,
  I8X4,
  U4X8,
  I4X8,
  // packed in two registers
  B32X2,
  F32X2,
  // untyped tuples of 3, 4, 5, 6, 8, 16, 32 registers: matrix operands, wide loads, wide conversions
  B96,
  B128,
  B160,
  B192,
  B256,
  B512,
  B1024,
  // accumulators of matrix instructions (an inline constant is broadcast to every element)
  F32X4,
  F32X16,
  F32X32,
  I32X4,
  I32X16,
  I32X32,
  F64X4,
  // one bit a lane: an SGPR pair, VCC in the short forms
  LANES,
  // memory: address register(s), resource descriptor, scalar base pair; widths come from the encoding
  ADDR,
  RSRC,
  SBASE,
  // immediates: the 16-bit field of SOPP/SOPK or the value after it
  SIMM16,   // a number
  UIMM16,   // a number, printed in hexadecimal
  LABEL,    // branch displacement in dwords
  HWREG,    // hardware register, offset, size
  WAITCNT,  // vmcnt, expcnt, lgkmcnt
  MESSAGE,  // s_sendmsg
  IMM32,    // s_setreg_imm32_b32
  GPRIDX,   // the 4-bit mode of s_set_gpr_idx_*
  LANESEL,  // an SGPR, M0 or a constant: the lane of v_readlane / v_writelane
  kOperandTypeCount
};

// Registers (dwords) of an operand of this type; 0 for immediates and for types the encoding decides.
constexpr unsigned operand_dwords(OperandType type) {
  if (type == NONE) return 0;
  if (type <= F32) return 1;
  if (type <= F64) return 2;
  if (type <= I4X8) return 1;
  if (type <= F32X2) return 2;
  switch (type) {
    case B96:
      return 3;
    case B128:
    case F32X4:
    case I32X4:
      return 4;
    case B160:
      return 5;
    case B192:
      return 6;
    case B256:
    case F64X4:
      return 8;
    case B512:
    case F32X16:
    case I32X16:
      return 16;
    case B1024:
    case F32X32:
    case I32X32:
      return 32;
    case LANES:
      return 2;
    case SBASE:
      return 2;
    case RSRC:
      return 4;
    case LANESEL:
      return 1;
    default:
      return 0;
  }
}

// Floating-point types: the ones that take abs / neg, and whose inline constants keep their own format.
constexpr bool is_float(OperandType t) {
  return t == F16 || t == BF16 || t == F32 || t == F64 || t == F16X2 || t == BF16X2 || t == F32X2;
}

enum class OperandKind : uint8_t {
  none,
  vgpr,  // index 0..255
  agpr,  // index 0..255
  sgpr,  // index is the scalar operand code 0..127: s0-s101, flat_scratch, xnack_mask, vcc, ttmp, m0, exec
  constant,  // `value` holds the bits the operation sees; index is the source code (128..248, 255 = literal)
  special  // read-only: index is the code 235..239 (apertures), 251 vccz, 252 execz, 253 scc, 254 lds_direct
};

struct Operand {
  OperandKind kind = OperandKind::none;
  OperandType type = NONE;
  uint16_t dwords = 0;  // registers read or written
  uint16_t index = 0;   // first register, or the source code
  uint64_t value = 0;   // kind constant: the operand's bits, already of the operand's type and width

  explicit operator bool() const { return kind != OperandKind::none; }
  bool operator==(const Operand&) const = default;
};

enum class Segment : uint8_t { flat, scratch, global };

// SDWA selects, in encoding order (isa guide 13.3.7).
enum class Select : uint8_t { byte0, byte1, byte2, byte3, word0, word1, dword };
enum class DstUnused : uint8_t { pad, sext, preserve };

inline constexpr uint16_t kNoRow = 0xffff;

// One decoded instruction. Which fields are meaningful follows from the format:
//   SALU       dst, src[0..1]; `literal` in the operand; simm16
//   SMEM       dst (load, returning atomic), src[0] base, src[1] data, src[2] soffset; offset, imm_offset,
//   sc0 (= glc) VALU       dst, sdst (second destination: carry, scale flag), src[0..2]; modifiers; DPP or
//   SDWA fields by form MAI        dst, src[0] A, src[1] B, src[2] C (SMFMAC: the index register); cbsz,
//   abid, blgp;
//              scaled: src[3] scale A, src[4] scale B, whose byte is op_sel bit + 2 * op_sel_hi bit
//   DS         dst, src[0] address, src[1] data0, src[2] data1; offset (16 bits) or offset / offset1; gds
//   FLAT       dst, src[0] vaddr, src[1] data, src[2] saddr; segment, offset (signed), sc0, sc1, nt, lds
//   MUBUF      dst, src[0] vaddr, src[1] vdata, src[2] srsrc, src[3] soffset; offset, offen, idxen, sc0, sc1,
//   nt, lds MTBUF      as MUBUF; dfmt, nfmt
struct Instruction {
  // --- what and where
  uint64_t pc = 0;        // address of the first dword
  uint16_t row = kNoRow;  // index into rows(); kNoRow: the dwords are no instruction (see Program)
  uint8_t size = 0;       // bytes: 4, 8, 12 or 16
  Format format = Format::count;
  Form form = Form::base;
  std::array<uint32_t, 4> dwords{};  // as encoded

  // --- operands
  Operand dst, sdst;
  std::array<Operand, 5> src{};

  // --- VALU modifiers; bit i belongs to src[i]
  uint8_t abs = 0, neg = 0, neg_hi = 0;
  uint8_t op_sel = 0;     // VOP3: bit 3 is the destination half
  uint8_t op_sel_hi = 0;  // VOP3P
  uint8_t omod = 0;       // 0 none, 1 *2, 2 *4, 3 /2
  bool clamp = false;

  // --- DPP (isa guide 13.3.9): applies to src[0]
  uint16_t dpp_ctrl = 0;
  uint8_t row_mask = 0xf, bank_mask = 0xf;
  bool bound_ctrl = false;
  bool fetch_inactive = false;  // v_permlane*_swap e64

  // --- SDWA
  Select dst_sel = Select::dword;
  DstUnused dst_unused = DstUnused::pad;
  std::array<Select, 2> src_sel{Select::dword, Select::dword};
  uint8_t src_sext = 0;

  // --- MFMA
  uint8_t cbsz = 0, abid = 0, blgp = 0;

  // --- immediates
  uint16_t simm16 = 0;  // SOPP, SOPK; v_bitop3: the truth table; s_set_gpr_idx_on: the 4-bit mode
  int32_t target = -1;  // LABEL: index of the target in Program::instructions, -1 if it is outside

  // --- memory
  Segment segment = Segment::flat;
  int32_t offset = 0;
  uint8_t offset1 = 0;
  uint8_t dfmt = 0, nfmt = 0;
  bool imm_offset = false;  // SMEM: the immediate counts (with src[2]: both)
  bool sc0 = false, sc1 = false, nt = false;
  bool lds = false, gds = false, offen = false, idxen = false;

  bool valid() const { return row != kNoRow; }
};

// Vector ALU instructions but those of the matrix formats.
constexpr bool is_vector_alu(const Instruction& in) {
  switch (in.format) {
    case Format::vop1:
    case Format::vop2:
    case Format::vopc:
    case Format::vop3:
    case Format::vop3p:
      return true;
    default:
      return false;
  }
}
// MFMA, SMFMAC and the moves between VGPRs and AccVGPRs.
constexpr bool is_matrix_format(const Instruction& in) {
  return in.format == Format::mai || in.format == Format::vop3px;
}
// Buffer, FLAT, global and scratch instructions; LDS has its own format.
constexpr bool is_vector_memory(const Instruction& in) {
  return in.format == Format::flat || in.format == Format::mubuf || in.format == Format::mtbuf;
}

// What s_waitcnt waits for: at most so many operations outstanding. SIMM16 is vmcnt {[15:14],[3:0]}, expcnt
// [6:4], lgkmcnt [11:8].
struct WaitCounts {
  uint32_t vm, lgkm;
};
constexpr WaitCounts wait_counts(uint16_t simm16) {
  return {(simm16 & 15u) | (simm16 >> 14 & 3u) << 4, simm16 >> 8 & 15u};
}

}  // namespace wavetwin::isa
