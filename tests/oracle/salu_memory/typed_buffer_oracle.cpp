// SPDX-License-Identifier: MIT
#include "tests/oracle/salu_memory/typed_buffer_oracle.h"

#include <cmath>
#include <cstring>
#include <map>

namespace wavetwin::reference {
namespace {

constexpr const char* kNumbers[] = {"unorm", "snorm", "uscaled", "sscaled", "uint", "sint", "", "float"};

float as_float(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}
uint32_t bits_of(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}

// The float nearest to n / d, ties to even; n < 2^24, d < 2^24, by long division.
uint32_t nearest_quotient(uint64_t n, uint64_t d) {
  if (n == 0) return 0;
  int exponent = 0;
  while (n >= 2 * d) d *= 2, ++exponent;
  while (n < d) n *= 2, --exponent;
  uint64_t significand = 0;  // 24 bits, the first is 1
  for (int i = 0; i < 24; ++i) {
    significand = 2 * significand + (n >= d ? 1 : 0);
    n = 2 * (n >= d ? n - d : n);
  }
  if (n > d || (n == d && significand % 2 == 1)) ++significand;
  return bits_of(std::ldexp(static_cast<float>(significand), exponent - 23));
}

// Value of an unsigned small float with 5 exponent bits, by the definition.
double small_value(uint32_t code, unsigned fraction_bits) {
  const unsigned field = code >> fraction_bits;
  const double fraction = std::ldexp(code & ((1u << fraction_bits) - 1), -static_cast<int>(fraction_bits));
  return field == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, static_cast<int>(field) - 15);
}

uint32_t load_small_float(uint32_t code, unsigned fraction_bits) {
  const uint32_t infinity = 31u << fraction_bits;
  if (code == infinity) return 0x7f800000;
  if (code > infinity) return 0x7fc00000 | (code - infinity) << (23 - fraction_bits);
  return bits_of(static_cast<float>(small_value(code, fraction_bits)));
}

// The code below or nearest, by bisection over the ordered codes.
uint32_t store_small_float(double magnitude, unsigned fraction_bits, bool nearest) {
  const uint32_t infinity = 31u << fraction_bits;
  if (std::isinf(magnitude)) return infinity;
  uint32_t low = 0, high = infinity;
  while (high - low > 1) {
    const uint32_t middle = (low + high) / 2;
    (small_value(middle, fraction_bits) <= magnitude ? low : high) = middle;
  }
  if (!nearest) return low;
  // The place of infinity counts as 2^16.
  const double below = small_value(low, fraction_bits), above = small_value(low + 1, fraction_bits);
  const double up = magnitude - below, down = above - magnitude;
  return up > down || (up == down && low % 2 == 1) ? low + 1 : low;
}

uint32_t store_float(uint32_t value, unsigned bits, bool nearest) {
  if (bits == 32) return value;
  const bool negative = value >> 31;
  const uint32_t magnitude = value & 0x7fffffff;
  const unsigned fraction_bits = bits == 16 ? 10 : bits - 5;
  const uint32_t sign = bits == 16 && negative ? 0x8000 : 0;
  if (magnitude > 0x7f800000) {
    const uint32_t payload = magnitude >> (23 - fraction_bits) & ((1u << fraction_bits) - 1);
    return sign | 31u << fraction_bits | 1u << (fraction_bits - 1) | payload;
  }
  if (negative && bits != 16) return 0;
  return sign | store_small_float(std::fabs(as_float(value)), fraction_bits, nearest);
}

// n / d, or n times the float nearest to 1 / d; n and the float fit a double's product exactly.
uint32_t part(uint64_t n, uint64_t d, bool multiplied) {
  if (!multiplied) return nearest_quotient(n, d);
  return bits_of(static_cast<float>(static_cast<double>(n) * as_float(nearest_quotient(1, d))));
}

uint32_t load_component(uint32_t code, unsigned bits, const std::string& number,
                        const TypedChoices& choices) {
  const uint64_t top = (uint64_t{1} << bits) - 1, signed_top = top / 2;
  const int64_t value = code > signed_top ? int64_t{code} - static_cast<int64_t>(top) - 1 : code;
  const uint32_t sign = value < 0 ? 0x80000000u : 0;
  const uint64_t magnitude = static_cast<uint64_t>(std::llabs(value));
  if (number == "unorm") return part(code, top, choices.norm_multiplied);
  if (number == "snorm")
    return sign | part(std::min(magnitude, signed_top), signed_top, choices.norm_multiplied);
  if (number == "uscaled") return nearest_quotient(code, 1);
  if (number == "sscaled") return sign | nearest_quotient(magnitude, 1);
  if (number == "sint") return static_cast<uint32_t>(value);
  if (number == "uint" || bits == 32) return code;
  if (bits != 16) return load_small_float(code, bits - 5);
  return (code & 0x8000) << 16 | load_small_float(code & 0x7fff, 10);
}

// Floats as numbers in long double: 64 bits hold every product exactly.
uint32_t store_component(uint32_t value, unsigned bits, const std::string& number,
                         const TypedChoices& choices) {
  const int64_t top = static_cast<int64_t>((uint64_t{1} << bits) - 1), signed_top = top / 2;
  const bool is_signed = number[0] == 's';
  const long double low = is_signed ? -signed_top - 1 : 0, high = is_signed ? signed_top : top;
  if (number == "float") return store_float(value, bits, choices.float_nearest);
  if (number == "uint" || number == "sint") {
    const int64_t v = is_signed ? int64_t{static_cast<int32_t>(value)} : int64_t{value};
    const int64_t clamped = v < low ? static_cast<int64_t>(low) : v > high ? static_cast<int64_t>(high) : v;
    return static_cast<uint32_t>(clamped & top);
  }
  long double x = as_float(value);
  if (x != x) return 0;
  const bool norm = number == "unorm" || number == "snorm";
  if (norm) x = std::fmin(std::fmax(x, is_signed ? -1.0L : 0.0L), 1.0L) * high;
  x = std::fmin(std::fmax(x, low), high);
  const auto rounding = norm                     ? choices.norm
                        : choices.scaled_nearest ? TypedChoices::nearest_even
                                                 : TypedChoices::truncated;
  long double magnitude = std::floor(std::fabs(x));
  const long double rest = std::fabs(x) - magnitude;
  const bool odd = std::fmod(magnitude, 2.0L) == 1.0L;
  if (rounding == TypedChoices::half_away && rest >= 0.5L) magnitude += 1;
  if (rounding == TypedChoices::nearest_even && (rest > 0.5L || (rest == 0.5L && odd))) magnitude += 1;
  const auto v = static_cast<int64_t>(x < 0 ? -magnitude : magnitude);
  return static_cast<uint32_t>(v & top);
}

}  // namespace

unsigned TypedFormat::bytes() const {
  unsigned sum = 0;
  for (const unsigned b : bits) sum += b;
  return sum / 8;
}

const std::vector<TypedFormat>& typed_formats() {
  static const auto kFormats = [] {
    // Name, components from X up, number formats.
    struct Line {
      const char* name;
      std::vector<unsigned> bits;
      std::vector<unsigned> numbers;
    };
    const std::vector<unsigned> integers{4, 5, 7}, fixed{0, 1, 2, 3, 4, 5}, all{0, 1, 2, 3, 4, 5, 7}, only{7};
    const Line lines[] = {{"8", {8}, fixed},
                          {"16", {16}, all},
                          {"8_8", {8, 8}, fixed},
                          {"32", {32}, integers},
                          {"16_16", {16, 16}, all},
                          {"10_11_11", {11, 11, 10}, only},
                          {"11_11_10", {10, 11, 11}, only},
                          {"10_10_10_2", {2, 10, 10, 10}, fixed},
                          {"2_10_10_10", {10, 10, 10, 2}, fixed},
                          {"8_8_8_8", {8, 8, 8, 8}, fixed},
                          {"32_32", {32, 32}, integers},
                          {"16_16_16_16", {16, 16, 16, 16}, all},
                          {"32_32_32", {32, 32, 32}, integers},
                          {"32_32_32_32", {32, 32, 32, 32}, integers}};
    std::vector<TypedFormat> formats;
    unsigned code = 1;
    for (const Line& line : lines) {
      for (const unsigned number : line.numbers) {
        formats.push_back(
            {code, number, std::string(line.name) + " " + kNumbers[number], line.bits, kNumbers[number]});
      }
      ++code;
    }
    return formats;
  }();
  return kFormats;
}

std::array<uint32_t, 4> typed_load(const TypedFormat& format, const std::vector<uint8_t>& element,
                                   const TypedChoices& choices) {
  std::array<uint32_t, 4> values{};
  unsigned at = 0;
  for (size_t c = 0; c < format.bits.size(); ++c) {
    uint64_t code = 0;
    for (unsigned b = 0; b < format.bits[c]; ++b, ++at) code |= uint64_t{element[at / 8] >> at % 8 & 1u} << b;
    values[c] = load_component(static_cast<uint32_t>(code), format.bits[c], format.number, choices);
  }
  return values;
}

std::vector<uint8_t> typed_store(const TypedFormat& format, const std::array<uint32_t, 4>& values,
                                 const TypedChoices& choices) {
  std::vector<uint8_t> element(format.bytes());
  unsigned at = 0;
  for (size_t c = 0; c < format.bits.size(); ++c) {
    const uint32_t code = store_component(values[c], format.bits[c], format.number, choices);
    for (unsigned b = 0; b < format.bits[c]; ++b, ++at) {
      element[at / 8] = static_cast<uint8_t>(element[at / 8] | (code >> b & 1) << at % 8);
    }
  }
  return element;
}

uint16_t typed_narrow(const TypedFormat& format, uint32_t value, const TypedChoices& choices) {
  const std::string number = format.integer() ? format.number : "float";
  return static_cast<uint16_t>(store_component(value, 16, number, choices));
}

uint32_t typed_widen(const TypedFormat& format, uint16_t value) {
  return load_component(value, 16, format.integer() ? format.number : "float", {});
}

}  // namespace wavetwin::reference
