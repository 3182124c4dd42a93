// SPDX-License-Identifier: MIT
// Infinities, NaNs, zeros, scale bytes at the ends of their range, overflow.
#include "tests/unit/mfma/one_dot.h"

namespace wavetwin::mfma {
namespace {

constexpr const char* kScaled = "v_mfma_scale_f32_16x16x128_f8f6f4";
constexpr const char* kBf16 = "v_mfma_f32_16x16x32_bf16";
constexpr uint32_t kNan = 0x7FC00000, kInf = 0x7F800000;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr const char* kGfx950Presets[] = {"gfx950-default", "gfx950-wide", "gfx950-cdna3ext"};

MfmaModel with(const char* name, std::initializer_list<const char*> settings = {}) {
  MfmaModel model = preset(name);
  for (const char* setting : settings) model.set(setting);
  return model;
}

TEST_CASE("exponent range of the scale sum") {
  const auto word = [](const MfmaModel& model, Format format, double factor, uint8_t sa, uint8_t sb) {
    OneDot dot(model, kScaled, format, format);
    return dot.terms({{40, factor, factor}}).with_scale_a(1, sa).with_scale_b(1, sb).bits(model);
  };
  for (const char* name : kGfx950Presets) {
    const MfmaModel model = with(name);
    for (const Format format : {Format::e4m3, Format::e5m2, Format::e2m3, Format::e3m2, Format::e2m1}) {
      CHECK(word(model, format, 1, 0, 0) == 0);
      CHECK(word(model, format, 1, 254, 254) == kInf);
      CHECK(word(model, format, 1, 0, 254) == 0x3F800000);
      CHECK(word(model, format, 1, 1, 126) == 0x00400000);
    }
    CHECK(word(model, Format::e5m2, 57344, 254, 254) == kInf);
    CHECK(word(model, Format::e5m2, 57344, 0, 0) == 0);
    CHECK(word(model, Format::e5m2, 57344, 0, 254) == std::bit_cast<uint32_t>(57344.f * 57344.f));
  }
}

TEST_CASE("blocks of +2^254 and -2^254: Inf in separate steps, 0 in one") {
  const auto word = [](const MfmaModel& model) {
    OneDot dot(model, kScaled, Format::e2m1, Format::e2m1);
    dot.terms({{0, 1, 1}, {32, -1, 1}});
    for (unsigned block : {0u, 1u}) dot.with_scale_a(block, 254).with_scale_b(block, 254);
    return dot.bits(model);
  };
  CHECK(word(with("gfx950-default")) == kInf);
  CHECK(word(with("gfx950-cdna3ext")) == kInf);
  CHECK(word(with("gfx950-wide")) == 0);
}

TEST_CASE("scale byte 0 is 2^-127, or zero by option") {
  const auto word = [](const MfmaModel& model, double a) {
    OneDot dot(model, kScaled, Format::e5m2, Format::e5m2);
    return dot.terms({{7, a, 1}}).with_scale_a(0, 0).bits(model);
  };
  for (const char* name : kGfx950Presets) {
    CHECK(word(with(name), 1) == 0x00400000);
    CHECK(word(with(name, {"scaleByteZero=zero"}), 1) == 0);
    CHECK(word(with(name), kInfinity) == kInf);
    CHECK(word(with(name, {"scaleByteZero=zero"}), kInfinity) == kNan);
  }
}

TEST_CASE("scale 0xFF is NaN, over an all-zero block too unless the option says otherwise") {
  for (const char* name : kGfx950Presets)
    for (const bool in_a : {true, false}) {
      const MfmaModel model = with(name), lenient = with(name, {"nanScaleOnZero=off"});
      OneDot zero(model, kScaled), live(model, kScaled), infinite(model, kScaled, Format::e5m2, Format::e5m2);
      live.terms({{100, 1, 1}});
      infinite.terms({{100, kInfinity, 1}});
      for (OneDot* dot : {&zero, &live, &infinite}) {
        in_a ? dot->with_scale_a(3, 0xFF) : dot->with_scale_b(3, 0xFF);
        CHECK(dot->bits(model) == kNan);
      }
      CHECK(zero.bits(lenient) == 0);
      CHECK(live.bits(lenient) == kNan);
    }
}

TEST_CASE("every NaN result is nanBits, whatever NaN went in") {
  for (const char* bits : {"0x7FC00000", "0xFFC00000", "0x7FC01234"}) {
    MfmaModel model = with("gfx950-default");
    model.set("nanBits", bits);
    const uint32_t nan = static_cast<uint32_t>(std::strtoul(bits, nullptr, 16));
    for (const char* shape : {kBf16, kScaled, "v_mfma_f32_16x16x32_f16", "v_mfma_f32_16x16x32_bf8_bf8"}) {
      for (const uint32_t c : {0x7F800001u, 0x7FC00055u, 0xFFC00000u, 0xFFFFFFFFu})
        CHECK(OneDot(model, shape).with_c_bits(c).bits(model) == nan);
      OneDot element(model, shape);  // all ones is a NaN in E4M3, E5M2, BF16 and F16
      element.a[5] = low_mask<uint64_t>(format_bits(element.a_format));
      CHECK(element.bits(model) == nan);
      element.b[5] = 0;
      CHECK(element.bits(model) == nan);
      element.a[5] = 0;
      element.b[5] = low_mask<uint64_t>(format_bits(element.b_format));
      CHECK(element.bits(model) == nan);
    }
  }
}

TEST_CASE("infinities: Inf stays, Inf * 0 and Inf - Inf are NaN") {
  for (const char* name : kGfx950Presets) {
    const MfmaModel model = with(name);
    for (const auto& [shape, format] : {std::pair{kBf16, Format::bf16}, std::pair{kScaled, Format::e5m2},
                                        std::pair{"v_mfma_f32_16x16x32_bf8_bf8", Format::e5m2},
                                        std::pair{"v_mfma_f32_32x32x8_f16", Format::f16}}) {
      const auto word = [&](const std::vector<Term>& terms, double c) {
        OneDot dot(model, shape, format, format);
        return dot.terms(terms).with_c(c).bits(model);
      };
      CHECK(word({{1, kInfinity, 2}}, 5) == kInf);
      CHECK(word({{1, kInfinity, -2}}, 5) == 0xFF800000);
      CHECK(word({{1, kInfinity, kInfinity}}, 5) == kInf);
      CHECK(word({{1, kInfinity, 0}}, 5) == kNan);
      CHECK(word({{1, kInfinity, 1}, {2, -kInfinity, 1}}, 0) == kNan);
      CHECK(word({{1, kInfinity, 1}}, -kInfinity) == kNan);
      CHECK(word({{1, 1, 1}}, -kInfinity) == 0xFF800000);
      CHECK(word({{7, kInfinity, 1}}, kInfinity) == kInf);
    }
  }
}

TEST_CASE("bf16: a product of 2^128 is an infinity at once, unless the option is off") {
  const std::vector<Term> alone = {{0, 0x1p64, 0x1p64}};
  const std::vector<Term> same = {{0, 0x1p64, 0x1p64}, {3, -0x1p64, 0x1p64}};
  const std::vector<Term> later = {{0, 0x1p64, 0x1p64}, {25, -0x1p64, 0x1p64}};
  const std::vector<Term> below = {{0, 0x1p64, 0x1p63}, {3, -0x1p64, 0x1p63}};
  const auto word = [](const MfmaModel& model, const std::vector<Term>& terms) {
    return OneDot(model, kBf16).terms(terms).bits(model);
  };
  for (const char* name : kGfx950Presets) {
    CHECK(word(with(name), alone) == kInf);
    CHECK(word(with(name), same) == kNan);
    CHECK(word(with(name), later) == kNan);
    CHECK(word(with(name), below) == 0);
    const MfmaModel wide_exponent = with(name, {"prodOverflow=off"});
    CHECK(word(wide_exponent, alone) == kInf);
    CHECK(word(wide_exponent, same) == 0);
    CHECK(word(wide_exponent, later) == kInf);
  }
}

TEST_CASE("zeros: every exactly zero total is +0, with zeroSign=ieee -0 when everything is -0") {
  for (const auto& [shape, format] :
       {std::pair{kBf16, Format::bf16}, std::pair{kScaled, Format::e4m3}, std::pair{kScaled, Format::e2m1}}) {
    const MfmaModel model = with("gfx950-default"), ieee = with("gfx950-default", {"zeroSign=ieee"});
    OneDot negative(model, shape, format, format), cancelling(model, shape, format, format);
    negative.terms(every_k(negative.shape, -0.0, 1)).with_c(-0.0);
    cancelling.terms({{0, 1, 1}, {1, -1, 1}});
    CHECK(negative.bits(model) == 0);
    CHECK(negative.bits(ieee) == 0x80000000);
    CHECK(negative.with_c(0.0).bits(ieee) == 0);
    CHECK(cancelling.bits(model) == 0);
    CHECK(cancelling.with_c(-0.0).bits(ieee) == 0);
    CHECK(OneDot(model, shape, format, format).with_c(-0.0).bits(model) == 0);
  }
}

TEST_CASE("zeros: a negative total that rounds to zero is -0, and a later empty step makes it +0") {
  const MfmaModel model = with("gfx950-default");
  const auto word = [&model](unsigned k) {
    return OneDot(model, kBf16).terms({{k, -0x1p-100, 0x1p-100}}).bits(model);
  };
  CHECK(word(31) == 0x80000000);
  CHECK(word(24) == 0x80000000);
  CHECK(word(23) == 0);
  CHECK(word(0) == 0);
}

TEST_CASE("FP16_OVFL clamps each step's overflow and leaves infinities") {
  const std::vector<Term> over = {{0, 0x1p52, 0x1p52}, {30, -0x1p52, 0x1p52}};
  const double max = std::numeric_limits<float>::max();
  for (const char* name : kGfx950Presets) {
    const MfmaModel off = with(name), on = with(name, {"fp16Ovfl=on"});
    CHECK(OneDot(off, kBf16).terms(over).with_c(max).bits(off) == kInf);
    CHECK(OneDot(on, kBf16).terms(over).with_c(max).bits(on) == 0x7F7FFFFE);
    CHECK(OneDot(on, kBf16).terms(over).with_c(-max).bits(on) == 0xFF7FFFFF);
    CHECK(OneDot(on, kBf16).with_c(kInfinity).bits(on) == kInf);
    CHECK(OneDot(on, kScaled, Format::e5m2, Format::e5m2).terms({{3, kInfinity, 1}}).bits(on) == kInf);
  }
}

TEST_CASE("FP16_OVFL: f32 shapes clamp each multiply-add that overflows; f64 shapes ignore it") {
  const MfmaModel off = with("gfx950-default"), on = with("gfx950-default", {"fp16Ovfl=on"});
  constexpr float kMax = std::numeric_limits<float>::max(), kBig = 0x1p100f, kInfinityF = kInfinity;
  const auto bits = [](float x) { return std::bit_cast<uint32_t>(x); };
  const auto dot = [&](const MfmaModel& model, std::initializer_list<float> a, float b, float c) {
    std::vector<uint32_t> codes_a, codes_b;
    for (const float x : a) codes_a.push_back(bits(x)), codes_b.push_back(bits(b));
    return dot_f32(model, static_cast<unsigned>(a.size()), codes_a.data(), codes_b.data(), bits(c), false);
  };
  CHECK(dot(off, {kBig}, kBig, 0) == kInf);
  CHECK(dot(on, {kBig}, kBig, 0) == bits(kMax));
  CHECK(dot(on, {-kBig}, kBig, 0) == bits(-kMax));
  CHECK(dot(on, {kMax}, 1, kMax) == bits(kMax));
  // The clamped sum goes on: the largest number less 2^127.
  CHECK(dot(on, {kBig, -0x1p27f}, kBig, 0) == bits(kMax - 0x1p127f));
  CHECK(dot(off, {kBig, -0x1p27f}, kBig, 0) == kInf);
  // An infinity that went in comes out, and Inf - Inf and Inf * 0 stay NaN.
  CHECK(dot(on, {kInfinityF}, 1, 0) == kInf);
  CHECK(dot(on, {1}, 1, kInfinityF) == kInf);
  CHECK(dot(on, {1}, kInfinityF, 0) == kInf);
  CHECK(dot(on, {kInfinityF, -kInfinityF}, 1, 0) == on.nan_bits);
  CHECK(dot(on, {0}, kInfinityF, 0) == on.nan_bits);
  const uint64_t big = std::bit_cast<uint64_t>(0x1p600);
  CHECK(dot_f64(on, 1, &big, &big, 0) == 0x7FF0000000000000);
}

TEST_CASE("a step without products leaves C as it is, but for NaNs and -0") {
  for (const char* shape : {kBf16, kScaled, "v_mfma_f32_16x16x32_fp8_fp8", "v_mfma_f32_16x16x16_f16"})
    for (const uint32_t c : {0x00000000u, 0x00000001u, 0x807FFFFFu, 0x00800000u, 0x3F800000u, 0xBF800001u,
                             0x7F7FFFFFu, 0xFF7FFFFFu, 0x7F800000u, 0xFF800000u}) {
      const MfmaModel model = with("gfx950-default");
      CHECK_MESSAGE(OneDot(model, shape).with_c_bits(c).bits(model) == c, shape, fmt::format(" {:#010x}", c));
    }
}

TEST_CASE("subnormals: kept as inputs, as C and as results") {
  const MfmaModel model = with("gfx950-default");
  CHECK(OneDot(model, kBf16).terms({{0, 0x1p-133, 0x1p40}}).bits(model) == std::bit_cast<uint32_t>(0x1p-93f));
  CHECK(OneDot(model, kBf16).terms({{0, 0x1p-70, 0x1p-70}}).bits(model) ==
        std::bit_cast<uint32_t>(0x1p-140f));
  CHECK(OneDot(model, "v_mfma_f32_16x16x32_f16").terms({{0, 0x1p-24, 0x1p-24}}).bits(model) ==
        std::bit_cast<uint32_t>(0x1p-48f));
  CHECK(OneDot(model, kBf16).terms({{0, 0x1p-70, 0x1p-70}}).with_c_bits(1).bits(model) == 0x00000201);
}

}  // namespace
}  // namespace wavetwin::mfma
