// SPDX-License-Identifier: MIT
// Arithmetic on f64 bits, as f32.h: general in every MODE, and with the host's double in the default MODE.
#pragma once

#include <cmath>
#include <cstdint>

#include "common/bits.h"
#include "sim/numerics/arithmetic.h"
#include "sim/numerics/f32.h"

namespace wavetwin {

inline uint64_t f64_add(uint64_t a, uint64_t b, const Mode& m) { return soft::add<F64Layout>(a, b, m.f64()); }
inline uint64_t f64_mul(uint64_t a, uint64_t b, const Mode& m) { return soft::mul<F64Layout>(a, b, m.f64()); }
inline uint64_t f64_fma(uint64_t a, uint64_t b, uint64_t c, const Mode& m) {
  return soft::fma<F64Layout>(a, b, c, m.f64());
}

inline uint64_t f64_checked(double value, HostMode& host) {
  host.retry |= value != value;
  return f64_bits(value);
}
inline uint64_t f64_add(uint64_t a, uint64_t b, HostMode& host) {
  return f64_checked(f64_from_bits(a) + f64_from_bits(b), host);
}
inline uint64_t f64_mul(uint64_t a, uint64_t b, HostMode& host) {
  return f64_checked(f64_from_bits(a) * f64_from_bits(b), host);
}
inline uint64_t f64_fma(uint64_t a, uint64_t b, uint64_t c, HostMode& host) {
  return f64_checked(std::fma(f64_from_bits(a), f64_from_bits(b), f64_from_bits(c)), host);
}

inline uint64_t f64_min(uint64_t a, uint64_t b, const Mode& m) { return soft::min<F64Layout>(a, b, m.f64()); }
inline uint64_t f64_max(uint64_t a, uint64_t b, const Mode& m) { return soft::max<F64Layout>(a, b, m.f64()); }
inline bool f64_less(uint64_t a, uint64_t b, const Mode& m) {
  return soft::less<F64Layout>(soft::flush_input<F64Layout>(a, m.f64()),
                               soft::flush_input<F64Layout>(b, m.f64()));
}
inline bool f64_equal(uint64_t a, uint64_t b, const Mode& m) {
  return soft::equal<F64Layout>(soft::flush_input<F64Layout>(a, m.f64()),
                                soft::flush_input<F64Layout>(b, m.f64()));
}
constexpr bool f64_unordered(uint64_t a, uint64_t b) {
  return soft::is_nan<F64Layout>(a) || soft::is_nan<F64Layout>(b);
}

}  // namespace wavetwin
