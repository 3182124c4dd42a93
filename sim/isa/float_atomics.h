// SPDX-License-Identifier: MIT
// Float read-modify-write functions for memory and LDS atomics, in the form of sim/core/atomic_op.h.
// Rules (isa guide 9.2): round to nearest even; memory ADD_F32 flushes denormals, ADD_F64 and the packed adds
// do not; LDS atomics follow MODE.denorm, but for ADD_F64, which never flushes. MIN, MAX and CMPST flush
// inputs only, for the comparison; MIN and MAX store an unmodified copy, CMPST a flushed one.
#pragma once

#include <cstdint>

#include "sim/core/atomic_op.h"
#include "sim/numerics/arithmetic.h"
#include "sim/numerics/mode.h"
#include "sim/numerics/soft_float.h"

namespace wavetwin::isa {

// `denorm` as in MODE: bit 0 keeps subnormal inputs, bit 1 subnormal results.
constexpr FloatRules atomic_rules(unsigned denorm) {
  FloatRules rules;
  rules.keep_input = (denorm & 1) != 0;
  rules.keep_output = (denorm & 2) != 0;
  return rules;
}

template <class Layout, unsigned denorm>
uint64_t float_add(uint64_t old, uint64_t data, uint64_t) {
  using B = typename Layout::Bits;
  return soft::add<Layout>(static_cast<B>(old), static_cast<B>(data), atomic_rules(denorm));
}
// assumption: of two NaNs, and of two that compare as the same zero, the data stays.
template <class Layout, unsigned denorm>
uint64_t float_select(uint64_t old, uint64_t data, bool want_max) {
  using B = typename Layout::Bits;
  const FloatRules rules = atomic_rules(denorm | 2);
  const B a = static_cast<B>(old), b = static_cast<B>(data);
  const B compared_a = soft::flush_input<Layout>(a, rules), compared_b = soft::flush_input<Layout>(b, rules);
  const B chosen = soft::min_max<Layout>(compared_a, compared_b, want_max, rules);
  if (chosen == compared_b) return b;
  return chosen == compared_a ? a : chosen;  // else a signaling NaN was made quiet
}
template <class Layout, unsigned denorm>
uint64_t float_min(uint64_t old, uint64_t data, uint64_t) {
  return float_select<Layout, denorm>(old, data, false);
}
template <class Layout, unsigned denorm>
uint64_t float_max(uint64_t old, uint64_t data, uint64_t) {
  return float_select<Layout, denorm>(old, data, true);
}
// Compares as numbers: -0 equals +0, a NaN equals nothing.
template <class Layout, unsigned denorm>
uint64_t float_cmpswap(uint64_t old, uint64_t data, uint64_t compare) {
  using B = typename Layout::Bits;
  const FloatRules rules = atomic_rules(denorm);
  const bool equal = soft::equal<Layout>(soft::flush_input<Layout>(static_cast<B>(old), rules),
                                         soft::flush_input<Layout>(static_cast<B>(compare), rules));
  return equal ? soft::flush_input<Layout>(static_cast<B>(data), rules) : static_cast<B>(old);
}
// Two 16-bit halves.
template <class Layout, unsigned denorm>
uint64_t packed_add(uint64_t old, uint64_t data, uint64_t) {
  const FloatRules rules = atomic_rules(denorm);
  const auto low = soft::add<Layout>(static_cast<uint16_t>(old), static_cast<uint16_t>(data), rules);
  const auto high =
      soft::add<Layout>(static_cast<uint16_t>(old >> 16), static_cast<uint16_t>(data >> 16), rules);
  return uint32_t{high} << 16 | low;
}

}  // namespace wavetwin::isa
