// SPDX-License-Identifier: MIT
// Why this gives the reference's bits. Doubles stand for the reference's integers, and all that is done to
// them is exact, so neither order nor fusing matters:
//
// An element is a significand of at most 11 bits times a power of two; a double holds the product of two.
//
// Let e be the largest field exponent of a segment's nonzero products. A product is below 2^(e+2). If no
// product has a bit below 2^(e-24), aligning cuts nothing: group maxima are at most e, so neither the
// truncation of products nor the floor of group sums loses a bit, and the segment sum is the plain dot
// product. Its partial sums are multiples of 2^(e-24) below 2^(e+9): 33 bits. A product is a multiple of
// 2^(its exponent - mantissa bits of both factors), so the smallest exponent of a nonzero product tells when
// this holds. Where it does not, products are scaled by a power of two and truncated one by one, and group
// sums floored, as the rule says.
//
// A segment sum is below 2^(e+9) and a multiple of 2^(e-24). With E the largest exponent, floor(sum *
// 2^(32-E)) is below 2^41 and aligned C times 256 below 2^33, so the total is an exact integer below 2^42.
// Scaling it by powers of two and flooring again is exact, and the one rounding is the conversion to f32. All
// exponents stay within +-1000.
//
// What this does not cover - infinities, NaNs, NaN scales, overflowing bf16 products - goes to the reference,
// output by output.
#include "sim/numerics/mfma_fast.h"

#include <bit>
#include <cfloat>
#include <limits>

#include "sim/numerics/mfma_fast_operands.h"
#include "sim/numerics/mfma_reference.h"
#include "sim/numerics/mfma_simd.h"

namespace wavetwin::mfma {
namespace {

using simd::F64, simd::F64Columns, simd::I16, simd::I64, simd::kColumns, simd::kLanes;

constexpr int kF = 24, kFc = 24, kF2 = 31;  // the constants of MfmaModel that this file is written for

inline I64 constant(int64_t x) { return simd::splat(x); }

// The sums of one step or segment for 16 columns, and their exponents: e of the rule, no longer raised.
struct Sums {
  alignas(64) double value[kColumns];
  alignas(64) int16_t exponent[kColumns];
};

// The exponents of a segment's products, still raised.
struct SegmentExponents {
  I16 even;      // largest of a nonzero product at an even position
  I16 odd;       // largest at an odd position
  I16 smallest;  // of any nonzero product
};

// One row of A against 16 columns of B.
struct RowKernel {
  const StepPlan& plan;
  const double* a;            // [position]
  const int16_t* a_exponent;  // [position]
  const int16_t* a_scale;     // [scale block]
  const ColumnOperand& b;
  bool scaled;
  int16_t exact_span;  // exponents of products may differ by this much and nothing is cut
  int16_t huge;        // exponents of products above this send an output to the reference
  double limit;        // magnitude above which a step's result is clamped; infinity for none

  // The plain dot products of a segment, and the exponents that tell whether they are the sums asked for. Two
  // accumulators a column keep the adders busy.
  SegmentExponents plain_dot(unsigned first, double* sum) const {
    F64Columns even_sum = simd::splat_f64_columns(0.0), odd_sum = even_sum;
    I16 even = simd::splat_columns(kZeroExponent), odd = even, smallest = simd::splat_columns(kNoProduct);
    const double* row = b.value[first];
    const int16_t* exponents = b.exponent[first];
    for (unsigned i = first; i < first + plan.segment;
         i += 2, row += 2 * kColumns, exponents += 2 * kColumns) {
      even_sum = exact_fma(simd::load_splat(a + i), row, even_sum);
      odd_sum = exact_fma(simd::load_splat(a + i + 1), row + kColumns, odd_sum);
      const I16 even_products = simd::splat_columns(a_exponent[i]) + simd::load_columns(exponents);
      const I16 odd_products =
          simd::splat_columns(a_exponent[i + 1]) + simd::load_columns(exponents + kColumns);
      even = max(even, even_products);
      odd = max(odd, odd_products);
      smallest = min_unsigned(smallest, min_unsigned(even_products, odd_products));
    }
    store_columns(sum, even_sum + odd_sum);
    return {even, odd, smallest};
  }

  // Products at positions first, first + stride, ... below `end` for kLanes columns, truncated at 24 bits
  // below `exponent`, in units of that.
  F64 truncated_sum(unsigned first, unsigned end, unsigned stride, unsigned column, I64 exponent) const {
    const F64 unit = pow2(constant(kF) - exponent);
    F64 sum = simd::splat(0.0);
    for (unsigned i = first; i < end; i += stride)
      sum = sum + trunc(simd::load_splat(a + i) * simd::load(b.value[i] + column) * unit);
    return sum;
  }

  // Exponents from raised ones; sums without a product get kEmptyExponent.
  static I16 lowered(I16 raised) {
    return max(raised + simd::splat_columns(-2 * kRaise), simd::splat_columns(kEmptyExponent));
  }

  // The sums of a segment, cut as the rule says.
  void aligned_dot(unsigned first, const SegmentExponents& e, double* sum) const {
    alignas(64) int16_t even[kColumns], odd[kColumns];
    store_columns(even, lowered(e.even));
    store_columns(odd, lowered(e.odd));
    const unsigned end = first + plan.segment;
    for (unsigned column = 0; column < kColumns; column += kLanes) {
      const I64 even_exponent = simd::load_i16(even + column), odd_exponent = simd::load_i16(odd + column);
      const I64 largest = max(even_exponent, odd_exponent);
      const F64 unit = pow2(largest - constant(kF));
      if (!plan.even_odd) {
        store(sum + column, truncated_sum(first, end, 1, column, largest) * unit);
        continue;
      }
      const F64 even_sum =
          truncated_sum(first, end, 2, column, even_exponent) * pow2(even_exponent - largest);
      const F64 odd_sum =
          truncated_sum(first + 1, end, 2, column, odd_exponent) * pow2(odd_exponent - largest);
      store(sum + column, (floor(even_sum) + floor(odd_sum)) * unit);
    }
  }

  // The scaled sums of one segment. Returns the columns that need the reference.
  unsigned segment_sums(unsigned segment, Sums& sums) const {
    const unsigned first = segment * plan.segment;
    const SegmentExponents e = plain_dot(first, sums.value);
    const I16 largest = max(e.even, e.odd);
    const I16 threshold = largest + simd::splat_columns(static_cast<int16_t>(-exact_span));
    if (greater_columns(threshold, e.smallest) != 0) aligned_dot(first, e, sums.value);
    I16 exponent = lowered(largest);
    if (scaled) {
      const unsigned block = first / kScaleBlock;
      const I16 scale = simd::splat_columns(a_scale[block]) + simd::load_columns(b.scale[block]);
      exponent = exponent + scale;
      alignas(64) int16_t powers[kColumns];
      store_columns(powers, scale);
      for (unsigned column = 0; column < kColumns; column += kLanes)
        store(sums.value + column, simd::load(sums.value + column) * pow2(simd::load_i16(powers + column)));
    }
    store_columns(sums.exponent, exponent);
    return greater_columns(largest, simd::splat_columns(huge));
  }

  // Two sums of one step, each floored at 24 bits below the larger exponent.
  static void join(Sums& sums, const Sums& more) {
    for (unsigned column = 0; column < kColumns; column += kLanes) {
      const I64 exponent =
          max(simd::load_i16(sums.exponent + column), simd::load_i16(more.exponent + column));
      const F64 unit = pow2(constant(kF) - exponent);
      const F64 total =
          floor(simd::load(sums.value + column) * unit) + floor(simd::load(more.value + column) * unit);
      store(sums.value + column, total * pow2(exponent - constant(kF)));
    }
    store_columns(sums.exponent, max(simd::load_columns(sums.exponent), simd::load_columns(more.exponent)));
  }

  // The common tail: C joins, the total is renormalised, floored and rounded. `c` and the result are f32
  // values.
  F64 add_c_and_round(F64 sum, I64 exponent, F64 c) const {
    // The exponent of an f32 value in double is its field's, except that subnormals and zero lie below -126.
    const I64 raw = shift_right(bits(c), 52) & constant(0x7FF);
    const I64 c_exponent = max(raw - constant(1023), constant(-126));
    const I64 largest = max(exponent, c_exponent);
    const F64 s = floor(sum * pow2(constant(kF2 + 1) - largest));
    F64 aligned_c = floor(c * pow2(constant(kFc) - largest));
    if (plan.c_cut != kNoCut)
      aligned_c = select(largest - constant(plan.c_cut) > c_exponent, simd::splat(0.0), aligned_c);
    // Never -0: s comes from accumulators that start at +0, and a negative one floors to -1 at most.
    const F64 t = s + aligned_c * simd::splat(double{1 << (kF2 + 1 - kFc)});
    // t counts units of 2^(largest - 32). `top`: the exponent of its leading bit, or f32's smallest normal
    // one.
    const I64 width = (shift_right(bits(t), 52) & constant(0x7FF)) - constant(1023);
    const I64 top = max(width + largest - constant(kF2 + 1), constant(-126));
    const F64 kept = floor(t * pow2(largest - constant(1) - top));  // unit 2^(top - 31)
    const F64 total = clamp(kept * pow2(top - constant(kF2)), simd::splat(limit));
    return select(raw == constant(0x7FF), c, round_to_f32(total));
  }

  // All steps of 16 outputs. Returns the columns that need the reference.
  unsigned run(const uint32_t* c, uint32_t* d) const {
    alignas(64) double value[kColumns];
    for (unsigned column = 0; column < kColumns; column += kLanes)
      store(value + column, simd::load_f32(c + column));
    unsigned special = 0;
    const unsigned segments = plan.k / plan.segment, in_step = plan.width / plan.segment;
    for (unsigned segment = 0; segment < segments; segment += in_step) {
      Sums sums, more;
      special |= segment_sums(segment, sums);
      for (unsigned i = 1; i < in_step; ++i) {
        special |= segment_sums(segment + i, more);
        join(sums, more);
      }
      for (unsigned column = 0; column < kColumns; column += kLanes)
        store(value + column,
              add_c_and_round(simd::load(sums.value + column), simd::load_i16(sums.exponent + column),
                              simd::load(value + column)));
    }
    for (unsigned column = 0; column < kColumns; column += kLanes)
      store_f32(d + column, simd::load(value + column));
    return special;
  }
};

// Outputs (i, first + j) for every bit j of `columns`, by the reference.
void by_reference(const MfmaModel& model, const Shape& shape, const StepPlan& plan, Format a_format,
                  Format b_format, const PackedBlock& block, unsigned i, unsigned first, unsigned columns) {
  uint16_t a[kMaxK], b[kMaxK];
  unpack_codes(block.a + i * packed_words(plan.k, a_format), a_format, plan.k, a);
  const unsigned scale_blocks = plan.k / kScaleBlock;
  for (; columns != 0; columns &= columns - 1) {
    const unsigned j = first + static_cast<unsigned>(std::countr_zero(columns));
    unpack_codes(block.b + j * packed_words(plan.k, b_format), b_format, plan.k, b);
    const bool scaled = block.scale_a != nullptr;
    const Dot dot{a_format,
                  b_format,
                  a,
                  b,
                  scaled ? block.scale_a + i * scale_blocks : nullptr,
                  scaled ? block.scale_b + j * scale_blocks : nullptr};
    block.d[i * shape.n + j] = dot_reference(model, plan, dot, block.c[i * shape.n + j]);
  }
}

}  // namespace

bool fast_applies(const MfmaModel& model, const Shape& shape, const StepPlan& plan) {
  const bool narrow_input =
      shape.input != InputClass::f32 && shape.input != InputClass::f64 && shape.input != InputClass::i8;
  const bool constants = model.f == kF && model.fc == kFc && model.f2 == kF2 &&
                         model.product_align == Align::trunc && model.group_align == Align::floor;
  const bool one_scale_a_segment = !model.scale_per_product || plan.segment <= kScaleBlock;
  return narrow_input && shape.n % kColumns == 0 && model.rule == Rule::steps && constants &&
         one_scale_a_segment && model.zero_sign == ZeroSign::plus;
}

void mfma_fast(const MfmaModel& model, const Shape& shape, const StepPlan& plan, Format a_format,
               Format b_format, const PackedBlock& block) {
  RowOperand rows;
  ColumnOperand columns;
  rows.decode(model, plan, a_format, shape.m, block);
  const int16_t huge = shape.input == InputClass::bf16 && model.product_overflow ? kBf16Huge : kHuge;
  const int fraction_bits =
      format_info(a_format).float_format->mantissa_bits + format_info(b_format).float_format->mantissa_bits;
  const double limit = model.fp16_ovfl ? double{FLT_MAX} : std::numeric_limits<double>::infinity();
  for (unsigned first = 0; first < shape.n; first += kColumns) {
    columns.decode(model, plan, b_format, first, block);
    for (unsigned i = 0; i < shape.m; ++i) {
      const RowKernel kernel{plan,
                             rows.value + i * plan.k,
                             rows.exponent + i * plan.k,
                             rows.scale[i],
                             columns,
                             block.scale_a != nullptr,
                             static_cast<int16_t>(kF - fraction_bits),
                             huge,
                             limit};
      uint32_t* const d = block.d + i * shape.n + first;
      unsigned special = kernel.run(block.c + i * shape.n + first, d) | columns.special_scale;
      if (rows.special_scale[i]) special = (1u << kColumns) - 1;
      for (unsigned j = 0; j < kColumns; ++j)
        if ((d[j] & 0x7FFFFFFFu) > 0x7F800000u) d[j] = model.nan_bits;
      if (special != 0) by_reference(model, shape, plan, a_format, b_format, block, i, first, special);
    }
  }
}

}  // namespace wavetwin::mfma
