// SPDX-License-Identifier: MIT
#include "sim/numerics/mfma_reference.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "common/bits.h"
#include "common/format/convert.h"
#include "sim/numerics/mfma_exact_sum.h"

namespace wavetwin::mfma {
namespace {

using Int = __int128;  // wide enough for 48 fractional bits of a sum of 128 products

// The exponent of a sum without a nonzero product: below every other.
constexpr int32_t kEmpty = -100000;

// value * 2^-shift, rounded; a negative shift multiplies. Shifts of more than 127 leave the sign only.
Int shift_floor(Int value, int32_t shift) {
  return shift <= 0 ? value << -shift : value >> std::min(shift, 127);
}
Int shift_trunc(Int value, int32_t shift) {
  return value < 0 ? -shift_floor(-value, shift) : shift_floor(value, shift);
}
Int shift_aligned(Align align, Int value, int32_t shift) {
  return align == Align::floor ? shift_floor(value, shift) : shift_trunc(value, shift);
}

// A product is (-1)^negative * significand * 2^(exponent - fraction_bits), where `exponent` is the sum of the
// exponents that the two exponent *fields* stand for: subnormals are not normalised, and alignment sees that.
struct Product {
  NumberClass kind;
  bool negative;
  int32_t exponent;
  uint32_t significand;
};

struct ProductSet {
  Product products[kMaxK];
  unsigned count = 0;
  unsigned fraction_bits = 0;
};

// A sum t * 2^(exponent - F). kEmpty: no nonzero product, t is 0.
struct Sum {
  Int t = 0;
  int32_t exponent = kEmpty;
};

// What the infinities and NaNs of one step make of its result.
struct Specials {
  bool nan = false, plus_infinity = false, minus_infinity = false;
  void add(NumberClass kind, bool negative) {
    nan |= kind == NumberClass::nan;
    plus_infinity |= kind == NumberClass::infinity && !negative;
    minus_infinity |= kind == NumberClass::infinity && negative;
  }
  bool any() const { return nan || plus_infinity || minus_infinity; }
  uint32_t result(uint32_t nan_bits) const {
    if (nan || (plus_infinity && minus_infinity)) return nan_bits;
    return plus_infinity ? 0x7F800000u : 0xFF800000u;
  }
};

NumberClass product_kind(const Unpacked& a, const Unpacked& b) {
  const bool is_nan = a.kind == NumberClass::nan || b.kind == NumberClass::nan;
  const bool has_infinity = a.kind == NumberClass::infinity || b.kind == NumberClass::infinity;
  const bool has_zero = a.kind == NumberClass::zero || b.kind == NumberClass::zero;
  if (is_nan || (has_infinity && has_zero)) return NumberClass::nan;
  if (has_infinity) return NumberClass::infinity;
  return has_zero ? NumberClass::zero : NumberClass::finite;
}

// The exact product. Measured on MI300X (MMA-Sim model): a bf16 product of magnitude 2^128 or more is an
// infinity.
Product multiply(const MfmaModel& model, Format a_format, Format b_format, uint32_t a_code, uint32_t b_code) {
  const FloatFormat& fa = *format_info(a_format).float_format;
  const FloatFormat& fb = *format_info(b_format).float_format;
  const Unpacked a = unpack(fa, a_code), b = unpack(fb, b_code);
  Product product{product_kind(a, b), a.negative != b.negative, 0, 0};
  if (product.kind != NumberClass::finite) return product;
  product.significand = static_cast<uint32_t>(a.significand * b.significand);
  product.exponent = a.exponent + fa.mantissa_bits + b.exponent + fb.mantissa_bits;
  const int32_t top =
      a.exponent + b.exponent + std::bit_width(product.significand) - 1;  // floor(log2 |product|)
  if (a_format == Format::bf16 && model.product_overflow && top >= 128) product.kind = NumberClass::infinity;
  return product;
}

// The products [first, first + count) of every `stride`-th position, aligned to the largest field exponent of
// a nonzero one and cut at F fractional bits below it (measured on MI300X: toward zero).
Sum aligned_sum(const MfmaModel& model, const ProductSet& set, unsigned first, unsigned count,
                unsigned stride) {
  Sum sum;
  for (unsigned i = first; i < first + count; i += stride)
    if (set.products[i].kind == NumberClass::finite)
      sum.exponent = std::max(sum.exponent, set.products[i].exponent);
  for (unsigned i = first; i < first + count; i += stride) {
    const Product& product = set.products[i];
    if (product.kind != NumberClass::finite) continue;
    const Int significand = product.negative ? -Int{product.significand} : Int{product.significand};
    const int32_t shift = static_cast<int32_t>(set.fraction_bits) + sum.exponent - product.exponent;
    sum.t += shift_aligned(model.product_align, significand, shift - model.f);
  }
  return sum;
}

// Two sums aligned to the larger exponent, F fractional bits kept (measured on MI300X: toward minus
// infinity).
Sum join(const MfmaModel& model, const Sum& x, const Sum& y) {
  const int32_t exponent = std::max(x.exponent, y.exponent);
  return {shift_aligned(model.group_align, x.t, exponent - x.exponent) +
              shift_aligned(model.group_align, y.t, exponent - y.exponent),
          exponent};
}

Sum segment_sum(const MfmaModel& model, const ProductSet& set, unsigned first, unsigned count,
                bool even_odd) {
  if (!even_odd) return aligned_sum(model, set, first, count, 1);
  return join(model, aligned_sum(model, set, first, count, 2),
              aligned_sum(model, set, first + 1, count - 1, 2));
}

uint32_t zero_result(const MfmaModel& model, const ProductSet& set, uint32_t c) {
  bool all_negative = c == 0x80000000u;
  for (unsigned i = 0; i < set.count; ++i)
    all_negative &= set.products[i].kind == NumberClass::zero && set.products[i].negative;
  return model.zero_sign == ZeroSign::ieee && all_negative ? 0x80000000u : 0u;
}

// Product sum + C -> f32. Constants measured on MI300X: C floored at 24 fractional bits below the largest
// exponent, the total renormalised and floored at 31, then rounded to nearest even with gradual underflow.
uint32_t add_c_and_round(const MfmaModel& model, const ProductSet& set, const Sum& sum, uint32_t c_bits,
                         unsigned cut) {
  const Unpacked c = unpack(kBinary32, c_bits);
  const Int c_significand = c.negative ? -Int{c.significand} : Int{c.significand};
  const int32_t c_exponent = c.kind == NumberClass::zero ? kBinary32.min_exponent() : c.exponent + 23;
  const int32_t largest = std::max(sum.exponent, c_exponent);

  // S and T count units of 2^(largest - F2 - 1), aligned C units of 2^(largest - Fc).
  const int32_t unit = model.f2 + 1;
  const Int s = shift_floor(sum.t, largest - sum.exponent + model.f - unit);
  Int aligned_c = shift_floor(c_significand, 23 - model.fc + largest - c_exponent);
  if (cut != kNoCut && c_exponent < largest - static_cast<int32_t>(cut)) aligned_c = 0;
  const Int t = s + shift_floor(aligned_c, model.fc - unit);
  if (t == 0) return zero_result(model, set, c_bits);

  const Int magnitude = t < 0 ? -t : t;
  const auto high = static_cast<uint64_t>(magnitude >> 64);
  const int32_t width =
      high != 0 ? 128 - std::countl_zero(high) : std::bit_width(static_cast<uint64_t>(magnitude));
  const int32_t top_exponent = std::max(width - 1 + largest - unit, kBinary32.min_exponent());
  const int32_t drop = std::max(top_exponent - model.f2 - (largest - unit), 0);
  const Int kept = shift_floor(t, drop);  // at most F2 + 2 bits: fits 64
  if (kept == 0) return 0;  // a positive total far below the subnormals; a negative one floors to -1 at most
  const Unpacked total{NumberClass::finite, kept < 0, largest - unit + drop,
                       static_cast<uint64_t>(kept < 0 ? -kept : kept)};
  const Overflow overflow = model.fp16_ovfl ? Overflow::saturate : Overflow::ieee;
  return static_cast<uint32_t>(encode_bits(kBinary32, total, overflow));
}

// The two scale bytes of one 32-wide block and what they do to its products.
struct BlockScale {
  int32_t exponent = 0;
  bool nan = false;
  bool zero = false;  // option scaleByteZero=zero
};
BlockScale block_scale(const MfmaModel& model, const Dot& dot, unsigned block) {
  if (dot.scale_a == nullptr) return {};
  const uint8_t a = dot.scale_a[block], b = dot.scale_b[block];
  const bool zero = model.scale_byte_zero == ScaleByteZero::zero && (a == 0 || b == 0);
  return {a + b - 2 * E8M0::kBias, a == E8M0::kNan || b == E8M0::kNan, zero};
}

// A zero scale makes a product zero, and an infinite one NaN.
void apply_zero_scale(Product& product) {
  if (product.kind == NumberClass::infinity) product.kind = NumberClass::nan;
  if (product.kind == NumberClass::finite) product.kind = NumberClass::zero;
}

// The products of step `step` in the plan's order, with the specials they bring.
ProductSet step_products(const MfmaModel& model, const StepPlan& plan, const Dot& dot, unsigned step,
                         Specials& specials) {
  ProductSet set;
  set.count = plan.width;
  set.fraction_bits = format_info(dot.a_format).float_format->mantissa_bits +
                      format_info(dot.b_format).float_format->mantissa_bits;
  for (unsigned i = 0; i < plan.width; ++i) {
    const unsigned k = plan.order[step * plan.width + i];
    const BlockScale scale = block_scale(model, dot, k / kScaleBlock);
    Product& product = set.products[i];
    product = multiply(model, dot.a_format, dot.b_format, dot.a[k], dot.b[k]);
    if (scale.zero) apply_zero_scale(product);
    if (model.scale_per_product) product.exponent += scale.exponent;
    specials.add(product.kind, product.negative);
    specials.nan |= scale.nan && (model.nan_scale_on_zero || product.kind != NumberClass::zero);
  }
  return set;
}

uint32_t step(const MfmaModel& model, const StepPlan& plan, const Dot& dot, unsigned index, uint32_t c) {
  Specials specials;
  const Unpacked unpacked_c = unpack(kBinary32, c);
  specials.add(unpacked_c.kind, unpacked_c.negative);
  const ProductSet set = step_products(model, plan, dot, index, specials);
  if (specials.any()) return specials.result(model.nan_bits);

  Sum total;
  for (unsigned first = 0; first < plan.width; first += plan.segment) {
    Sum sum = segment_sum(model, set, first, plan.segment, plan.even_odd);
    const unsigned block = plan.order[index * plan.width + first] / kScaleBlock;
    // AMD CDNA4 ISA guide, chapter 7: scales apply after the dot product and before the accumulation. As a
    // power of two it moves the block's exponent and rounds nothing.
    if (!model.scale_per_product && sum.exponent != kEmpty)
      sum.exponent += block_scale(model, dot, block).exponent;
    total = first == 0 ? sum : join(model, total, sum);
  }
  return add_c_and_round(model, set, total, c, plan.c_cut);
}

// The debugging rules: C and the first products, exactly, rounded once; then the next ones onto the result.
uint32_t exact_steps(const MfmaModel& model, const StepPlan& plan, const Dot& dot, unsigned width,
                     uint32_t c) {
  StepPlan whole = plan;
  whole.width = width;
  for (unsigned k = 0; k < plan.k; ++k) whole.order[k] = static_cast<uint8_t>(k);
  for (unsigned index = 0; index < plan.k / width; ++index) {
    Specials specials;
    const Unpacked unpacked_c = unpack(kBinary32, c);
    specials.add(unpacked_c.kind, unpacked_c.negative);
    const ProductSet set = step_products(model, whole, dot, index, specials);
    if (specials.any()) {
      c = specials.result(model.nan_bits);
      continue;
    }
    ExactSum sum;
    if (unpacked_c.kind == NumberClass::finite)
      sum.add(unpacked_c.negative, unpacked_c.significand, unpacked_c.exponent);
    for (unsigned i = 0; i < width; ++i) {
      const Product& product = set.products[i];
      if (product.kind != NumberClass::finite) continue;
      const int32_t scale =
          model.scale_per_product ? 0 : block_scale(model, dot, (index * width + i) / kScaleBlock).exponent;
      sum.add(product.negative, product.significand,
              product.exponent + scale - static_cast<int32_t>(set.fraction_bits));
    }
    c = sum.is_zero() ? zero_result(model, set, c) : sum.round(model.fp16_ovfl);
  }
  return c;
}

float flushed(uint32_t bits, bool flush) {
  return f32_from_bits(flush && (bits & 0x7F800000u) == 0 ? bits & 0x80000000u : bits);
}

}  // namespace

uint32_t dot_reference(const MfmaModel& model, const StepPlan& plan, const Dot& dot, uint32_t c) {
  if (model.rule == Rule::fma_sequential) return exact_steps(model, plan, dot, 1, c);
  if (model.rule == Rule::exact_rne) return exact_steps(model, plan, dot, plan.k, c);
  for (unsigned index = 0; index < plan.steps(); ++index) c = step(model, plan, dot, index, c);
  return c;
}

uint32_t dot_f32(const MfmaModel& model, unsigned k, const uint32_t* a, const uint32_t* b, uint32_t c,
                 bool flush) {
  float sum = f32_from_bits(c);
  for (unsigned i = 0; i < k; ++i) {
    const float x = flushed(a[i], flush), y = flushed(b[i], flush), result = std::fma(x, y, sum);
    const bool overflows =
        model.fp16_ovfl && std::isinf(result) && std::isfinite(x) && std::isfinite(y) && std::isfinite(sum);
    sum = overflows ? std::copysign(std::numeric_limits<float>::max(), result) : result;
  }
  return std::isnan(sum) ? model.nan_bits : f32_bits(sum);
}

uint64_t dot_f64(const MfmaModel& model, unsigned k, const uint64_t* a, const uint64_t* b, uint64_t c) {
  double sum = f64_from_bits(c);
  for (unsigned i = 0; i < k; ++i) sum = std::fma(f64_from_bits(a[i]), f64_from_bits(b[i]), sum);
  const uint64_t sign = uint64_t{model.nan_bits >> 31} << 63;
  return std::isnan(sum) ? sign | 0x7FF8000000000000u : f64_bits(sum);
}

uint32_t dot_i8(unsigned k, const uint8_t* a, const uint8_t* b, uint32_t c) {
  for (unsigned i = 0; i < k; ++i) {
    const int32_t product = sign_extend(a[i], 8) * sign_extend(b[i], 8);
    c += static_cast<uint32_t>(product);
  }
  return c;
}

}  // namespace wavetwin::mfma
