// SPDX-License-Identifier: MIT
// v_dot2 / dot4 / dot8 and their accumulating forms.
#pragma once

#include <cstdint>

#include "common/bits.h"
#include "sim/numerics/arithmetic.h"
#include "sim/numerics/convert.h"
#include "sim/numerics/mfma_exact_sum.h"

namespace wavetwin {

// Two products and an addend in f32; nearest even and quiet NaNs whatever MODE says (guide 12.7, 12.10).
//
// Subnormal f16 sources are kept in every MODE: measured on gfx950 (LLVM pull request 205101: 0x8001 * 0x0400
// gives 0xac800000, also with the flushing MODE). Those of bf16 and f32 are flushed, as are results (guide),
// or kept: option dot2_denorm. The order of the sum and its roundings: option dot2_sum.
struct Dot2Source {
  uint32_t a[2], b[2];  // as f32; the low half first
};
constexpr FloatRules dot2_rules(const Mode& m) {
  FloatRules rules;
  rules.keep_input = rules.keep_output = m.model->dot2_keeps_subnormals;
  return rules;
}

// The addend first, then the products: v_dot2_f32_f16, v_dot2c_f32_f16, v_dot2c_f32_bf16. `c_last`: the
// products first, v_dot2_f32_bf16. source: guide, the pseudo-code of each.
constexpr uint32_t dot2_in_steps(const Dot2Source& s, uint32_t c, bool c_last, bool high_first,
                                 const FloatRules& rules) {
  const int first = high_first ? 1 : 0, second = 1 - first;
  const uint32_t one = c_last ? soft::mul<F32Layout>(s.a[first], s.b[first], rules)
                              : soft::fma<F32Layout>(s.a[first], s.b[first], c, rules);
  const uint32_t two = soft::fma<F32Layout>(s.a[second], s.b[second], one, rules);
  return c_last ? soft::add<F32Layout>(two, c, rules) : two;
}

// The exact sum of finite terms, rounded once.
inline uint32_t dot2_exact(const Dot2Source& s, uint32_t c, const FloatRules& rules) {
  mfma::ExactSum sum;
  bool all_negative = true;
  const auto add = [&](const soft::Unrounded& term) {
    sum.add(term.negative, static_cast<uint64_t>(term.significand), term.exponent);
    all_negative = all_negative && term.negative;
  };
  const auto value = [&](uint32_t x) {
    return soft::unpack<F32Layout>(soft::flush_input<F32Layout>(x, rules));
  };
  for (int i = 0; i < 2; ++i) add(soft::multiply(value(s.a[i]), value(s.b[i])));
  add(value(c));
  if (sum.is_zero()) return soft::with_sign<F32Layout>(all_negative, 0);
  return soft::flush_output<F32Layout>(sum.round(false), rules);
}

inline uint32_t dot2(const Dot2Source& s, uint32_t c, bool c_last, const Mode& m) {
  const FloatRules rules = dot2_rules(m);
  bool finite = true;
  for (const uint32_t x : {s.a[0], s.a[1], s.b[0], s.b[1], c})
    finite = finite && (~x & F32Layout::kInfinity) != 0;
  if (m.model->dot2_sum == Dot2Sum::exact && finite) return dot2_exact(s, c, rules);
  return dot2_in_steps(s, c, c_last, m.model->dot2_sum == Dot2Sum::high_first, rules);
}

constexpr Dot2Source dot2_bf16(uint32_t a, uint32_t b) {
  return {{a << 16, a & 0xffff0000u}, {b << 16, b & 0xffff0000u}};
}
constexpr Dot2Source dot2_f16(uint32_t a, uint32_t b) {
  constexpr FloatRules kExact{};
  const auto wide = [kExact](uint32_t half) {
    return convert_float<F16Layout, F32Layout>(static_cast<uint16_t>(half), kExact, kExact);
  };
  return {{wide(a), wide(a >> 16)}, {wide(b), wide(b >> 16)}};
}
inline uint32_t dot2_f32_bf16_then_c(uint32_t a, uint32_t b, uint32_t c, const Mode& m) {
  return dot2(dot2_bf16(a, b), c, true, m);
}
inline uint32_t dot2_f32_bf16(uint32_t a, uint32_t b, uint32_t c, const Mode& m) {
  return dot2(dot2_bf16(a, b), c, false, m);
}
inline uint32_t dot2_f32_f16(uint32_t a, uint32_t b, uint32_t c, const Mode& m) {
  return dot2(dot2_f16(a, b), c, false, m);
}

// Integer dot products of 32 / `width` signed or unsigned elements. CLAMP saturates the exact sum. source:
// guide, VOP3P.
constexpr uint32_t dot_signed(uint32_t a, uint32_t b, uint32_t c, int width, bool clamp) {
  int64_t sum = static_cast<int32_t>(c);
  for (int i = 0; i < 32; i += width) sum += int64_t{sign_extend(a >> i, width)} * sign_extend(b >> i, width);
  if (clamp) sum = std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX);
  return static_cast<uint32_t>(sum);
}
constexpr uint32_t dot_unsigned(uint32_t a, uint32_t b, uint32_t c, int width, bool clamp) {
  const uint32_t mask = low_mask<uint32_t>(width);
  uint64_t sum = c;
  for (int i = 0; i < 32; i += width) sum += uint64_t{a >> i & mask} * (b >> i & mask);
  return static_cast<uint32_t>(clamp ? std::min<uint64_t>(sum, UINT32_MAX) : sum);
}

}  // namespace wavetwin
