// SPDX-License-Identifier: MIT
// Arithmetic on f16 bits, general in every MODE (FP16_OVFL included).
#pragma once

#include <cstdint>

#include "sim/numerics/arithmetic.h"

namespace wavetwin {

inline uint16_t f16_add(uint16_t a, uint16_t b, const Mode& m) { return soft::add<F16Layout>(a, b, m.f16()); }
inline uint16_t f16_sub(uint16_t a, uint16_t b, const Mode& m) {
  return soft::sub<F16Layout>(a, b, m.f16(), m.model->sub_flips_nan);
}
inline uint16_t f16_mul(uint16_t a, uint16_t b, const Mode& m) { return soft::mul<F16Layout>(a, b, m.f16()); }
inline uint16_t f16_fma(uint16_t a, uint16_t b, uint16_t c, const Mode& m) {
  return soft::fma<F16Layout>(a, b, c, m.f16());
}
// v_mad_f16. source: guide, V_MAD_F16: "denormals are flushed".
inline uint16_t f16_mad(uint16_t a, uint16_t b, uint16_t c, const Mode& m) {
  FloatRules rules = m.f16();
  rules.keep_input = rules.keep_output = false;
  return soft::mad<F16Layout>(a, b, c, rules);
}
// v_mac_f16, v_madmk_f16, v_madak_f16, v_mad_legacy_f16, of whose subnormals the guide says nothing (option
// mac_f16).
inline uint16_t f16_mac(uint16_t a, uint16_t b, uint16_t c, const Mode& m) {
  return m.model->mac_f16_flushes ? f16_mad(a, b, c, m) : soft::mad<F16Layout>(a, b, c, m.f16());
}
inline uint16_t f16_min(uint16_t a, uint16_t b, const Mode& m) { return soft::min<F16Layout>(a, b, m.f16()); }
inline uint16_t f16_max(uint16_t a, uint16_t b, const Mode& m) { return soft::max<F16Layout>(a, b, m.f16()); }
inline bool f16_less(uint16_t a, uint16_t b, const Mode& m) {
  return soft::less<F16Layout>(soft::flush_input<F16Layout>(a, m.f16()),
                               soft::flush_input<F16Layout>(b, m.f16()));
}
inline bool f16_equal(uint16_t a, uint16_t b, const Mode& m) {
  return soft::equal<F16Layout>(soft::flush_input<F16Layout>(a, m.f16()),
                                soft::flush_input<F16Layout>(b, m.f16()));
}
constexpr bool f16_unordered(uint16_t a, uint16_t b) {
  return soft::is_nan<F16Layout>(a) || soft::is_nan<F16Layout>(b);
}

}  // namespace wavetwin
