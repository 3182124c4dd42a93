// SPDX-License-Identifier: MIT
// A wave with its own registers, and encodings of vector instructions to run on it.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "sim/isa/exec.h"
#include "sim/isa/rows.h"
#include "sim/isa/wave_state.h"
#include "tests/isa/tested_rows.h"
#include "tests/oracle/isa/valu_operands.h"

namespace wavetwin::test {

inline constexpr unsigned kVgprs = 160;

struct TestWave {
  isa::WaveState state;

  TestWave() : memory_(static_cast<uint32_t*>(std::aligned_alloc(64, 2 * (kVgprs + 1) * 256)), &std::free) {
    std::memset(memory_.get(), 0, 2 * (kVgprs + 1) * 256);
    state.vgprs = memory_.get();
    state.agprs = memory_.get() + (kVgprs + 1) * 64;
    state.vgpr_count = state.agpr_count = kVgprs;
    state.set_exec(~uint64_t{0});
  }
  uint32_t& v(unsigned r, unsigned lane) { return state.vgprs[r * 64 + lane]; }
  uint32_t& a(unsigned r, unsigned lane) { return state.agprs[r * 64 + lane]; }

  void run(const std::vector<uint32_t>& dwords) {
    const isa::Instruction in = isa::decode_tested(dwords);
    isa::execute_function(in)(state, in);
  }

 private:
  std::unique_ptr<uint32_t, decltype(&std::free)> memory_;
};

// Registers and fields of the vector encodings (guide 13.3). Sources are 9-bit operand codes; 256 + n is
// v[n].
struct Encoding : reference::Modifiers {
  unsigned dst = 0, sdst = 106;
  unsigned src[3] = {0, 0, 0};
};
inline constexpr unsigned vgpr_code(unsigned r) { return 256 + r; }
inline constexpr unsigned kSdwaCode = 249, kDppCode = 250;

inline unsigned vop3_opcode(const isa::Row& row) {
  return row.opcode + (row.format == isa::Format::vop2   ? 0x100u
                       : row.format == isa::Format::vop1 ? 0x140u
                                                         : 0u);
}

inline std::vector<uint32_t> encode_short(const isa::Row& row, const Encoding& e, unsigned src0) {
  const uint32_t vsrc1 = e.src[1] & 255;
  switch (row.format) {
    case isa::Format::vop1:
      return {0x7e000000u | e.dst << 17 | uint32_t{row.opcode} << 9 | src0};
    case isa::Format::vopc:
      return {0x7c000000u | uint32_t{row.opcode} << 17 | vsrc1 << 9 | src0};
    default:
      return {uint32_t{row.opcode} << 25 | e.dst << 17 | vsrc1 << 9 | src0};
  }
}
inline std::vector<uint32_t> encode_short(const isa::Row& row, const Encoding& e) {
  return encode_short(row, e, e.src[0]);
}

inline std::vector<uint32_t> encode_vop3(const isa::Row& row, const Encoding& e) {
  const bool carry = row.dst[1] != isa::NONE;
  const unsigned dst = row.format == isa::Format::vopc ? e.sdst : e.dst;
  const uint32_t modifiers = carry ? e.sdst << 8 : e.abs << 8 | e.op_sel << 11;
  uint32_t w0 = 0xd0000000u | vop3_opcode(row) << 16 | dst | modifiers | uint32_t{e.clamp} << 15;
  uint32_t w1 = e.src[0] | e.src[1] << 9 | e.src[2] << 18 | e.omod << 27 | e.neg << 29;
  if (row.has(isa::BITOP3)) {
    w0 |= (e.table >> 3 & 7) << 8;
    w1 |= (e.table >> 6) << 27 | (e.table & 7) << 29;
  }
  return {w0, w1};
}

inline std::vector<uint32_t> encode_vop3p(const isa::Row& row, const Encoding& e) {
  const uint32_t w0 = 0xd3800000u | uint32_t{row.opcode} << 16 | e.dst | e.neg_hi << 8 | e.op_sel << 11 |
                      (e.op_sel_hi >> 2 & 1) << 14 | uint32_t{e.clamp} << 15;
  return {w0, e.src[0] | e.src[1] << 9 | e.src[2] << 18 | (e.op_sel_hi & 3) << 27 | e.neg << 29};
}

// The dword of SDWA (guide 13.3.7, 13.3.8); a source below 256 is scalar, a compare names its SGPR pair
// unless it is VCC.
inline uint32_t sdwa_dword(const isa::Row& row, const Encoding& e) {
  const auto bit = [](unsigned mask, unsigned i) { return uint32_t{mask >> i & 1}; };
  uint32_t w = (e.src[0] & 255) | e.src_sel[0] << 16 | bit(e.sext, 0) << 19 | bit(e.neg, 0) << 20 |
               bit(e.abs, 0) << 21 | uint32_t{e.src[0] < 256} << 23;
  if (row.format == isa::Format::vopc) {
    if (e.sdst != 106) w |= e.sdst << 8 | 1u << 15;
  } else {
    w |= e.dst_sel << 8 | e.dst_unused << 11 | uint32_t{e.clamp} << 13 | e.omod << 14;
  }
  if (row.src[1] == isa::NONE) return w;
  return w | e.src_sel[1] << 24 | bit(e.sext, 1) << 27 | bit(e.neg, 1) << 28 | bit(e.abs, 1) << 29 |
         uint32_t{e.src[1] < 256} << 31;
}
inline std::vector<uint32_t> encode_sdwa(const isa::Row& row, const Encoding& e) {
  auto code = encode_short(row, e, kSdwaCode);
  code.push_back(sdwa_dword(row, e));
  return code;
}

// DPP (guide 13.3.9).
inline std::vector<uint32_t> encode_dpp(const isa::Row& row, const Encoding& e) {
  const uint32_t signs = (e.neg & 1) | (e.abs & 1) << 1 | (e.neg >> 1 & 1) << 2 | (e.abs >> 1 & 1) << 3;
  auto code = encode_short(row, e, kDppCode);
  code.push_back((e.src[0] & 255) | e.dpp_ctrl << 8 | uint32_t{e.bound_ctrl} << 19 | signs << 20 |
                 e.bank_mask << 24 | e.row_mask << 28);
  return code;
}

// By the coding that the modifiers name; without the literal of a short form that has one.
inline std::vector<uint32_t> encode(const isa::Row& row, const Encoding& e) {
  switch (e.coding) {
    case reference::Coding::vop3:
      return encode_vop3(row, e);
    case reference::Coding::vop3p:
      return encode_vop3p(row, e);
    case reference::Coding::sdwa:
      return encode_sdwa(row, e);
    case reference::Coding::dpp:
      return encode_dpp(row, e);
    default:
      return encode_short(row, e);
  }
}

inline const isa::Row& row_named(std::string_view name) {
  for (const isa::Row& row : isa::rows())
    if (row.name == name) return row;
  std::abort();
}

}  // namespace wavetwin::test
