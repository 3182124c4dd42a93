// SPDX-License-Identifier: MIT
// Statements of the conversion rules that a table of random operands would not show; every v_cvt row is
// compared with the oracle in tests/isa/valu.
#include "sim/numerics/convert.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/isa/valu/operands.h"
#include "tests/oracle/isa/ieee.h"

using namespace wavetwin;
using wavetwin::test::Random;
namespace ref = wavetwin::reference;

namespace {

const Mode kDefault;
Mode with_overflow_clamp() {
  Mode m;
  m.fp16_ovfl = true;
  return m;
}

}  // namespace

TEST_CASE("v_cvt_pk_fp8_f32: overflow as the guide's table says") {
  const Mode ovfl = with_overflow_clamp();
  const auto fp8 = [](uint32_t x, const Mode& m) { return f32_to_small<E4M3>(x, m); };
  const auto bf8 = [](uint32_t x, const Mode& m) { return f32_to_small<E5M2>(x, m); };
  CHECK(fp8(0x43e00000, kDefault) == 0x7e);  // 448
  CHECK(fp8(0x43e80000, kDefault) == 0x7e);  // 464, the tie
  CHECK(fp8(0x43e80001, kDefault) == 0x7f);
  CHECK(fp8(0x43e80001, ovfl) == 0x7e);
  CHECK(fp8(0x7f800000, kDefault) == 0x7f);
  CHECK(fp8(0xff800000, ovfl) == 0xfe);
  CHECK(fp8(0xffc00000, ovfl) == 0xff);
  CHECK(bf8(0x47600000, kDefault) == 0x7b);  // 57344
  CHECK(bf8(0x476fffff, kDefault) == 0x7b);  // below 61440
  CHECK(bf8(0x47700000, kDefault) == 0x7c);
  CHECK(bf8(0x47700000, ovfl) == 0x7b);
  CHECK(bf8(0x7f800000, kDefault) == 0x7c);
  CHECK(bf8(0xff800000, ovfl) == 0xfb);
  CHECK(bf8(0x7f800001, ovfl) == 0x7f);
}

TEST_CASE("v_cvt_f16_f32: FP16_OVFL spares a true infinity") {
  const Mode ovfl = with_overflow_clamp();
  CHECK(f32_to_f16(0x47800000, kDefault) == 0x7c00);  // 65536
  CHECK(f32_to_f16(0x47800000, ovfl) == 0x7bff);
  CHECK(f32_to_f16(0x7f800000, ovfl) == 0x7c00);
  CHECK(f32_to_f16_rounded(0x47800000, Round::zero, kDefault) == 0x7bff);
  CHECK(f32_to_f16(0x7f812000, kDefault) == 0x7e09);  // quiet, top of the payload
}

TEST_CASE("v_cvt_sr_fp8_f32: a zero seed truncates, a full seed rounds up") {
  const auto sr = [](uint32_t x, uint32_t seed) {
    return small_stochastic<E4M3>(source_f32(x, kDefault), seed, kDefault);
  };
  CHECK(sr(0x3f8fffff, 0) == 0x38);           // just below 1.125: down to 1
  CHECK(sr(0x3f8fffff, 0xffffffff) == 0x39);  // up to 1.125
  CHECK(sr(0x3f800000, 0xffffffff) == 0x38);  // exact stays
  CHECK(sr(0x3f880000, 0x7ff00000) == 0x38);  // 1.0625 needs half of the range
  CHECK(sr(0x3f880000, 0x80000000) == 0x39);
  CHECK(sr(0x3b000000, 0) == 0x01);  // the smallest subnormal
  CHECK(sr(0x3a800000, 0x7fffffff) == 0x00);
  CHECK(sr(0x3a800000, 0x80000000) == 0x01);
}

// The share of seeds that round up is the discarded fraction.
TEST_CASE("v_cvt_sr_fp8_f32: the probability of rounding up is the fraction") {
  for (uint32_t discarded : {1u, 0x40000u, 0x80000u, 0xfffffu}) {
    const uint32_t x = 0x3f800000 | discarded;
    uint32_t up = 0;
    for (uint32_t seed = 0; seed < 1u << 20; ++seed) {
      up += small_stochastic<E4M3>(source_f32(x, kDefault), seed << 12, kDefault) == 0x39;
    }
    CHECK(up == discarded);
  }
}

TEST_CASE("v_cvt_scalef32: only the exponent field of the scale counts") {
  const auto f32 = [](uint32_t code, uint32_t scale) { return scaled_to_f32<E4M3>(code, scale, kDefault); };
  CHECK(f32(0x38, 0x3f800000) == 0x3f800000);
  CHECK(f32(0x38, 0xbfffffff) == 0x3f800000);  // sign and mantissa ignored
  CHECK(f32(0x38, 0x00000000) == 0x00400000);  // 2^-127, a subnormal result
  CHECK(f32(0x38, 0x007fffff) == 0x00400000);
  CHECK(f32(0x38, 0x7f800000) == 0x7fc00000);  // code 255 is NaN
  CHECK(f32(0x7e, 0x7f000000) == 0x7f800000);  // 448 * 2^127 overflows
  CHECK(scaled_to_small<E4M3>(source_f32(0x43e00000, kDefault), 0x40000000, kDefault) == 0x76);  // 448 / 2
  CHECK(scaled_to_small<E4M3>(source_f32(0x44600000, kDefault), 0x3f800000, kDefault) ==
        0x7f);  // 896: overflow is NaN
  CHECK(scaled_to_small<E2M1>(source_f32(0x44600000, kDefault), 0x3f800000, kDefault) ==
        0x7);  // always saturates
  // One rounding: 2^-9 * (1 + 2^-23) / 2 lies above the tie, though its f32 product would be the tie.
  CHECK(scaled_to_small<E4M3>(source_f32(0x3b000001, kDefault), 0x40000000, kDefault) == 0x01);
  CHECK(scaled_to_small<E4M3>(source_f32(0x3b000000, kDefault), 0x40000000, kDefault) == 0x00);
}

TEST_CASE("conversions to integers saturate, and NaN is 0") {
  CHECK(f32_to_i32(0x7fc00000, kDefault) == 0);
  CHECK(f32_to_i32(0x4f000000, kDefault) == INT32_MAX);
  CHECK(f32_to_i32(0xcf000000, kDefault) == INT32_MIN);
  CHECK(f32_to_i32(0xcf000001, kDefault) == INT32_MIN);
  CHECK(f32_to_u32(0xbf7fffff, kDefault) == 0);
  CHECK(f32_to_u32(0x4f800000, kDefault) == UINT32_MAX);
  CHECK(f32_to_u32(0x4f7fffff, kDefault) == 0xffffff00u);
}

TEST_CASE("host conversions in the default MODE equal the general ones") {
  Random random(3);
  const auto pool = wavetwin::test::interesting_floats(8, 23);
  for (int n = 0; n < 300000; ++n) {
    const uint32_t x = random.below(3) ? static_cast<uint32_t>(random() % (1ull << 32))
                                       : static_cast<uint32_t>(pool[random.below(pool.size())]);
    const uint32_t near =
        0x4b000000u + static_cast<uint32_t>(random.below(0x08000000));  // up to 2^32 and beyond
    for (uint32_t y : {x, near, near | 0x80000000u}) {
      HostMode host;
      CHECK_MESSAGE(f32_to_i32(y, host) == f32_to_i32(y, kDefault), fmt::format("{:08x}", y));
      CHECK_MESSAGE(f32_to_u32(y, host) == f32_to_u32(y, kDefault), fmt::format("{:08x}", y));
      HostMode bf16;
      const uint16_t b = f32_to_bf16(y, bf16);
      if (!bf16.retry) CHECK_MESSAGE(b == f32_to_bf16(y, kDefault), fmt::format("{:08x}", y));
    }
    const uint32_t scale =
        static_cast<uint32_t>(random.below(256)) << 23 | static_cast<uint32_t>(random.below(1 << 23));
    const auto same = [&](const char* what, auto host_function, uint32_t general) {
      HostMode h;
      const uint32_t got = host_function(h);
      if (!h.retry)
        CHECK_MESSAGE(got == general,
                      fmt::format("{} {:08x} scale {:08x} got {:x} want {:x}", what, x, scale, got, general));
    };
    same(
        "fp8", [&](HostMode& h) { return f32_to_small<E4M3>(x, h); }, f32_to_small<E4M3>(x, kDefault));
    same(
        "bf8", [&](HostMode& h) { return f32_to_small<E5M2>(x, h); }, f32_to_small<E5M2>(x, kDefault));
    same(
        "scaled fp8", [&](HostMode& h) { return scaled_to_small<E4M3>(x, scale, h); },
        scaled_to_small<E4M3>(x, scale, kDefault));
    same(
        "scaled bf8", [&](HostMode& h) { return scaled_to_small<E5M2>(x, scale, h); },
        scaled_to_small<E5M2>(x, scale, kDefault));
    same(
        "f16", [&](HostMode& h) { return f32_to_f16(x, h); }, f32_to_f16(x, kDefault));
    HostMode host;
    CHECK_MESSAGE(i32_to_f32(static_cast<int32_t>(x), host) == i32_to_f32(static_cast<int32_t>(x), kDefault),
                  fmt::format("{:08x}", x));
    CHECK_MESSAGE(u32_to_f32(x, host) == u32_to_f32(x, kDefault), fmt::format("{:08x}", x));
  }
}

TEST_CASE("host conversions from small formats equal the general ones for every code and scale") {
  const auto check = [](const char* what, HostMode& h, uint32_t got, uint32_t general, uint32_t code,
                        uint32_t scale) {
    if (!h.retry)
      CHECK_MESSAGE(got == general,
                    fmt::format("{} {:x} scale {:08x} got {:x} want {:x}", what, code, scale, got, general));
  };
  const auto all = [&]<class F>(F, const char* what) {
    for (uint32_t code = 0; code < 1u << F::kFormat.bits(); ++code) {
      for (uint32_t scale = 0; scale < 256; ++scale) {
        HostMode f32, f16, bf16;
        const uint32_t s = scale << 23;
        const uint32_t as_f32 = scaled_to_f32<F>(code, s, f32);
        check(what, f32, as_f32, scaled_to_f32<F>(code, s, kDefault), code, s);
        const uint32_t as_f16 = scaled_to_f16<F>(code, s, f16);
        check(what, f16, as_f16, scaled_to_f16<F>(code, s, kDefault), code, s);
        const uint32_t as_bf16 = scaled_to_bf16<F>(code, s, bf16);
        check(what, bf16, as_bf16, scaled_to_bf16<F>(code, s, kDefault), code, s);
      }
    }
  };
  all(E4M3{}, "fp8");
  all(E5M2{}, "bf8");
  all(E2M1{}, "fp4");
  for (uint32_t x = 0; x < 0x10000; ++x) {
    HostMode h;
    const uint32_t got = f16_to_f32(static_cast<uint16_t>(x), h);
    check("f16", h, got, f16_to_f32(static_cast<uint16_t>(x), kDefault), x, 0);
  }
}

TEST_SUITE("slow") {
  TEST_CASE("every f32: host conversions equal the general ones") {
    for (uint64_t i = 0; i < 1ull << 32; ++i) {
      const uint32_t x = static_cast<uint32_t>(i);
      HostMode host;
      if (f32_to_i32(x, host) != f32_to_i32(x, kDefault)) FAIL_CHECK(fmt::format("i32 {:08x}", x));
      if (f32_to_u32(x, host) != f32_to_u32(x, kDefault)) FAIL_CHECK(fmt::format("u32 {:08x}", x));
      HostMode fp8, bf8, half;
      const uint32_t codes[3] = {f32_to_small<E4M3>(x, fp8), f32_to_small<E5M2>(x, bf8), f32_to_f16(x, half)};
      if (!fp8.retry && codes[0] != f32_to_small<E4M3>(x, kDefault)) FAIL_CHECK(fmt::format("fp8 {:08x}", x));
      if (!bf8.retry && codes[1] != f32_to_small<E5M2>(x, kDefault)) FAIL_CHECK(fmt::format("bf8 {:08x}", x));
      if (!half.retry && codes[2] != f32_to_f16(x, kDefault)) FAIL_CHECK(fmt::format("f16 {:08x}", x));
      if (u32_to_f32(x, host) != u32_to_f32(x, kDefault)) FAIL_CHECK(fmt::format("from u32 {:08x}", x));
    }
  }
}
