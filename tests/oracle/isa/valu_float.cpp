// SPDX-License-Identifier: MIT
// Floating-point rows: arithmetic, rounding, exponent and mantissa, division helpers, approximations.
// guide 12.7, 12.8, 12.11.
#include <cmath>
#include <cstring>

#include "tests/oracle/isa/valu_oracle.h"

namespace wavetwin::reference {
namespace {

using In = const LaneInput&;
using Rows = std::map<std::string, LaneFunction>;

uint64_t operand(In i, int n, const Spec& s) {
  return s.fraction_bits == 10 ? i.u16(n) : s.fraction_bits == 23 ? i.u32(n) : i.u64(n);
}
uint64_t old_value(In i, const Spec& s) {
  const uint64_t both = i.old[0] | uint64_t{i.old[1]} << 32;
  return s.fraction_bits == 10 ? both & 0xffff : s.fraction_bits == 23 ? both & 0xffffffff : both;
}
LaneResult answer(const Spec& s, uint64_t c) { return s.fraction_bits == 52 ? two_words(c) : word(c); }

// x * 2^power with one rounding.
uint64_t scaled(const Spec& s, uint64_t x, int power, const ModeBits& m) {
  if (nan(s, x)) return pass(s, x, m);
  x = take(s, x, m);
  if (inf(s, x) || zero(s, x)) return x;
  const Parts p = parts(s, x);
  if (power > 2200) power = 2200;  // beyond the format either way
  if (power < -2200) {             // below half of the smallest number
    const Exact tiny = exact(p.negative, 1, -kUnit);
    return finish(s, tiny, p.negative, m, m.direction(s));
  }
  if (p.exponent + power < -kUnit)
    return finish(s, exact(p.negative, 1, -kUnit), p.negative, m, m.direction(s));
  if (p.exponent + power > 2200) return finish(s, exact(p.negative, 1, 2200), p.negative, m, m.direction(s));
  return finish(s, exact(p.negative, p.integer, p.exponent + power), p.negative, m, m.direction(s));
}

// To an integral value. `half_even`: to nearest, ties to even; otherwise floor or ceiling by `up`, or
// truncation.
uint64_t integral(const Spec& s, uint64_t x, Direction direction, const ModeBits& m) {
  if (nan(s, x)) return pass(s, x, m);
  x = take(s, x, m);
  if (inf(s, x) || zero(s, x)) return x;
  const Parts p = parts(s, x);
  if (p.exponent >= 0) return x;
  uint64_t whole = 0, rest = 0, half = 0;
  if (p.exponent > -64) {
    whole = p.integer >> -p.exponent;
    rest = p.integer & ((uint64_t{1} << -p.exponent) - 1);
    half = uint64_t{1} << (-p.exponent - 1);
  } else {
    rest = 1;
    half = 2;
  }
  bool away = false;
  if (direction == kNearest) away = rest > half || (rest == half && whole % 2 == 1);
  if (direction == kUp) away = rest != 0 && !p.negative;
  if (direction == kDown) away = rest != 0 && p.negative;
  whole += away ? 1 : 0;
  if (whole == 0) return signed_code(s, p.negative, 0);
  return rounded(s, exact(p.negative, whole, 0), kNearest);
}

uint64_t fraction(const Spec& s, uint64_t x, const ModeBits& m) {
  if (nan(s, x)) return pass(s, x, m);
  x = take(s, x, m);
  if (inf(s, x)) return s.default_nan();
  const uint64_t below = integral(s, x, kDown, m);
  const uint64_t d = add(s, x, below ^ s.sign(), m);
  return mag(s, d) >= s.one() ? s.one() - 1 : d;
}

int binary_exponent(const Spec& s, uint64_t x) {  // of 0.5 <= m < 1
  const Parts p = parts(s, x);
  return p.exponent + 64 - __builtin_clzll(p.integer);
}

void add_rounding(Rows& rows, const std::string& type, const Spec& s) {
  const auto unary = [&](const char* name, auto f) {
    rows["V_" + std::string(name) + "_" + type] = [=](In i) {
      return answer(s, f(operand(i, 0, s), i.mode));
    };
  };
  unary("TRUNC", [=](uint64_t x, const ModeBits& m) { return integral(s, x, kTruncate, m); });
  unary("CEIL", [=](uint64_t x, const ModeBits& m) { return integral(s, x, kUp, m); });
  unary("FLOOR", [=](uint64_t x, const ModeBits& m) { return integral(s, x, kDown, m); });
  unary("RNDNE", [=](uint64_t x, const ModeBits& m) { return integral(s, x, kNearest, m); });
  unary("FRACT", [=](uint64_t x, const ModeBits& m) { return fraction(s, x, m); });
  unary("FREXP_MANT", [=](uint64_t x, const ModeBits& m) {
    x = take(s, x, m);
    if (nan(s, x)) return pass(s, x, m);
    if (inf(s, x) || zero(s, x)) return x;
    ModeBits exact_mode = m;
    return scaled(s, x, -binary_exponent(s, x), exact_mode);
  });
  const std::string exponent_name = type == "F16" ? "V_FREXP_EXP_I16_F16" : "V_FREXP_EXP_I32_" + type;
  rows[exponent_name] = [=](In i) {
    const uint64_t x = take(s, operand(i, 0, s), i.mode);
    const int e = nan(s, x) || inf(s, x) || zero(s, x) ? 0 : binary_exponent(s, x);
    return word(static_cast<uint32_t>(e) & (type == "F16" ? 0xffffu : 0xffffffffu));
  };
}

void add_arithmetic(Rows& rows, const std::string& type, const Spec& s) {
  const auto binary = [&](const char* name, auto f) {
    rows["V_" + std::string(name) + "_" + type] = [=](In i) {
      return answer(s, f(operand(i, 0, s), operand(i, 1, s), i.mode));
    };
  };
  const auto minus = [=](uint64_t a, uint64_t b, const ModeBits& m) {
    const bool kept = nan(s, b) && !m.chosen("sub_nan", "flipped");
    return add(s, a, kept ? b : b ^ s.sign(), m);
  };
  binary("ADD", [=](uint64_t a, uint64_t b, const ModeBits& m) { return add(s, a, b, m); });
  binary("SUB", minus);
  binary("SUBREV", [=](uint64_t a, uint64_t b, const ModeBits& m) { return minus(b, a, m); });
  binary("MUL", [=](uint64_t a, uint64_t b, const ModeBits& m) { return mul(s, a, b, m); });
  binary("MIN", [=](uint64_t a, uint64_t b, const ModeBits& m) { return min_or_max(s, a, b, false, m); });
  binary("MAX", [=](uint64_t a, uint64_t b, const ModeBits& m) { return min_or_max(s, a, b, true, m); });
  const auto ternary = [&](const std::string& name, auto f) {
    rows[name] = [=](In i) {
      return answer(s, f(operand(i, 0, s), operand(i, 1, s), operand(i, 2, s), i.mode));
    };
  };
  const auto fused = [=](uint64_t a, uint64_t b, uint64_t c, const ModeBits& m) {
    return fma(s, a, b, c, 0, m);
  };
  ternary("V_FMA_" + type, fused);
  rows["V_FMAC_" + type] = [=](In i) {
    return answer(s, fused(operand(i, 0, s), operand(i, 1, s), old_value(i, s), i.mode));
  };
  const auto three = [=](uint64_t a, uint64_t b, uint64_t c, bool max, const ModeBits& m) {
    return min_or_max(s, min_or_max(s, a, b, max, m), c, max, m);
  };
  ternary("V_MIN3_" + type,
          [=](auto a, auto b, auto c, const ModeBits& m) { return three(a, b, c, false, m); });
  ternary("V_MAX3_" + type,
          [=](auto a, auto b, auto c, const ModeBits& m) { return three(a, b, c, true, m); });
  ternary("V_MED3_" + type, [=](uint64_t a, uint64_t b, uint64_t c, const ModeBits& m) {
    if (nan(s, a) || nan(s, b) || nan(s, c)) return three(a, b, c, false, m);
    a = take(s, a, m), b = take(s, b, m), c = take(s, c, m);
    const uint64_t top = three(a, b, c, true, m);
    if (order(s, top, a) == 0) return min_or_max(s, b, c, true, m);
    if (order(s, top, b) == 0) return min_or_max(s, a, c, true, m);
    return min_or_max(s, a, b, true, m);
  });
  // IEEE 754-2019 minimum and maximum: NaN wins, quiet whatever MODE.IEEE (guide, V_MINIMUM3_F32).
  const auto strict = [=](uint64_t a, uint64_t b, bool max, const ModeBits& m) {
    if (nan(s, a)) return a | s.quiet();
    if (nan(s, b)) return b | s.quiet();
    return min_or_max(s, a, b, max, m);
  };
  ternary("V_MINIMUM3_" + type, [=](auto a, auto b, auto c, const ModeBits& m) {
    return strict(strict(a, b, false, m), c, false, m);
  });
  ternary("V_MAXIMUM3_" + type, [=](auto a, auto b, auto c, const ModeBits& m) {
    return strict(strict(a, b, true, m), c, true, m);
  });
  rows["V_LDEXP_" + type] = [=](In i) {
    return answer(s, scaled(s, operand(i, 0, s), type == "F16" ? i.i16(1) : i.i32(1), i.mode));
  };
}

// Division helpers; the rules that were verified on hardware of the sibling family, not the guide's
// pseudo-code.
void add_division(Rows& rows, const std::string& type, const Spec& s, int scale, int far, int huge, int tiny,
                  int gap) {
  const auto field = [=](uint64_t x) { return static_cast<int>(mag(s, x) >> s.fraction_bits); };
  rows["V_DIV_SCALE_" + type] = [=](In i) {
    const uint64_t x = operand(i, 0, s), den = operand(i, 1, s), num = operand(i, 2, s);
    ModeBits keep = i.mode;
    keep.bits |= 0xf0;
    const auto times = [&](int power) { return scaled(s, x, power, keep); };
    const bool is_den = x == den;
    const int de = field(den), ne = field(num), delta = ne - de;
    uint64_t d = x;
    bool flag = false;
    if (zero(s, den) || zero(s, num)) {
      d = s.default_nan();
    } else if (delta >= far) {
      d = is_den ? times(scale) : x;
      flag = true;
    } else if (de == 0) {
      d = times(scale);
    } else if (de >= huge) {
      flag = delta <= -far;
      d = flag && !is_den ? x : times(-scale);
    } else if (delta <= -far) {
      d = is_den ? x : times(scale);
      flag = true;
    } else if (ne <= tiny) {
      d = times(scale);
    }
    LaneResult r = answer(s, d);
    r.mask = flag;
    return r;
  };
  rows["V_DIV_FMAS_" + type] = [=](In i) {
    ModeBits keep = i.mode;
    keep.bits |= s.fraction_bits == 23 ? 0x10 : 0x40;  // inputs are not flushed
    const uint64_t c = operand(i, 2, s);
    const int power = !i.vcc ? 0 : field(c) > s.bias() ? scale : -scale;
    return answer(s, fma(s, operand(i, 0, s), operand(i, 1, s), c, power, keep));
  };
  rows["V_DIV_FIXUP_" + type] = [=](In i) {
    const uint64_t q = operand(i, 0, s), den = operand(i, 1, s), num = operand(i, 2, s);
    const bool negative = neg(s, den) != neg(s, num);
    const auto sgn = [&](uint64_t m) { return answer(s, signed_code(s, negative, m)); };
    if (nan(s, num)) return answer(s, num | s.quiet());
    if (nan(s, den)) return answer(s, den | s.quiet());
    if (zero(s, den) && zero(s, num)) return answer(s, s.default_nan());
    if (inf(s, den) && inf(s, num)) return answer(s, s.default_nan());
    if (zero(s, den) || inf(s, num)) return sgn(s.infinity());
    if (inf(s, den) || zero(s, num)) return sgn(0);
    if (gap != 0 && field(num) - field(den) < -gap)
      return sgn(i.mode.chosen("div_underflow", "smallest") ? 1 : 0);
    if (nan(s, q) || inf(s, q)) return sgn(s.infinity());
    return sgn(mag(s, q));
  };
}

double number(const Spec& s, uint64_t c) {
  if (nan(s, c)) return NAN;
  if (inf(s, c)) return neg(s, c) ? -INFINITY : INFINITY;
  const Parts p = parts(s, c);
  return std::ldexp(p.negative ? -static_cast<double>(p.integer) : static_cast<double>(p.integer),
                    p.exponent);
}
// The code nearest to a host double (its own error is far below a unit of the last place of f16 and f32).
uint64_t code_of(const Spec& s, double v) {
  if (std::isnan(v)) return s.default_nan();
  if (std::isinf(v)) return signed_code(s, v < 0, s.infinity());
  if (v == 0) return signed_code(s, std::signbit(v), 0);
  uint64_t bits;
  std::memcpy(&bits, &v, 8);
  const Parts p = parts(kDouble, bits);
  return rounded(s, exact(p.negative, p.integer, p.exponent), kNearest);
}

// v_sin and v_cos of finite turns. Long double; nothing is lost in the reduction to an eighth of a turn.
double circular(double turns, bool cosine, const ModeBits& m) {
  constexpr long double kTwoPi = 6.283185307179586476925286766559L;
  if (m.chosen("sin_domain", "256") && std::fabs(turns) > 256) return cosine ? 1 : 0;
  if (m.chosen("sin_cos", "radians")) {
    const float angle = static_cast<float>(turns) * static_cast<float>(kTwoPi);
    if (std::isinf(angle)) return cosine ? 1 : 0;  // whole turns, as the guide has the largest number
    return static_cast<double>(cosine ? cosl(angle) : sinl(angle));
  }
  const long double part = std::remainder(turns, 1.0);
  const int quarter = static_cast<int>(std::nearbyint(static_cast<double>(part) * 4));
  const long double rest = kTwoPi * (part - quarter * 0.25L);
  const int turn = (quarter + (cosine ? 1 : 0)) & 3;
  const long double value = turn % 2 != 0 ? cosl(rest) : sinl(rest);
  return static_cast<double>(value == 0 ? 0.0L : turn >= 2 ? -value : value);
}

// The code of an approximate double, whose bits beyond f32 decide the rounding.
uint64_t circular_code(const Spec& s, uint64_t x, bool cosine, const ModeBits& m) {
  if (nan(s, x)) return x | s.quiet();
  if (inf(s, x)) return s.default_nan();
  x = take(s, x, m);
  if (!cosine && zero(s, x)) return x;
  uint64_t bits;
  const double v = circular(number(s, x), cosine, m);
  std::memcpy(&bits, &v, 8);
  const int direction = m.chosen("sin_cos", "truncated") ? kTruncate : kNearest;
  return finish(s, value(kDouble, bits), false, m, direction);
}

void add_circular(Rows& rows, const std::string& name, bool cosine) {
  rows["V_" + name + "_F32"] = [=](In i) { return word(circular_code(kSingle, i.u32(0), cosine, i.mode)); };
  rows["V_" + name + "_F16"] = [=](In i) {  // to nearest only: the step through f32 costs a unit
    LaneResult r = word(circular_code(kHalf, i.u16(0), cosine, i.mode));
    if (nan(kHalf, i.u16(0))) return word(pass(kHalf, i.u16(0) | kHalf.quiet(), i.mode));
    r.ulp = 1;
    return r;
  };
}

// Approximations: within one unit of the last place of the true value; subnormals of f32 flushed on both
// sides (guide).
void add_approximations(Rows& rows) {
  const auto add_one = [&rows](const std::string& name, double (*f)(double), double absolute) {
    rows["V_" + name + "_F32"] = [=](In i) {
      uint64_t x = i.u32(0);
      LaneResult r;
      if (nan(kSingle, x)) return word(x | kSingle.quiet());
      if (denormal(kSingle, x)) x &= kSingle.sign();
      uint64_t y = code_of(kSingle, f(number(kSingle, x)));
      if (denormal(kSingle, y)) y &= kSingle.sign();
      r = word(y);
      r.ulp = 1;
      r.absolute = absolute;
      return r;
    };
    rows["V_" + name + "_F16"] = [=](In i) {
      const uint64_t x = take(kHalf, i.u16(0), i.mode);
      if (nan(kHalf, x)) return word(pass(kHalf, x | kHalf.quiet(), i.mode));
      LaneResult r = word(code_of(kHalf, f(number(kHalf, x))));
      if (inf(kHalf, r.d[0]) && i.mode.fp16_ovfl() && !std::isinf(f(number(kHalf, x)))) r.d[0] -= 1;
      if (denormal(kHalf, r.d[0]) && !i.mode.keeps_output(kHalf)) r.d[0] &= kHalf.sign();
      r.ulp = 1;
      r.absolute = absolute;
      return r;
    };
  };
  add_one(
      "EXP", [](double x) { return std::exp2(x); }, 0);
  add_one(
      "LOG", [](double x) { return x < 0 ? NAN : std::log2(x == 0 ? 0.0 : x); }, 0);
  add_one(
      "RCP", [](double x) { return 1 / x; }, 0);
  add_one(
      "RSQ", [](double x) { return x < 0    ? NAN
                                   : x == 0 ? 1 / x
                                            : 1 / std::sqrt(x); }, 0);
  add_one(
      "SQRT", [](double x) { return x < 0 ? NAN : std::sqrt(x); }, 0);

  add_circular(rows, "SIN", false);
  add_circular(rows, "COS", true);
  rows["V_RCP_IFLAG_F32"] = rows["V_RCP_F32"];
  // "With legacy semantics" (MI100 ISA guide 12.8): as the others, or the host's long double function
  // rounded.
  const auto add_legacy = [&rows](const char* name, const char* usual, long double (*f)(long double)) {
    rows[name] = [f, other = rows[usual]](In i) {
      const uint64_t x = i.u32(0);
      const LaneResult result = other(i);
      const uint64_t y = result.d[0];
      if (!i.mode.chosen("exp_log_legacy", "nearest") || nan(kSingle, x) || nan(kSingle, y) ||
          inf(kSingle, x) || inf(kSingle, y) || zero(kSingle, y))
        return result;
      const auto nearest = static_cast<float>(f(static_cast<long double>(number(kSingle, x))));
      return word(code_of(kSingle, nearest));
    };
  };
  add_legacy("V_EXP_LEGACY_F32", "V_EXP_F32", [](long double v) { return std::exp2(v); });
  add_legacy("V_LOG_LEGACY_F32", "V_LOG_F32", [](long double v) { return std::log2(v); });
  // f64: the correctly rounded quotient or root, then to as many bits as the choice says.
  const auto add_f64 = [&rows](const char* name, double (*f)(double)) {
    rows[name] = [=](In i) {
      const uint64_t x = i.u64(0);
      if (nan(kDouble, x)) return two_words(x | kDouble.quiet());
      const uint64_t best = code_of(kDouble, f(number(kDouble, x)));
      for (const auto& [bits, text] : {std::pair<int, const char*>{29, "29"}, {24, "24"}}) {
        if (!i.mode.chosen("f64_approx", text) || nan(kDouble, best) || inf(kDouble, best)) continue;
        return two_words(rounded({11, bits - 1}, value(kDouble, best), kNearest) << (53 - bits) |
                         (best & kDouble.sign()));
      }
      return two_words(best);
    };
  };
  add_f64("V_RCP_F64", [](double x) { return 1 / x; });
  add_f64("V_SQRT_F64", [](double x) { return x < 0 ? NAN : std::sqrt(x); });
  add_f64("V_RSQ_F64", [](double x) { return x < 0 ? NAN : 1 / std::sqrt(x); });
}

void add_cube(Rows& rows) {
  // Face 0..5 = +x -x +y -y +z -z; the largest magnitude wins, z before y before x. guide, V_CUBEID_F32.
  const auto axis = [](In i) {
    const double x = std::fabs(number(kSingle, i.u32(0))), y = std::fabs(number(kSingle, i.u32(1))),
                 z = std::fabs(number(kSingle, i.u32(2)));
    return z >= x && z >= y ? 2 : y >= x ? 1 : 0;
  };
  const auto below = [](In i, int n) { return number(kSingle, i.u32(n)) < 0; };
  const auto flip = [](uint32_t v) { return v ^ 0x80000000u; };
  rows["V_CUBEID_F32"] = [=](In i) {
    return word(code_of(kSingle, 2 * axis(i) + (below(i, axis(i)) ? 1 : 0)));
  };
  rows["V_CUBESC_F32"] = [=](In i) {
    switch (axis(i)) {
      case 2:
        return word(below(i, 2) ? flip(i.u32(0)) : i.u32(0));
      case 1:
        return word(i.u32(0));
      default:
        return word(below(i, 0) ? i.u32(2) : flip(i.u32(2)));
    }
  };
  rows["V_CUBETC_F32"] = [=](In i) {
    if (axis(i) != 1) return word(flip(i.u32(1)));
    return word(below(i, 1) ? flip(i.u32(2)) : i.u32(2));
  };
  rows["V_CUBEMA_F32"] = [=](In i) { return word(mul(kSingle, i.u32(axis(i)), 0x40000000, i.mode)); };
}

// The bits of 2 / pi, in the words that public libm sources print (Payne and Hanek reduction tables).
uint64_t two_over_pi_bit(int n) {
  static const uint32_t kWordsOfIt[] = {
      0xA2F9836E, 0x4E441529, 0xFC2757D1, 0xF534DDC0, 0xDB629599, 0x3C439041, 0xFE5163AB, 0xDEBBC561,
      0xB7246E3A, 0x424DD2E0, 0x06492EEA, 0x09D1921C, 0xFE1DEB1C, 0xB129A73E, 0xE88235F5, 0x2EBB4484,
      0xE99C7026, 0xB45F7E41, 0x3991D639, 0x835339F4, 0x9C845F8B, 0xBDF9283B, 0x1FF897FF, 0xDE05980F,
      0xEF2F118B, 0x5A0A6D1F, 0x6D367ECF, 0x27CB09B7, 0x4F463F66, 0x9E5FEA2D, 0x7527BAC7, 0xEBE5F17B,
      0x3D0739F7, 0x8A5292EA, 0x6BFB5FB1, 0x1F8D5D08, 0x56033046, 0xFC7B6BAB};
  const int word_index = n / 32;
  if (n >= 1201) return 0;
  return kWordsOfIt[word_index] >> (31 - n % 32) & 1;
}

}  // namespace

void add_float_rows(Rows& rows) {
  for (const auto& [type, spec] :
       {std::pair<const char*, Spec>{"F16", kHalf}, {"F32", kSingle}, {"F64", kDouble}}) {
    add_rounding(rows, type, spec);
    add_arithmetic(rows, type, spec);
  }
  rows["V_FMAMK_F32"] = rows["V_FMAAK_F32"] = rows["V_FMA_F32"];
  rows["V_FMA_LEGACY_F16"] = rows["V_FMA_F16"];
  // Two roundings: v_mac_f16, v_mad_f16 (guide: a product and a sum).
  const auto unfused = [](uint64_t a, uint64_t b, uint64_t c, const ModeBits& m) {
    return add(kHalf, mul(kHalf, a, b, m), c, m);
  };
  const auto flushing = [](ModeBits m) {
    m.bits &= ~0xc0u;
    return m;
  };
  const auto chosen = [=](const ModeBits& m) { return m.chosen("mac_f16", "flush") ? flushing(m) : m; };
  rows["V_MAD_F16"] = [=](In i) { return word(unfused(i.u16(0), i.u16(1), i.u16(2), flushing(i.mode))); };
  rows["V_MAD_LEGACY_F16"] = rows["V_MADMK_F16"] =
      rows["V_MADAK_F16"] = [=](In i) { return word(unfused(i.u16(0), i.u16(1), i.u16(2), chosen(i.mode))); };
  rows["V_MAC_F16"] = [=](In i) {
    return word(unfused(i.u16(0), i.u16(1), i.old[0] & 0xffff, chosen(i.mode)));
  };
  rows["V_MUL_LEGACY_F32"] = [](In i) {
    if (zero(kSingle, take(kSingle, i.u32(0), i.mode)) || zero(kSingle, take(kSingle, i.u32(1), i.mode)))
      return word(0);
    return word(mul(kSingle, i.u32(0), i.u32(1), i.mode));
  };
  add_division(rows, "F32", kSingle, 64, 96, 253, 24, 150);
  add_division(rows, "F64", kDouble, 128, 768, 2045, 53, 1075);
  add_division(rows, "F16", kHalf, 0, 99, 99, -1, 0);
  rows.erase("V_DIV_SCALE_F16");
  rows.erase("V_DIV_FMAS_F16");
  rows["V_DIV_FIXUP_LEGACY_F16"] = rows["V_DIV_FIXUP_F16"];
  add_approximations(rows);
  add_cube(rows);
  rows["V_TRIG_PREOP_F64"] = [](In i) {
    if (nan(kDouble, i.u64(0))) return two_words(pass(kDouble, i.u64(0), i.mode));
    const int field = static_cast<int>(i.u64(0) >> 52 & 2047);
    int shift = static_cast<int>(i.u32(1) & 31) * 53;
    if (field > 1077) shift += field - 1077;
    uint64_t integer = 0;
    for (int n = 0; n < 53; ++n) integer = integer * 2 + two_over_pi_bit(shift + n);
    const int power = -53 - shift + (field >= 1968 ? 128 : 0);
    if (integer == 0) return two_words(0);
    return two_words(rounded(kDouble, exact(false, integer, power), kNearest));
  };
}

}  // namespace wavetwin::reference
