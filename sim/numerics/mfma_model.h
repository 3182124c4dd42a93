// SPDX-License-Identifier: MIT
// What the MFMA arithmetic does not publish, as named options, and the named presets over them.
//
// The rule with all its constants was measured on gfx942 (MI300X; the published MMA-Sim probes and model).
// Nothing public measures gfx950, so every gfx950 preset extends it, and results are exact relative to the
// preset only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/evidence.h"
#include "common/mfma/shape.h"

namespace wavetwin::mfma {

enum class Part : uint8_t { gfx942, gfx950 };
enum class Rule : uint8_t {
  steps,           // fixed-point sums of several products and C, chained along K
  fma_sequential,  // debugging: one f32 fma a product, ascending k
  exact_rne        // debugging: the exact sum of everything, rounded once
};
enum class Order : uint8_t {
  ascending,        // steps take consecutive k
  register_halves,  // 16-bit shapes new in gfx950: the low 64 bits of neighbouring lane groups share a step
};
enum class Align : uint8_t { trunc, floor };
enum class ZeroSign : uint8_t {
  plus,  // every exactly zero total is +0
  ieee   // -0 when C is -0 and all products of the step are -0
};
enum class ScaleByteZero : uint8_t { pow2, zero };  // 2^-127 as the OCP MX specification says, or zero

// kWholeK for "all of K in one step".
inline constexpr unsigned kWholeK = 0;
inline constexpr unsigned kNoCut = 0;

struct MfmaModel {
  const char* preset = "gfx950-default";  // what the options started from; a static string
  bool modified = false;                  // an option differs from the preset
  Part part = Part::gfx950;               // gfx942: FNUZ 8-bit formats, and no gfx950-only instruction
  Rule rule = Rule::steps;

  // Which products share a step. In products along K; kWholeK for all.
  uint8_t l_16bit = 8;          // bf16 and f16 in the shapes new in gfx950
  uint8_t l_16bit_legacy = 8;   // bf16 and f16 in the shapes that gfx942 has (K = 4: one step of 4)
  bool even_odd_16bit = false;  // even and odd k in two separately aligned sums
  Order k_order = Order::ascending;
  uint8_t l_f8 = 16;  // 8-bit legacy shapes
  bool even_odd_f8 = true;
  uint8_t l_f8f6f4_8bit = 32;    // an 8-bit operand on either side: 16 (half blocks), 32, 64, K
  uint8_t l_f8f6f4_no8bit = 32;  // only 6- and 4-bit operands
  bool even_odd_f8f6f4 = true;

  // The constants of a step.
  uint8_t f = 24;  // fractional bits of an aligned product, below the largest field exponent
  Align product_align = Align::trunc;
  Align group_align = Align::floor;  // of even/odd sums, and of the block sums of one step
  uint8_t fc = 24;                   // fractional bits of aligned C, floored
  uint8_t f2 = 31;                   // fractional bits of the renormalised total, floored before RNE to f32
  // C is dropped when its exponent is more than this below the largest one. kNoCut: never.
  uint8_t c_cut_16bit = kNoCut, c_cut_f8 = 25, c_cut_f8f6f4 = 25;
  bool product_overflow = true;    // bf16: a product of magnitude >= 2^128 is Inf
  bool scale_per_product = false;  // only visible when several scale blocks share a step

  // Specials.
  uint32_t nan_bits = 0x7FC00000;  // f64 shapes return 0x7FF8000000000000 with this sign
  ZeroSign zero_sign = ZeroSign::plus;
  bool nan_scale_on_zero = true;  // scale 0xFF gives NaN even over an all-zero block
  ScaleByteZero scale_byte_zero = ScaleByteZero::pow2;
  bool fp16_ovfl =
      false;  // as if MODE.FP16_OVFL were 1: a step that overflows gives the largest finite value

  // Sets one option by its text names, or with "cCut" every option of that group (cCut.16bit, ...). Throws
  // Error naming the legal options or values, and then changes nothing.
  void set(std::string_view option, std::string_view value);
  // Sets from "option=value".
  void set(std::string_view assignment);
  // "gfx950-wide" or "gfx950-wide with F=23, cCut.16bit=25": what a report prints. Names every option that
  // differs from the preset.
  std::string describe() const;
  // The current value of an option, as set() takes it.
  std::string get(std::string_view option) const;
};

// gfx950-default, gfx950-wide, gfx950-cdna3ext, gfx942, fma-sequential, exact-rne. Throws Error naming them.
MfmaModel preset(std::string_view name);
const std::vector<std::string>& preset_names();

// One line of `wavetwin mfma --help`: an option, its legal values and what it means.
struct OptionInfo {
  const char* name;
  const char* values;
  const char* meaning;
};
const std::vector<OptionInfo>& option_list();

// What stands behind the bits of this instruction under this model.
Evidence arithmetic_evidence(const Shape& shape, const MfmaModel& model);
// One sentence with the source behind arithmetic_evidence.
const char* arithmetic_source(const Shape& shape, const MfmaModel& model);
// What stands behind the register layout.
Evidence layout_evidence(const Shape& shape);

}  // namespace wavetwin::mfma
