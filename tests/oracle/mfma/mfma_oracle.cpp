// SPDX-License-Identifier: MIT
#include "tests/oracle/mfma/mfma_oracle.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "tests/oracle/mfma/wide.h"

namespace wavetwin::reference {
namespace {

using Number = Wide<12, 384>;     // 2^-384 .. 2^384: scaled products lie in 2^-288 .. 2^292
using Number64 = Wide<70, 2200>;  // products of f64

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Element {
  double value;
  int exponent;  // what the exponent field stands for; that of the smallest normal number for subnormals
};

struct Layout {
  const char* name;
  int exponent_bits, mantissa_bits, bias;
  enum { none, last_code, ieee, minus_zero } specials;
};
constexpr Layout kLayouts[] = {
    {"e4m3", 4, 3, 7, Layout::last_code},
    {"e5m2", 5, 2, 15, Layout::ieee},
    {"e2m3", 2, 3, 1, Layout::none},
    {"e3m2", 3, 2, 3, Layout::none},
    {"e2m1", 2, 1, 1, Layout::none},
    {"e4m3fnuz", 4, 3, 8, Layout::minus_zero},
    {"e5m2fnuz", 5, 2, 16, Layout::minus_zero},
    {"bf16", 8, 7, 127, Layout::ieee},
    {"f16", 5, 10, 15, Layout::ieee},
    {"f32", 8, 23, 127, Layout::ieee},
};

Element decode(const std::string& format, uint64_t code) {
  const Layout& layout = *std::find_if(std::begin(kLayouts), std::end(kLayouts),
                                       [&](const Layout& l) { return format == l.name; });
  const int field_ones = (1 << layout.exponent_bits) - 1, mantissa_ones = (1 << layout.mantissa_bits) - 1;
  const int mantissa = static_cast<int>(code) & mantissa_ones;
  const int field = static_cast<int>(code >> layout.mantissa_bits) & field_ones;
  const bool minus = code >> (layout.exponent_bits + layout.mantissa_bits) & 1;
  const int exponent = std::max(field, 1) - layout.bias;
  if (layout.specials == Layout::last_code && field == field_ones && mantissa == mantissa_ones)
    return {kNan, 0};
  if (layout.specials == Layout::minus_zero && minus && field == 0 && mantissa == 0) return {kNan, 0};
  if (layout.specials == Layout::ieee && field == field_ones)
    return {mantissa != 0 ? kNan : (minus ? -kInfinity : kInfinity), 0};
  const double significand = (field == 0 ? 0.0 : 1.0) + std::ldexp(mantissa, -layout.mantissa_bits);
  return {std::ldexp(minus ? -significand : significand, exponent), exponent};
}

struct Rules {
  const MfmaOptions& options;
  const std::string& text(const char* name) const { return options.values.at(name); }
  bool on(const char* name) const { return text(name) == "on"; }
  int number(const char* name) const { return std::stoi(text(name)); }
  // Products a step: a count, or all of K.
  int count(const char* name, int k) const { return text(name) == "K" ? k : std::min(k, number(name)); }
  uint32_t nan() const { return static_cast<uint32_t>(std::stoul(text("nanBits"), nullptr, 16)); }
  Number align(const char* how, const Number& x, int exponent) const {
    return text(how) == "floor" ? x.floor_to(exponent) : x.truncate_to(exponent);
  }
};

// One product with its scale and the position it has in its step.
struct Term {
  double value;  // the exact product without the scale; NaN and infinities as they come
  int exponent;  // field exponents plus scale
  int scale;     // exponent of the scale pair
  int group;     // terms of equal group are aligned together
  int block;     // groups of equal block join first
};

constexpr int kNothing = std::numeric_limits<int>::min() / 2;
struct Sum {
  Number value;
  int exponent = kNothing;  // of the largest product field exponent that went in
};

uint32_t word(double value) { return std::bit_cast<uint32_t>(static_cast<float>(value)); }

// To f32; the largest finite number in place of infinity when `clamp`.
uint32_t round_to_f32(const Number& x, bool clamp) {
  const double rounded = x.nearest(24, -126);
  if (std::fabs(rounded) >= 0x1p128) return word(std::copysign(clamp ? 0x1.fffffep127 : kInfinity, rounded));
  return word(x.negative() ? std::copysign(rounded, -1.0) : rounded);
}

// The k of each step in order.
std::vector<std::vector<int>> steps_of(const Rules& rules, const MfmaDot& dot) {
  const int k = static_cast<int>(dot.a.size());
  const bool sixteen_bit = dot.datapath == "bf16" || dot.datapath == "f16";
  const auto is_8bit = [](const std::string& f) { return f == "e4m3" || f == "e5m2"; };
  int width = 0;
  if (sixteen_bit)
    width = rules.count(dot.new_shape ? "L16bit" : "L16bitLegacy", k);
  else if (dot.datapath == "f8")
    width = rules.count("fp8Legacy.L", k);
  else
    width = rules.count(is_8bit(dot.a_format) || is_8bit(dot.b_format) ? "f8f6f4.productsPerStep.8bit"
                                                                       : "f8f6f4.productsPerStep.6bit4bit",
                        k);
  std::vector<int> order;
  if (sixteen_bit && dot.new_shape && rules.text("kOrder") == "register-halves") {
    // Lane group g holds 8g .. 8g + 7; width / 4 groups give their low four, then their high four.
    const int groups = k / 8, together = std::min(width / 4, groups);
    for (int first = 0; first < groups; first += together)
      for (int half = 0; half < 2; ++half)
        for (int g = first; g < first + together; ++g)
          for (int e = 0; e < 4; ++e) order.push_back(8 * g + 4 * half + e);
  } else {
    for (int i = 0; i < k; ++i) order.push_back(i);
  }
  std::vector<std::vector<int>> steps;
  for (int i = 0; i < k; i += width) steps.emplace_back(order.begin() + i, order.begin() + i + width);
  return steps;
}

// The exact product of the elements at k, as the multiplier gives it.
double product(const Rules& rules, const MfmaDot& dot, int k) {
  const double a = decode(dot.a_format, dot.a[k]).value, b = decode(dot.b_format, dot.b[k]).value;
  const double p = a * b;  // exact: at most 22 significant bits; NaN for infinity times zero
  if (dot.datapath == "bf16" && rules.on("prodOverflow") && std::fabs(p) >= 0x1p128)
    return std::copysign(kInfinity, p);
  return p;
}

bool nan_scale(const MfmaDot& dot, int k) {
  return !dot.a_scales.empty() && (dot.a_scales[k / 32] == 255 || dot.b_scales[k / 32] == 255);
}

std::vector<Term> terms_of(const Rules& rules, const MfmaDot& dot, const std::vector<int>& ks) {
  const bool scaled_shape = dot.datapath == "f8f6f4";
  const bool even_odd = rules.on(
      scaled_shape ? "f8f6f4.evenOdd" : (dot.datapath == "f8" ? "fp8Legacy.evenOdd" : "evenOdd16bit"));
  std::vector<Term> terms;
  for (size_t i = 0; i < ks.size(); ++i) {
    const int k = ks[i];
    double value = product(rules, dot, k);
    int scale = 0;
    if (!dot.a_scales.empty()) {
      const unsigned sa = dot.a_scales[k / 32], sb = dot.b_scales[k / 32];
      scale = static_cast<int>(sa + sb) - 254;
      if (rules.text("scaleByteZero") == "zero" && (sa == 0 || sb == 0)) value *= 0.0;  // NaN for an infinity
      if (nan_scale(dot, k) && (rules.on("nanScaleOnZero") || value != 0)) value = kNan;
    }
    const int exponent =
        decode(dot.a_format, dot.a[k]).exponent + decode(dot.b_format, dot.b[k]).exponent + scale;
    const int block = scaled_shape && !rules.on("scalePerProduct") ? k / 32 : 0;
    terms.push_back({value, exponent, scale, even_odd ? static_cast<int>(i % 2) : 0, block});
  }
  return terms;
}

Number scaled_number(const Term& term) { return Number::from(std::ldexp(term.value, term.scale)); }

Sum group_sum(const Rules& rules, const std::vector<Term>& terms, int block, int group) {
  Sum sum;
  const auto live = [&](const Term& t) { return t.block == block && t.group == group && t.value != 0; };
  for (const Term& t : terms)
    if (live(t)) sum.exponent = std::max(sum.exponent, t.exponent);
  for (const Term& t : terms)
    if (live(t))
      sum.value = sum.value + rules.align("prodAlign", scaled_number(t), sum.exponent - rules.number("F"));
  return sum;
}

Sum join(const Rules& rules, const Sum& x, const Sum& y) {
  if (x.exponent == kNothing) return y;
  if (y.exponent == kNothing) return x;
  const int exponent = std::max(x.exponent, y.exponent), unit = exponent - rules.number("F");
  return {rules.align("groupAlign", x.value, unit) + rules.align("groupAlign", y.value, unit), exponent};
}

// What infinities and NaNs make of a step, or nothing (false).
bool special_result(const Rules& rules, const std::vector<Term>& terms, double c, uint32_t& result) {
  bool nan = std::isnan(c), plus = c == kInfinity, minus = c == -kInfinity;
  for (const Term& t : terms) {
    nan = nan || std::isnan(t.value);
    plus = plus || t.value == kInfinity;
    minus = minus || t.value == -kInfinity;
  }
  if (!nan && !plus && !minus) return false;
  result = nan || (plus && minus) ? rules.nan() : word(plus ? kInfinity : -kInfinity);
  return true;
}

uint32_t zero(const Rules& rules, const std::vector<Term>& terms, uint32_t c) {
  bool minus = c == 0x80000000u;
  for (const Term& t : terms) minus = minus && t.value == 0 && std::signbit(t.value);
  return minus && rules.text("zeroSign") == "ieee" ? 0x80000000u : 0u;
}

uint32_t one_step(const Rules& rules, const MfmaDot& dot, const std::vector<int>& ks, uint32_t c) {
  const std::vector<Term> terms = terms_of(rules, dot, ks);
  const Element cc = decode("f32", c);
  uint32_t special = 0;
  if (special_result(rules, terms, cc.value, special)) return special;

  Sum sum;
  for (int block = terms.front().block; block <= terms.back().block; ++block)
    sum = join(rules, sum, join(rules, group_sum(rules, terms, block, 0), group_sum(rules, terms, block, 1)));

  const int largest = std::max(sum.exponent, cc.exponent), f2 = rules.number("F2");
  const std::string& cut = rules.text(
      dot.datapath == "f8f6f4" ? "cCut.f8f6f4" : (dot.datapath == "f8" ? "cCut.fp8Legacy" : "cCut.16bit"));
  Number aligned = Number::from(cc.value).floor_to(largest - rules.number("Fc"));
  if (cut != "off" && cc.exponent < largest - std::stoi(cut)) aligned = Number();
  const Number total = sum.value.floor_to(largest - f2 - 1) + aligned.floor_to(largest - f2 - 1);
  if (total.zero()) return zero(rules, terms, c);
  const int top = std::max(total.top_exponent(), -126);
  return round_to_f32(total.floor_to(top - f2), rules.on("fp16Ovfl"));
}

// Exact sums of `width` products and C, rounded once each.
uint32_t exact_sums(const Rules& rules, const MfmaDot& dot, int width, uint32_t c) {
  for (int first = 0; first < static_cast<int>(dot.a.size()); first += width) {
    std::vector<int> ks;
    for (int k = first; k < first + width; ++k) ks.push_back(k);
    const std::vector<Term> terms = terms_of(rules, dot, ks);
    const double cc = decode("f32", c).value;
    if (special_result(rules, terms, cc, c)) continue;
    Number total = Number::from(cc);
    for (const Term& t : terms) total = total + scaled_number(t);
    c = total.zero() ? zero(rules, terms, c) : round_to_f32(total, rules.on("fp16Ovfl"));
  }
  return c;
}

// fma(a, b, c) by exact numbers.
template <class Exact>
double exact_fma(double a, double b, double c, int precision, int min_exponent, double limit) {
  if (std::isnan(a) || std::isnan(b) || std::isnan(c)) return kNan;
  const bool infinite_product = std::isinf(a) || std::isinf(b), minus = std::signbit(a) != std::signbit(b);
  if (infinite_product && (a == 0 || b == 0)) return kNan;
  if (infinite_product)
    return std::isinf(c) && std::signbit(c) != minus ? kNan : (minus ? -kInfinity : kInfinity);
  if (std::isinf(c)) return c;
  // The product of two significands of at most 53 bits, by halves, so that each partial product is exact.
  int ea = 0, eb = 0;
  const double sa = std::ldexp(std::frexp(a, &ea), 53), sb = std::ldexp(std::frexp(b, &eb), 53);
  const double high = std::round(sa * 0x1p-27) * 0x1p27, low = sa - high;
  const double b_high = std::round(sb * 0x1p-27) * 0x1p27, b_low = sb - b_high;
  Exact product = Exact::from(high * b_high) + Exact::from(high * b_low) + Exact::from(low * b_high) +
                  Exact::from(low * b_low);
  product = product.times_power_of_two(ea + eb - 106);
  const Exact total = product + Exact::from(c);
  if (total.zero()) return product.zero() && minus && std::signbit(c) ? -0.0 : 0.0;
  const double rounded = total.nearest(precision, min_exponent);
  return std::fabs(rounded) >= limit ? std::copysign(kInfinity, rounded)
                                     : std::copysign(rounded, total.negative() ? -1 : 1);
}

}  // namespace

uint32_t mfma_dot(const MfmaOptions& options, const MfmaDot& dot) {
  const Rules rules{options};
  const int k = static_cast<int>(dot.a.size());
  if (options.rule == "fma-sequential") return exact_sums(rules, dot, 1, dot.c);
  if (options.rule == "exact-rne") return exact_sums(rules, dot, k, dot.c);
  uint32_t c = dot.c;
  for (const std::vector<int>& ks : steps_of(rules, dot)) c = one_step(rules, dot, ks, c);
  return c;
}

uint32_t fma_chain_f32(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b, uint32_t c,
                       bool flush_inputs, uint32_t nan_bits) {
  const auto input = [flush_inputs](uint32_t code) {
    const double value = decode("f32", code).value;
    return flush_inputs && std::fabs(value) < 0x1p-126 ? std::copysign(0.0, code >> 31 ? -1.0 : 1.0) : value;
  };
  double sum = decode("f32", c).value;
  for (size_t k = 0; k < a.size(); ++k)
    sum = exact_fma<Number>(input(a[k]), input(b[k]), sum, 24, -126, 0x1p128);
  return std::isnan(sum) ? nan_bits : word(sum);
}

uint64_t fma_chain_f64(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b, uint64_t c) {
  double sum = std::bit_cast<double>(c);
  for (size_t k = 0; k < a.size(); ++k)
    sum = exact_fma<Number64>(std::bit_cast<double>(a[k]), std::bit_cast<double>(b[k]), sum, 53, -1022,
                              kInfinity);
  return std::isnan(sum) ? 0x7FF8000000000000u : std::bit_cast<uint64_t>(sum);
}

uint32_t sum_i8(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b, uint32_t c) {
  int64_t sum = c;
  const auto value = [](uint64_t byte) { return static_cast<int64_t>(byte) - (byte >= 128 ? 256 : 0); };
  for (size_t k = 0; k < a.size(); ++k) sum += value(a[k]) * value(b[k]);
  return static_cast<uint32_t>(((sum % 0x100000000) + 0x100000000) % 0x100000000);
}

}  // namespace wavetwin::reference
