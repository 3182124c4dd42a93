// SPDX-License-Identifier: MIT
// The floating-point part of the MODE register (CDNA4 ISA guide, section 3 "MODE"), and the rules one format
// takes from it.
#pragma once

#include <cstdint>

#include "sim/numerics/numeric_model.h"

namespace wavetwin {

// MODE.round, two bits a format group, in the register's own order.
enum class Round : uint8_t { nearest_even = 0, plus_infinity = 1, minus_infinity = 2, zero = 3 };

// What one operation on one format needs to know.
//
// Flushing (source: guide section 3, MODE.denorm): a subnormal source counts as a zero of its sign when
// `keep_input` is off; a result whose encoding is subnormal becomes a zero of its sign when `keep_output` is
// off. Which value the output test looks at is the option flush_test: the rounded result (a value that rounds
// up to the smallest normal number stays), or the exact one.
struct FloatRules {
  Round round = Round::nearest_even;
  bool keep_input = true;
  bool keep_output = true;
  bool ieee = true;  // a NaN that passes through is made quiet
  bool clamp_overflow =
      false;  // FP16_OVFL: a finite overflow gives the largest finite number in every rounding mode
  bool flush_exact = false;  // the output test looks at the exact result

  constexpr bool is_default() const {
    return round == Round::nearest_even && keep_input && keep_output && ieee && !clamp_overflow;
  }
  bool operator==(const FloatRules&) const = default;
};

// MODE fields that arithmetic depends on. `denorm` values: bit 0 keeps subnormal inputs, bit 1 keeps
// subnormal outputs.
struct Mode {
  Round round_f32 = Round::nearest_even;
  Round round_f16_f64 = Round::nearest_even;
  uint8_t denorm_f32 = 3;
  uint8_t denorm_f16_f64 = 3;
  bool dx10_clamp = true;  // CLAMP turns a NaN into +0
  bool ieee = true;
  bool fp16_ovfl = false;
  // Not of the register: what the documents leave open.
  const NumericModel* model = &kDefaultNumericModel;

  // The bits of the MODE register that this struct holds.
  static constexpr uint32_t kRegisterMask = 0x008003ff;
  // What a kernel descriptor written by clang sets: 0x3f0.
  static constexpr uint32_t kDefaultRegister = 0x3f0;

  static constexpr Mode from_register(uint32_t bits, const NumericModel* model = &kDefaultNumericModel) {
    Mode mode;
    mode.model = model;
    mode.round_f32 = static_cast<Round>(bits & 3);
    mode.round_f16_f64 = static_cast<Round>(bits >> 2 & 3);
    mode.denorm_f32 = bits >> 4 & 3;
    mode.denorm_f16_f64 = bits >> 6 & 3;
    mode.dx10_clamp = bits >> 8 & 1;
    mode.ieee = bits >> 9 & 1;
    mode.fp16_ovfl = bits >> 23 & 1;
    return mode;
  }

  constexpr uint32_t to_register() const {
    return static_cast<uint32_t>(round_f32) | static_cast<uint32_t>(round_f16_f64) << 2 |
           static_cast<uint32_t>(denorm_f32) << 4 | static_cast<uint32_t>(denorm_f16_f64) << 6 |
           static_cast<uint32_t>(dx10_clamp) << 8 | static_cast<uint32_t>(ieee) << 9 |
           static_cast<uint32_t>(fp16_ovfl) << 23;
  }

  constexpr FloatRules f32() const {
    return {round_f32, (denorm_f32 & 1) != 0,       (denorm_f32 & 2) != 0, ieee,
            false,     model->flush_before_rounding};
  }
  constexpr FloatRules f64() const {
    return {round_f16_f64, (denorm_f16_f64 & 1) != 0,   (denorm_f16_f64 & 2) != 0, ieee,
            false,         model->flush_before_rounding};
  }
  constexpr FloatRules f16() const {
    return {round_f16_f64, (denorm_f16_f64 & 1) != 0,   (denorm_f16_f64 & 2) != 0, ieee,
            fp16_ovfl,     model->flush_before_rounding};
  }

  bool operator==(const Mode&) const = default;
};

}  // namespace wavetwin
