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

#include <array>
#include <bit>
#include <cfloat>
#include <limits>

#include "common/bits.h"
#include "common/format/convert.h"
#include "sim/numerics/mfma_reference.h"
#include "sim/numerics/mfma_simd.h"

namespace wavetwin::mfma {
namespace {

using simd::F64, simd::I16, simd::I64, simd::kColumns;

constexpr unsigned kMaxRows = 32;
constexpr unsigned kGroups = kColumns / simd::kLanes;  // vectors of doubles that make up 16 columns
constexpr unsigned kMaxScaleBlocks = kMaxK / kScaleBlock;

constexpr int kF = 24, kFc = 24, kF2 = 31;  // the constants of MfmaModel that this file is written for

// Exponents in 16 bits, each factor's raised by kRaise, so that one addition tells what a product is: finite
// nonzero products lie in 400 .. 1600; zeros are negative, which is above everything when read unsigned; NaNs
// and infinity times anything (zero included) are above kHuge.
constexpr int16_t kRaise = 500;
constexpr int16_t kZeroExponent = -8000;
constexpr int16_t kSpecialExponent = 12000;
constexpr int16_t kHuge = 2000;
constexpr int16_t kBf16Huge = 126 + 2 * kRaise;  // above it bf16 products reach 2^127, and some overflow
constexpr int16_t kNoProduct = 32767;            // smallest exponent when there is no nonzero product
constexpr int64_t kEmptyExponent = -600;         // of a sum without a nonzero product, no longer raised

struct Element {
  double value;  // 0 for infinities and NaNs
  int16_t exponent;
};

constexpr Element element(const FloatFormat& format, uint32_t code) {
  const Unpacked x = unpack(format, code);
  if (x.kind == NumberClass::zero) return {x.negative ? -0.0 : 0.0, kZeroExponent};
  if (x.kind != NumberClass::finite) return {0.0, kSpecialExponent};
  return {to_float(x), static_cast<int16_t>(x.exponent + format.mantissa_bits + kRaise)};
}

struct ElementTable {
  double value[256];
  int16_t exponent[256];
};
constexpr unsigned kTables = 7;  // the formats of at most 8 bits come first in FormatId
const std::array<ElementTable, kTables> kElements = [] {
  std::array<ElementTable, kTables> tables{};
  for (unsigned id = 0; id < kTables; ++id) {
    const FormatInfo& info = format_info(static_cast<Format>(id));
    for (uint32_t code = 0; code < 1u << info.bits; ++code) {
      const Element e = element(*info.float_format, code);
      tables[id].value[code] = e.value;
      tables[id].exponent[code] = e.exponent;
    }
  }
  return tables;
}();

// element() for bf16 and f16 without branches. The bits moved to f32's position are the value, but for f16's
// bias.
template <class F>
inline Element element16(uint32_t code) {
  constexpr FloatFormat kFormat = F::kFormat;
  constexpr int kTop = (1 << kFormat.exponent_bits) - 1;
  constexpr double kBiasStep = kFormat.exponent_bits == 5 ? 0x1p112 : 1.0;
  const uint32_t magnitude = code & 0x7FFFu;
  const int field = static_cast<int>(magnitude >> kFormat.mantissa_bits);
  const uint32_t bits = (code & 0x8000u) << 16 | magnitude << (23 - kFormat.mantissa_bits);
  const int exponent = (field == 0 ? 1 : field) - kFormat.bias + kRaise;
  const int marked = field == kTop ? kSpecialExponent : (magnitude == 0 ? kZeroExponent : exponent);
  return {f32_from_bits(field == kTop ? 0u : bits) * kBiasStep, static_cast<int16_t>(marked)};
}

template <class F>
void decode16(const uint16_t* codes, unsigned k, double* value, int16_t* exponent) {
  for (unsigned i = 0; i < k; ++i) {
    const Element e = element16<F>(codes[i]);
    value[i] = e.value;
    exponent[i] = e.exponent;
  }
}

// Decodes one packed row, positions in the plan's order.
void decode_row(const StepPlan& plan, Format format, const uint32_t* row, double* value, int16_t* exponent) {
  uint16_t codes[kMaxK];
  unpack_codes(row, format, plan.k, codes);
  if (!plan.ascending) {
    uint16_t ascending[kMaxK];
    std::copy_n(codes, plan.k, ascending);
    for (unsigned i = 0; i < plan.k; ++i) codes[i] = ascending[plan.order[i]];
  }
  if (format == Format::bf16) return decode16<BF16>(codes, plan.k, value, exponent);
  if (format == Format::f16) return decode16<F16>(codes, plan.k, value, exponent);
  const ElementTable& table = kElements[static_cast<unsigned>(format)];
  for (unsigned i = 0; i < plan.k; ++i) {
    value[i] = table.value[codes[i]];
    exponent[i] = table.exponent[codes[i]];
  }
}

// A scale byte as an exponent, and whether outputs under it need the reference.
inline bool is_special_scale(const MfmaModel& model, uint8_t byte) {
  return byte == E8M0::kNan || (byte == 0 && model.scale_byte_zero == ScaleByteZero::zero);
}

// A, decoded. Positions run in the plan's order.
struct RowOperand {
  double value[kMaxRows * kMaxK / 2];  // 16 x 128, 32 x 64 or less: [row][position]
  int16_t exponent[kMaxRows * kMaxK / 2];
  int16_t scale[kMaxRows][kMaxScaleBlocks];
  bool special_scale[kMaxRows];

  void decode(const MfmaModel& model, const StepPlan& plan, Format format, unsigned rows,
              const PackedBlock& block);
};

// Sixteen columns of B, decoded.
struct ColumnOperand {
  alignas(32) double value[kMaxK][kColumns];
  alignas(32) int16_t exponent[kMaxK][kColumns];
  int16_t scale[kMaxScaleBlocks][kColumns];
  unsigned special_scale;  // bit j for column j

  void decode(const MfmaModel& model, const StepPlan& plan, Format format, unsigned first,
              const PackedBlock& block);
};

void RowOperand::decode(const MfmaModel& model, const StepPlan& plan, Format format, unsigned rows,
                        const PackedBlock& block) {
  const unsigned words = packed_words(plan.k, format), scale_blocks = plan.k / kScaleBlock;
  for (unsigned i = 0; i < rows; ++i) {
    decode_row(plan, format, block.a + i * words, value + i * plan.k, exponent + i * plan.k);
    special_scale[i] = false;
    for (unsigned s = 0; block.scale_a != nullptr && s < scale_blocks; ++s) {
      const uint8_t byte = block.scale_a[i * scale_blocks + s];
      scale[i][s] = static_cast<int16_t>(byte - E8M0::kBias);
      special_scale[i] |= is_special_scale(model, byte);
    }
  }
}

void ColumnOperand::decode(const MfmaModel& model, const StepPlan& plan, Format format, unsigned first,
                           const PackedBlock& block) {
  const unsigned words = packed_words(plan.k, format), scale_blocks = plan.k / kScaleBlock;
  special_scale = 0;
  for (unsigned j = 0; j < kColumns; ++j) {
    double column_value[kMaxK];
    int16_t column_exponent[kMaxK];
    decode_row(plan, format, block.b + (first + j) * words, column_value, column_exponent);
    for (unsigned i = 0; i < plan.k; ++i) {
      value[i][j] = column_value[i];
      exponent[i][j] = column_exponent[i];
    }
    for (unsigned s = 0; block.scale_b != nullptr && s < scale_blocks; ++s) {
      const uint8_t byte = block.scale_b[(first + j) * scale_blocks + s];
      scale[s][j] = static_cast<int16_t>(byte - E8M0::kBias);
      special_scale |= static_cast<unsigned>(is_special_scale(model, byte)) << j;
    }
  }
}

// The exponents of a segment's products, still raised.
struct SegmentExponents {
  I16 even = simd::splat_columns(kZeroExponent);  // largest of a nonzero product at an even position
  I16 odd = simd::splat_columns(kZeroExponent);
  I16 smallest = simd::splat_columns(kNoProduct);  // of any nonzero product
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
  SegmentExponents plain_dot(unsigned first, F64 (&sum)[kGroups]) const {
    F64 even_sum[kGroups], odd_sum[kGroups];
    for (unsigned g = 0; g < kGroups; ++g) even_sum[g] = odd_sum[g] = simd::splat(0.0);
    SegmentExponents exponents;
    for (unsigned i = first; i < first + plan.segment; i += 2) {
      const F64 even_factor = simd::load_splat(a + i), odd_factor = simd::load_splat(a + i + 1);
      for (unsigned g = 0; g < kGroups; ++g) {
        even_sum[g] = exact_fma(even_factor, simd::load(b.value[i] + g * simd::kLanes), even_sum[g]);
        odd_sum[g] = exact_fma(odd_factor, simd::load(b.value[i + 1] + g * simd::kLanes), odd_sum[g]);
      }
      const I16 even = simd::splat_columns(a_exponent[i]) + simd::load_columns(b.exponent[i]);
      const I16 odd = simd::splat_columns(a_exponent[i + 1]) + simd::load_columns(b.exponent[i + 1]);
      exponents.even = max(exponents.even, even);
      exponents.odd = max(exponents.odd, odd);
      exponents.smallest = min_unsigned(exponents.smallest, min_unsigned(even, odd));
    }
    for (unsigned g = 0; g < kGroups; ++g) sum[g] = even_sum[g] + odd_sum[g];
    return exponents;
  }

  // Products at positions first, first + stride, ... truncated at 24 bits below `exponent`, in units of that.
  F64 truncated_sum(unsigned first, unsigned stride, unsigned group, I64 exponent) const {
    const F64 unit = pow2(simd::splat(int64_t{kF}) - exponent);
    F64 sum = simd::splat(0.0);
    const unsigned end = first / plan.segment * plan.segment + plan.segment;
    for (unsigned i = first; i < end; i += stride)
      sum = sum + trunc(simd::load_splat(a + i) * simd::load(b.value[i] + group * simd::kLanes) * unit);
    return sum;
  }

  static I64 widened(const int16_t* raised, unsigned group) {
    return max(simd::load_i16(raised + group * simd::kLanes) - simd::splat(int64_t{2 * kRaise}),
               simd::splat(kEmptyExponent));
  }

  // The sum of a segment for four columns, cut as the rule says.
  F64 aligned_dot(unsigned first, unsigned group, const int16_t* even, const int16_t* odd) const {
    const I64 even_exponent = widened(even, group), odd_exponent = widened(odd, group);
    const I64 largest = max(even_exponent, odd_exponent);
    const F64 unit = pow2(largest - simd::splat(int64_t{kF}));
    if (!plan.even_odd) return truncated_sum(first, 1, group, largest) * unit;
    const F64 even_sum = truncated_sum(first, 2, group, even_exponent) * pow2(even_exponent - largest);
    const F64 odd_sum = truncated_sum(first + 1, 2, group, odd_exponent) * pow2(odd_exponent - largest);
    return (floor(even_sum) + floor(odd_sum)) * unit;
  }

  void align_cut_columns(unsigned first, unsigned cut, const SegmentExponents& e, F64 (&sum)[kGroups]) const {
    alignas(32) int16_t even[kColumns], odd[kColumns];
    store_columns(even, e.even);
    store_columns(odd, e.odd);
    for (unsigned g = 0; g < kGroups; ++g)
      if (cut >> g * simd::kLanes & 15) sum[g] = aligned_dot(first, g, even, odd);
  }

  // The scaled sums of one segment and their exponents. Returns the columns that need the reference.
  unsigned segment_sums(unsigned segment, F64 (&sum)[kGroups], I64 (&exponent)[kGroups]) const {
    const unsigned first = segment * plan.segment;
    const SegmentExponents e = plain_dot(first, sum);
    const I16 largest = max(e.even, e.odd);
    const I16 threshold = largest + simd::splat_columns(static_cast<int16_t>(-exact_span));
    const unsigned cut = greater_columns(threshold, e.smallest);
    if (cut != 0) align_cut_columns(first, cut, e, sum);
    alignas(32) int16_t raised[kColumns];
    store_columns(raised, largest);
    for (unsigned g = 0; g < kGroups; ++g) exponent[g] = widened(raised, g);
    if (scaled) apply_scale(first / kScaleBlock, sum, exponent);
    return greater_columns(largest, simd::splat_columns(huge));
  }

  void apply_scale(unsigned block, F64 (&sum)[kGroups], I64 (&exponent)[kGroups]) const {
    for (unsigned g = 0; g < kGroups; ++g) {
      const I64 scale =
          simd::splat(int64_t{a_scale[block]}) + simd::load_i16(b.scale[block] + g * simd::kLanes);
      sum[g] = sum[g] * pow2(scale);
      exponent[g] = exponent[g] + scale;
    }
  }

  // Two sums of one step, each floored at 24 bits below the larger exponent.
  static void join(F64& sum, I64& exponent, F64 sum2, I64 exponent2) {
    exponent = max(exponent, exponent2);
    const F64 unit = pow2(simd::splat(int64_t{kF}) - exponent);
    sum = (floor(sum * unit) + floor(sum2 * unit)) * pow2(exponent - simd::splat(int64_t{kF}));
  }

  // The common tail: C joins, the total is renormalised, floored and rounded. `c` and the result are f32
  // values.
  F64 add_c_and_round(F64 sum, I64 exponent, F64 c) const {
    // The exponent of an f32 value in double is its field's, except that subnormals and zero lie below -126.
    const I64 raw = shift_right(bits(c), 52) & simd::splat(int64_t{0x7FF});
    const I64 c_exponent = max(raw - simd::splat(int64_t{1023}), simd::splat(int64_t{-126}));
    const I64 largest = max(exponent, c_exponent);
    const F64 s = floor(sum * pow2(simd::splat(int64_t{kF2 + 1}) - largest));
    F64 aligned_c = floor(c * pow2(simd::splat(int64_t{kFc}) - largest));
    if (plan.c_cut != kNoCut) {
      const I64 dropped = largest - simd::splat(int64_t{plan.c_cut}) > c_exponent;
      aligned_c = select(dropped, simd::splat(0.0), aligned_c);
    }
    // Adding +0 makes the zero of -0 + -0 positive.
    const F64 t = s + aligned_c * simd::splat(double{1 << (kF2 + 1 - kFc)}) + simd::splat(0.0);
    // t counts units of 2^(largest - 32). `top` is the exponent of its leading bit, not below f32's smallest
    // normal.
    const I64 width = (shift_right(bits(t), 52) & simd::splat(int64_t{0x7FF})) - simd::splat(int64_t{1023});
    const I64 top = max(width + largest - simd::splat(int64_t{kF2 + 1}), simd::splat(int64_t{-126}));
    const F64 kept = floor(t * pow2(largest - simd::splat(int64_t{1}) - top));  // unit 2^(top - 31)
    const F64 total = clamp(kept * pow2(top - simd::splat(int64_t{kF2})), simd::splat(limit));
    alignas(32) uint32_t rounded[simd::kLanes];
    store_f32(rounded, total);
    const I64 special = raw == simd::splat(int64_t{0x7FF});
    return select(special, c, simd::load_f32(rounded));
  }

  // All steps of 16 outputs. Returns the columns that need the reference.
  unsigned run(const uint32_t* c, uint32_t* d) const {
    F64 value[kGroups];
    for (unsigned g = 0; g < kGroups; ++g) value[g] = simd::load_f32(c + g * simd::kLanes);
    unsigned special = 0;
    const unsigned segments = plan.k / plan.segment, in_step = plan.width / plan.segment;
    for (unsigned segment = 0; segment < segments; segment += in_step) {
      F64 sum[kGroups];
      I64 exponent[kGroups];
      special |= segment_sums(segment, sum, exponent);
      for (unsigned more = 1; more < in_step; ++more) {
        F64 sum2[kGroups];
        I64 exponent2[kGroups];
        special |= segment_sums(segment + more, sum2, exponent2);
        for (unsigned g = 0; g < kGroups; ++g) join(sum[g], exponent[g], sum2[g], exponent2[g]);
      }
      for (unsigned g = 0; g < kGroups; ++g) value[g] = add_c_and_round(sum[g], exponent[g], value[g]);
    }
    for (unsigned g = 0; g < kGroups; ++g) store_f32(d + g * simd::kLanes, value[g]);
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
