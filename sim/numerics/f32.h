// SPDX-License-Identifier: MIT
// Arithmetic on f32 bits. `f32_op(..., const Mode&)` is right in every MODE; `f32_op(..., HostMode&)` uses
// the host's float for the default MODE (round to nearest even, subnormals kept, IEEE), so that a loop over
// lanes vectorises.
//
// Why the host may be used: IEEE 754 fixes the bits of add, multiply and fma in that MODE except for NaNs. A
// NaN result or operand therefore sets HostMode::retry, and the caller repeats the lanes with the general
// function.
#pragma once

#include <cmath>
#include <cstdint>

#include "common/bits.h"
#include "sim/numerics/arithmetic.h"

namespace wavetwin {

// Stands for the default MODE. `retry` becomes non-zero when a lane needs the general function.
struct HostMode {
  uint32_t retry = 0;
};

constexpr uint32_t f32_nan_flag(uint32_t bits) { return (bits & 0x7fffffffu) > 0x7f800000u; }
// The same for host values, in the form that is one SIMD comparison: all ones when a or b is a NaN.
inline uint32_t f32_unordered_flag(float a, float b) { return __builtin_isunordered(a, b) ? ~0u : 0u; }
inline uint32_t f32_checked(float result, HostMode& host) {
  host.retry |= f32_unordered_flag(result, result);
  return f32_bits(result);
}

inline uint32_t f32_add(uint32_t a, uint32_t b, const Mode& m) { return soft::add<F32Layout>(a, b, m.f32()); }
inline uint32_t f32_sub(uint32_t a, uint32_t b, const Mode& m) {
  return soft::sub<F32Layout>(a, b, m.f32(), m.model->sub_flips_nan);
}
inline uint32_t f32_mul(uint32_t a, uint32_t b, const Mode& m) { return soft::mul<F32Layout>(a, b, m.f32()); }
inline uint32_t f32_fma(uint32_t a, uint32_t b, uint32_t c, const Mode& m) {
  return soft::fma<F32Layout>(a, b, c, m.f32());
}
inline uint32_t f32_min(uint32_t a, uint32_t b, const Mode& m) { return soft::min<F32Layout>(a, b, m.f32()); }
inline uint32_t f32_max(uint32_t a, uint32_t b, const Mode& m) { return soft::max<F32Layout>(a, b, m.f32()); }

inline uint32_t f32_add(uint32_t a, uint32_t b, HostMode& host) {
  return f32_checked(f32_from_bits(a) + f32_from_bits(b), host);
}
inline uint32_t f32_sub(uint32_t a, uint32_t b, HostMode& host) {
  return f32_checked(f32_from_bits(a) - f32_from_bits(b), host);
}
inline uint32_t f32_mul(uint32_t a, uint32_t b, HostMode& host) {
  return f32_checked(f32_from_bits(a) * f32_from_bits(b), host);
}
inline uint32_t f32_fma(uint32_t a, uint32_t b, uint32_t c, HostMode& host) {
  return f32_checked(std::fma(f32_from_bits(a), f32_from_bits(b), f32_from_bits(c)), host);
}

// Branch-free order key: signed order of the keys is -inf .. -0 < +0 .. +inf.
constexpr int32_t f32_key(uint32_t bits) {
  const int32_t x = static_cast<int32_t>(bits);
  return x ^ static_cast<int32_t>(static_cast<uint32_t>(x >> 31) >> 1);
}
inline uint32_t f32_min(uint32_t a, uint32_t b, HostMode& host) {
  host.retry |= f32_unordered_flag(f32_from_bits(a), f32_from_bits(b));
  return f32_key(a) < f32_key(b) ? a : b;
}
inline uint32_t f32_max(uint32_t a, uint32_t b, HostMode& host) {
  host.retry |= f32_unordered_flag(f32_from_bits(a), f32_from_bits(b));
  return f32_key(a) < f32_key(b) ? b : a;
}

inline uint32_t f32_med3(uint32_t a, uint32_t b, uint32_t c, const Mode& m) {
  return soft::med3<F32Layout>(a, b, c, m.f32());
}
// Equality is that of the values, so that zeros of both signs are told apart as in the general function.
inline uint32_t f32_med3(uint32_t a, uint32_t b, uint32_t c, HostMode& host) {
  const uint32_t ab = f32_max(a, b, host), ac = f32_max(a, c, host), bc = f32_max(b, c, host);
  const uint32_t top = f32_key(ab) < f32_key(c) ? c : ab;
  return f32_from_bits(top) == f32_from_bits(a) ? bc : f32_from_bits(top) == f32_from_bits(b) ? ac : ab;
}
inline uint32_t f32_minimum3(uint32_t a, uint32_t b, uint32_t c, const Mode& m) {
  return soft::minimum3<F32Layout>(a, b, c, m.f32());
}
inline uint32_t f32_maximum3(uint32_t a, uint32_t b, uint32_t c, const Mode& m) {
  return soft::maximum3<F32Layout>(a, b, c, m.f32());
}
inline uint32_t f32_minimum3(uint32_t a, uint32_t b, uint32_t c, HostMode& host) {
  return f32_min(f32_min(a, b, host), c, host);
}
inline uint32_t f32_maximum3(uint32_t a, uint32_t b, uint32_t c, HostMode& host) {
  return f32_max(f32_max(a, b, host), c, host);
}

// v_trunc, v_ceil, v_floor, v_rndne.
inline uint32_t f32_trunc(uint32_t x, const Mode& m) {
  return soft::round_to_integral<F32Layout>(x, Round::zero, m.f32());
}
inline uint32_t f32_ceil(uint32_t x, const Mode& m) {
  return soft::round_to_integral<F32Layout>(x, Round::plus_infinity, m.f32());
}
inline uint32_t f32_floor(uint32_t x, const Mode& m) {
  return soft::round_to_integral<F32Layout>(x, Round::minus_infinity, m.f32());
}
inline uint32_t f32_rndne(uint32_t x, const Mode& m) {
  return soft::round_to_integral<F32Layout>(x, Round::nearest_even, m.f32());
}
inline uint32_t f32_trunc(uint32_t x, HostMode& host) {
  return f32_checked(std::trunc(f32_from_bits(x)), host);
}
inline uint32_t f32_ceil(uint32_t x, HostMode& host) {
  return f32_checked(std::ceil(f32_from_bits(x)), host);
}
inline uint32_t f32_floor(uint32_t x, HostMode& host) {
  return f32_checked(std::floor(f32_from_bits(x)), host);
}
inline uint32_t f32_rndne(uint32_t x, HostMode& host) {
  return f32_checked(std::nearbyint(f32_from_bits(x)), host);
}

inline uint32_t f32_ldexp(uint32_t x, int32_t power, const Mode& m) {
  return soft::ldexp<F32Layout>(x, power, m.f32());
}
// Normal to normal: the power goes to the exponent field.
inline uint32_t f32_ldexp(uint32_t x, int32_t power, HostMode& host) {
  const int32_t field = static_cast<int32_t>(x >> 23 & 0xff);
  const int32_t limited = power > 512 ? 512 : power < -512 ? -512 : power;
  const bool plain = (field > 0) & (field < 255) & (field + limited > 0) & (field + limited < 255);
  host.retry |= plain ? 0u : 1u;
  return x + (static_cast<uint32_t>(limited) << 23);
}

// Comparisons flush their operands as MODE says and answer false for NaN.
inline bool f32_less(uint32_t a, uint32_t b, const Mode& m) {
  return soft::less<F32Layout>(soft::flush_input<F32Layout>(a, m.f32()),
                               soft::flush_input<F32Layout>(b, m.f32()));
}
inline bool f32_equal(uint32_t a, uint32_t b, const Mode& m) {
  return soft::equal<F32Layout>(soft::flush_input<F32Layout>(a, m.f32()),
                                soft::flush_input<F32Layout>(b, m.f32()));
}
inline bool f32_less(uint32_t a, uint32_t b, HostMode&) { return f32_from_bits(a) < f32_from_bits(b); }
inline bool f32_equal(uint32_t a, uint32_t b, HostMode&) { return f32_from_bits(a) == f32_from_bits(b); }
constexpr bool f32_unordered(uint32_t a, uint32_t b) { return (f32_nan_flag(a) | f32_nan_flag(b)) != 0; }

// v_mul_legacy_f32: zero times anything is +0. source: guide, V_MUL_LEGACY_F32. A flushed subnormal is such a
// zero.
inline uint32_t f32_mul_legacy(uint32_t a, uint32_t b, const Mode& m) {
  const FloatRules rules = m.f32();
  const bool zero = soft::is_zero<F32Layout>(soft::flush_input<F32Layout>(a, rules)) ||
                    soft::is_zero<F32Layout>(soft::flush_input<F32Layout>(b, rules));
  return zero ? 0 : soft::mul<F32Layout>(a, b, rules);
}

inline uint32_t f32_clamp(uint32_t x, const Mode& m) {
  return soft::clamp_result<F32Layout>(x, m.dx10_clamp);
}

}  // namespace wavetwin
