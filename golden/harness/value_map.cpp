// SPDX-License-Identifier: MIT
#include "golden/harness/value_map.h"

#include <fmt/format.h>

#include <cmath>
#include <initializer_list>

#include "golden/harness/compare.h"
#include "golden/harness/mistake.h"

namespace wavetwin::golden {
namespace {

uint64_t sign_bit(DType dtype) { return uint64_t{1} << (8 * size_of(dtype) - 1); }

uint64_t fraction_mask(DType dtype) {
  switch (dtype) {
    case DType::F64:
      return (uint64_t{1} << 52) - 1;
    case DType::F32:
      return (1u << 23) - 1;
    case DType::F16:
      return (1u << 10) - 1;
    case DType::BF16:
      return (1u << 7) - 1;
    case DType::F8_E4M3:
      return (1u << 3) - 1;
    default:
      return (1u << 2) - 1;
  }
}

void add_factors(DType dtype, std::vector<ValueMap>& list) {
  constexpr int kMost = 8;
  for (int k = 1; k <= kMost; ++k) {
    for (const int power : {k, -k}) {
      list.push_back(
          {fmt::format("off by exactly 2^{}: a scale, a bias of its code, or FNUZ codes for OCP ones", power),
           kPowerFamily, [dtype, power](uint64_t bits) {
             if (is_nan(dtype, bits)) return bits;
             return encode_element(dtype, std::ldexp(decode_element(dtype, bits), power));
           }});
    }
  }
}

void add_float_maps(DType dtype, std::vector<ValueMap>& list) {
  const uint64_t sign = sign_bit(dtype), fraction = fraction_mask(dtype);
  list.push_back({"with the other sign", "", [sign](uint64_t bits) { return bits ^ sign; }});
  list.push_back({"with subnormals flushed to zero", "", [sign, fraction](uint64_t bits) {
                    const bool is_subnormal = (bits & ~sign & ~fraction) == 0;
                    return is_subnormal ? bits & sign : bits;
                  }});
}

// The bits of `other` where those of `dtype` belong.
ValueMap bits_of(DType dtype, DType other, const char* text) {
  return {text, "", [=](uint64_t bits) { return encode_element(other, decode_element(dtype, bits)); }};
}
// The precision of `other` in elements of `dtype`.
ValueMap precision_of(DType dtype, DType other, const char* text) {
  return {text, "", [=](uint64_t bits) {
            if (is_nan(dtype, bits)) return bits;
            const uint64_t narrow = encode_element(other, decode_element(dtype, bits));
            return encode_element(dtype, decode_element(other, narrow));
          }};
}

void add_formats(DType dtype, std::vector<ValueMap>& list) {
  if (dtype == DType::BF16) list.push_back(bits_of(dtype, DType::F16, "as the bits of f16 in place of bf16"));
  if (dtype == DType::F16) list.push_back(bits_of(dtype, DType::BF16, "as the bits of bf16 in place of f16"));
  if (dtype == DType::F8_E4M3) {
    list.push_back(bits_of(dtype, DType::F8_E5M2, "as codes of e5m2 in place of e4m3"));
    list.push_back({"as codes that do not saturate (NaN for the largest number)", "",
                    [](uint64_t code) { return (code & 0x7F) == 0x7E ? code | 1 : code; }});
    list.push_back({"as codes that saturate (the largest number for NaN)", "",
                    [](uint64_t code) { return (code & 0x7F) == 0x7F ? code ^ 1 : code; }});
  }
  if (dtype == DType::F32) {
    list.push_back(precision_of(dtype, DType::BF16, "rounded to bf16"));
    list.push_back({"truncated to bf16", "", [](uint64_t bits) { return bits & 0xFFFF0000u; }});
    list.push_back(precision_of(dtype, DType::F16, "rounded to f16"));
  }
}

void add_offsets(DType dtype, std::vector<ValueMap>& list) {
  const uint64_t mask = size_of(dtype) == 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * size_of(dtype))) - 1;
  list.push_back({"one too large (a bias, a length or an index one off)", "",
                  [mask](uint64_t value) { return (value + 1) & mask; }});
  list.push_back({"one too small (a bias, a length or an index one off)", "",
                  [mask](uint64_t value) { return (value - 1) & mask; }});
}

}  // namespace

bool has_values(DType dtype) { return is_float(dtype) || dtype == DType::F8_E4M3 || dtype == DType::F8_E5M2; }

std::vector<ValueMap> value_maps(DType dtype) {
  std::vector<ValueMap> list;
  if (!has_values(dtype)) {
    add_offsets(dtype, list);
    return list;
  }
  add_formats(dtype, list);
  add_float_maps(dtype, list);
  add_factors(dtype, list);
  return list;
}

}  // namespace wavetwin::golden
