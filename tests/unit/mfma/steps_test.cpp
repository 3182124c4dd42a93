// SPDX-License-Identifier: MIT
// Which products share a step: the experiments that an MI355X owner would run first, with the answer of each
// preset. Notation: values, not codes; elements that are not mentioned are 0, scales 127.
#include "tests/unit/mfma/one_dot.h"

namespace wavetwin::mfma {
namespace {

MfmaModel with(const char* name, std::initializer_list<const char*> settings = {}) {
  MfmaModel model = preset(name);
  for (const char* setting : settings) model.set(setting);
  return model;
}

// C = 2^24 and two products of 1 give 2^24 + 2 when they meet in a step; one at a time is a tie that rounds
// back to 2^24.
bool share_a_step(const MfmaModel& model, const char* shape, Format fa, Format fb, unsigned p, unsigned q) {
  OneDot dot(model, shape, fa, fb);
  const uint32_t word = dot.terms({{p, 1, 1}, {q, 1, 1}}).with_c(0x1p24).plain_bits(model);
  REQUIRE_MESSAGE((word == 0x4B800001 || word == 0x4B800000), fmt::format("{:#010x}", word));
  return word == 0x4B800001;
}

using Class = unsigned (*)(unsigned k);
unsigned eight(unsigned k) { return k / 8; }
unsigned sixteen(unsigned k) { return k / 16; }
unsigned block(unsigned k) { return k / 32; }
unsigned two_blocks(unsigned k) { return k / 64; }
unsigned all(unsigned) { return 0; }
// The low or the high 64-bit halves of two lane groups of 8 elements; of all four.
unsigned halves_of_two(unsigned k) { return k / 16 * 2 + k / 4 % 2; }
unsigned halves_of_four(unsigned k) { return k / 4 % 2; }

struct StepCase {
  const char* shape;
  Format a, b;
  const char* preset;
  std::initializer_list<const char*> settings;
  Class step;
};

TEST_CASE("products share a step exactly as each preset says") {
  constexpr Format h = Format::bf16, f8 = Format::e4m3, f4 = Format::e2m1, f6 = Format::e3m2;
  const StepCase cases[] = {
      {"v_mfma_f32_16x16x32_bf16", h, h, "gfx950-default", {}, eight},
      {"v_mfma_f32_16x16x32_f16", h, h, "gfx950-default", {}, eight},
      {"v_mfma_f32_32x32x16_bf16", h, h, "gfx950-default", {}, eight},
      {"v_mfma_f32_16x16x16_bf16", h, h, "gfx950-default", {}, eight},
      {"v_mfma_f32_16x16x16_f16", h, h, "gfx942", {}, eight},
      {"v_mfma_f32_32x32x8_bf16", h, h, "gfx942", {}, all},
      {"v_mfma_f32_32x32x4_2b_bf16", h, h, "gfx942", {}, all},
      {"v_mfma_f32_16x16x32_bf16", h, h, "gfx950-wide", {}, sixteen},
      {"v_mfma_f32_32x32x16_f16", h, h, "gfx950-wide", {}, all},
      {"v_mfma_f32_16x16x16_bf16", h, h, "gfx950-wide", {}, eight},
      {"v_mfma_f32_16x16x32_bf16", h, h, "gfx950-cdna3ext", {}, eight},
      {"v_mfma_f32_16x16x32_bf16", h, h, "gfx950-default", {"L16bit=K"}, all},
      {"v_mfma_f32_16x16x32_bf16", h, h, "gfx950-default", {"kOrder=register-halves"}, halves_of_two},
      {"v_mfma_f32_16x16x32_bf16", h, h, "gfx950-wide", {"kOrder=register-halves"}, halves_of_four},
      {"v_mfma_f32_32x32x16_f16", h, h, "gfx950-default", {"kOrder=register-halves"}, halves_of_two},
      {"v_mfma_f32_16x16x16_bf16", h, h, "gfx950-default", {"kOrder=register-halves"}, eight},
      {"v_mfma_f32_16x16x16_bf16", h, h, "gfx950-default", {"L16bitLegacy=16"}, all},
      {"v_mfma_f32_16x16x32_fp8_fp8", f8, f8, "gfx942", {}, sixteen},
      {"v_mfma_f32_16x16x32_fp8_fp8", f8, f8, "gfx950-default", {}, sixteen},
      {"v_mfma_f32_16x16x32_bf8_fp8", f8, f8, "gfx950-wide", {}, sixteen},
      {"v_mfma_f32_16x16x32_fp8_fp8", f8, f8, "gfx950-default", {"fp8Legacy.L=32"}, all},
      {"v_mfma_f32_16x16x32_fp8_fp8", f8, f8, "gfx950-default", {"fp8Legacy.L=8"}, eight},
      {"v_mfma_f32_32x32x16_bf8_bf8", f8, f8, "gfx950-default", {}, all},
      {"v_mfma_scale_f32_16x16x128_f8f6f4", f8, f8, "gfx950-default", {}, block},
      {"v_mfma_scale_f32_16x16x128_f8f6f4", f4, f4, "gfx950-default", {}, block},
      {"v_mfma_f32_32x32x64_f8f6f4", f6, f4, "gfx950-default", {}, block},
      {"v_mfma_scale_f32_16x16x128_f8f6f4", f8, f4, "gfx950-wide", {}, block},
      {"v_mfma_scale_f32_16x16x128_f8f6f4", f6, f4, "gfx950-wide", {}, two_blocks},
      {"v_mfma_f32_16x16x128_f8f6f4", f4, f4, "gfx950-wide", {}, two_blocks},
      {"v_mfma_scale_f32_32x32x64_f8f6f4", f4, f4, "gfx950-wide", {}, all},
      {"v_mfma_scale_f32_16x16x128_f8f6f4", f4, f8, "gfx950-cdna3ext", {}, sixteen},
      {"v_mfma_scale_f32_16x16x128_f8f6f4", f6, f6, "gfx950-cdna3ext", {}, block},
      {"v_mfma_scale_f32_16x16x128_f8f6f4", f8, f8, "gfx950-default", {"f8f6f4.productsPerStep.8bit=K"}, all},
      {"v_mfma_scale_f32_16x16x128_f8f6f4",
       f6,
       f4,
       "gfx950-default",
       {"f8f6f4.productsPerStep.6bit4bit=16"},
       sixteen},
  };
  for (const StepCase& c : cases) {
    const MfmaModel model = with(c.preset, c.settings);
    const unsigned k = find_shape(c.shape)->k;
    for (unsigned p = 0; p < k; ++p)
      for (unsigned q = p + 1; q<k; q += k> 32 && q > p + 1 ? 5 : 1)
        CHECK_MESSAGE(share_a_step(model, c.shape, c.a, c.b, p, q) == (c.step(p) == c.step(q)), c.shape, ", ",
                      model.describe(), ", k = ", p, " and ", q);
  }
}

// The product X at p cancels C = -X; what the tiny products elsewhere leave counts the steps after p's.
TEST_CASE("steps follow ascending k: 16-bit inputs") {
  for (const char* shape : {"v_mfma_f32_16x16x32_bf16", "v_mfma_f32_16x16x32_f16"})
    for (unsigned p = 0; p < 32; ++p) {
      const auto left = [&](const MfmaModel& model) {
        OneDot dot(model, shape);
        dot.terms(every_k(dot.shape, .25, .5) + terms_at({p}, 8192, 8192)).with_c(-0x1p26);
        return dot.value(model);
      };
      CHECK_MESSAGE(left(with("gfx950-default")) == 3 - p / 8, shape, ", p = ", p);
      CHECK_MESSAGE(left(with("gfx950-cdna3ext")) == 3 - p / 8, shape, ", p = ", p);
      CHECK_MESSAGE(left(with("gfx950-wide")) == (p < 16 ? 2 : 0), shape, ", p = ", p);
    }
}

TEST_CASE("steps follow ascending k: 8-bit legacy shapes") {
  for (const char* name : {"gfx950-default", "gfx950-wide", "gfx950-cdna3ext"}) {
    const MfmaModel model = with(name);
    for (unsigned p = 0; p < 32; ++p) {
      OneDot dot(model, "v_mfma_f32_16x16x32_fp8_fp8");
      dot.terms(every_k(dot.shape, 0x1p-9, 0x1p-9) + terms_at({p}, 256, 256)).with_c(-0x1p16);
      CHECK_MESSAGE(dot.value(model) == (p < 16 ? 0x1p-14 : 0), name, ", p = ", p);
    }
  }
}

TEST_CASE("steps follow ascending k: scaled blocks, every format pair") {
  const auto left = [](const MfmaModel& model, const char* shape, unsigned a, unsigned b, unsigned p) {
    OneDot dot(model, shape, static_cast<Format>(a), static_cast<Format>(b));
    return dot.terms(every_k(dot.shape, .5, .5)).with_scale_a(p, 160).with_c(-0x1p36).value(model);
  };
  const double one[] = {24, 16, 8, 0}, two[] = {16, 16, 0, 0};
  for (unsigned a = 0; a < kF8F6F4Formats; ++a)
    for (unsigned b = 0; b < kF8F6F4Formats; ++b) {
      const bool has_8bit = a < 2 || b < 2;
      for (unsigned p = 0; p < 4; ++p) {
        const char* shape = "v_mfma_scale_f32_16x16x128_f8f6f4";
        CHECK(left(with("gfx950-default"), shape, a, b, p) == one[p]);
        CHECK(left(with("gfx950-cdna3ext"), shape, a, b, p) == one[p]);
        CHECK(left(with("gfx950-wide"), shape, a, b, p) == (has_8bit ? one : two)[p]);
        CHECK(left(with("gfx950-default",
                        {"f8f6f4.productsPerStep.8bit=K", "f8f6f4.productsPerStep.6bit4bit=K"}),
                   shape, a, b, p) == 0);
      }
      for (unsigned p = 0; p < 2; ++p) {
        const char* shape = "v_mfma_scale_f32_32x32x64_f8f6f4";
        CHECK(left(with("gfx950-default"), shape, a, b, p) == one[p + 2]);
        CHECK(left(with("gfx950-wide"), shape, a, b, p) == (has_8bit ? one[p + 2] : 0));
      }
    }
}

TEST_CASE("scaled blocks 0 and q cancel: what is left tells the order and the width of steps") {
  const auto left = [](const MfmaModel& model, Format format, unsigned q) {
    OneDot dot(model, "v_mfma_scale_f32_16x16x128_f8f6f4", format, format);
    std::vector<Term> terms = every_k(dot.shape, .5, .5);
    for (unsigned k = 32 * q; k < 32 * q + 32; ++k) terms[k].a = -.5;
    return dot.terms(terms).with_scale_a(0, 160).with_scale_a(q, 160).value(model);
  };
  const double one[] = {16, 8, 0}, two[] = {16, 0, 0};
  for (unsigned f = 0; f < kF8F6F4Formats; ++f)
    for (unsigned q = 1; q < 4; ++q) {
      const Format format = static_cast<Format>(f);
      CHECK(left(with("gfx950-default"), format, q) == one[q - 1]);
      CHECK(left(with("gfx950-wide"), format, q) == (f < 2 ? one : two)[q - 1]);
      CHECK(
          left(with("gfx950-default", {"f8f6f4.productsPerStep.8bit=K", "f8f6f4.productsPerStep.6bit4bit=K"}),
               format, q) == 0);
    }
}

TEST_CASE("groups within a step: bf16") {
  const auto left = [](const MfmaModel& model, unsigned q) {
    OneDot dot(model, "v_mfma_f32_16x16x32_bf16");
    dot.terms(every_k(dot.shape, .25, .5) + terms_at({0}, 8192, 1024) + terms_at({q}, -8192, 1024));
    return dot.value(model);
  };
  const MfmaModel even_odd = with("gfx950-default", {"L16bit=16", "evenOdd16bit=on"});
  for (unsigned q = 1; q < 32; ++q) {
    CHECK_MESSAGE(left(with("gfx950-default"), q) == (q < 8 ? 3.0 : 2.0), q);
    CHECK_MESSAGE(left(with("gfx950-wide"), q) == (q < 16 ? 2.0 : 0.0), q);
    CHECK_MESSAGE(left(even_odd, q) == (q < 16 && q % 2 == 0 ? 3.0 : 2.0), q);
  }
}

TEST_CASE("groups within a step: 8-bit legacy shapes") {
  const auto left = [](const MfmaModel& model, unsigned q) {
    OneDot dot(model, "v_mfma_f32_16x16x32_fp8_fp8");
    dot.terms(every_k(dot.shape, 0x1p-6, 0x1p-6) + terms_at({0}, 128, 128) + terms_at({q}, -128, 128));
    return dot.value(model);
  };
  for (unsigned q = 1; q < 32; ++q) {
    for (const char* name : {"gfx942", "gfx950-default", "gfx950-wide", "gfx950-cdna3ext"})
      CHECK_MESSAGE(left(with(name), q) == (q < 16 && q % 2 == 0 ? 0x1.8p-8 : 0x1p-8), name, ", q = ", q);
    CHECK_MESSAGE(left(with("gfx950-default", {"fp8Legacy.evenOdd=off"}), q) == (q < 16 ? 0x1p-8 : 0), q);
    CHECK_MESSAGE(left(with("gfx950-default", {"fp8Legacy.L=32"}), q) == (q % 2 == 0 ? 0x1p-8 : 0), q);
  }
}

TEST_CASE("scale joins the block sum, or each product under scalePerProduct") {
  const auto result = [](const MfmaModel& model) {
    OneDot dot(model, "v_mfma_scale_f32_16x16x128_f8f6f4");
    dot.terms({{0, 1, 1}, {2, -1, 1}, {32, .75, 1}, {34, .75, 1}}).with_scale_a(0, 151);
    return dot.value(model);
  };
  CHECK(result(with("gfx950-default")) == 1.5);
  CHECK(result(with("gfx950-default", {"scalePerProduct=on"})) == 1.5);
  CHECK(result(with("gfx950-default", {"f8f6f4.productsPerStep.8bit=64"})) == 1.0);
  CHECK(result(with("gfx950-default", {"f8f6f4.productsPerStep.8bit=64", "scalePerProduct=on"})) == 0.0);
}

}  // namespace
}  // namespace wavetwin::mfma
