// SPDX-License-Identifier: MIT
// What every vector instruction computes in one lane, written from the CDNA4 ISA guide's descriptions
// (section 12.7 to 12.11; "guide" below) independently of sim/. Sources arrive as the instruction sees them:
// modifiers applied.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "tests/oracle/isa/ieee.h"

namespace wavetwin::reference {

// One lane's view. Registers of an operand are consecutive words.
struct LaneInput {
  std::array<std::array<uint32_t, 32>, 3> source{};
  std::array<uint32_t, 32> old{};  // the destination before
  bool mask_source = false;        // the lane's bit of a lane-mask source (carry in, v_cndmask)
  bool vcc = false;
  ModeBits mode;
  unsigned lane = 0;
  unsigned op_sel = 0;
  unsigned truth_table = 0;
  bool clamp = false;

  uint32_t u32(int i) const { return source[i][0]; }
  int32_t i32(int i) const { return static_cast<int32_t>(source[i][0]); }
  uint64_t u64(int i) const { return source[i][0] | uint64_t{source[i][1]} << 32; }
  int64_t i64(int i) const { return static_cast<int64_t>(u64(i)); }
  uint32_t u16(int i) const { return source[i][0] & 0xffff; }
  int32_t i16(int i) const { return static_cast<int16_t>(source[i][0]); }
  // Element `index` of `width` bits, unsigned or sign-extended.
  uint32_t element(int i, int index, int width) const {
    const unsigned bit = static_cast<unsigned>(index * width);
    uint64_t both = source[i][bit / 32];
    if (bit / 32 < 31) both |= uint64_t{source[i][bit / 32 + 1]} << 32;
    return static_cast<uint32_t>(both >> (bit % 32) & ((uint64_t{1} << width) - 1));
  }
  int32_t signed_element(int i, int index, int width) const {
    const int32_t v = static_cast<int32_t>(element(i, index, width));
    return v >= 1 << (width - 1) ? v - (1 << width) : v;
  }
};

// D in consecutive words; 16-bit results in the low half. `mask` is D of a compare, or the second
// destination.
struct LaneResult {
  std::array<uint32_t, 32> d{};
  bool mask = false;
  // How far the answer may be away, in units of the last place of f16, f32 or f64, for approximations; 0 =
  // exact.
  unsigned ulp = 0;
  double absolute = 0;  // or in absolute terms
};

using LaneFunction = std::function<LaneResult(const LaneInput&)>;

// Instruction name as the guide spells it, without _E32 / _E64.
const std::map<std::string, LaneFunction>& valu_oracle();

// Parts of it.
void add_integer_rows(std::map<std::string, LaneFunction>& rows);
void add_float_rows(std::map<std::string, LaneFunction>& rows);
void add_compare_rows(std::map<std::string, LaneFunction>& rows);
void add_convert_rows(std::map<std::string, LaneFunction>& rows);
void add_small_format_rows(std::map<std::string, LaneFunction>& rows);
void add_packed_rows(std::map<std::string, LaneFunction>& rows);

inline LaneResult word(uint64_t v, bool mask = false) {
  LaneResult r;
  r.d[0] = static_cast<uint32_t>(v);
  r.mask = mask;
  return r;
}
inline LaneResult two_words(uint64_t v, bool mask = false) {
  LaneResult r = word(v, mask);
  r.d[1] = static_cast<uint32_t>(v >> 32);
  return r;
}
inline LaneResult halves(uint64_t low, uint64_t high) { return word((low & 0xffff) | (high & 0xffff) << 16); }
inline LaneResult mask_only(bool mask) { return word(0, mask); }

// Saturation of CLAMP on integer results (guide, VOP3): else the low bits are kept by the caller.
inline __int128 fit(__int128 v, __int128 low, __int128 high, bool clamp) {
  if (!clamp) return v;
  return v < low ? low : v > high ? high : v;
}
inline constexpr __int128 kU32 = 0xffffffffu, kI32High = 0x7fffffff, kI32Low = -kI32High - 1;

}  // namespace wavetwin::reference
