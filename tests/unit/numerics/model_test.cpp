// SPDX-License-Identifier: MIT
// The named options: each changes what it says, and nothing else.
#include <doctest/doctest.h>

#include "sim/core/error.h"
#include "sim/numerics/convert.h"
#include "sim/numerics/f32.h"
#include "sim/numerics/numeric_model.h"

using namespace wavetwin;

namespace {

Mode mode_of(const NumericModel& model) { return Mode::from_register(Mode::kDefaultRegister, &model); }

}  // namespace

TEST_CASE("numeric model: options by name, their values in turn, and their description") {
  NumericModel model;
  CHECK(model.describe() == "default");
  for (const NumericOption& option : numeric_options()) {
    CAPTURE(option.name);
    REQUIRE(option.values.size() >= 2);
    for (const char* value : option.values) {
      CAPTURE(value);
      model.set(option.name, value);
      const bool is_default = value == option.values.front();
      CHECK(model.describe() == (is_default ? "default" : std::string(option.name) + "=" + value));
      CHECK((model == NumericModel{}) == is_default);
    }
    CHECK_THROWS_AS(model.set(option.name, "neither"), Error);
    model.set(option.name, option.values.front());
  }
  CHECK_THROWS_AS(model.set("no_such_option", "1"), Error);
}

TEST_CASE("numeric model: NaN codes") {
  const Mode standard;
  NumericModel other;
  other.set("bf8_nan", "0x7e");
  other.set("nan_to_small", "zero");
  other.set("scaled_nan", "canonical");
  other.set("bf16_nan", "kept");
  const Mode mode = mode_of(other);
  constexpr uint32_t kNan = 0xffc00000, kOne = 0x3f800000;
  CHECK(f32_to_small<E5M2>(kNan, standard) == 0xff);
  CHECK(f32_to_small<E5M2>(kNan, mode) == 0xfe);
  CHECK(f32_to_small<E4M3>(kNan, mode) == 0xff);
  CHECK(scaled_to_small<E2M1>(source_f32(kNan, standard), kOne, standard) == 0xf);
  CHECK(scaled_to_small<E2M1>(source_f32(kNan, mode), kOne, mode) == 0x8);
  CHECK(scaled_to_small<E2M3>(source_f32(0x7fc00000, mode), kOne, mode) == 0);
  CHECK(scaled_to_f16<E4M3>(0x7f, kOne, standard) == 0x7fff);
  CHECK(scaled_to_f16<E4M3>(0x7f, kOne, mode) == 0x7e00);
  CHECK(scaled_to_bf16<E4M3>(0x7f, kOne, mode) == 0x7fc0);
  CHECK(f32_to_bf16(0x7f800001, standard) == 0x7fc0);
  CHECK(f32_to_bf16(0x7f800001, mode) == 0x7f81);
  CHECK(f32_to_bf16(0x7fa00000, mode) == 0x7fa0);
}

TEST_CASE("numeric model: scale code 255") {
  NumericModel number;
  number.set("scale_255", "number");
  const Mode mode = mode_of(number);
  constexpr uint32_t kScale255 = 0x7f800000;
  CHECK(scaled_to_f32<E4M3>(0x38, kScale255, Mode{}) == 0x7fc00000);
  CHECK(scaled_to_f32<E4M3>(0x30, kScale255, mode) == 0x7f000000);  // 0.5 * 2^128
  CHECK(scaled_to_small<E4M3>(source_f32(0x7f000000, mode), kScale255, mode) == 0x30);
}

TEST_CASE("numeric model: stochastic rounding by the guide's pseudo-code") {
  NumericModel guide;
  guide.set("stochastic", "guide");
  const Mode mode = mode_of(guide);
  const auto sr = [&](uint32_t x, uint32_t seed) {
    return small_stochastic<E4M3>(source_f32(x, mode), seed, mode);
  };
  CHECK(sr(0x3f800000, 0) == 0x38);
  CHECK(sr(0x3f880001, 0) == 0x39);           // then nearest even: above the tie
  CHECK(sr(0x3ff80000, 0x80000000) == 0x38);  // the mantissa wraps, the exponent does not
}

TEST_CASE("numeric model: a product that only rounding makes normal is kept or flushed") {
  // (1 - 2^-24) * 2^-126 lies below the smallest normal number and rounds to it.
  NumericModel exact;
  exact.set("flush_test", "exact");
  constexpr uint32_t kFlushing = 0x300;
  CHECK(f32_mul(0x3f7fffff, 0x00800000, Mode::from_register(kFlushing)) == 0x00800000);
  CHECK(f32_mul(0x3f7fffff, 0x00800000, Mode::from_register(kFlushing, &exact)) == 0);
  CHECK(f32_mul(0x3f7fffff, 0x00800000, Mode::from_register(0x3f0, &exact)) == 0x00800000);
}
