// SPDX-License-Identifier: MIT
// The constants of a step (F, Fc, F2, cuts, truncation and floors): published worked examples and the
// predictions for the experiments that measure each. Notation as in steps_test.cpp.
#include "tests/unit/mfma/one_dot.h"

namespace wavetwin::mfma {
namespace {

constexpr const char* kHardwarePresets[] = {"gfx942", "gfx950-default", "gfx950-wide", "gfx950-cdna3ext"};
constexpr const char* kScaled = "v_mfma_scale_f32_16x16x128_f8f6f4";

MfmaModel with(const char* name, std::initializer_list<const char*> settings = {}) {
  MfmaModel model = preset(name);
  for (const char* setting : settings) model.set(setting);
  return model;
}

uint32_t word(const MfmaModel& model, const char* shape, const std::vector<Term>& terms, double c) {
  OneDot dot(model, shape);
  return dot.terms(terms).with_c(c).bits(model);
}
double value(const MfmaModel& model, const char* shape, const std::vector<Term>& terms, double c) {
  return std::bit_cast<float>(word(model, shape, terms, c));
}

TEST_CASE("example: a far-below negative C costs a 16-bit sum one unit, an 8-bit sum nothing") {
  for (const char* name : kHardwarePresets) {
    const MfmaModel model = with(name);
    for (const char* shape :
         {"v_mfma_f32_16x16x16_bf16", "v_mfma_f32_32x32x8_f16", "v_mfma_f32_32x32x4_2b_bf16"}) {
      CHECK(word(model, shape, {{1, 1, 1}}, -1e-30) == 0x3F7FFFFF);
      CHECK(word(model, shape, {{1, 1, 1}}, 1e-30) == 0x3F800000);
    }
    CHECK(word(model, "v_mfma_f32_16x16x32_fp8_bf8", {{1, 1, 1}}, -1e-30) == 0x3F800000);
    CHECK(word(model, "v_mfma_f32_16x16x32_fp8_bf8", {{1, 1, 1}}, 1e-30) == 0x3F800000);
  }
  const MfmaModel model = with("gfx950-default");
  CHECK(word(model, kScaled, {{1, 1, 1}}, -1e-30) == 0x3F800000);
  CHECK(word(with("gfx950-default", {"cCut.f8f6f4=off"}), kScaled, {{1, 1, 1}}, -1e-30) == 0x3F7FFFFF);
  CHECK(word(with("gfx950-default", {"cCut.16bit=25"}), "v_mfma_f32_16x16x16_bf16", {{1, 1, 1}}, -1e-30) ==
        0x3F800000);
}

TEST_CASE("example: cancelling products cut C, an 8-bit sum drops it below the cut") {
  for (const char* name : kHardwarePresets) {
    const MfmaModel model = with(name);
    const std::vector<Term> cancelling = {{0, 128, 128}, {2, -128, 128}};
    CHECK(value(model, "v_mfma_f32_16x16x32_fp8_fp8", cancelling, -0.75 * 0x1p-10) == -0x1p-10);
    CHECK(value(model, "v_mfma_f32_16x16x32_fp8_fp8", cancelling, -0.25 * 0x1p-10) == 0);
    CHECK(value(model, "v_mfma_f32_16x16x16_bf16", {{0, 0x1p20, 0x1p17}, {3, -0x1p20, 0x1p17}}, 1) == 0);
  }
}

TEST_CASE("example: C = 2^23 and products -2^23, -0.5, -0.25, -0.125") {
  const std::vector<Term> terms = {{0, -2048, 4096}, {1, -0.5, 1}, {2, -0.25, 1}, {3, -0.125, 1}};
  for (const char* name : {"gfx942", "gfx950-default", "gfx950-wide", "gfx950-cdna3ext"}) {
    CHECK(value(with(name), "v_mfma_f32_16x16x16_f16", terms, 0x1p23) == -0.5);
    CHECK(value(with(name), "v_mfma_f32_16x16x16_bf16", terms, 0x1p23) == -0.5);
    CHECK(value(with(name), "v_mfma_f32_16x16x32_bf8_bf8", terms, 0x1p23) == -1.0);
  }
  CHECK(value(with("exact-rne"), "v_mfma_f32_16x16x16_f16", terms, 0x1p23) == -0.875);
  CHECK(value(with("fma-sequential"), "v_mfma_f32_16x16x16_f16", terms, 0x1p23) == -0.875);
}

TEST_CASE("example: a small odd term under a cancelled even pair is floored, an even one truncated") {
  for (const char* name : kHardwarePresets) {
    const MfmaModel model = with(name);
    const std::vector<Term> pair = {{0, 128, 128}, {2, -128, 128}};
    const char* shape = "v_mfma_f32_16x16x32_fp8_fp8";
    CHECK(value(model, shape, pair + terms_at({5}, -0x1p-6, 0x1p-6), 0) == -0x1p-10);
    CHECK(value(model, shape, pair + terms_at({6}, -0x1p-6, 0x1p-6), 0) == 0);
    MfmaModel truncating = model;
    truncating.set("groupAlign=trunc");
    CHECK(value(truncating, shape, pair + terms_at({5}, -0x1p-6, 0x1p-6), 0) == 0);
  }
}

TEST_CASE("block sums of one step are floored onto the larger exponent") {
  const auto result = [](const MfmaModel& model) {
    OneDot dot(model, kScaled, Format::e2m1, Format::e2m1);
    return dot.terms({{0, .5, .5}, {2, -.5, .5}, {32, -.5, .5}}).with_scale_a(0, 160).value(model);
  };
  CHECK(result(with("gfx950-wide")) == -512);
  CHECK(result(with("gfx950-wide", {"groupAlign=trunc"})) == 0);
  CHECK(result(with("gfx950-default")) == -0.25);
}

TEST_CASE("F: the last product below a cancelling pair that is still seen") {
  for (const unsigned f : {20u, 23u, 24u, 25u, 30u}) {
    for (const char* shape : {"v_mfma_f32_16x16x32_bf16", "v_mfma_f32_16x16x32_bf8_bf8"}) {
      MfmaModel model = with("gfx950-default");
      model.set("F", std::to_string(f));
      if (f != 24 && f > 26 && find_shape(shape)->input == InputClass::f8)
        continue;  // 2^-16 is E5M2's smallest
      for (unsigned s = f - 4; s <= std::min(f + 2, find_shape(shape)->input == InputClass::f8 ? 26u : 99u);
           ++s) {
        const double small = std::ldexp(1.0, 10 - static_cast<int>(s));
        const double result = value(model, shape, {{0, 1024, 1}, {2, -1024, 1}, {4, small, 1}}, 0);
        CHECK_MESSAGE(result == (s <= f ? small : 0), shape, ", F = ", f, ", s = ", s);
      }
    }
  }
}

TEST_CASE("products are truncated toward zero, not floored") {
  const std::vector<Term> terms = {{0, 1024, 1}, {2, -1024, 1}, {4, -0x1p-15, 1}};
  for (const char* name : kHardwarePresets) {
    CHECK(word(with(name), "v_mfma_f32_16x16x16_bf16", terms, 0) == 0);
    CHECK(value(with(name, {"prodAlign=floor"}), "v_mfma_f32_16x16x16_bf16", terms, 0) == -0x1p-14);
  }
}

TEST_CASE("F2: the total is floored at 31 fractional bits before rounding") {
  for (const auto& [setting, last] : {std::pair{"F2=30", 6u}, std::pair{"F2=31", 7u}, std::pair{"F2=32", 8u}})
    for (unsigned s = 4; s < 12; ++s) {
      const MfmaModel model = with("gfx950-default", {setting});
      const double small = std::ldexp(1.0, -static_cast<int>(s));
      const uint32_t expected = s <= last ? 0x4B800001 : 0x4B800000;
      for (const char* shape : {"v_mfma_f32_16x16x32_bf16", "v_mfma_f32_16x16x32_f16"})
        CHECK_MESSAGE(word(model, shape, {{2, 1, 1}, {5, small, 1}}, 0x1p24) == expected, setting,
                      ", s = ", s);
    }
}

TEST_CASE("F2: the floor comes after renormalisation") {
  const std::vector<Term> terms = {{0, 10, 1}, {1, .125, .0625}};
  for (const char* name : kHardwarePresets)
    CHECK(word(with(name), "v_mfma_f32_16x16x16_bf16", terms, 0x1.fffff8p24) == 0x4C000000);
  CHECK(word(with("gfx950-default", {"F2=32"}), "v_mfma_f32_16x16x16_bf16", terms, 0x1.fffff8p24) ==
        0x4C000001);
}

TEST_CASE("F2: near the subnormals the floor stays at 31 bits below 2^-126") {
  const MfmaModel model = with("gfx950-default");
  const std::vector<Term> half = {{0, 0x1p-75, 0x1p-75}};  // half of the smallest subnormal: a tie
  CHECK(word(model, "v_mfma_f32_16x16x16_bf16", half, 0) == 0);
  CHECK(word(model, "v_mfma_f32_16x16x16_bf16", half + terms_at({1}, 0x1p-79, 0x1p-78), 0) == 1);
  CHECK(word(model, "v_mfma_f32_16x16x16_bf16", half + terms_at({1}, 0x1p-79, 0x1p-79), 0) == 0);
}

TEST_CASE("Fc: C under a cancelled pair is floored at 24 fractional bits") {
  for (unsigned s = 20; s < 32; ++s) {
    const double c = -std::ldexp(1.0, -static_cast<int>(s));
    const std::vector<Term> pair = {{0, 1, 1}, {2, -1, 1}};
    for (const char* name : kHardwarePresets) {
      CHECK_MESSAGE(value(with(name), "v_mfma_f32_16x16x16_f16", pair, c) == (s <= 24 ? c : -0x1p-24), s);
      const double cut = s <= 24 ? c : (s == 25 ? -0x1p-24 : 0);
      CHECK_MESSAGE(value(with(name), "v_mfma_f32_16x16x32_fp8_fp8", pair, c) == cut, s);
      CHECK_MESSAGE(value(with(name, {"cCut.fp8Legacy=off"}), "v_mfma_f32_32x32x16_fp8_fp8", pair, c) ==
                        (s <= 24 ? c : -0x1p-24),
                    s);
    }
    for (const char* name : {"gfx950-default", "gfx950-wide", "gfx950-cdna3ext"})
      CHECK_MESSAGE(value(with(name), kScaled, pair, c) == (s <= 24 ? c : (s == 25 ? -0x1p-24 : 0)), s);
    const MfmaModel narrow = with("gfx950-default", {"Fc=22"});
    CHECK_MESSAGE(value(narrow, "v_mfma_f32_16x16x16_f16", pair, c) == (s <= 22 ? c : -0x1p-22), s);
  }
}

TEST_CASE("alignment uses the exponent field: subnormal factors are not normalised") {
  // 2^-9 is subnormal in E4M3 and counts as exponent -6: C = -2^-31 lies 19 below it, but 25 below 2^-6.
  const MfmaModel model = with("gfx950-default");
  CHECK(value(model, kScaled, {{0, 0x1p-9, 1}, {2, -0x1p-9, 1}}, -0x1p-31) == -0x1p-30);
  CHECK(value(model, kScaled, {{0, 0x1p-6, 1}, {2, -0x1p-6, 1}}, -0x1p-31) == -0x1p-30);
  CHECK(value(model, kScaled, {{0, 0x1p-6, 0x1p-3}, {2, -0x1p-6, 0x1p-3}}, -0x1p-31) == -0x1p-31);
}

TEST_CASE("a zero product takes part in no maximum") {
  const MfmaModel model = with("gfx950-default");
  CHECK(value(model, "v_mfma_f32_16x16x16_bf16", {{0, 0x1p60, 0}, {1, 0x1p-60, 1}}, 0x1p-84) == 0x1p-60);
  CHECK(value(model, "v_mfma_f32_16x16x16_bf16", {{0, 0x1p60, 0}, {1, 0x1p-60, 1}}, 0x1p-83) ==
        0x1p-60 + 0x1p-83);
  // Neither do the 31 zeros around a product far below f32's normal numbers: at -126 they would cut it to a
  // tie.
  CHECK(word(model, "v_mfma_f32_16x16x32_bf16", {{31, 0x1.8p-75, 0x1p-75}}, 0) == 0x00000001);
  CHECK(word(model, "v_mfma_f32_16x16x32_bf16", {{31, -0x1p-76, 0x1p-76}}, 0) == 0x80000000);
}

TEST_CASE("E4M3 products of one block keep 24 bits") {
  const std::vector<Term> terms = {{0, 128, 128}, {2, -128, 128}, {4, -0x1p-9, 0x1p-6}};
  for (const char* name : {"gfx950-default", "gfx950-wide", "gfx950-cdna3ext"}) {
    CHECK(word(with(name), kScaled, terms, 0) == 0);
    CHECK(word(with(name, {"F=40"}), kScaled, terms, 0) == 0xB8000000);
  }
}

}  // namespace
}  // namespace wavetwin::mfma
