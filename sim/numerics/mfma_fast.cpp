// SPDX-License-Identifier: MIT
// Why this gives the reference's bits.
//
// Doubles stand for the reference's integers. Everything below is exact, so neither order nor fusing matters:
//  * An element is a significand of at most 11 bits times a power of two: a float holds it, a double holds a
//  product.
//  * Let e be the largest field exponent of a segment's nonzero products. A product is below 2^(e+2). If no
//  product of
//    the segment has a bit below 2^(e-24), aligning cuts nothing: the group maxima are at most e, so neither
//    the truncation of products nor the floor of group sums loses a bit, and the segment sum is the plain dot
//    product. Its partial sums are multiples of 2^(e-24) below 2^(e+9): 33 bits. `low` finds the segments
//    where this holds: the lowest set bit of a product is the sum of the lowest set bits of its factors,
//    bounded from below by the sum of the minima of the row and of the column.
//  * Otherwise products are scaled by a power of two and truncated one by one, and group sums floored, as the
//  rule says.
//  * A segment sum is below 2^(e+9) and a multiple of 2^(e-24). With E the largest exponent, S = floor(sum *
//  2^(32-E))
//    is below 2^41, aligned C times 256 below 2^33, so T is an exact integer below 2^42; scaling it by powers
//    of two and flooring again is exact, and the one rounding is the conversion to f32. All exponents stay
//    within +-1000.
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
constexpr unsigned kMaxSegments = 32;
constexpr unsigned kGroups = kColumns / simd::kLanes;  // vectors of doubles that make up 16 columns
constexpr unsigned kMaxScaleBlocks = kMaxK / kScaleBlock;

constexpr int kF = 24, kFc = 24, kF2 = 31;  // the constants of MfmaModel that this file is written for

// Exponents of zeros and specials. All sums of two stay within 16 bits; real exponents lie in -300 .. 300.
constexpr int16_t kZeroExponent = -16384;  // takes part in no maximum
constexpr int16_t kNoBit = 8192;           // lowest set bit of zero: above everything
constexpr int16_t kSpecial = -16384;       // lowest set bit of an infinity or NaN: below everything
constexpr int64_t kEmptyExponent = -600;   // of a sum without a nonzero product, once widened

struct Element {
  float value;       // 0 for infinities and NaNs
  int16_t exponent;  // of the exponent field, or kZeroExponent
  int16_t low;       // exponent of the lowest set bit, kNoBit or kSpecial
};

constexpr Element element(const FloatFormat& format, uint32_t code) {
  const Unpacked x = unpack(format, code);
  if (x.kind == NumberClass::zero) return {x.negative ? -0.0f : 0.0f, kZeroExponent, kNoBit};
  if (x.kind != NumberClass::finite) return {0.0f, kZeroExponent, kSpecial};
  const int32_t low = x.exponent + std::countr_zero(x.significand);
  return {to_float(x), static_cast<int16_t>(x.exponent + format.mantissa_bits), static_cast<int16_t>(low)};
}

using ElementTable = std::array<Element, 256>;
constexpr unsigned kTables = 7;  // the formats of at most 8 bits come first in FormatId
const std::array<ElementTable, kTables> kElements = [] {
  std::array<ElementTable, kTables> tables{};
  for (unsigned id = 0; id < kTables; ++id) {
    const FormatInfo& info = format_info(static_cast<Format>(id));
    for (uint32_t code = 0; code < 1u << info.bits; ++code)
      tables[id][code] = element(*info.float_format, code);
  }
  return tables;
}();

// element() for bf16 and f16 without the general conversion.
inline Element element16(const FloatFormat& format, uint32_t code) {
  const uint32_t mantissa = code & ((1u << format.mantissa_bits) - 1);
  const uint32_t field = code >> format.mantissa_bits & ((1u << format.exponent_bits) - 1);
  const uint32_t significand = mantissa | (field != 0 ? 1u << format.mantissa_bits : 0u);
  const int32_t exponent = static_cast<int32_t>(field != 0 ? field : 1u) - format.bias;
  if (significand == 0) return {0.0f, kZeroExponent, kNoBit};
  if (field == (1u << format.exponent_bits) - 1) return {0.0f, kZeroExponent, kSpecial};
  const int32_t unit = exponent - format.mantissa_bits;
  return {0.0f, static_cast<int16_t>(exponent), static_cast<int16_t>(unit + std::countr_zero(significand))};
}
inline Element bf16_element(uint32_t code) {
  Element e = element16(BF16::kFormat, code);
  if (e.low != kSpecial) e.value = f32_from_bits(code << 16);
  return e;
}
inline Element f16_element(uint32_t code) {
  Element e = element16(F16::kFormat, code);
  if (e.low == kSpecial) return e;
  // The f16 bits moved to f32's mantissa position are the value times 2^-112, subnormals included.
  const float scaled = f32_from_bits((code & 0x7FFFu) << 13) * 0x1p112f;
  e.value = code & 0x8000u ? -scaled : scaled;
  return e;
}

// Calls sink(position, element) for every position of the plan's order.
template <class Sink>
inline void decode_row(const StepPlan& plan, Format format, const uint32_t* row, Sink sink) {
  uint16_t codes[kMaxK];
  unpack_codes(row, format, plan.k, codes);
  if (format == Format::bf16) {
    for (unsigned i = 0; i < plan.k; ++i) sink(i, bf16_element(codes[plan.order[i]]));
  } else if (format == Format::f16) {
    for (unsigned i = 0; i < plan.k; ++i) sink(i, f16_element(codes[plan.order[i]]));
  } else {
    const ElementTable& table = kElements[static_cast<unsigned>(format)];
    for (unsigned i = 0; i < plan.k; ++i) sink(i, table[codes[plan.order[i]]]);
  }
}

// A scale byte as an exponent, and whether outputs under it need the reference.
inline bool special_scale(const MfmaModel& model, uint8_t byte) {
  return byte == E8M0::kNan || (byte == 0 && model.scale_byte_zero == ScaleByteZero::zero);
}

// A, decoded. Positions run in the plan's order.
struct RowOperand {
  double value[kMaxRows * kMaxK / 2];  // 16 x 128, 32 x 64 or less: [row][position]
  int16_t exponent[kMaxRows * kMaxK / 2];
  int16_t low[kMaxRows][kMaxSegments];
  int16_t scale[kMaxRows][kMaxScaleBlocks];
  bool special[kMaxRows];

  void decode(const MfmaModel& model, const StepPlan& plan, Format format, unsigned rows,
              const PackedBlock& block);
};

// Sixteen columns of B, decoded.
struct ColumnOperand {
  double value[kMaxK][kColumns];
  int16_t exponent[kMaxK][kColumns];
  int16_t low[kMaxSegments][kColumns];
  int16_t scale[kMaxScaleBlocks][kColumns];
  unsigned special;  // bit j: column j has an infinity, a NaN or a special scale

  void decode(const MfmaModel& model, const StepPlan& plan, Format format, unsigned first,
              const PackedBlock& block);
};

void RowOperand::decode(const MfmaModel& model, const StepPlan& plan, Format format, unsigned rows,
                        const PackedBlock& block) {
  const unsigned segments = plan.k / plan.segment, words = packed_words(plan.k, format);
  const unsigned scale_blocks = plan.k / kScaleBlock;
  for (unsigned i = 0; i < rows; ++i) {
    std::fill_n(low[i], segments, kNoBit);
    unsigned segment = 0, in_segment = 0;
    decode_row(plan, format, block.a + i * words, [&](unsigned position, Element e) {
      value[i * plan.k + position] = e.value;
      exponent[i * plan.k + position] = e.exponent;
      low[i][segment] = std::min(low[i][segment], e.low);
      if (++in_segment == plan.segment) in_segment = 0, ++segment;
    });
    special[i] = *std::min_element(low[i], low[i] + segments) == kSpecial;
    for (unsigned s = 0; block.scale_a != nullptr && s < scale_blocks; ++s) {
      const uint8_t byte = block.scale_a[i * scale_blocks + s];
      scale[i][s] = static_cast<int16_t>(byte - E8M0::kBias);
      special[i] |= special_scale(model, byte);
    }
  }
}

void ColumnOperand::decode(const MfmaModel& model, const StepPlan& plan, Format format, unsigned first,
                           const PackedBlock& block) {
  const unsigned segments = plan.k / plan.segment, words = packed_words(plan.k, format);
  const unsigned scale_blocks = plan.k / kScaleBlock;
  special = 0;
  for (unsigned j = 0; j < kColumns; ++j) {
    int16_t lowest[kMaxSegments];
    std::fill_n(lowest, segments, kNoBit);
    unsigned segment = 0, in_segment = 0;
    decode_row(plan, format, block.b + (first + j) * words, [&](unsigned position, Element e) {
      value[position][j] = e.value;
      exponent[position][j] = e.exponent;
      lowest[segment] = std::min(lowest[segment], e.low);
      if (++in_segment == plan.segment) in_segment = 0, ++segment;
    });
    bool is_special = false;
    for (unsigned s = 0; s < segments; ++s) {
      low[s][j] = lowest[s];
      is_special |= lowest[s] == kSpecial;
    }
    for (unsigned s = 0; block.scale_b != nullptr && s < scale_blocks; ++s) {
      const uint8_t byte = block.scale_b[(first + j) * scale_blocks + s];
      scale[s][j] = static_cast<int16_t>(byte - E8M0::kBias);
      is_special |= special_scale(model, byte);
    }
    special |= static_cast<unsigned>(is_special) << j;
  }
}

// One row of A against 16 columns of B.
struct RowKernel {
  const StepPlan& plan;
  const double* a;            // [position]
  const int16_t* a_exponent;  // [position]
  const int16_t* a_low;       // [segment]
  const int16_t* a_scale;     // [scale block]
  const ColumnOperand& b;
  bool scaled;
  double limit;  // magnitude above which a step's result is clamped; infinity for none

  // Largest field exponents of the nonzero products at even and at odd positions of a segment.
  void exponents(unsigned first, I16& even, I16& odd) const {
    even = odd = simd::splat_columns(kZeroExponent);
    for (unsigned i = first; i < first + plan.segment; i += 2) {
      even = max(even, simd::splat_columns(a_exponent[i]) + simd::load_columns(b.exponent[i]));
      odd = max(odd, simd::splat_columns(a_exponent[i + 1]) + simd::load_columns(b.exponent[i + 1]));
    }
  }

  // The dot products of a segment where nothing is cut.
  void plain_dot(unsigned first, F64 (&sum)[kGroups]) const {
    for (F64& s : sum) s = simd::splat(0.0);
    for (unsigned i = first; i < first + plan.segment; ++i) {
      const F64 factor = simd::load_splat(a + i);
      for (unsigned g = 0; g < kGroups; ++g)
        sum[g] = exact_fma(factor, simd::load(b.value[i] + g * simd::kLanes), sum[g]);
    }
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

  // The sum of a segment for four columns, cut as the rule says.
  F64 aligned_dot(unsigned first, unsigned group, const int16_t* even, const int16_t* odd) const {
    const I64 even_exponent = max(simd::load_i16(even + group * simd::kLanes), simd::splat(kEmptyExponent));
    const I64 odd_exponent = max(simd::load_i16(odd + group * simd::kLanes), simd::splat(kEmptyExponent));
    const I64 largest = max(even_exponent, odd_exponent);
    const F64 unit = pow2(largest - simd::splat(int64_t{kF}));
    if (!plan.even_odd) return truncated_sum(first, 1, group, largest) * unit;
    const F64 even_sum = truncated_sum(first, 2, group, even_exponent) * pow2(even_exponent - largest);
    const F64 odd_sum = truncated_sum(first + 1, 2, group, odd_exponent) * pow2(odd_exponent - largest);
    return (floor(even_sum) + floor(odd_sum)) * unit;
  }

  // The scaled sums of one segment and their exponents. Returns the columns with a product of magnitude 2^127
  // or more.
  unsigned segment_sums(unsigned segment, F64 (&sum)[kGroups], I64 (&exponent)[kGroups]) const {
    const unsigned first = segment * plan.segment;
    I16 even, odd;
    exponents(first, even, odd);
    const I16 largest = max(even, odd);
    plain_dot(first, sum);
    const I16 lowest_bit = simd::splat_columns(a_low[segment]) + simd::load_columns(b.low[segment]);
    const unsigned cut = greater_columns(largest + simd::splat_columns(-kF), lowest_bit);
    alignas(32) int16_t e[kColumns];
    store_columns(e, largest);
    if (cut != 0) {
      alignas(32) int16_t even_e[kColumns], odd_e[kColumns];
      store_columns(even_e, even);
      store_columns(odd_e, odd);
      for (unsigned g = 0; g < kGroups; ++g)
        if (cut >> g * simd::kLanes & 15) sum[g] = aligned_dot(first, g, even_e, odd_e);
    }
    for (unsigned g = 0; g < kGroups; ++g)
      exponent[g] = max(simd::load_i16(e + g * simd::kLanes), simd::splat(kEmptyExponent));
    if (scaled) apply_scale(first / kScaleBlock, sum, exponent);
    return greater_columns(largest, simd::splat_columns(126));
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

  // All steps of 16 outputs. Returns the columns where a bf16 product may have overflowed.
  unsigned run(const uint32_t* c, uint32_t* d) const {
    F64 value[kGroups];
    for (unsigned g = 0; g < kGroups; ++g) value[g] = simd::load_f32(c + g * simd::kLanes);
    unsigned huge = 0;
    const unsigned segments = plan.k / plan.segment, in_step = plan.width / plan.segment;
    for (unsigned segment = 0; segment < segments; segment += in_step) {
      F64 sum[kGroups];
      I64 exponent[kGroups];
      huge |= segment_sums(segment, sum, exponent);
      for (unsigned more = 1; more < in_step; ++more) {
        F64 sum2[kGroups];
        I64 exponent2[kGroups];
        huge |= segment_sums(segment + more, sum2, exponent2);
        for (unsigned g = 0; g < kGroups; ++g) join(sum[g], exponent[g], sum2[g], exponent2[g]);
      }
      for (unsigned g = 0; g < kGroups; ++g) value[g] = add_c_and_round(sum[g], exponent[g], value[g]);
    }
    for (unsigned g = 0; g < kGroups; ++g) store_f32(d + g * simd::kLanes, value[g]);
    return huge;
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
  const bool overflows = shape.input == InputClass::bf16 && model.product_overflow;
  const double limit = model.fp16_ovfl ? double{FLT_MAX} : std::numeric_limits<double>::infinity();
  for (unsigned first = 0; first < shape.n; first += kColumns) {
    columns.decode(model, plan, b_format, first, block);
    for (unsigned i = 0; i < shape.m; ++i) {
      const RowKernel kernel{plan,
                             rows.value + i * plan.k,
                             rows.exponent + i * plan.k,
                             rows.low[i],
                             rows.scale[i],
                             columns,
                             block.scale_a != nullptr,
                             limit};
      uint32_t* const d = block.d + i * shape.n + first;
      const unsigned huge = kernel.run(block.c + i * shape.n + first, d);
      for (unsigned j = 0; j < kColumns; ++j)
        if ((d[j] & 0x7FFFFFFFu) > 0x7F800000u) d[j] = model.nan_bits;
      const unsigned all = (1u << kColumns) - 1;
      const unsigned special = rows.special[i] ? all : columns.special | (overflows ? huge : 0u);
      if (special != 0) by_reference(model, shape, plan, a_format, b_format, block, i, first, special);
    }
  }
}

}  // namespace wavetwin::mfma
