// SPDX-License-Identifier: MIT
// Digests and single values published with the captures of gfx1100 and gfx1201 (AMD's rocjitsu and its
// review): FNV-1a 64.
#include "sim/numerics/transcendental.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>

#include "common/bits.h"
#include "tests/oracle/isa/ieee.h"

using namespace wavetwin;
namespace ref = wavetwin::reference;

namespace {

class Digest {
 public:
  void step(uint64_t v) { h_ = (h_ ^ v) * 0x100000001b3ull; }
  uint64_t value() const { return h_; }

 private:
  uint64_t h_ = 0xcbf29ce484222325ull;
};

template <class F>
uint64_t digest_of_range(uint32_t first, uint32_t count, F f) {
  Digest digest;
  for (uint32_t i = 0; i < count; ++i) digest.step(f(first + i));
  return digest.value();
}

}  // namespace

TEST_CASE("v_exp_f32: both digests of the fraction's range") {
  const auto fraction = [](uint32_t i) { return f32_bits(static_cast<float>(i) * 0x1p-24f); };
  CHECK(digest_of_range(0, 1 << 24, [&](uint32_t i) { return f32_exp2(fraction(i)); }) ==
        0x68959bb684f42e5full);
  CHECK(digest_of_range(0, 1 << 24, [&](uint32_t i) { return f32_exp2(fraction(i) | 0x80000000u); }) ==
        0x88b75684494db8d3ull);
}
TEST_CASE("v_rcp_f32: digest of all mantissas") {
  CHECK(digest_of_range(0x3f800000, 1 << 23, f32_rcp) == 0xd54ec24992572df9ull);
}
TEST_CASE("v_rsq_f32: digest of all mantissas of two exponents") {
  CHECK(digest_of_range(0x3f800000, 1 << 24, f32_rsq) == 0x010bc79eb6e48cafull);
}
TEST_CASE("v_sqrt_f32: digest of all mantissas of two exponents, byte by byte") {
  Digest digest;
  for (uint32_t i = 0; i < 1u << 24; ++i) {
    const uint32_t r = f32_sqrt(0x3f800000 + i);
    for (int b = 0; b < 4; ++b) digest.step(r >> (8 * b) & 255);
  }
  CHECK(digest.value() == 0xc696d1c206aff8a9ull);
}
TEST_CASE("v_log_f32: digest of [0.5, 2)") {
  CHECK(digest_of_range(0x3f000000, 1 << 24, f32_log2) == 0xc33a54efbae098beull);
}

TEST_CASE("approximations: published single values") {
  CHECK(f32_rcp(0x3fc00000) == 0x3f2aaaaa);
  CHECK(f32_rcp(0x00800000) == 0x7e800000);
  CHECK(f32_rcp(0x40400000) == 0x3eaaaaaa);
  CHECK(f32_rsq(0x40000000) == 0x3f3504f3);
  CHECK(f32_rsq(0x01000000) == 0x5eb504f3);
  CHECK(f32_exp2(0x42ffffff) == 0x7f7fffa7);
  CHECK(f32_exp2(0xc114ed44) == 0x3acecc1e);
  CHECK(f32_exp2(0x3f0567ec) == 0x3fb7b03d);
  CHECK(f32_sqrt(0x7f5ff71c) == 0x5f6f728f);
  CHECK(f32_sqrt(0x0080c013) == 0x20005fe5);
  CHECK(f32_log2(0x7f7fffff) == 0x42ffffff);
  CHECK(f32_log2(0x00ffffff) == 0xc2fa0001);
  CHECK(f32_log2(0x4000000d) == 0x3f800012);
  CHECK(f32_exp2(0xb3800000) == 0x3f7fffff);  // -2^-24
  CHECK(f32_exp2(0xc2fc0000) == 0x00800000);  // -126
  CHECK(f32_exp2(0xc2fc0001) == 0);
  for (int n = -126; n < 128; ++n)
    CHECK(f32_exp2(f32_bits(static_cast<float>(n))) == static_cast<uint32_t>(n + 127) << 23);
}

// guide, "V_RCP_F32" and following: zeros, infinities, subnormals (flushed), negative numbers, NaN.
TEST_CASE("approximations: special operands") {
  constexpr uint32_t kInf = 0x7f800000, kMinusInf = 0xff800000, kNan = 0xffc00000, kMinusZero = 0x80000000;
  struct Special {
    uint32_t (*f)(uint32_t);
    uint32_t zero, minus_zero, inf, minus_inf, subnormal, minus_subnormal, minus_one;
  };
  const Special kSpecials[] = {
      {f32_exp2, 0x3f800000, 0x3f800000, kInf, 0, 0x3f800000, 0x3f800000, 0x3f000000},
      {f32_log2, kMinusInf, kMinusInf, kInf, kNan, kMinusInf, kMinusInf, kNan},
      {f32_rcp, kInf, kMinusInf, 0, kMinusZero, kInf, kMinusInf, 0xbf800000},
      {f32_rsq, kInf, kMinusInf, 0, kNan, kInf, kMinusInf, kNan},
      {f32_sqrt, 0, kMinusZero, kInf, kNan, 0, kMinusZero, kNan},
  };
  for (const Special& s : kSpecials) {
    CHECK(s.f(0) == s.zero);
    CHECK(s.f(kMinusZero) == s.minus_zero);
    CHECK(s.f(kInf) == s.inf);
    CHECK(s.f(kMinusInf) == s.minus_inf);
    CHECK(s.f(0x007fffff) == s.subnormal);
    CHECK(s.f(0x80000001) == s.minus_subnormal);
    CHECK(s.f(0xbf800000) == s.minus_one);
    CHECK(s.f(0x7f800001) == 0x7fc00001);
    CHECK(s.f(0xffc12345) == 0xffc12345);
  }
  CHECK(f32_rcp(0x7e800001) == 0);  // the quotient would be subnormal
  CHECK(f32_rcp(0xfe800001) == kMinusZero);
  CHECK(f32_sin(0x3e800000, Mode{}) == 0x3f800000);
  CHECK(f32_cos(0x3e800000, Mode{}) == 0);
  CHECK(f32_sin(0xff7fffff, Mode{}) == 0);
  CHECK(f32_cos(0xff7fffff, Mode{}) == 0x3f800000);
  CHECK(f32_sin(kMinusZero, Mode{}) == kMinusZero);
  CHECK(f32_sin(kInf, Mode{}) == kNan);
}

// guide, the examples of the f16 functions.
TEST_CASE("f16 approximations: the guide's examples") {
  const Mode mode;
  CHECK(f16_rcp(0xc000, mode) == 0xb800);
  CHECK(f16_rcp(0x8000, mode) == 0xfc00);
  CHECK(f16_sqrt(0x4400, mode) == 0x4000);
  CHECK(f16_sqrt(0xfc00, mode) == 0xfe00);
  CHECK(f16_rsq(0x4400, mode) == 0x3800);
  CHECK(f16_log2(0x3c00, mode) == 0);
  CHECK(f16_log2(0xbc00, mode) == 0xfe00);
  CHECK(f16_exp2(0x8000, mode) == 0x3c00);
  CHECK(f16_exp2(0xfc00, mode) == 0);
  CHECK(f16_sin(0x3400, mode) == 0x3c00);
  CHECK(f16_cos(0x7bff, mode) == 0x3c00);
}

TEST_CASE("exp2_det: exact at integers, ends of the range, NaN") {
  for (int n = -126; n < 128; ++n) CHECK(exp2_det(static_cast<float>(n)) == std::ldexp(1.0f, n));
  CHECK(f32_bits(exp2_det(128.0f)) == 0x7f800000);
  CHECK(f32_bits(exp2_det(INFINITY)) == 0x7f800000);
  CHECK(f32_bits(exp2_det(-INFINITY)) == 0);
  CHECK(f32_bits(exp2_det(std::nextafter(-126.0f, -127.0f))) == 0);
  CHECK(f32_bits(exp2_det(-0.0f)) == 0x3f800000);
  CHECK(std::isnan(exp2_det(NAN)));
}

namespace {

// The error of y = exp2_det(x) in units of the last place of the true value.
double error_in_ulp(float x, float y) {
  const double truth = std::exp2(static_cast<double>(x));
  int exponent = 0;
  std::frexp(truth, &exponent);
  return std::fabs(y - truth) / std::ldexp(1.0, std::max(exponent - 24, -149));
}

struct Survey {
  double worst = 0;
  uint32_t worst_at = 0;
  uint64_t evaluated = 0, correctly_rounded = 0, above_one = 0;
};
void survey(Survey& s, uint32_t first, uint32_t last, uint32_t step) {
  for (uint64_t bits = first; bits <= last; bits += step) {
    const float x = f32_from_bits(static_cast<uint32_t>(bits)), y = exp2_det(x);
    const double e = error_in_ulp(x, y);
    ++s.evaluated;
    s.correctly_rounded += y == static_cast<float>(std::exp2(static_cast<double>(x)));
    s.above_one += x <= 0 && y > 1;
    if (e > s.worst) s.worst = e, s.worst_at = static_cast<uint32_t>(bits);
  }
}

}  // namespace

TEST_CASE("exp2_det: the worst operand, and a sample of all") {
  CHECK(error_in_ulp(f32_from_bits(0xbeff9d1b), exp2_det(f32_from_bits(0xbeff9d1b))) ==
        doctest::Approx(0.8755).epsilon(1e-3));
  Survey s;
  survey(s, 0, 0x42ffffff, 997);
  survey(s, 0x80000000, 0xc2fc0000, 991);
  CHECK(s.worst < 0.8756);
  CHECK(s.above_one == 0);
}

TEST_CASE("rsq_det: two correctly rounded steps") {
  for (uint32_t bits : {0x3f800000u, 0x40000000u, 0x00000001u, 0x7f7fffffu, 0x3f7fffffu}) {
    const float root = std::sqrt(f32_from_bits(bits));
    CHECK(f32_bits(rsq_det(f32_from_bits(bits))) == f32_bits(1.0f / root));
  }
}

TEST_SUITE("slow") {
  // 2.25e9 operands: at most 0.8755 ulp at 0xBEFF9D1B, 99.589 % correctly rounded, never above 1 for x <= 0.
  TEST_CASE("exp2_det: every operand in [-126, 128)") {
    Survey s;
    survey(s, 0, 0x42ffffff, 1);
    survey(s, 0x80000000, 0xc2fc0000, 1);
    MESSAGE(fmt::format("{} operands, worst {:.4f} ulp at {:08x}, {:.4f} % correctly rounded", s.evaluated,
                        s.worst, s.worst_at,
                        100.0 * static_cast<double>(s.correctly_rounded) / static_cast<double>(s.evaluated)));
    CHECK(s.worst == doctest::Approx(0.8755).epsilon(1e-4));
    CHECK(s.worst_at == 0xbeff9d1b);
    CHECK(s.above_one == 0);
  }
}
