// SPDX-License-Identifier: MIT
// Names the FNUZ / OCP mix-up: gfx942 and gfx950 read the same 8-bit codes as different numbers, a factor of
// two apart. Hints for reports, never a decision.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/bits.h"
#include "common/format/e4m3.h"
#include "common/format/e5m2.h"
#include "common/host_device.h"

namespace wavetwin {

enum class Dialect : uint8_t { either, ocp, fnuz, contradictory };

constexpr const char* to_string(Dialect dialect) {
  constexpr const char* kNames[] = {"either", "ocp", "fnuz", "contradictory"};
  return kNames[static_cast<uint8_t>(dialect)];
}

struct DialectEvidence {
  size_t codes;      // how many were looked at
  size_t only_ocp;   // 0x80: -0 in OCP, the one NaN in FNUZ
  size_t only_fnuz;  // NaN or infinity in OCP, ordinary numbers in FNUZ (0x7F is its largest, which
                     // saturation writes)
  Dialect verdict;
};

// Rule: sane tensors hold no NaN and no infinity. So 0x80 speaks for OCP (small negative numbers round to
// it), the OCP specials speak for FNUZ; both together contradict each other (real NaNs, or not this format at
// all), and neither says nothing. `format` is E4M3::kFormat or E5M2::kFormat.
constexpr DialectEvidence dialect_evidence(const FloatFormat& format, const uint8_t* codes, size_t count) {
  DialectEvidence evidence{count, 0, 0, Dialect::either};
  for (size_t i = 0; i < count; ++i) {
    evidence.only_ocp += codes[i] == 0x80;
    evidence.only_fnuz += (codes[i] & 0x7Fu) > format.max_finite_magnitude();
  }
  const bool says_ocp = evidence.only_ocp != 0;
  const bool says_fnuz = evidence.only_fnuz != 0;
  if (says_ocp && says_fnuz) evidence.verdict = Dialect::contradictory;
  if (says_ocp && !says_fnuz) evidence.verdict = Dialect::ocp;
  if (!says_ocp && says_fnuz) evidence.verdict = Dialect::fnuz;
  return evidence;
}

struct PowerRatio {
  size_t compared;  // pairs of finite numbers that are not zero
  size_t agreeing;  // of these, pairs with got == wanted * 2^power
  int power;        // the ratio most pairs have, -2 .. 2
  bool is_mix_up;   // the rule below
};

// Rule: at least 8 pairs compare, and at least 9 in 10 differ by the same factor 1/4, 1/2, 2 or 4. One
// operand read in the wrong dialect changes a product by 2, both by 4; OCP codes read as FNUZ halve, FNUZ
// codes read as OCP double.
constexpr PowerRatio power_ratio(const float* got, const float* wanted, size_t count) {
  PowerRatio ratio{0, 0, 0, false};
  size_t pairs_at[5] = {};  // by power + 2
  for (size_t i = 0; i < count; ++i) {
    const Unpacked g = unpack(got[i]);
    const Unpacked w = unpack(wanted[i]);
    if (g.kind != NumberClass::finite || w.kind != NumberClass::finite) continue;
    ++ratio.compared;
    const int power = g.exponent - w.exponent;
    const bool is_power_of_two = g.significand == w.significand && g.negative == w.negative;
    if (is_power_of_two && power >= -2 && power <= 2) ++pairs_at[power + 2];
  }
  for (int power = -2; power <= 2; ++power) {
    if (pairs_at[power + 2] <= ratio.agreeing) continue;
    ratio.agreeing = pairs_at[power + 2];
    ratio.power = power;
  }
  ratio.is_mix_up = ratio.power != 0 && ratio.compared >= 8 && 10 * ratio.agreeing >= 9 * ratio.compared;
  return ratio;
}

}  // namespace wavetwin
