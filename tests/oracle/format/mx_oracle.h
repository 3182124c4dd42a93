// SPDX-License-Identifier: MIT
// MX scale rules restated with real-number arithmetic in f64 (frexp, ldexp, comparisons), independent of
// common/format.
#pragma once

#include <cmath>
#include <cstdint>

#include "tests/oracle/format/format_oracle.h"

namespace wavetwin::reference {

// floor(log2 v), v > 0.
inline int floor_log2(double v) {
  int exponent = 0;
  std::frexp(v, &exponent);  // v = m * 2^exponent, 1/2 <= m < 1
  return exponent - 1;
}
inline int ceil_log2(double v) {
  return std::ldexp(1.0, floor_log2(v)) == v ? floor_log2(v) : floor_log2(v) + 1;
}

inline int clamp_code(int code, int low, int high) { return code < low ? low : code > high ? high : code; }

inline int max_exponent(const Format& format) { return floor_log2(format.magnitudes.back()); }

// OCP MX v1.0 section 6.3 and torchao FLOOR. amax is finite and >= 0 in all rules.
inline int floor_code(const Format& format, double amax) {
  return amax == 0 ? 0 : clamp_code(floor_log2(amax) - max_exponent(format) + 127, 0, 254);
}

// torchao CEIL.
inline int ceil_code(const Format& format, double amax) {
  return amax == 0 ? 0 : clamp_code(ceil_log2(amax) - max_exponent(format) + 127, 0, 254);
}

// torchao RCEIL in exact arithmetic: the smallest scale under which nothing exceeds the largest finite value.
inline int rceil_code(const Format& format, double amax) {
  int code = 0;
  while (std::ldexp(format.magnitudes.back(), code - 127) < amax) ++code;
  return code;
}

// torchao EVEN: amax to the element's mantissa width, half up, then FLOOR. 255 when that reaches 2^128.
inline int even_code(const Format& format, int mantissa_bits, double amax) {
  if (amax == 0) return 0;
  const int exponent = floor_log2(amax);
  const double fraction = std::ldexp(amax, mantissa_bits - exponent);  // 2^m .. 2^(m + 1)
  const double rounded = std::ldexp(std::floor(fraction + 0.5), exponent - mantissa_bits);
  return rounded >= std::ldexp(1.0, 128) ? 255 : floor_code(format, rounded);
}

// What vLLM's ROCm kernels are meant to compute for e4m3: groups up to 448 * 2^-126 get code 1.
inline int vllm_rocm_code(double amax) {
  const double clamped = amax < std::ldexp(1.0, -126) ? std::ldexp(1.0, -126) : amax;
  return clamp_code(rceil_code(e4m3(), clamped), 1, 254);
}

}  // namespace wavetwin::reference
