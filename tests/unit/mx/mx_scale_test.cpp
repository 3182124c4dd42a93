// SPDX-License-Identifier: MIT
// The named scale rules against real-number restatements of them.
#include "common/format/mx_scale.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "common/format/e2m1.h"
#include "common/format/e2m3.h"
#include "common/format/e3m2.h"
#include "common/format/e4m3.h"
#include "common/format/e5m2.h"
#include "tests/oracle/format/mx_oracle.h"
#include "tests/unit/format/operands.h"
#include "tests/unit/format/typed_formats.h"

namespace wavetwin {
namespace {

#define WAVETWIN_MX_ELEMENTS E4M3, E5M2, E2M3, E3M2, E2M1

constexpr ScaleRule kTorchaoRules[] = {ScaleRule::floor, ScaleRule::rceil, ScaleRule::ceil, ScaleRule::even};

template <class F>
int oracle_code(ScaleRule rule, double amax) {
  const reference::Format& format = oracle_of(F{});
  switch (rule) {
    case ScaleRule::floor:
      return reference::floor_code(format, amax);
    case ScaleRule::rceil:
      return reference::rceil_code(format, amax);
    case ScaleRule::ceil:
      return reference::ceil_code(format, amax);
    case ScaleRule::even:
      return reference::even_code(format, F::kFormat.mantissa_bits, amax);
    default:
      return reference::vllm_rocm_code(amax);
  }
}

// rceil goes by way of an f32 product; one amax just above max_finite * 2^-127 rounds onto the subnormal
// 2^-127 and so gets code 0 where exact arithmetic says 1.
template <class F>
bool is_rceil_subnormal_tie(ScaleRule rule, float amax) {
  const float edge = std::ldexp(max_finite(F::kFormat), -127);
  return rule == ScaleRule::rceil && amax == std::nextafter(edge, 1.0f);
}

std::vector<float> interesting_amax() {
  std::vector<float> amax;
  for (uint32_t word : interesting_f32()) {
    if (word < 0x7F800000u) amax.push_back(std::bit_cast<float>(word));
  }
  return amax;
}

TEST_CASE_TEMPLATE("mx scale: every rule at every exponent and edge mantissa", F, WAVETWIN_MX_ELEMENTS) {
  for (ScaleRule rule : kTorchaoRules) {
    for (float amax : interesting_amax()) {
      const int want = is_rceil_subnormal_tie<F>(rule, amax) ? 0 : oracle_code<F>(rule, amax);
      const int got = scale_code(rule, F::kFormat, amax).bits;
      CHECK_MESSAGE(got == want, fmt::format("{} {} amax {:#010x}: {} wanted {}", to_string(rule),
                                             oracle_of(F{}).name, f32_bits(amax), got, want));
    }
  }
}

TEST_CASE_TEMPLATE("mx scale: every rule around multiples of the largest value", F, WAVETWIN_MX_ELEMENTS) {
  const float largest = max_finite(F::kFormat);
  for (ScaleRule rule : kTorchaoRules) {
    for (int exponent = -126; exponent < 110; ++exponent) {
      const float middle = std::ldexp(largest, exponent);
      for (float amax : {std::nextafter(middle, 0.0f), middle, std::nextafter(middle, INFINITY)}) {
        CHECK_MESSAGE(
            scale_code(rule, F::kFormat, amax).bits == oracle_code<F>(rule, amax),
            fmt::format("{} {} amax {:#010x}", to_string(rule), oracle_of(F{}).name, f32_bits(amax)));
      }
    }
  }
}

TEST_CASE_TEMPLATE("mx scale: rceil has one amax where its f32 product rounds onto 2^-127", F,
                   WAVETWIN_MX_ELEMENTS) {
  const float edge = std::ldexp(max_finite(F::kFormat), -127);
  CHECK(scale_code(ScaleRule::rceil, F::kFormat, edge).bits == 0);
  CHECK(scale_code(ScaleRule::rceil, F::kFormat, std::nextafter(edge, 1.0f)).bits == 0);
  CHECK(scale_code(ScaleRule::rceil, F::kFormat, std::nextafter(std::nextafter(edge, 1.0f), 1.0f)).bits == 1);
}

TEST_CASE("mx scale: mxfp4 floor codes of amax 2.7, 5.5 and 1.2 are 126, 127 and 125") {
  CHECK(scale_code(ScaleRule::floor, E2M1::kFormat, 2.7f).bits == 126);
  CHECK(scale_code(ScaleRule::floor, E2M1::kFormat, 5.5f).bits == 127);
  CHECK(scale_code(ScaleRule::floor, E2M1::kFormat, 1.2f).bits == 125);
}

// Between 4 and 8, e2m1's largest values: where each rule goes up to the next scale.
TEST_CASE("mx scale: the four torchao rules part where their names say") {
  struct Line {
    float amax;
    int floor, rceil, ceil, even;
  };
  const Line lines[] = {{4.0f, 127, 127, 127, 127},          {4.5f, 127, 127, 128, 127},
                        {6.0f, 127, 127, 128, 127},          {6.5f, 127, 128, 128, 127},
                        {0x1.bffffep2f, 127, 128, 128, 127}, {7.0f, 127, 128, 128, 128}};
  for (const Line& line : lines) {
    INFO(line.amax);
    CHECK(scale_code(ScaleRule::floor, E2M1::kFormat, line.amax).bits == line.floor);
    CHECK(scale_code(ScaleRule::rceil, E2M1::kFormat, line.amax).bits == line.rceil);
    CHECK(scale_code(ScaleRule::ceil, E2M1::kFormat, line.amax).bits == line.ceil);
    CHECK(scale_code(ScaleRule::even, E2M1::kFormat, line.amax).bits == line.even);
  }
}

TEST_CASE_TEMPLATE("mx scale: zero blocks take code 0, non-finite ones NaN", F, WAVETWIN_MX_ELEMENTS) {
  for (ScaleRule rule : kTorchaoRules) {
    INFO(to_string(rule));
    CHECK(scale_code(rule, F::kFormat, 0.0f).bits == 0);
    CHECK(scale_code(rule, F::kFormat, std::numeric_limits<float>::infinity()).bits == 0xFF);
    CHECK(scale_code(rule, F::kFormat, std::bit_cast<float>(0x7FFFFFFFu)).bits == 0xFF);
    CHECK(scale_code(rule, F::kFormat, std::bit_cast<float>(0x7F800001u)).bits == 0xFF);
  }
  CHECK(scale_code(ScaleRule::even, F::kFormat, std::numeric_limits<float>::max()).bits == 0xFF);
  CHECK(scale_code(ScaleRule::ceil, F::kFormat, std::numeric_limits<float>::max()).bits ==
        255 - max_exponent(oracle_of(F{})));
}

TEST_CASE("mx scale: vllm_rocm is for e4m3 only, and gives a zero block code 1") {
  for (ScaleRule rule : kTorchaoRules) CHECK(supports(rule, E2M1::kFormat));
  CHECK(supports(ScaleRule::vllm_rocm, E4M3::kFormat));
  CHECK(!supports(ScaleRule::vllm_rocm, E5M2::kFormat));
  CHECK(!supports(ScaleRule::vllm_rocm, E2M1::kFormat));
  CHECK(scale_code(ScaleRule::vllm_rocm, E4M3::kFormat, 0.0f).bits == 1);
  CHECK(scale_code(ScaleRule::vllm_rocm, E4M3::kFormat, 448.0f).bits == 127);
}

TEST_CASE("mx scale: rule names read back") {
  for (int i = 0; i < kScaleRuleCount; ++i) {
    const auto rule = static_cast<ScaleRule>(i);
    CHECK(parse_scale_rule(to_string(rule)) == rule);
  }
  CHECK(std::string(to_string(ScaleRule::vllm_rocm)) == "vllm_rocm");
  CHECK(std::string(to_string(ScaleRule::floor)) == "floor");
  CHECK(!parse_scale_rule("FLOOR"));
  CHECK(!parse_scale_rule(""));
}

TEST_SUITE("slow") {
  // The code never falls as amax grows, so it is enough that each code begins where the oracle says.
  TEST_CASE_TEMPLATE("mx scale: every rule at every finite amax", F, WAVETWIN_MX_ELEMENTS) {
    for (ScaleRule rule : kTorchaoRules) {
      uint64_t wrong = 0;
      int want = oracle_code<F>(rule, 0.0);
      uint32_t next_change = 0;  // first bits whose oracle code is above `want`
      for (uint32_t bits = 0; bits < 0x7F800000u; ++bits) {
        if (bits >= next_change) {
          want = oracle_code<F>(rule, std::bit_cast<float>(bits));
          uint32_t low = bits, high = 0x7F800000u;
          while (low < high) {
            const uint32_t middle = low + (high - low) / 2;
            const bool is_above = oracle_code<F>(rule, std::bit_cast<float>(middle)) > want;
            (is_above ? high : low) = is_above ? middle : middle + 1;
          }
          next_change = low;
        }
        const float amax = std::bit_cast<float>(bits);
        if (scale_code(rule, F::kFormat, amax).bits == want || is_rceil_subnormal_tie<F>(rule, amax))
          continue;
        if (wrong++ == 0) MESSAGE(fmt::format("{} amax {:#010x} wanted {}", to_string(rule), bits, want));
      }
      CHECK(wrong == 0);
    }
  }
}

}  // namespace
}  // namespace wavetwin
