// SPDX-License-Identifier: MIT
// The whole division macro, as clang writes it for a / b, is correctly rounded whatever the last bit of
// v_rcp. The host's division is the judge: IEEE 754 fixes its bits.
#include "sim/numerics/division.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "common/bits.h"
#include "sim/numerics/f32.h"
#include "sim/numerics/f64.h"
#include "sim/numerics/transcendental.h"
#include "tests/isa/valu/operands.h"

using namespace wavetwin;
using wavetwin::test::interesting_floats;
using wavetwin::test::Random;
using wavetwin::test::random_float;

namespace {

// v_div_scale twice, v_rcp, four fma, v_div_fmas, v_div_fixup.
uint32_t divide(uint32_t num, uint32_t den, int perturbation) {
  HostMode host;
  const Mode mode;
  bool ignored = false, flag = false;
  const uint32_t d = f32_div_scale(den, den, num, ignored, mode);
  const uint32_t n = f32_div_scale(num, den, num, flag, mode);
  const auto fma = [&](uint32_t a, uint32_t b, uint32_t c) {
    HostMode h;
    const uint32_t r = f32_fma(a, b, c, h);
    return h.retry ? f32_fma(a, b, c, mode) : r;
  };
  const uint32_t minus_d = d ^ 0x80000000u;
  const uint32_t r0 = f32_rcp(d) + static_cast<uint32_t>(perturbation);
  const uint32_t e0 = fma(minus_d, r0, 0x3f800000);
  const uint32_t r1 = fma(e0, r0, r0);
  const uint32_t q0 = soft::mul<F32Layout>(n, r1, FloatRules{});
  const uint32_t e1 = fma(minus_d, q0, n);
  const uint32_t q1 = fma(e1, r1, q0);
  const uint32_t e2 = fma(minus_d, q1, n);
  const uint32_t q = f32_div_fmas(e2, r1, q1, flag, mode);
  return f32_div_fixup(q, den, num, Mode{});
}

void check_pair(uint32_t num, uint32_t den, int perturbation) {
  const uint32_t got = divide(num, den, perturbation);
  const float want = f32_from_bits(num) / f32_from_bits(den);
  if (want != want) {
    CHECK_MESSAGE(soft::is_nan<F32Layout>(got), fmt::format("{:08x} / {:08x} got {:08x}", num, den, got));
  } else {
    CHECK_MESSAGE(got == f32_bits(want),
                  fmt::format("{:08x} / {:08x} got {:08x} want {:08x}", num, den, got, f32_bits(want)));
  }
}

void check_random_pairs(uint64_t seed, int pairs) {
  Random random(seed);
  const auto pool = interesting_floats(8, 23);
  const auto operand = [&] {
    const uint64_t any = random();
    switch (any % 4) {
      case 0:
        return static_cast<uint32_t>(pool[random.below(pool.size())]);
      case 1:
        return static_cast<uint32_t>(random_float(random, 8, 23));
      default:
        return static_cast<uint32_t>(random());
    }
  };
  for (int i = 0; i < pairs; ++i) {
    uint32_t num = operand();
    const uint32_t den = operand();
    // Quotients next to a tie: a multiple of the denominator, give or take one.
    if (random.below(4) == 0) {
      const uint32_t product = f32_bits(
          f32_from_bits(den) * f32_from_bits(0x3f800000 | static_cast<uint32_t>(random.below(1 << 23))));
      num = product + static_cast<uint32_t>(random.below(3)) - 1;
    }
    // A mantissa of all ones is the one denominator whose reciprocal must be right: one below it gives a
    // wrong quotient.
    const int perturbation = static_cast<int>(random.below(3)) - 1;
    check_pair(num, den, (den & 0x7fffff) == 0x7fffff ? 0 : perturbation);
  }
}

}  // namespace

TEST_CASE("division: interesting pairs are correctly rounded") {
  const auto pool = interesting_floats(8, 23);
  for (uint64_t a : pool)
    for (uint64_t b : pool) check_pair(static_cast<uint32_t>(a), static_cast<uint32_t>(b), 0);
}

TEST_CASE("division: a million random pairs are correctly rounded, with v_rcp off by one too") {
  check_random_pairs(7, 1000000);
}

// The rule's edges: exponent fields of denominator and numerator, what happens to each of them, and the flag.
TEST_CASE("v_div_scale: thresholds") {
  struct Edge {
    int de, ne, den_scale, num_scale;
    bool flag;
  };
  const Edge kEdges[] = {
      {127, 127, 0, 0, false},     {30, 126, 64, 0, true},  {30, 125, 0, 0, false},  // difference 96, 95
      {200, 104, 0, 64, true},     {200, 105, 0, 0, false},                          // difference -96, -95
      {253, 200, -64, -64, false}, {252, 200, 0, 0, false},                          // huge denominator
      {253, 157, -64, 0, true},                                                      // huge, and far below
      {60, 24, 64, 64, false},     {60, 25, 0, 0, false},                            // tiny numerator
      {0, 50, 64, 64, false},                                                        // subnormal denominator
  };
  const Mode mode;
  for (const Edge& e : kEdges) {
    const uint32_t den = static_cast<uint32_t>(e.de) << 23 | 1, num = static_cast<uint32_t>(e.ne) << 23 | 3;
    bool flag = !e.flag;
    const uint32_t d = f32_div_scale(den, den, num, flag, mode);
    CHECK_MESSAGE(d == soft::ldexp<F32Layout>(den, e.den_scale, FloatRules{}),
                  fmt::format("de {} ne {}", e.de, e.ne));
    CHECK_MESSAGE(flag == e.flag, fmt::format("de {} ne {}", e.de, e.ne));
    const uint32_t n = f32_div_scale(num, den, num, flag, mode);
    CHECK_MESSAGE(n == soft::ldexp<F32Layout>(num, e.num_scale, FloatRules{}),
                  fmt::format("de {} ne {}", e.de, e.ne));
  }
}

TEST_CASE("division: NaN and the invalid quotients") {
  CHECK(divide(0x7f800001, 0x3f800000, 0) == 0x7fc00001);
  CHECK(divide(0x3f800000, 0xff812345, 0) == 0xffc12345);
  CHECK(divide(0, 0, 0) == 0xffc00000);
  CHECK(divide(0x7f800000, 0xff800000, 0) == 0xffc00000);
  CHECK(divide(0xbf800000, 0, 0) == 0xff800000);
  CHECK(divide(0xbf800000, 0x7f800000, 0) == 0x80000000);
}

TEST_CASE("division helpers: the host path in the default MODE equals the general one") {
  Random random(12);
  const auto pool = interesting_floats(8, 23);
  const Mode mode;
  int kept = 0;
  for (int n = 0; n < 300000; ++n) {
    const auto operand = [&] {
      return static_cast<uint32_t>(random.below(3) ? random() : pool[random.below(pool.size())]);
    };
    const uint32_t den = operand(), num = operand(), c = operand();
    const uint32_t s0 = random.below(2) ? den : num;
    const auto same = [&](const char* what, uint32_t got, uint32_t want, const HostMode& host) {
      if (host.retry) return;
      ++kept;
      CHECK_MESSAGE(got == want, fmt::format("{} {:08x} {:08x} {:08x} got {:08x} want {:08x}", what, den, num,
                                             c, got, want));
    };
    HostMode scale, fmas, fixup;
    bool flag = true, general_flag = false;
    const uint32_t general = f32_div_scale(s0, den, num, general_flag, mode);
    const uint32_t host = f32_div_scale(s0, den, num, flag, scale);
    same("scale", host, general, scale);
    if (!scale.retry) CHECK(flag == general_flag);
    const bool scaled = random.below(2);
    const uint32_t fused = f32_div_fmas(s0, den, c, scaled, fmas);
    same("fmas", fused, f32_div_fmas(s0, den, c, scaled, mode), fmas);
    const uint32_t fixed = f32_div_fixup(c, den, num, fixup);
    same("fixup", fixed, f32_div_fixup(c, den, num, Mode{}), fixup);
  }
  CHECK(kept > 100000);
}

namespace {

// The f64 macro refines v_rcp_f64 twice.
uint64_t divide(uint64_t num, uint64_t den) {
  const Mode mode;
  bool ignored = false, flag = false;
  const uint64_t d = f64_div_scale(den, den, num, ignored, mode);
  const uint64_t n = f64_div_scale(num, den, num, flag, mode);
  const auto fma = [&](uint64_t a, uint64_t b, uint64_t c) { return f64_fma(a, b, c, mode); };
  const uint64_t minus_d = d ^ F64Layout::kSign;
  uint64_t r = f64_rcp(d, mode);
  for (int i = 0; i < 2; ++i) r = fma(fma(minus_d, r, F64Layout::kOne), r, r);
  const uint64_t q = f64_mul(n, r, mode);
  return f64_div_fixup(f64_div_fmas(fma(minus_d, q, n), r, q, flag, mode), den, num, mode);
}

}  // namespace

TEST_CASE("division: f64 pairs are correctly rounded") {
  Random random(11);
  const auto pool = interesting_floats(11, 52);
  for (int i = 0; i < 100000; ++i) {
    const auto operand = [&] {
      return random.below(3) == 0 ? pool[random.below(pool.size())]
             : random.below(2)    ? random_float(random, 11, 52)
                                  : random();
    };
    const uint64_t num = operand(), den = operand();
    const uint64_t got = divide(num, den);
    const double want = f64_from_bits(num) / f64_from_bits(den);
    const bool same = want != want ? soft::is_nan<F64Layout>(got) : got == f64_bits(want);
    CHECK_MESSAGE(same,
                  fmt::format("{:016x} / {:016x} got {:016x} want {:016x}", num, den, got, f64_bits(want)));
  }
}

TEST_SUITE("slow") {
  TEST_CASE("division: 40 million random pairs are correctly rounded") { check_random_pairs(8, 40000000); }
  TEST_CASE("division: all reciprocals of one binade") {
    for (uint32_t m = 0; m < 1u << 23; ++m) check_pair(0x3f800000, 0x3f800000 | m, 0);
  }
}
