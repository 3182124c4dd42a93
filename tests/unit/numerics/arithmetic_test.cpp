// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "sim/numerics/f16.h"
#include "sim/numerics/f32.h"
#include "sim/numerics/f64.h"
#include "tests/isa/valu/operands.h"
#include "tests/oracle/isa/ieee.h"

using namespace wavetwin;
using wavetwin::test::interesting_floats;
using wavetwin::test::Random;
using wavetwin::test::random_float;
namespace ref = wavetwin::reference;

namespace {

constexpr uint64_t kSeed = 0x5ca1ab1e;

template <class L>
struct Traits;
template <>
struct Traits<F16Layout> {
  static constexpr ref::Spec kSpec = ref::kHalf;
  static FloatRules rules(const Mode& m) { return m.f16(); }
};
template <>
struct Traits<F32Layout> {
  static constexpr ref::Spec kSpec = ref::kSingle;
  static FloatRules rules(const Mode& m) { return m.f32(); }
};
template <>
struct Traits<F64Layout> {
  static constexpr ref::Spec kSpec = ref::kDouble;
  static FloatRules rules(const Mode& m) { return m.f64(); }
};

// All rounding modes, all four subnormal settings, IEEE on and off, FP16_OVFL on and off.
std::vector<uint32_t> all_modes(bool with_overflow) {
  std::vector<uint32_t> modes;
  for (uint32_t round = 0; round < 4; ++round)
    for (uint32_t denorm = 0; denorm < 4; ++denorm)
      for (uint32_t ieee = 0; ieee < 2; ++ieee)
        for (uint32_t overflow = 0; overflow < (with_overflow ? 2u : 1u); ++overflow)
          modes.push_back(round | round << 2 | denorm << 4 | denorm << 6 | ieee << 9 | overflow << 23);
  return modes;
}

template <class L>
void compare_with_exact_numbers(int operand_pairs) {
  using B = typename L::Bits;
  constexpr ref::Spec s = Traits<L>::kSpec;
  const auto pool = interesting_floats(s.exponent_bits, s.fraction_bits);
  Random random(kSeed);
  const auto operand = [&] {
    return static_cast<B>(random.below(2) ? pool[random.below(pool.size())]
                                          : random_float(random, s.exponent_bits, s.fraction_bits));
  };
  const auto modes = all_modes(s.fraction_bits == 10);
  for (int n = 0; n < operand_pairs; ++n) {
    const uint32_t bits = modes[n % modes.size()];
    const Mode mode = Mode::from_register(bits);
    const FloatRules rules = Traits<L>::rules(mode);
    const ref::ModeBits m{bits};
    const B a = operand(), b = operand(), c = operand();
    const auto expect = [&](const char* what, B got, uint64_t want) {
      CHECK_MESSAGE(got == want, fmt::format("{} mode {:#x} a {:x} b {:x} c {:x} got {:x} want {:x}", what,
                                             bits, a, b, c, got, want));
    };
    expect("add", soft::add<L>(a, b, rules), ref::add(s, a, b, m));
    expect("mul", soft::mul<L>(a, b, rules), ref::mul(s, a, b, m));
    expect("fma", soft::fma<L>(a, b, c, rules), ref::fma(s, a, b, c, 0, m));
    expect("min", soft::min<L>(a, b, rules), ref::min_or_max(s, a, b, false, m));
    expect("max", soft::max<L>(a, b, rules), ref::min_or_max(s, a, b, true, m));
    // Cancellation: c close to -(a * b).
    const B product = soft::mul<L>(a, b, FloatRules{});
    const B near = static_cast<B>((product ^ L::kSign) + (random.below(3) - 1));
    expect("fma that cancels", soft::fma<L>(a, b, near, rules), ref::fma(s, a, b, near, 0, m));
    const B shifted = static_cast<B>(a ^ L::kSign ^ random.below(4));
    expect("add that cancels", soft::add<L>(a, shifted, rules), ref::add(s, a, shifted, m));
  }
}

// All pairs of the interesting operands in one MODE.
template <class L>
void compare_all_pairs(uint32_t bits) {
  using B = typename L::Bits;
  constexpr ref::Spec s = Traits<L>::kSpec;
  const FloatRules rules = Traits<L>::rules(Mode::from_register(bits));
  for (uint64_t a : interesting_floats(s.exponent_bits, s.fraction_bits)) {
    for (uint64_t b : interesting_floats(s.exponent_bits, s.fraction_bits)) {
      const uint64_t sum = soft::add<L>(static_cast<B>(a), static_cast<B>(b), rules);
      CHECK_MESSAGE(sum == ref::add(s, a, b, {bits}),
                    fmt::format("{:x} + {:x} mode {:#x} got {:x}", a, b, bits, sum));
      const uint64_t product = soft::mul<L>(static_cast<B>(a), static_cast<B>(b), rules);
      CHECK_MESSAGE(product == ref::mul(s, a, b, {bits}),
                    fmt::format("{:x} * {:x} mode {:#x} got {:x}", a, b, bits, product));
    }
  }
}

}  // namespace

TEST_CASE("mode: the register's fields come back") {
  for (uint32_t bits = 0; bits < 1024; ++bits) {
    CHECK(Mode::from_register(bits).to_register() == bits);
    CHECK(Mode::from_register(bits | 0x800000).to_register() == (bits | 0x800000));
  }
  CHECK(Mode::from_register(Mode::kDefaultRegister) == Mode{});
}

TEST_CASE("f16: arithmetic equals exact numbers in every MODE") {
  compare_with_exact_numbers<F16Layout>(60000);
}
TEST_CASE("f32: arithmetic equals exact numbers in every MODE") {
  compare_with_exact_numbers<F32Layout>(60000);
}
TEST_CASE("f64: arithmetic equals exact numbers in every MODE") {
  compare_with_exact_numbers<F64Layout>(30000);
}
TEST_CASE("f32: all pairs of interesting operands") {
  for (uint32_t bits : {0x3f0u, 0x30fu}) compare_all_pairs<F32Layout>(bits);
}
TEST_CASE("f16: all pairs of interesting operands") {
  for (uint32_t bits : {0x3f0u, 0x80030fu}) compare_all_pairs<F16Layout>(bits);
}

TEST_CASE("f32: known NaN and overflow results") {
  const Mode mode;
  CHECK(f32_add(0x7f800000, 0xff800000, mode) == 0xffc00000);  // inf - inf
  CHECK(f32_mul(0x7f800000, 0x00000000, mode) == 0xffc00000);
  CHECK(f32_add(0x7f800001, 0xff800002, mode) == 0x7fc00001);     // the first NaN, made quiet
  CHECK(f32_fma(0x7f800000, 0, 0x7fc12345, mode) == 0xffc00000);  // an invalid product comes before src2
  CHECK(f32_fma(0x3f800000, 0x3f800000, 0xff812345, mode) == 0xffc12345);
  Mode legacy;
  legacy.ieee = false;
  CHECK(f32_add(0x7f800001, 0, legacy) == 0x7f800001);
  Mode toward_zero;
  toward_zero.round_f32 = Round::zero;
  CHECK(f32_add(0x7f7fffff, 0x7f7fffff, toward_zero) == 0x7f7fffff);
}

// The host path may decline (retry), but what it does not decline must be the general function's bits.
TEST_CASE("f32: host arithmetic in the default MODE equals the general functions") {
  Random random(kSeed + 1);
  const auto pool = interesting_floats(8, 23);
  const Mode mode;
  const auto operand = [&] {
    return static_cast<uint32_t>(random.below(2) ? pool[random.below(pool.size())]
                                                 : random_float(random, 8, 23));
  };
  int declined = 0, kept = 0;
  for (int n = 0; n < 300000; ++n) {
    const uint32_t a = operand(), b = operand(), c = operand();
    const auto expect = [&](const char* what, auto host_function, uint32_t general) {
      HostMode host;
      const uint32_t got = host_function(host);
      if (host.retry) {
        ++declined;
        return;
      }
      ++kept;
      CHECK_MESSAGE(got == general, fmt::format("{} {:08x} {:08x} {:08x} got {:08x} want {:08x}", what, a, b,
                                                c, got, general));
    };
    expect(
        "add", [&](HostMode& h) { return f32_add(a, b, h); }, f32_add(a, b, mode));
    expect(
        "sub", [&](HostMode& h) { return f32_sub(a, b, h); }, f32_sub(a, b, mode));
    expect(
        "mul", [&](HostMode& h) { return f32_mul(a, b, h); }, f32_mul(a, b, mode));
    expect(
        "fma", [&](HostMode& h) { return f32_fma(a, b, c, h); }, f32_fma(a, b, c, mode));
    expect(
        "min", [&](HostMode& h) { return f32_min(a, b, h); }, f32_min(a, b, mode));
    expect(
        "max", [&](HostMode& h) { return f32_max(a, b, h); }, f32_max(a, b, mode));
    expect(
        "med3", [&](HostMode& h) { return f32_med3(a, b, c, h); }, f32_med3(a, b, c, mode));
    expect(
        "minimum3", [&](HostMode& h) { return f32_minimum3(a, b, c, h); }, f32_minimum3(a, b, c, mode));
    expect(
        "maximum3", [&](HostMode& h) { return f32_maximum3(a, b, c, h); }, f32_maximum3(a, b, c, mode));
    expect(
        "trunc", [&](HostMode& h) { return f32_trunc(a, h); }, f32_trunc(a, mode));
    expect(
        "ceil", [&](HostMode& h) { return f32_ceil(a, h); }, f32_ceil(a, mode));
    expect(
        "floor", [&](HostMode& h) { return f32_floor(a, h); }, f32_floor(a, mode));
    expect(
        "rndne", [&](HostMode& h) { return f32_rndne(a, h); }, f32_rndne(a, mode));
    expect(
        "less", [&](HostMode& h) { return uint32_t{f32_less(a, b, h)}; }, f32_less(a, b, mode));
    expect(
        "equal", [&](HostMode& h) { return uint32_t{f32_equal(a, b, h)}; }, f32_equal(a, b, mode));
  }
  CHECK(declined > 0);
  CHECK(kept > 10 * declined);
}

TEST_CASE("f64: host arithmetic in the default MODE equals the general functions") {
  Random random(kSeed + 2);
  const auto pool = interesting_floats(11, 52);
  const Mode mode;
  const auto operand = [&] {
    return random.below(2) ? pool[random.below(pool.size())] : random_float(random, 11, 52);
  };
  for (int n = 0; n < 200000; ++n) {
    const uint64_t a = operand(), b = operand(), c = operand();
    const auto expect = [&](const char* what, auto host_function, uint64_t general) {
      HostMode host;
      const uint64_t got = host_function(host);
      if (!host.retry) {
        CHECK_MESSAGE(got == general,
                      fmt::format("{} {:x} {:x} {:x} got {:x} want {:x}", what, a, b, c, got, general));
      }
    };
    expect(
        "add", [&](HostMode& h) { return f64_add(a, b, h); }, f64_add(a, b, mode));
    expect(
        "mul", [&](HostMode& h) { return f64_mul(a, b, h); }, f64_mul(a, b, mode));
    expect(
        "fma", [&](HostMode& h) { return f64_fma(a, b, c, h); }, f64_fma(a, b, c, mode));
  }
}

TEST_SUITE("slow") {
  TEST_CASE("f16: millions of operands in every MODE") { compare_with_exact_numbers<F16Layout>(3000000); }
  TEST_CASE("f32: millions of operands in every MODE") { compare_with_exact_numbers<F32Layout>(3000000); }
  TEST_CASE("f64: millions of operands in every MODE") { compare_with_exact_numbers<F64Layout>(1000000); }
}
