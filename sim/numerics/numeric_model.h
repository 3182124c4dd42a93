// SPDX-License-Identifier: MIT
// What no document fixes about gfx950, as named options with defaults. A probe on the part decides them;
// until then every result that depends on one is "unknown".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/evidence.h"

namespace wavetwin {

// The sum inside v_dot2: the guide's order of steps, each rounded once; the same with the high product first;
// or the exact sum rounded once.
enum class Dot2Sum : uint8_t { guide, high_first, exact };
// v_sin and v_cos: correctly rounded, truncated, or of the angle x * 2 pi rounded to f32 before (the guide's
// pseudo-code to the letter; its own examples contradict it).
enum class TrigResult : uint8_t { nearest, truncated, radians };
// Significant bits of v_rcp_f64, v_rsq_f64, v_sqrt_f64. The guide allows an error of 2^29 units.
enum class F64Bits : uint8_t { bits53, bits29, bits24 };
// Floats into unorm and snorm codes of typed buffers. (A tie exists at 1/2 alone, and its even neighbour is
// the one further from zero but for the 2-bit snorm.)
enum class CodeRound : uint8_t { half_away, nearest_even, truncated };
// Core cycles that the guest's clocks advance in a round of the scheduler.
enum class ClockRound : uint8_t { cycles1024, cycles256, cycles4096 };

// The first value of every option is the default. What each value means is in the table of numeric_model.cpp.
struct NumericModel {
  // --- conversions
  bool bf8_nan_short = false;         // 0x7e instead of 0x7f
  bool nan_to_zero = false;           // to fp4, fp6, bf6, which have no NaN; the sign is the NaN's
  bool stochastic_by_guide = false;   // v_cvt_sr_*: the guide's pseudo-code instead of AMD's host emulation
  bool scaled_nan_canonical = false;  // scalef32 to f16 and bf16
  bool scale_255_is_number = false;   // scale code 255 is 2^128
  bool bf16_nan_kept = false;         // AMD's emulator: not made quiet, bit 0 set when payload was lost
  bool rpi_rounds_sum = false;        // v_cvt_rpi: x + 0.5 is rounded to f32 before the floor
  bool u8_nearest = false;            // v_cvt_pk_u8, v_cvt_pkaccum_u8
  bool norm_truncates = false;        // v_cvt_pknorm_*, v_cvt_norm_*
  // --- arithmetic
  Dot2Sum dot2_sum = Dot2Sum::guide;
  bool dot2_keeps_subnormals = false;  // of bf16 and f32 (those of f16 are kept: measured)
  bool dot2c_abs_is_neg_hi = false;    // ABS of v_dot2c_f32_f16 changes the sign of the high half
  TrigResult trig = TrigResult::nearest;
  bool trig_domain_256 = false;  // beyond +-256 turns every argument counts as a whole number
  F64Bits f64_bits = F64Bits::bits53;
  bool exp_log_nearest = false;        // v_exp_legacy and v_log_legacy: correctly rounded
  bool sub_flips_nan = false;          // a NaN subtrahend passes on with its sign changed
  bool flush_before_rounding = false;  // a result below the smallest normal number before it is rounded
  bool mix_denorm_f16 = false;   // f16 sources of v_mad_mix: the f16 field of MODE.denorm, not the f32 one
  bool mac_f16_flushes = false;  // v_mac_f16 and its kind flush subnormals always, as v_mad_f16
  bool div_underflow_smallest = false;  // v_div_fixup: the smallest subnormal, not zero
  // --- matrix instructions
  bool mfma_broadcast_by_lanes = false;  // CBSZ and ABID repeat lanes of A, not a block for each group
  bool mfma_i8_wraps = false;            // i32 results ignore MODE.FP16_OVFL
  bool smfmac_pair_expands = false;      // of two elements of A with one index the second replaces the first
  // --- lanes, addresses, clocks
  bool permlane_swaps_all = false;   // v_permlane*_swap under a partial EXEC
  bool dpp_reads_disabled = false;   // DPP: a source lane that EXEC disables is read
  bool buffer_soffset_free = false;  // the range check leaves soffset out
  bool atomics_descending = false;   // lanes of one atomic instruction: the highest first
  ClockRound clock_round = ClockRound::cycles1024;
  // --- typed buffers
  bool format_float_nearest = false;  // into narrower floats and D16: nearest even, not towards zero
  CodeRound format_norm_round = CodeRound::half_away;
  bool format_scaled_nearest = false;   // floats into uscaled and sscaled
  bool format_norm_multiplied = false;  // unorm and snorm to float: times the rounded reciprocal

  static constexpr Evidence kEvidence = Evidence::unknown;

  constexpr uint64_t cycles_per_round() const {
    return clock_round == ClockRound::cycles256 ? 256 : clock_round == ClockRound::cycles4096 ? 4096 : 1024;
  }

  // Sets one option by its text names. Throws Error naming the legal options or values.
  void set(std::string_view option, std::string_view value);
  // "default", or every option that differs: "bf8_nan=0x7e, stochastic=guide".
  std::string describe() const;
  // Whether an option that differs from its default reaches the instruction; a DPP form is "NAME_DPP".
  bool changes(std::string_view instruction) const;
  bool operator==(const NumericModel&) const = default;
};

inline constexpr NumericModel kDefaultNumericModel{};

// For `--help`, listings and the probe.
struct NumericOption {
  const char* name;
  std::vector<const char*> values;  // the default first
  const char* reaches;              // patterns of instruction names
  const char* meaning;

  std::string values_text() const;  // "hip | guide"
  bool covers(std::string_view instruction) const;
};
const std::vector<NumericOption>& numeric_options();

}  // namespace wavetwin
