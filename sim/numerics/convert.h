// SPDX-License-Identifier: MIT
// The v_cvt_* family. Formats of 4, 6, 8 bits and bf16 come from common/format; here are MODE, scales,
// stochastic rounding and integers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "common/format/bf16.h"
#include "common/format/convert.h"
#include "common/format/e2m1.h"
#include "common/format/e2m3.h"
#include "common/format/e3m2.h"
#include "common/format/e4m3.h"
#include "common/format/e5m2.h"
#include "common/format/f16.h"
#include "sim/numerics/f32.h"
#include "sim/numerics/soft_float.h"

namespace wavetwin {

// --- between f16, f32 and f64

// One rounding by `out`; the source is flushed by `in`. A NaN keeps sign and the top of its payload and
// becomes quiet. source: guide, V_CVT_F16_F32; the payload is inferred.
template <class From, class To>
constexpr typename To::Bits convert_float(typename From::Bits x, const FloatRules& in,
                                          const FloatRules& out) {
  using namespace soft;
  const bool negative = sign<From>(x);
  if (is_nan<From>(x)) {
    constexpr int kWider = To::kFractionBits - From::kFractionBits;
    uint64_t payload = x & From::kFractionMask;
    if constexpr (kWider >= 0) payload <<= kWider;
    if constexpr (kWider < 0) payload >>= -kWider;
    const bool make_quiet = out.ieee || payload == 0;
    return with_sign<To>(
        negative, static_cast<typename To::Bits>(To::kInfinity | payload | (make_quiet ? To::kQuiet : 0)));
  }
  x = flush_input<From>(x, in);
  if (is_infinity<From>(x)) return with_sign<To>(negative, To::kInfinity);
  return round_pack<To>(unpack<From>(x), out);
}

inline uint16_t f32_to_f16(uint32_t x, const Mode& m) {
  return convert_float<F32Layout, F16Layout>(x, m.f32(), m.f16());
}
inline uint32_t f16_to_f32(uint16_t x, const Mode& m) {
  return convert_float<F16Layout, F32Layout>(x, m.f16(), m.f32());
}
// An f16 source of v_mad_mix: exact. Whether a subnormal one is flushed is said by the f32 field of
// MODE.denorm: measured on gfx90a and gfx950 with the default and the flushing MODE of HIP (LLVM pull request
// 205101); the f16 field is the option mix_denorm.
inline uint32_t mix_source_to_f32(uint16_t x, const Mode& m) {
  const FloatRules in = m.model->mix_denorm_f16 ? m.f16() : m.f32();
  return convert_float<F16Layout, F32Layout>(x, in, m.f32());
}
// The same in the default MODE. A float addition or multiplication by a power of two does the subnormals: its
// last place is the result's.
inline uint16_t f32_to_f16(uint32_t x, HostMode& host) {
  host.retry |= f32_nan_flag(x);
  const uint32_t magnitude = x & 0x7fffffffu;
  const uint32_t normal = ((magnitude + 0xfff + (magnitude >> 13 & 1)) >> 13) - (112u << 10);
  const uint32_t subnormal = f32_bits(f32_from_bits(magnitude) + 0.5f) - f32_bits(0.5f);
  const uint32_t finite = magnitude < 0x38800000u ? subnormal : normal;
  return static_cast<uint16_t>((magnitude >= 0x477ff000u ? 0x7c00u : finite) | (x >> 16 & 0x8000u));
}
inline uint32_t f16_to_f32(uint16_t x, HostMode& host) {
  const uint32_t magnitude = x & 0x7fffu;
  host.retry |= magnitude > 0x7c00u ? 1u : 0u;
  const uint32_t finite = f32_bits(f32_from_bits(magnitude << 13) * 0x1p112f);
  return (magnitude >= 0x7c00u ? 0x7f800000u : finite) | (x & 0x8000u) << 16;
}
// The rounding field is the one of f16 and f64: LLVM sets that field for v_cvt_f32_f64 (SIModeRegister,
// FPTRUNC_ROUND_F32_F64_PSEUDO).
inline uint32_t f64_to_f32(uint64_t x, const Mode& m) {
  FloatRules out = m.f32();
  out.round = m.round_f16_f64;
  return convert_float<F64Layout, F32Layout>(x, m.f64(), out);
}
inline uint64_t f32_to_f64(uint32_t x, const Mode& m) {
  return convert_float<F32Layout, F64Layout>(x, m.f32(), m.f64());
}

// v_cvt_pkrtz_f16_f32 and v_cvt_pk_f16_f32: the rounding is fixed. source: guide.
inline uint16_t f32_to_f16_rounded(uint32_t x, Round round, const Mode& m) {
  FloatRules out = m.f16();
  out.round = round;
  return convert_float<F32Layout, F16Layout>(x, m.f32(), out);
}

// --- integers

// Rounds in the given direction and saturates to [low, high]; NaN gives 0. source: guide, V_CVT_I32_F32.
template <class L>
constexpr int64_t float_to_integer(typename L::Bits x, int64_t low, int64_t high, Round round,
                                   const FloatRules& rules) {
  using namespace soft;
  if (is_nan<L>(x)) return 0;
  x = flush_input<L>(x, rules);
  const bool negative = sign<L>(x);
  if (is_infinity<L>(x)) return negative ? low : high;
  const Unrounded value = unpack<L>(x);
  if (value.significand != 0 && value.exponent + top_bit(value.significand) >= 40)
    return negative ? low : high;
  const int64_t magnitude =
      static_cast<int64_t>(round_shift(value.significand, -value.exponent, round, negative));
  return std::clamp(negative ? -magnitude : magnitude, low, high);
}
inline int32_t f32_to_i32(uint32_t x, const Mode& m) {
  return static_cast<int32_t>(float_to_integer<F32Layout>(x, INT32_MIN, INT32_MAX, Round::zero, m.f32()));
}
inline uint32_t f32_to_u32(uint32_t x, const Mode& m) {
  return static_cast<uint32_t>(float_to_integer<F32Layout>(x, 0, UINT32_MAX, Round::zero, m.f32()));
}
inline int32_t f64_to_i32(uint64_t x, const Mode& m) {
  return static_cast<int32_t>(float_to_integer<F64Layout>(x, INT32_MIN, INT32_MAX, Round::zero, m.f64()));
}
inline uint32_t f64_to_u32(uint64_t x, const Mode& m) {
  return static_cast<uint32_t>(float_to_integer<F64Layout>(x, 0, UINT32_MAX, Round::zero, m.f64()));
}
inline int16_t f16_to_i16(uint16_t x, const Mode& m) {
  return static_cast<int16_t>(float_to_integer<F16Layout>(x, INT16_MIN, INT16_MAX, Round::zero, m.f16()));
}
inline uint16_t f16_to_u16(uint16_t x, const Mode& m) {
  return static_cast<uint16_t>(float_to_integer<F16Layout>(x, 0, UINT16_MAX, Round::zero, m.f16()));
}
// v_cvt_flr_i32_f32: floor(x). v_cvt_rpi_i32_f32: floor(x + 0.5), the sum exact or rounded (option cvt_rpi).
inline int32_t f32_floor_to_i32(uint32_t x, const Mode& m) {
  return static_cast<int32_t>(
      float_to_integer<F32Layout>(x, INT32_MIN, INT32_MAX, Round::minus_infinity, m.f32()));
}
inline int32_t f32_round_half_up_to_i32(uint32_t x, const Mode& m) {
  if (soft::is_nan<F32Layout>(x)) return 0;
  x = soft::flush_input<F32Layout>(x, m.f32());
  if (soft::is_infinity<F32Layout>(x)) return soft::sign<F32Layout>(x) ? INT32_MIN : INT32_MAX;
  if (m.model->rpi_rounds_sum)
    return f32_floor_to_i32(soft::add<F32Layout>(x, 0x3f000000, FloatRules{}), Mode{});
  const soft::Unrounded sum = soft::add(soft::unpack<F32Layout>(x), {false, -1, 1}, Round::nearest_even);
  if (sum.significand != 0 && sum.exponent + soft::top_bit(sum.significand) >= 40)
    return sum.negative ? INT32_MIN : INT32_MAX;
  const int64_t magnitude = static_cast<int64_t>(
      soft::round_shift(sum.significand, -sum.exponent, Round::minus_infinity, sum.negative));
  return static_cast<int32_t>(
      std::clamp<int64_t>(sum.negative ? -magnitude : magnitude, INT32_MIN, INT32_MAX));
}

template <class L>
constexpr typename L::Bits integer_to_float(int64_t value, const FloatRules& rules) {
  const uint64_t magnitude = value < 0 ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  return soft::round_pack<L>({value < 0, 0, magnitude}, rules);
}
inline uint32_t i32_to_f32(int32_t x, const Mode& m) { return integer_to_float<F32Layout>(x, m.f32()); }
inline uint32_t u32_to_f32(uint32_t x, const Mode& m) { return integer_to_float<F32Layout>(x, m.f32()); }
// A host conversion to float rounds to nearest even, and one to int of a number in range truncates (C++
// [conv.fpint]).
inline uint32_t i32_to_f32(int32_t x, HostMode&) { return f32_bits(static_cast<float>(x)); }
inline uint32_t u32_to_f32(uint32_t x, HostMode&) { return f32_bits(static_cast<float>(x)); }
inline int32_t f32_to_i32(uint32_t x, HostMode&) {
  const float value = f32_from_bits(x);
  const float low = value > -0x1p31f ? value : -0x1p31f;  // a NaN goes low and is caught below
  const float inside = low < 0x1p31f ? low : 0.0f;
  const int32_t r = value >= 0x1p31f ? INT32_MAX : static_cast<int32_t>(inside);
  return f32_nan_flag(x) ? 0 : r;
}
inline uint32_t f32_to_u32(uint32_t x, HostMode&) {
  const float value = f32_from_bits(x);
  const float low = value > 0 ? value : 0.0f;
  const float inside = low < 0x1p32f ? low : 0.0f;
  return value >= 0x1p32f ? UINT32_MAX : static_cast<uint32_t>(inside);
}
inline uint64_t i32_to_f64(int32_t x) { return integer_to_float<F64Layout>(x, FloatRules{}); }
inline uint64_t u32_to_f64(uint32_t x) { return integer_to_float<F64Layout>(x, FloatRules{}); }
inline uint16_t i16_to_f16(int16_t x, const Mode& m) { return integer_to_float<F16Layout>(x, m.f16()); }
inline uint16_t u16_to_f16(uint16_t x, const Mode& m) { return integer_to_float<F16Layout>(x, m.f16()); }

// v_cvt_pk_u8_f32: saturates, and truncates as the C cast of the amd_pack builtin that it implements, or
// rounds (option cvt_u8).
inline uint8_t f32_to_u8(uint32_t x, const Mode& m) {
  const Round round = m.model->u8_nearest ? Round::nearest_even : Round::zero;
  return static_cast<uint8_t>(float_to_integer<F32Layout>(x, 0, 255, round, m.f32()));
}
// v_cvt_pknorm_*, v_cvt_norm_*: clamp to [-1, 1] or [0, 1], times 32767 or 65535, the exact product rounded
// by the option cvt_norm. assumption: NaN gives 0, as in every conversion to integers (guide, V_CVT_I32_F32).
template <class L>
constexpr int32_t float_to_normalized(typename L::Bits x, bool is_signed, const FloatRules& rules,
                                      const Mode& m) {
  using namespace soft;
  const int32_t top = is_signed ? 32767 : 65535;
  if (is_nan<L>(x)) return 0;
  x = flush_input<L>(x, rules);
  const bool negative = sign<L>(x);
  if (negative && !is_signed) return 0;
  if (magnitude<L>(x) >= L::kOne) return negative ? -top : top;
  Unrounded value = unpack<L>(x);
  value.significand *= static_cast<unsigned>(top);
  const int32_t rounded = static_cast<int32_t>(
      round_shift(value.significand, -value.exponent,
                  m.model->norm_truncates ? Round::zero : Round::nearest_even, negative));
  return negative ? -rounded : rounded;
}
// v_cvt_off_f32_i4: a signed 4-bit number of sixteenths. source: guide, CVT_OFF_TABLE.
inline uint32_t i4_offset_to_f32(uint32_t x) {
  return soft::round_pack<F32Layout>({(x & 8) != 0, -4, (x & 8) ? 16 - (x & 15) : x & 15}, FloatRules{});
}

// --- 4, 6, 8 bits and bf16

constexpr Overflow overflow_rule(const Mode& m) { return m.fp16_ovfl ? Overflow::saturate : Overflow::ieee; }

// Sources of the to-conversions. The f32 input control of MODE is honoured (guide, V_CVT_SCALEF32_*).
constexpr Unpacked source_f32(uint32_t x, const Mode& m) {
  return unpack(kBinary32, soft::flush_input<F32Layout>(x, m.f32()));
}
constexpr Unpacked source_f16(uint16_t x) { return unpack(F16::kFormat, x); }
constexpr Unpacked source_bf16(uint16_t x) { return unpack(BF16::kFormat, x); }

// Nearest even, with the NaN codes of the model.
template <class F>
constexpr auto encode_small(const Unpacked& x, const Mode& m) {
  using Code = decltype(F::bits);
  Code code = encode<F>(x, overflow_rule(m)).bits;
  if (x.kind != NumberClass::nan) return code;
  const Code sign = static_cast<Code>(code & F::kFormat.sign_mask());
  if (F::kFormat.nan == NanEncoding::none && m.model->nan_to_zero) code = sign;
  if (F::kFormat == E5M2::kFormat) code = static_cast<Code>(sign | (m.model->bf8_nan_short ? 0x7e : 0x7f));
  return code;
}

// v_cvt_pk_fp8_f32, v_cvt_pk_bf8_f32: nearest even whatever MODE.round. source: guide.
template <class F>
constexpr auto f32_to_small(uint32_t x, const Mode& m) {
  return encode_small<F>(source_f32(x, m), m);
}
// The same in the default MODE, for values a host float holds: rounding is an addition of half a last place,
// below the smallest normal number one float addition.
template <class F>
uint32_t float_to_small(float value, HostMode& host) {
  constexpr int kDropped = 23 - F::kFormat.mantissa_bits;
  constexpr uint32_t kRebias = static_cast<uint32_t>(127 - F::kFormat.bias) << F::kFormat.mantissa_bits;
  constexpr uint32_t kSmallestNormal = static_cast<uint32_t>(128 - F::kFormat.bias) << 23;
  // Its last place is the value of the smallest subnormal.
  constexpr float kMagic =
      f32_from_bits(static_cast<uint32_t>(151 - F::kFormat.bias - F::kFormat.mantissa_bits) << 23);
  constexpr uint32_t kMax = static_cast<uint32_t>(F::kFormat.max_finite_magnitude());
  constexpr uint32_t kOverflow = static_cast<uint32_t>(
      F::kFormat.has_infinity ? F::kFormat.infinity_magnitude() : F::kFormat.all_ones_magnitude());
  const uint32_t x = f32_bits(value), magnitude = x & 0x7fffffffu;
  host.retry |= f32_nan_flag(x);
  const uint32_t half = (1u << (kDropped - 1)) - 1;
  const uint32_t normal = ((magnitude + half + (magnitude >> kDropped & 1)) >> kDropped) - kRebias;
  const uint32_t subnormal = f32_bits(f32_from_bits(magnitude) + kMagic) - f32_bits(kMagic);
  const uint32_t code = magnitude < kSmallestNormal ? subnormal : normal;
  return (code > kMax ? kOverflow : code) | (x >> 31) << (F::kFormat.bits() - 1);
}
template <class F>
uint32_t f32_to_small(uint32_t x, HostMode& host) {
  return float_to_small<F>(f32_from_bits(x), host);
}
// v_cvt_pk_bf16_f32: the same; in the default MODE half a last place is added, and the tie goes to the even
// neighbour.
inline uint16_t f32_to_bf16(uint32_t x, const Mode& m) {
  if (f32_nan_flag(x) && m.model->bf16_nan_kept)
    return static_cast<uint16_t>(x >> 16 | ((x & 0xffff) != 0 ? 1 : 0));
  return f32_to_small<BF16>(x, m);
}
inline uint16_t f32_to_bf16(uint32_t x, HostMode& host) {
  host.retry |= f32_nan_flag(x);
  return static_cast<uint16_t>((x + 0x7fff + (x >> 16 & 1)) >> 16);
}
// v_cvt_f32_fp8, v_cvt_f32_bf8: exact.
template <class F>
inline constexpr auto kSmallValues = [] {
  std::array<uint32_t, 1u << F::kFormat.bits()> values{};
  for (uint32_t code = 0; code < values.size(); ++code) {
    values[code] = f32_bits(decode(F{static_cast<decltype(F::bits)>(code)}));
  }
  return values;
}();
template <class F>
constexpr uint32_t small_to_f32(uint32_t code) {
  return kSmallValues<F>[code];
}

// Stochastic rounding: as many top bits of `seed` as a 24-bit significand has below the result's last place
// are added at that place, and the sum is truncated. Below the smallest normal number the significand is
// first shifted to the place of the subnormals, dropping bits. source: AMD's HIP host emulation; below the
// smallest normal number unknown.
constexpr uint64_t encode_stochastic(const FloatFormat& format, const Unpacked& x, uint32_t seed,
                                     Overflow overflow) {
  const int seed_bits = 23 - format.mantissa_bits;
  const int top_exponent = x.exponent + 63 - std::countl_zero(x.significand);
  const int field = std::max(top_exponent + format.bias, 1);
  const int seed_place =
      field - format.bias - format.mantissa_bits - seed_bits;  // exponent of the seed's last bit
  const int shift = seed_place - x.exponent;
  const uint64_t aligned = shift >= 64 ? 0 : shift >= 0 ? x.significand >> shift : x.significand << -shift;
  const uint64_t sum = (aligned + (seed >> (32 - seed_bits))) >> seed_bits;
  const uint64_t magnitude = (static_cast<uint64_t>(field - 1) << format.mantissa_bits) + sum;
  const uint64_t sign = x.negative ? format.sign_mask() : 0;
  return sign | (magnitude > format.max_finite_magnitude() ? overflow_magnitude(format, overflow, false)
                                                           : magnitude);
}
// The guide's pseudo-code of v_cvt_sr_fp8_f32: the seed is added to the 23-bit mantissa field without a carry
// into the exponent, and the sum is rounded to nearest even.
constexpr uint64_t encode_stochastic_by_guide(const FloatFormat& format, const Unpacked& x, uint32_t seed,
                                              Overflow overflow) {
  const int up =
      std::countl_zero(x.significand) - 40;  // the leading bit to bit 23; no source has more than 24 bits
  const uint64_t normal = x.significand << up;
  const uint64_t field = (normal + (seed >> (9 + format.mantissa_bits))) & 0x7fffff;
  return encode_bits(format, {x.kind, x.negative, x.exponent - up, 0x800000 | field}, overflow);
}
template <class F>
constexpr auto small_stochastic(const Unpacked& x, uint32_t seed, const Mode& m) {
  using Code = decltype(F::bits);
  if (x.kind != NumberClass::finite) return encode_small<F>(x, m);
  const auto encode_by = m.model->stochastic_by_guide ? encode_stochastic_by_guide : encode_stochastic;
  return static_cast<Code>(encode_by(F::kFormat, x, seed, overflow_rule(m)));
}

// The step that advances the seed between elements. source: guide, V_PRNG_B32.
constexpr uint32_t prng_step(uint32_t x) { return (x << 1) ^ (x >> 31 ? 0xc5u : 0u); }

// --- v_cvt_scalef32_*

// The E8M0 code in a scale operand: the exponent field alone counts. source: guide.
constexpr int scale_code(uint32_t scale) { return scale >> 23 & 0xff; }
constexpr int kScaleNan = 255;
// 2^(code - 127) as f32 bits, code 0 .. 254.
constexpr uint32_t power_of_two_bits(uint32_t code) { return code == 0 ? 0x00400000u : code << 23; }

// x / 2^(code - 127), exact; code 255 makes a NaN. source: AMD's HIP host emulation; inferred.
constexpr Unpacked divide_by_scale(Unpacked x, uint32_t scale, const Mode& m) {
  if (scale_code(scale) == kScaleNan && !m.model->scale_255_is_number)
    return {NumberClass::nan, x.negative, 0, 0};
  x.exponent += 127 - scale_code(scale);
  return x;
}
template <class F>
constexpr uint32_t scaled_to_small(const Unpacked& x, uint32_t scale, const Mode& m) {
  return encode_small<F>(divide_by_scale(x, scale, m), m);
}
// In the default MODE: the product with the power of two is exact, or so small or large that the code is the
// same.
template <class F>
uint32_t scaled_to_small(uint32_t x, uint32_t scale, HostMode& host) {
  const uint32_t code = static_cast<uint32_t>(scale_code(scale));
  host.retry |= code == kScaleNan ? 1u : 0u;
  return float_to_small<F>(f32_from_bits(x) * f32_from_bits(power_of_two_bits(254 - code)), host);
}
template <class F>
constexpr uint32_t scaled_to_small(uint32_t x, uint32_t scale, const Mode& m) {
  return scaled_to_small<F>(source_f32(x, m), scale, m);
}
template <class F>
constexpr uint32_t scaled_to_small_stochastic(const Unpacked& x, uint32_t seed, uint32_t scale,
                                              const Mode& m) {
  return small_stochastic<F>(divide_by_scale(x, scale, m), seed, m);
}

// A code times 2^(code - 127) in `to` (kBinary32, F16 or BF16), rounded once to nearest even, subnormals
// kept. A NaN is `nan`. source: AMD's HIP host emulation; inferred, the NaN's bits unknown.
template <class F>
constexpr uint32_t scaled_from_small(uint32_t code, uint32_t scale, const FloatFormat& to, uint32_t nan,
                                     Overflow overflow, const Mode& m) {
  Unpacked x = unpack(F::kFormat, code);
  const bool nan_scale = scale_code(scale) == kScaleNan && !m.model->scale_255_is_number;
  if (x.kind == NumberClass::nan || nan_scale) return nan;
  x.exponent += scale_code(scale) - 127;
  return static_cast<uint32_t>(encode_bits(to, x, overflow));
}
template <class F>
constexpr uint32_t scaled_to_f32(uint32_t code, uint32_t scale, const Mode& m) {
  return scaled_from_small<F>(code, scale, kBinary32, 0x7fc00000, Overflow::ieee, m);
}
// In the default MODE: a value of few bits times a power of two, rounded once by the host.
template <class F>
uint32_t scaled_to_f32(uint32_t code, uint32_t scale, HostMode& host) {
  const uint32_t value = small_to_f32<F>(code);
  host.retry |= f32_nan_flag(value) | (scale_code(scale) == kScaleNan ? 1u : 0u);
  return f32_bits(f32_from_bits(value) *
                  f32_from_bits(power_of_two_bits(static_cast<uint32_t>(scale_code(scale)))));
}
// Rounding to f32 first loses nothing: only values far below half of the smallest bf16 or f16 number are
// inexact there.
template <class F>
uint16_t scaled_to_f16(uint32_t code, uint32_t scale, HostMode& host) {
  return f32_to_f16(scaled_to_f32<F>(code, scale, host), host);
}
template <class F>
uint16_t scaled_to_bf16(uint32_t code, uint32_t scale, HostMode& host) {
  return f32_to_bf16(scaled_to_f32<F>(code, scale, host), host);
}
template <class F>
constexpr uint16_t scaled_to_f16(uint32_t code, uint32_t scale, const Mode& m) {
  const uint32_t nan = m.model->scaled_nan_canonical ? 0x7e00 : 0x7fff;
  return static_cast<uint16_t>(scaled_from_small<F>(code, scale, F16::kFormat, nan, overflow_rule(m), m));
}
template <class F>
constexpr uint16_t scaled_to_bf16(uint32_t code, uint32_t scale, const Mode& m) {
  const uint32_t nan = m.model->scaled_nan_canonical ? 0x7fc0 : 0x7fff;
  return static_cast<uint16_t>(scaled_from_small<F>(code, scale, BF16::kFormat, nan, overflow_rule(m), m));
}

}  // namespace wavetwin
