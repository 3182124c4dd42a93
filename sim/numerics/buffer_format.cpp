// SPDX-License-Identifier: MIT
#include "sim/numerics/buffer_format.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "common/bits.h"
#include "sim/numerics/convert.h"

namespace wavetwin {
namespace {

// The unsigned floats of 10_11_11 and 11_11_10 with a sign bit that stays 0.
using Float11 = FloatLayout<uint16_t, 5, 6>;
using Float10 = FloatLayout<uint16_t, 5, 5>;

constexpr std::array<BufferElement, 15> kElements{{{},
                                                   {1, 1, {8}},
                                                   {2, 1, {16}},
                                                   {2, 2, {8, 8}},
                                                   {4, 1, {32}},
                                                   {4, 2, {16, 16}},
                                                   {4, 3, {11, 11, 10}},
                                                   {4, 3, {10, 11, 11}},
                                                   {4, 4, {2, 10, 10, 10}},
                                                   {4, 4, {10, 10, 10, 2}},
                                                   {4, 4, {8, 8, 8, 8}},
                                                   {8, 2, {32, 32}},
                                                   {8, 4, {16, 16, 16, 16}},
                                                   {12, 3, {32, 32, 32}},
                                                   {16, 4, {32, 32, 32, 32}}}};

constexpr uint32_t mask_of(unsigned bits) { return bits == 32 ? ~0u : (1u << bits) - 1; }

FloatRules narrowing(const NumericModel& model) {
  FloatRules rules;
  rules.round = model.format_float_nearest ? Round::nearest_even : Round::zero;
  return rules;
}

uint32_t read_float(uint32_t code, unsigned bits) {
  constexpr FloatRules kExact;
  if (bits == 10) return convert_float<Float10, F32Layout>(static_cast<uint16_t>(code), kExact, kExact);
  if (bits == 11) return convert_float<Float11, F32Layout>(static_cast<uint16_t>(code), kExact, kExact);
  if (bits == 16) return convert_float<F16Layout, F32Layout>(static_cast<uint16_t>(code), kExact, kExact);
  return code;
}

uint32_t write_float(uint32_t value, unsigned bits, const NumericModel& model) {
  constexpr FloatRules kSource;
  const FloatRules rules = narrowing(model);
  if (bits == 32) return value;
  if (bits == 16) return convert_float<F32Layout, F16Layout>(value, kSource, rules);
  // The small floats have no sign: negative numbers become 0, a NaN stays one.
  const bool nan = soft::is_nan<F32Layout>(value);
  if (!nan && soft::sign<F32Layout>(value)) return 0;
  const uint32_t magnitude = value & 0x7fffffffu;
  return bits == 10 ? convert_float<F32Layout, Float10>(magnitude, kSource, rules)
                    : convert_float<F32Layout, Float11>(magnitude, kSource, rules);
}

// A code as a part of the largest one, with one rounding, or times the rounded reciprocal.
float part_of(float code, float top, const NumericModel& model) {
  return model.format_norm_multiplied ? code * (1.0f / top) : code / top;
}

uint32_t read_component(uint32_t code, unsigned bits, NumberFormat number, const NumericModel& model) {
  const auto as_signed = [&] { return sign_extend(code, bits); };
  const float top = static_cast<float>(mask_of(bits)), signed_top = static_cast<float>(mask_of(bits - 1));
  switch (number) {
    case NumberFormat::unorm:
      return f32_bits(part_of(static_cast<float>(code), top, model));
    case NumberFormat::snorm:
      return f32_bits(std::max(part_of(static_cast<float>(as_signed()), signed_top, model), -1.0f));
    case NumberFormat::uscaled:
      return f32_bits(static_cast<float>(code));
    case NumberFormat::sscaled:
      return f32_bits(static_cast<float>(as_signed()));
    case NumberFormat::sint:
      return static_cast<uint32_t>(as_signed());
    case NumberFormat::floating:
      return read_float(code, bits);
    default:
      return code;
  }
}

// A float as a fixed-point code: NaN is 0, out of range saturates. 16 bits times 24 fit a double.
int64_t to_code(uint32_t value, double low, double high, double scale, CodeRound round) {
  const double x = f32_from_bits(value);
  if (std::isnan(x)) return 0;
  const double scaled = std::clamp(x, low, high) * scale;
  if (round == CodeRound::truncated) return static_cast<int64_t>(std::trunc(scaled));
  return static_cast<int64_t>(round == CodeRound::half_away ? std::round(scaled) : std::nearbyint(scaled));
}

uint32_t write_component(uint32_t value, unsigned bits, NumberFormat number, const NumericModel& model) {
  const uint32_t mask = mask_of(bits);
  const double top = mask, signed_top = mask_of(bits - 1);
  const CodeRound scaled = model.format_scaled_nearest ? CodeRound::nearest_even : CodeRound::truncated;
  const CodeRound norm = model.format_norm_round;
  switch (number) {
    case NumberFormat::unorm:
      return static_cast<uint32_t>(to_code(value, 0, 1, top, norm));
    case NumberFormat::snorm:
      return static_cast<uint32_t>(to_code(value, -1, 1, signed_top, norm)) & mask;
    case NumberFormat::uscaled:
      return static_cast<uint32_t>(to_code(value, 0, top, 1, scaled));
    case NumberFormat::sscaled:
      return static_cast<uint32_t>(to_code(value, -signed_top - 1, signed_top, 1, scaled)) & mask;
    case NumberFormat::uint:
      return std::min(value, mask);
    case NumberFormat::sint: {
      const auto limit = static_cast<int64_t>(signed_top);
      const int64_t number_value = static_cast<int32_t>(value);
      return static_cast<uint32_t>(std::clamp(number_value, -limit - 1, limit)) & mask;
    }
    case NumberFormat::floating:
      return write_float(value, bits, model);
    default:
      return value & mask;
  }
}

}  // namespace

const BufferElement* buffer_element(unsigned data_format) {
  return data_format == 0 || data_format >= kElements.size() ? nullptr : &kElements[data_format];
}

bool is_buffer_format(unsigned data_format, NumberFormat number) {
  const BufferElement* element = buffer_element(data_format);
  if (element == nullptr || number == NumberFormat::reserved) return false;
  const unsigned first = element->bits[0];
  const bool has_float = first == 16 || first == 32 || element->components == 3;
  if (number == NumberFormat::floating) return has_float;
  if (first == 32) return is_integer(number);
  return element->components != 3;  // 10_11_11 and 11_11_10 are floats only
}

std::array<uint32_t, 4> read_buffer_element(const BufferElement& format, NumberFormat number,
                                            const uint32_t* element, const NumericModel& model) {
  std::array<uint32_t, 4> values{};
  unsigned at = 0;
  for (unsigned c = 0; c < format.components; at += format.bits[c], ++c) {
    const uint32_t code = element[at / 32] >> at % 32 & mask_of(format.bits[c]);
    values[c] = read_component(code, format.bits[c], number, model);
  }
  return values;
}

void write_buffer_element(const BufferElement& format, NumberFormat number,
                          const std::array<uint32_t, 4>& values, const NumericModel& model,
                          uint32_t* element) {
  std::fill_n(element, (format.bytes + 3) / 4, 0u);
  unsigned at = 0;
  for (unsigned c = 0; c < format.components; at += format.bits[c], ++c) {
    element[at / 32] |= write_component(values[c], format.bits[c], number, model) << at % 32;
  }
}

uint16_t narrow_to_d16(uint32_t value, NumberFormat number, const NumericModel& model) {
  const NumberFormat kind = is_integer(number) ? number : NumberFormat::floating;
  return static_cast<uint16_t>(write_component(value, 16, kind, model));
}

uint32_t widen_from_d16(uint16_t value, NumberFormat number) {
  return read_component(value, 16, is_integer(number) ? number : NumberFormat::floating,
                        kDefaultNumericModel);
}

}  // namespace wavetwin
