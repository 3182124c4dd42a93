// SPDX-License-Identifier: MIT
// vLLM's E8M0 arithmetic against its meaning in real numbers, and the values checked at its source.
#include "common/format/mx_code.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>

#include "common/format/convert.h"
#include "common/format/e4m3.h"
#include "tests/oracle/format/mx_oracle.h"

namespace wavetwin {
namespace {

TEST_CASE("mx_code: the checked values") {
  CHECK(f32_bits(kReciprocalFp8Max) == f32_bits(1.0f / 448.0f));
  CHECK(f32_bits(kFp8Max) == 0x43E00000u);
  CHECK(mx_code(0.0f).bits == 1);
  CHECK(mx_code(std::bit_cast<float>(1u)).bits == 1);
  CHECK(mx_code(448 * 0x1p-126f).bits == 1);
  CHECK(mx_code(std::nextafter(448 * 0x1p-126f, 1.0f)).bits == 2);
  CHECK(mx_code(1.0f).bits == 119);
  CHECK(mx_code(448.0f).bits == 127);
  CHECK(mx_code(std::nextafter(448.0f, 1e9f)).bits == 128);
  CHECK(mx_code(3e38f).bits == 247);
}

TEST_CASE("mx_code: NaN and infinity, outside the source's contract, give 254") {
  CHECK(mx_code(std::numeric_limits<float>::quiet_NaN()).bits == 254);
  CHECK(mx_code(std::numeric_limits<float>::infinity()).bits == 254);
}

TEST_CASE("mx_code: the smallest scale that holds amax, at every exponent and edge mantissa") {
  for (uint32_t field = 0; field < 255; ++field) {
    for (uint32_t mantissa : {0x000000u, 0x000001u, 0x5FFFFFu, 0x600000u, 0x600001u, 0x7FFFFFu}) {
      const float amax = std::bit_cast<float>(field << 23 | mantissa);
      CHECK_MESSAGE(mx_code(amax).bits == reference::vllm_rocm_code(amax),
                    fmt::format("amax {:#010x}", field << 23 | mantissa));
    }
  }
}

TEST_CASE("mx_mul: the exact reciprocal of the scale, and zero at code 254") {
  for (int code = 0; code < 254; ++code) {
    const E8M0 scale{static_cast<uint8_t>(code)};
    CHECK(mx_mul(scale) == std::ldexp(1.0, 127 - code));
    CHECK(rcp_pow2(scale) == mx_mul(scale));
    if (code != 0) CHECK(pow2(scale) == std::ldexp(1.0, code - 127));
  }
  CHECK(f32_bits(mx_mul(E8M0{254})) == 0);
  CHECK(f32_bits(pow2(E8M0{0})) == 0);
  CHECK(std::isinf(pow2(E8M0{255})));
}

TEST_CASE("ceil_exp: the exponent field, one more when the mantissa is not zero") {
  CHECK(ceil_exp(1.0f) == 127);
  CHECK(ceil_exp(std::nextafter(1.0f, 2.0f)) == 128);
  CHECK(ceil_exp(std::nextafter(1.0f, 0.0f)) == 127);
  CHECK(ceil_exp(std::bit_cast<float>(1u)) == 1);
  CHECK(ceil_exp(std::numeric_limits<float>::max()) == 255);
}

TEST_CASE("clamp_fp8: holds values in +-448 and lets NaN through") {
  CHECK(clamp_fp8(449.0f) == 448.0f);
  CHECK(clamp_fp8(-std::numeric_limits<float>::infinity()) == -448.0f);
  CHECK(clamp_fp8(-447.5f) == -447.5f);
  CHECK(f32_bits(clamp_fp8(-0.0f)) == 0x80000000u);
  CHECK(std::isnan(clamp_fp8(std::numeric_limits<float>::quiet_NaN())));
}

// f32 values near the ends where the source says that the correction differs from the quotient.
TEST_CASE("div_rn: is not the IEEE quotient everywhere") {
  uint32_t differing = 0, first = 0, last = 0;
  for (uint32_t bits = 0x00800000u; bits < 0x04000000u; ++bits) {
    const float x = std::bit_cast<float>(bits);
    if (f32_bits(div_rn(x, kFp8Max, kReciprocalFp8Max)) == f32_bits(x / kFp8Max)) continue;
    if (differing++ == 0) first = bits;
    last = bits;
  }
  CHECK(differing == 589824);
  CHECK(first == 0x008001A0u);
  CHECK(last == 0x037FFFF1u);
}

TEST_SUITE("slow") {
  TEST_CASE(
      "mx_code: over every normal amax the code is ceil(log2(amax / 448)), and amax * mx_mul fits in 448") {
    uint64_t wrong = 0;
    int want = 1;
    double holds = std::ldexp(448.0, want - 127);  // the largest amax of code `want`
    for (uint32_t bits = 0x00800000u; bits < 0x7F800000u; ++bits) {
      const float amax = std::bit_cast<float>(bits);
      while (amax > holds) holds = std::ldexp(448.0, ++want - 127);
      const E8M0 code = mx_code(amax);
      const bool fits = amax * mx_mul(code) <= 448.0f;
      if (code.bits == want && fits) continue;
      if (wrong++ == 0) MESSAGE(fmt::format("amax {:#010x}: code {} wanted {}", bits, code.bits, want));
    }
    CHECK(wrong == 0);
    CHECK(want == 247);
  }

  TEST_CASE("div_rn: equals the IEEE quotient of every normal amax outside the stated range") {
    uint64_t wrong = 0;
    for (uint32_t bits = 0x04000000u; bits < 0x7F800000u; ++bits) {
      const float x = std::bit_cast<float>(bits);
      wrong += f32_bits(div_rn(x, kFp8Max, kReciprocalFp8Max)) != f32_bits(x / kFp8Max);
    }
    CHECK(wrong == 0);
  }
}

}  // namespace
}  // namespace wavetwin
