// SPDX-License-Identifier: MIT
#include "golden/io/tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

struct DTypeRow {
  const char* name;
  uint8_t bytes;
  bool is_float;
  // Binary floats: mantissa and exponent bits, and the bias; unused otherwise.
  int mantissa_bits, exponent_bits, bias;
};

// In the order of the enumeration. F8_E4M3 is OCP e4m3fn, F8_E5M2 is OCP e5m2 (safetensors' float8_e4m3fn,
// float8_e5m2).
constexpr std::array<DTypeRow, 16> kRows = {{{"F64", 8, true, 52, 11, 1023},
                                             {"F32", 4, true, 23, 8, 127},
                                             {"F16", 2, true, 10, 5, 15},
                                             {"BF16", 2, true, 7, 8, 127},
                                             {"F8_E4M3", 1, false, 3, 4, 7},
                                             {"F8_E5M2", 1, false, 2, 5, 15},
                                             {"F8_E8M0", 1, false, 0, 8, 127},
                                             {"U8", 1, false, 0, 0, 0},
                                             {"I8", 1, false, 0, 0, 0},
                                             {"I16", 2, false, 0, 0, 0},
                                             {"U16", 2, false, 0, 0, 0},
                                             {"I32", 4, false, 0, 0, 0},
                                             {"U32", 4, false, 0, 0, 0},
                                             {"I64", 8, false, 0, 0, 0},
                                             {"U64", 8, false, 0, 0, 0},
                                             {"BOOL", 1, false, 0, 0, 0}}};

const DTypeRow& row(DType dtype) { return kRows[static_cast<size_t>(dtype)]; }

double decode_float(const DTypeRow& r, bool has_infinity, uint64_t bits) {
  const uint64_t fraction = bits & ((1ull << r.mantissa_bits) - 1);
  const int exponent = static_cast<int>((bits >> r.mantissa_bits) & ((1ull << r.exponent_bits) - 1));
  const bool negative = (bits >> (r.mantissa_bits + r.exponent_bits)) & 1;
  const int top = (1 << r.exponent_bits) - 1;
  const bool special = exponent == top && (has_infinity || fraction == (1ull << r.mantissa_bits) - 1);
  double magnitude;
  if (special) {
    magnitude = has_infinity && fraction == 0 ? std::numeric_limits<double>::infinity()
                                              : std::numeric_limits<double>::quiet_NaN();
  } else {
    const uint64_t significand = exponent == 0 ? fraction : fraction | (1ull << r.mantissa_bits);
    magnitude =
        std::ldexp(static_cast<double>(significand), std::max(exponent, 1) - r.bias - r.mantissa_bits);
  }
  return negative ? -magnitude : magnitude;
}

uint64_t encode_float(const DTypeRow& r, bool has_infinity, double value) {
  const uint64_t sign = std::signbit(value) ? 1ull << (r.mantissa_bits + r.exponent_bits) : 0;
  const uint64_t top = (1ull << r.exponent_bits) - 1;
  const uint64_t all_ones = (1ull << r.mantissa_bits) - 1;
  const uint64_t nan = (top << r.mantissa_bits) | (has_infinity ? 1ull << (r.mantissa_bits - 1) : all_ones);
  const uint64_t overflow = has_infinity ? top << r.mantissa_bits : nan;
  if (std::isnan(value)) return nan;
  if (std::isinf(value)) return sign | overflow;
  const double magnitude = std::fabs(value);
  const int exponent = std::max(magnitude == 0 ? 1 - r.bias : std::ilogb(magnitude), 1 - r.bias);
  // In units of the last place; nearbyint rounds to nearest even, and a carry moves into the exponent by
  // itself.
  const auto units = static_cast<uint64_t>(std::nearbyint(std::ldexp(magnitude, r.mantissa_bits - exponent)));
  const uint64_t code = units < (1ull << r.mantissa_bits)
                            ? units
                            : units + (static_cast<uint64_t>(exponent + r.bias - 1) << r.mantissa_bits);
  return sign | (code >= (has_infinity ? overflow : nan) ? overflow : code);
}

}  // namespace

uint64_t size_of(DType dtype) { return row(dtype).bytes; }

const char* to_string(DType dtype) { return row(dtype).name; }

std::optional<DType> dtype_from(std::string_view name) {
  for (size_t i = 0; i < kRows.size(); ++i) {
    if (name == kRows[i].name) return static_cast<DType>(i);
  }
  return std::nullopt;
}

bool is_float(DType dtype) { return row(dtype).is_float; }

bool is_signed_integer(DType dtype) {
  return dtype == DType::I8 || dtype == DType::I16 || dtype == DType::I32 || dtype == DType::I64;
}

std::string to_string(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ",")); }

uint64_t element_count(const Shape& shape) {
  uint64_t count = 1;
  for (const uint64_t extent : shape) {
    if (__builtin_mul_overflow(count, extent, &count)) {
      throw Error(fmt::format("shape {} has more elements than 64 bits can count", to_string(shape)));
    }
  }
  return count;
}

Tensor::Tensor(DType type, Shape extents)
    : dtype(type), shape(std::move(extents)), data(element_count(shape) * size_of(type)) {}

Tensor::Tensor(DType type, Shape extents, std::vector<std::byte> bytes)
    : dtype(type), shape(std::move(extents)), data(std::move(bytes)) {
  if (data.size() != element_count(shape) * size_of(dtype)) {
    throw Error(fmt::format("{} {} needs {} bytes, not {}", to_string(dtype), to_string(shape),
                            element_count(shape) * size_of(dtype), data.size()));
  }
}

uint64_t Tensor::bits(uint64_t index) const {
  const uint64_t bytes = size_of(dtype);
  uint64_t word = 0;
  std::memcpy(&word, data.data() + index * bytes, bytes);
  return word;
}

double Tensor::value(uint64_t index) const { return decode_element(dtype, bits(index)); }

void Tensor::check_element_size(size_t bytes) const {
  if (bytes != size_of(dtype)) {
    throw Error(fmt::format("{} elements viewed as {}-byte values", to_string(dtype), bytes));
  }
}

bool operator==(const Tensor& a, const Tensor& b) {
  return a.dtype == b.dtype && a.shape == b.shape && a.data == b.data;
}

double decode_element(DType dtype, uint64_t bits) {
  switch (dtype) {
    case DType::F64:
      return std::bit_cast<double>(bits);
    case DType::F8_E8M0:  // 255 is the only NaN; there is no zero
      return bits == 255 ? std::numeric_limits<double>::quiet_NaN()
                         : std::ldexp(1.0, static_cast<int>(bits) - 127);
    case DType::F32:
    case DType::F16:
    case DType::BF16:
    case DType::F8_E5M2:
      return decode_float(row(dtype), true, bits);
    case DType::F8_E4M3:
      return decode_float(row(dtype), false, bits);
    case DType::I8:
      return static_cast<int8_t>(bits);
    case DType::I16:
      return static_cast<int16_t>(bits);
    case DType::I32:
      return static_cast<int32_t>(bits);
    case DType::I64:
      return static_cast<double>(static_cast<int64_t>(bits));
    default:
      return static_cast<double>(bits);
  }
}

uint64_t encode_element(DType dtype, double value) {
  switch (dtype) {
    case DType::F64:
      return std::bit_cast<uint64_t>(value);
    case DType::F8_E8M0:
      return std::isnan(value)
                 ? 255
                 : static_cast<uint64_t>(std::clamp(std::nearbyint(std::log2(value)) + 127, 0.0, 254.0));
    case DType::F32:
    case DType::F16:
    case DType::BF16:
    case DType::F8_E5M2:
      return encode_float(row(dtype), true, value);
    case DType::F8_E4M3:
      return encode_float(row(dtype), false, value);
    default: {
      const uint64_t mask = size_of(dtype) == 8 ? ~0ull : (1ull << (8 * size_of(dtype))) - 1;
      const uint64_t word =
          value < 0 ? static_cast<uint64_t>(static_cast<int64_t>(value)) : static_cast<uint64_t>(value);
      return word & mask;
    }
  }
}

}  // namespace wavetwin::golden
