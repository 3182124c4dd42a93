// SPDX-License-Identifier: MIT
#include "golden/oracle/mx.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wavetwin::oracle {
namespace {

double e4m3_value(int code) {
  const int exponent = (code >> 3) & 15, mantissa = code & 7;
  if (exponent == 15 && mantissa == 7) return std::numeric_limits<double>::quiet_NaN();
  const double magnitude = exponent == 0 ? std::ldexp(mantissa, -9) : std::ldexp(8 + mantissa, exponent - 10);
  return code & 0x80 ? -magnitude : magnitude;
}

template <class F>
std::array<double, 256> table(F value_of) {
  std::array<double, 256> values;
  for (int code = 0; code < 256; ++code) values[code] = value_of(code);
  return values;
}

}  // namespace

const std::array<double, 256>& e4m3_values() {
  static const auto kValues = table(e4m3_value);
  return kValues;
}

const std::array<double, 256>& e8m0_values() {
  static const auto kValues = table([](int code) {
    return code == 255 ? std::numeric_limits<double>::quiet_NaN() : std::ldexp(1.0, code - 127);
  });
  return kValues;
}

double bf16_value(uint32_t bits) {
  const int exponent = static_cast<int>(bits >> 7 & 255);
  const double fraction = static_cast<double>(bits & 127);
  const double magnitude =
      exponent == 0 ? std::ldexp(fraction, -133) : std::ldexp(128 + fraction, exponent - 134);
  return bits & 0x8000 ? -magnitude : magnitude;
}

double round_to_bf16(double v) {
  int exponent;
  std::frexp(v, &exponent);
  const int quantum = std::max(exponent, -125) - 8;
  return std::ldexp(std::nearbyint(std::ldexp(v, -quantum)), quantum);
}

double round_to_e4m3(double v) {
  int exponent;
  std::frexp(v, &exponent);
  const int quantum = std::max(exponent, -5) - 4;  // 2^-9 below 2^-6
  return std::ldexp(std::nearbyint(std::ldexp(v, -quantum)), quantum);
}

}  // namespace wavetwin::oracle
