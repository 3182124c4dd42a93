// SPDX-License-Identifier: MIT
#include "sim/numerics/transcendental.h"

#include <bit>
#include <cmath>

#include "sim/numerics/convert.h"
#include "sim/numerics/soft_float.h"

namespace wavetwin {
namespace {

#include "sim/numerics/transcendental_tables.inc"
#include "sim/numerics/two_over_pi.inc"

constexpr uint32_t kInf = 0x7f800000;
constexpr uint32_t kSignBit = 0x80000000;
constexpr uint32_t kDefaultNan = F32Layout::kDefaultNan;

constexpr uint32_t exponent_of(uint32_t x) { return x >> 23 & 0xff; }
constexpr uint32_t mantissa_of(uint32_t x) { return x & 0x7fffff; }
constexpr bool flushed_zero(uint32_t x) { return exponent_of(x) == 0; }
constexpr bool is_nan(uint32_t x) { return (x & 0x7fffffff) > kInf; }

// v / 2^s to nearest even; v >= 0.
constexpr int64_t rne(int64_t v, int s) {
  const int64_t kept = v >> s;
  const int64_t lost = v & ((int64_t{1} << s) - 1);
  const int64_t half = int64_t{1} << (s - 1);
  return kept + (lost > half || (lost == half && (kept & 1)));
}
// A product rounded half up to 24 significant bits.
constexpr int64_t q24(int64_t p) { return p >> 47 & 1 ? ((p + (1 << 23)) >> 24) * 2 : (p + (1 << 22)) >> 23; }
constexpr int64_t k25(int64_t v) { return v < (1 << 25) ? v : v & ~int64_t{1}; }

// Packs magnitude * 2^-fraction_bits, truncated or rounded away from zero.
uint32_t pack_log(bool negative, int64_t magnitude, int fraction_bits, bool away) {
  if (magnitude == 0) return 0;
  FloatRules rules;
  rules.round = !away ? Round::zero : negative ? Round::minus_infinity : Round::plus_infinity;
  return soft::round_pack<F32Layout>({negative, -fraction_bits, static_cast<Uint128>(magnitude)}, rules);
}

// log2 just above 1 (n = distance in mantissa units of [1, 2)) and just below (of [0.5, 1)).
uint32_t log2_near_one(bool above, int64_t n) {
  int s = 0;
  while (s < 16 && n << s < (1 << 14)) s += 4;
  const int64_t y = n << s;
  const int64_t row = !above ? n >> 17 : n < (1 << 16) ? 0 : 1 + (n >> 17 & 1);
  const int64_t* c = above ? kLog2Above1[row] : kLog2Below1[row];
  const int64_t linear = c[1] * y >> 15 << 3;
  const int64_t square = y * y >> (12 + s);
  const int64_t cubic = c[3] * n + c[4];
  if (above) return pack_log(false, c[0] + linear - k25((c[2] - (cubic >> 23)) * square >> 22), 36 + s, true);
  return pack_log(true, c[0] + linear + k25((c[2] + (cubic >> 22)) * square >> 23), 37 + s, true);
}

// sin of x turns, in double: reduce to the nearest eighth of a turn, then a Taylor polynomial.
double sin_turns(double turns) {
  turns -= std::nearbyint(turns);
  const double quarter = std::nearbyint(turns * 4);
  const double angle = (turns - quarter * 0.25) * 6.283185307179586476925;
  const double square = angle * angle;
  const int quadrant = static_cast<int>(quarter) & 3;
  double sum = 0, term = quadrant & 1 ? 1.0 : angle;
  for (int k = quadrant & 1 ? 1 : 2; k < 24; k += 2) {
    sum += term;
    term *= -square / (k * (k + 1));
  }
  if (sum == 0) return 0;
  return quadrant & 2 ? -sum : sum;
}

constexpr double kLn2 = 0.693147180559945309417;

// To nearest, subnormals kept, unless `rules` say otherwise.
uint32_t f32_of(double value, const FloatRules& rules = {}) {
  return convert_float<F64Layout, F32Layout>(std::bit_cast<uint64_t>(value), FloatRules{}, rules);
}

// sin, or cos `ahead` = a quarter of a turn further, of a finite x that is not flushed.
uint32_t sin_of(uint32_t x, double ahead, const Mode& mode) {
  const float turns = std::bit_cast<float>(x);
  double value = 0;
  if (mode.model->trig_domain_256 && std::fabs(turns) > 256) {
    value = sin_turns(ahead);
  } else if (mode.model->trig == TrigResult::radians) {
    constexpr float kTwoPi = 6.28318530717958647692f;
    const double angle = turns * kTwoPi;
    // An angle beyond f32 counts as whole turns, as the guide has it for the largest number.
    value = std::isinf(angle) ? sin_turns(ahead) : ahead != 0 ? std::cos(angle) : std::sin(angle);
  } else {
    value = sin_turns(static_cast<double>(turns) - std::nearbyint(turns) + ahead);
  }
  FloatRules rules = mode.f32();
  rules.round = mode.model->trig == TrigResult::truncated ? Round::zero : Round::nearest_even;
  return f32_of(value, rules);
}

// A function of f16 through its f32 sibling.
template <class Function>
uint16_t through_f32(uint16_t x, const Mode& mode, Function function) {
  x = soft::flush_input<F16Layout>(x, mode.f16());
  const uint32_t y = function(convert_float<F16Layout, F32Layout>(x, FloatRules{}, FloatRules{}));
  return convert_float<F32Layout, F16Layout>(y, FloatRules{}, mode.f16());
}

// The default MODE with the options of `mode`.
Mode default_mode(const Mode& mode) { return Mode::from_register(Mode::kDefaultRegister, mode.model); }

}  // namespace

uint32_t f32_exp2(uint32_t x) {
  if (is_nan(x)) return x | F32Layout::kQuiet;
  const bool negative = (x & kSignBit) != 0;
  const int e = static_cast<int>(exponent_of(x)) - 127;
  if (e < -24) return 0x3f800000;
  if (!negative && e >= 7) return kInf;
  if (negative && (x & 0x7fffffff) > 0x42fc0000) return 0;  // x < -126
  const int64_t significand = mantissa_of(x) | 1 << 23;
  const int64_t fixed = e + 6 >= 0 ? significand << (e + 6) : significand >> -(e + 6);  // |x| * 2^29
  const int64_t phase = negative ? -fixed - 1 : fixed;
  const int64_t n = phase >> 29;
  const int64_t* c = kExp2[phase >> 24 & 31];
  const int64_t t = phase & 0xffffff;
  const int64_t lp = c[1] * t;
  const int64_t linear = lp >> 47 ? rne(lp, 24) : rne(lp, 23) >> 1;
  const int64_t u = t >> 6;
  const int64_t square = u * u >> 12;
  const int64_t d = rne((c[2] << 7) + c[3] * u, 7);
  const int64_t sum = ((c[0] + linear) << 8) + q24(d * square);
  return static_cast<uint32_t>(((n + 126) << 23) + rne(sum, 13));
}

uint32_t f32_rcp(uint32_t x) {
  const uint32_t sign = x & kSignBit;
  if (is_nan(x)) return x | F32Layout::kQuiet;
  if (flushed_zero(x)) return sign | kInf;
  if ((x & 0x7fffffff) == kInf) return sign;
  const int64_t m = mantissa_of(x);
  const int64_t* c = kRcp[m >> 18];
  const int64_t f = m & 0x3ffff;
  const int64_t lp = c[1] * f;
  const int64_t linear = lp >> 38 ? rne(lp, 15) : (rne(lp, 14) + 1) >> 1;
  const int64_t d = ((c[2] << 20) - c[3] * (4 * f + 1) + 2048) >> 12;
  const int64_t square = (f >> 1) * (f >> 1) >> 10;
  const uint32_t r =
      static_cast<uint32_t>(0x3e800000 + rne((c[0] << 9) - (linear << 6) + q24(d * square), 11));
  const int field = static_cast<int>(exponent_of(r)) + 127 - static_cast<int>(exponent_of(x));
  return field <= 0 ? sign : sign | static_cast<uint32_t>(field) << 23 | mantissa_of(r);
}

uint32_t f32_rsq(uint32_t x) {
  if (is_nan(x)) return x | F32Layout::kQuiet;
  if (flushed_zero(x)) return (x & kSignBit) | kInf;
  if (x & kSignBit) return kDefaultNan;
  if (x == kInf) return 0;
  const int e = static_cast<int>(exponent_of(x)) - 127;
  const int parity = e & 1;
  const int64_t v = static_cast<int64_t>(parity) << 23 | mantissa_of(x);
  const int64_t* c = kRsq[v >> 18];
  const int64_t f = v & 0x3ffff;
  const int64_t lp = c[1] * f;
  const int64_t linear = lp >> 37 ? (rne(lp, 14) + 1) >> 1 : (rne(lp, 13) + 3) >> 2;
  const int64_t d = ((c[2] << 20) - c[3] * (4 * f + 1) + 1024) >> 11;
  const int64_t square = (f >> 1) * (f >> 1) >> 10;
  const int64_t r = 0x3e800000 + rne((c[0] << 10) - (linear << 7) + q24(d * square), 12);
  return static_cast<uint32_t>(r - (static_cast<int64_t>((e - parity) / 2) << 23));
}

uint32_t f32_sqrt(uint32_t x) {
  if (is_nan(x)) return x | F32Layout::kQuiet;
  if (flushed_zero(x)) return x & kSignBit;
  if (x & kSignBit) return kDefaultNan;
  if (x == kInf) return kInf;
  const int e = static_cast<int>(exponent_of(x)) - 127;
  const int parity = e & 1;
  const int64_t v = static_cast<int64_t>(parity) << 23 | mantissa_of(x);
  const int64_t* c = kSqrt[v >> 19];
  const int64_t t = v & 0x7ffff;
  const int64_t lp = c[1] * t;
  const int64_t linear = lp >> 40 ? rne(lp, 17) : rne(lp, 16) >> 1;
  const int64_t d = ((c[2] << 19) - c[3] * (2 * t + 1) + 0x400) >> 11;
  const int64_t square = (t >> 2) * (t >> 2) >> 10;
  const int64_t p = d * square;
  const int64_t quadratic = p >> 47 ? ((p + (1 << 23)) >> 24) * 2 : rne(p, 23);
  const int64_t s = rne((c[0] << 10) + (linear << 7) - quadratic, 12);
  return static_cast<uint32_t>((e - parity) / 2 + 127) << 23 | mantissa_of(static_cast<uint32_t>(s));
}

uint32_t f32_log2(uint32_t x) {
  if (is_nan(x)) return x | F32Layout::kQuiet;
  if (flushed_zero(x)) return kSignBit | kInf;
  if (x & kSignBit) return kDefaultNan;
  if (x == kInf) return kInf;
  const int64_t e = static_cast<int64_t>(exponent_of(x)) - 127;
  const int64_t m = mantissa_of(x);
  if (e == 0 && m == 0) return 0;
  if (e == 0 && m < (1 << 18)) return log2_near_one(true, m);
  if (e == -1 && m > 0x7c0000) return log2_near_one(false, 0x800000 - m);
  const int64_t* c = kLog2[m >> 17 == 3 ? 32 : m >> 18];
  const int64_t delta = m & 0x3ffff;
  const int64_t square = delta * delta >> 12;
  const int64_t d = c[2] - ((c[3] * delta + c[4]) >> 23);
  const int64_t fraction = (c[0] << 6) + (c[1] * delta >> 16 << 6) - k25(d * square >> 22);
  const int64_t sum = (e << 36) + fraction;
  return pack_log(sum < 0, sum < 0 ? -sum : sum, 36, sum < 0);
}

uint32_t f32_exp2_legacy(uint32_t x, const Mode& mode) {
  const float power = std::bit_cast<float>(x);
  const bool inside = power >= -126.0f && power < 128.0f;
  if (!mode.model->exp_log_nearest || !inside) return f32_exp2(x);
  const double whole = std::nearbyint(power);
  const double exponent = (power - whole) * kLn2;
  double sum = 0, term = 1;
  for (int k = 1; k < 20; ++k) {  // e^exponent; |exponent| < 0.35
    sum += term;
    term *= exponent / k;
  }
  return f32_of(std::ldexp(sum, static_cast<int>(whole)));
}

uint32_t f32_log2_legacy(uint32_t x, const Mode& mode) {
  const bool positive = !flushed_zero(x) && x < kInf;
  if (!mode.model->exp_log_nearest || !positive) return f32_log2(x);
  // From sqrt(1/2) to sqrt(2), so that the sum does not cancel.
  int exponent = static_cast<int>(exponent_of(x)) - 127;
  double fraction = 1 + mantissa_of(x) * 0x1p-23;
  if (fraction > 1.41421356) {
    fraction /= 2;
    ++exponent;
  }
  const double ratio = (fraction - 1) / (fraction + 1);
  double sum = 0, power = ratio;
  for (int k = 1; k < 24; k += 2) {  // atanh; |ratio| < 0.172
    sum += power / k;
    power *= ratio * ratio;
  }
  return f32_of(exponent + sum * 2 / kLn2);
}

uint32_t f32_sin(uint32_t x, const Mode& mode) {
  if (is_nan(x)) return x | F32Layout::kQuiet;
  if ((x & 0x7fffffff) == kInf) return kDefaultNan;
  x = soft::flush_input<F32Layout>(x, mode.f32());
  return soft::is_zero<F32Layout>(x) ? x : sin_of(x, 0, mode);
}

uint32_t f32_cos(uint32_t x, const Mode& mode) {
  if (is_nan(x)) return x | F32Layout::kQuiet;
  if ((x & 0x7fffffff) == kInf) return kDefaultNan;
  return sin_of(soft::flush_input<F32Layout>(x, mode.f32()), 0.25, mode);
}

namespace {

// The f64 sources of v_rcp, v_rsq and v_sqrt: the answer for a special x, or that there is none.
bool special_f64(uint64_t x, uint64_t& answer) {
  if (soft::is_nan<F64Layout>(x)) {
    answer = soft::quiet<F64Layout>(x);
    return true;
  }
  if (soft::sign<F64Layout>(x) && !soft::is_zero<F64Layout>(x)) {
    answer = F64Layout::kDefaultNan;
    return true;
  }
  return false;
}

// As many significant bits as the option says, to nearest even.
uint64_t approximated(double value, const Mode& mode) {
  const uint64_t bits = std::bit_cast<uint64_t>(value);
  if (mode.model->f64_bits == F64Bits::bits53 || !std::isfinite(value)) return bits;
  const int dropped = mode.model->f64_bits == F64Bits::bits29 ? 24 : 29;
  const uint64_t half = (uint64_t{1} << (dropped - 1)) - 1 + (bits >> dropped & 1);
  return (bits + half) >> dropped << dropped;
}

}  // namespace

uint64_t f64_rcp(uint64_t x, const Mode& mode) {
  return soft::is_nan<F64Layout>(x) ? soft::quiet<F64Layout>(x)
                                    : approximated(1.0 / std::bit_cast<double>(x), mode);
}
uint64_t f64_rsq(uint64_t x, const Mode& mode) {
  uint64_t answer = 0;
  if (special_f64(x, answer)) return answer;
  return approximated(1.0 / std::sqrt(std::bit_cast<double>(x)), mode);
}
uint64_t f64_sqrt(uint64_t x, const Mode& mode) {
  uint64_t answer = 0;
  if (special_f64(x, answer)) return answer;
  return approximated(std::sqrt(std::bit_cast<double>(x)), mode);
}

uint64_t f64_trig_preop(uint64_t x, uint32_t segment, const Mode& mode) {
  if (soft::is_nan<F64Layout>(x)) return soft::propagate<F64Layout>(x, mode.f64());
  const int field = soft::exponent_field<F64Layout>(x);
  int shift = static_cast<int>(segment & 31) * 53;
  if (field > 1077) shift += field - 1077;
  // The 53 bits below the `shift` leading ones; beyond the constant's end they are zero.
  uint64_t window = 0;
  for (int i = shift; i < shift + 53; ++i) {
    const uint64_t bit = i < 1201 ? kTwoOverPi[i / 64] >> (63 - i % 64) & 1 : 0;
    window = window << 1 | bit;
  }
  const int scale = -53 - shift + (field >= 1968 ? 128 : 0);
  return soft::round_pack<F64Layout>({false, scale, window}, FloatRules{});
}

uint16_t f16_exp2(uint16_t x, const Mode& mode) { return through_f32(x, mode, f32_exp2); }
uint16_t f16_log2(uint16_t x, const Mode& mode) { return through_f32(x, mode, f32_log2); }
uint16_t f16_rcp(uint16_t x, const Mode& mode) { return through_f32(x, mode, f32_rcp); }
uint16_t f16_rsq(uint16_t x, const Mode& mode) { return through_f32(x, mode, f32_rsq); }
uint16_t f16_sqrt(uint16_t x, const Mode& mode) { return through_f32(x, mode, f32_sqrt); }
uint16_t f16_sin(uint16_t x, const Mode& mode) {
  return through_f32(x, mode, [&](uint32_t y) { return f32_sin(y, default_mode(mode)); });
}
uint16_t f16_cos(uint16_t x, const Mode& mode) {
  return through_f32(x, mode, [&](uint32_t y) { return f32_cos(y, default_mode(mode)); });
}

float exp2_det(float x) {
  if (x != x) return std::bit_cast<float>(0x7fc00000u);
  if (x >= 128.0f) return std::bit_cast<float>(kInf);
  if (x < -126.0f) return 0.0f;
  const float n = std::nearbyint(x);
  const float f = x - n;
  constexpr uint32_t kC[] = {0x392209C5, 0x3AAF8448, 0x3C1D952A,
                             0x3D6357B6, 0x3E75FDF0, 0x3F317218};  // c6 .. c1
  float p = std::bit_cast<float>(kC[0]);
  for (int i = 1; i < 6; ++i) p = std::fma(p, f, std::bit_cast<float>(kC[i]));
  p = std::fma(p, f, 1.0f);
  const int exponent = static_cast<int>(n);
  if (exponent == 128) return p * std::bit_cast<float>(0x7f000000u) * 2.0f;
  return p * std::bit_cast<float>(static_cast<uint32_t>(exponent + 127) << 23);
}

float rsq_det(float x) { return 1.0f / std::sqrt(x); }

}  // namespace wavetwin
