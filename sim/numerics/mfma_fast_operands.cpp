// SPDX-License-Identifier: MIT
#include "sim/numerics/mfma_fast_operands.h"

#include <algorithm>
#include <array>

#include "common/bits.h"
#include "common/format/convert.h"

namespace wavetwin::mfma {
namespace {

using simd::kColumns;

struct Element {
  double value;  // of infinities and NaNs: anything, outputs that meet one go to the reference
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

// element() for bf16 and f16 without branches. The bits moved to f32's position are the value, but for the
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
  return {f32_from_bits(bits) * kBiasStep, static_cast<int16_t>(marked)};
}

template <class F>
void decode16(const uint16_t* codes, unsigned k, double* value, int16_t* exponent) {
  for (unsigned i = 0; i < k; ++i) {
    const Element e = element16<F>(codes[i]);
    value[i] = e.value;
    exponent[i] = e.exponent;
  }
}

// Decodes one packed row into value[position * kStride] and exponent[position * kStride].
template <unsigned kStride>
void decode_row(const StepPlan& plan, Format format, const uint32_t* row, double* value, int16_t* exponent) {
  uint16_t codes[kMaxK];
  unpack_codes(row, format, plan.k, codes);
  if (format_bits(format) < 16) {  // always taken in ascending order
    const ElementTable& table = kElements[static_cast<unsigned>(format)];
    for (unsigned i = 0; i < plan.k; ++i) {
      value[i * kStride] = table.value[codes[i]];
      exponent[i * kStride] = table.exponent[codes[i]];
    }
    return;
  }
  double values[kMaxK];
  int16_t exponents[kMaxK];
  format == Format::bf16 ? decode16<BF16>(codes, plan.k, values, exponents)
                         : decode16<F16>(codes, plan.k, values, exponents);
  for (unsigned i = 0; i < plan.k; ++i) {
    value[i * kStride] = values[plan.order[i]];
    exponent[i * kStride] = exponents[plan.order[i]];
  }
}

// Whether outputs under this scale byte need the reference.
inline bool is_special_scale(const MfmaModel& model, uint8_t byte) {
  return byte == E8M0::kNan || (byte == 0 && model.scale_byte_zero == ScaleByteZero::zero);
}

}  // namespace

void RowOperand::decode(const MfmaModel& model, const StepPlan& plan, Format format, unsigned rows,
                        const PackedBlock& block) {
  const unsigned words = packed_words(plan.k, format), scale_blocks = plan.k / kScaleBlock;
  for (unsigned i = 0; i < rows; ++i) {
    decode_row<1>(plan, format, block.a + i * words, value + i * plan.k, exponent + i * plan.k);
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
    decode_row<kColumns>(plan, format, block.b + (first + j) * words, value[0] + j, exponent[0] + j);
    for (unsigned s = 0; block.scale_b != nullptr && s < scale_blocks; ++s) {
      const uint8_t byte = block.scale_b[(first + j) * scale_blocks + s];
      scale[s][j] = static_cast<int16_t>(byte - E8M0::kBias);
      special_scale |= static_cast<unsigned>(is_special_scale(model, byte)) << j;
    }
  }
}

}  // namespace wavetwin::mfma
