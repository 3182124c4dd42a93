// SPDX-License-Identifier: MIT
// What no document fixes about gfx950's conversions, as named options with defaults. A probe on the part
// decides them; until then every result that depends on one is "unknown".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/evidence.h"

namespace wavetwin {

struct NumericModel {
  // The NaN that v_cvt_*_bf8_* writes: 0x7f (AMD's emulator) or 0x7e (AMD's HIP host emulation).
  uint8_t bf8_nan = 0x7f;
  // NaN to fp4, fp6, bf6, which have none: the largest number, or zero. The sign is the NaN's.
  bool nan_to_zero = false;
  // v_cvt_sr_*: the HIP host emulation (seed added below the last place, truncated; below the smallest normal
  // number after an alignment that drops bits), or the guide's pseudo-code (seed added to the mantissa field
  // without a carry into the exponent, then nearest even).
  bool stochastic_by_guide = false;
  // NaN results of v_cvt_scalef32_* to f16 and bf16: all ones (HIP host emulation), or the canonical quiet
  // NaN.
  bool scaled_nan_canonical = false;
  // Scale code 255: NaN (HIP host emulation), or 2^128 like any other exponent.
  bool scale_255_is_number = false;
  // A NaN that v_cvt_*_bf16_f32 passes on: made quiet, or upper half kept with bit 0 set when payload was
  // lost (AMD's emulator).
  bool bf16_nan_kept = false;
  // Floats stored into narrower floats of a typed buffer, and D16 results: rounded towards zero
  // (Direct3D 11.3 functional specification, 3.1.3.3), or to nearest even.
  bool format_float_nearest = false;

  static constexpr Evidence kEvidence = Evidence::unknown;

  // Sets one option by its text names. Throws Error naming the legal options or values.
  void set(std::string_view option, std::string_view value);
  // "default", or every option that differs: "bf8_nan=0x7e, stochastic=guide".
  std::string describe() const;
  bool operator==(const NumericModel&) const = default;
};

inline constexpr NumericModel kDefaultNumericModel{};

// For `--help` and the probe: name, legal values with the default first, meaning.
struct NumericOption {
  const char* name;
  const char* values;
  const char* meaning;
};
const std::vector<NumericOption>& numeric_options();

}  // namespace wavetwin
