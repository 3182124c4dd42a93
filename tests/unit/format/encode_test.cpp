// SPDX-License-Identifier: MIT
// Encoding: round trips of every code, TestFloat-like operands, ties and their neighbours, overflow, NaN.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "tests/unit/format/operands.h"
#include "tests/unit/format/typed_formats.h"

namespace wavetwin {
namespace {

constexpr Overflow kOverflows[] = {Overflow::saturate, Overflow::ieee};

// Compares with the oracle; a NaN code matches any NaN code of the same sign.
template <class F>
void check_encode(double value, F got, Overflow overflow, uint64_t input_bits) {
  const reference::Format& oracle = oracle_of(F{});
  const uint32_t want = reference::encode(oracle, value, overflow == Overflow::saturate);
  const bool same_nan = reference::is_nan_code(oracle, want) && reference::is_nan_code(oracle, got.bits) &&
                        ((want ^ got.bits) & oracle.sign) == 0;
  if (got.bits == want || same_nan) return;
  FAIL_CHECK(fmt::format("{} of {:#x} ({}), {}: {:#x} wanted {:#x}", oracle.name, input_bits, value,
                         overflow == Overflow::saturate ? "saturate" : "ieee", got.bits, want));
}

template <class F>
void check_encode_f32(uint32_t word) {
  const float value = std::bit_cast<float>(word);
  for (Overflow overflow : kOverflows) check_encode<F>(value, encode<F>(value, overflow), overflow, word);
}

TEST_CASE_TEMPLATE("format: encode gives back every code that decode reads", F, WAVETWIN_ENCODED_FORMATS) {
  const reference::Format& oracle = oracle_of(F{});
  for (Overflow overflow : kOverflows) {
    for (uint32_t bits = 0; bits < 2 * oracle.sign; ++bits) {
      const bool is_nan = reference::is_nan_code(oracle, bits);
      const bool is_infinity = std::isinf(reference::decode(oracle, bits));
      if (is_nan || (is_infinity && overflow == Overflow::saturate)) continue;
      const uint32_t got = encode<F>(decode(code_of<F>(bits)), overflow).bits;
      CHECK_MESSAGE(got == bits, fmt::format("{} code {:#x} came back as {:#x}", oracle.name, bits, got));
    }
  }
}

TEST_CASE_TEMPLATE("format: encode rounds every exponent and significand pattern as the oracle does", F,
                   WAVETWIN_ENCODED_FORMATS) {
  for (uint32_t word : interesting_f32()) check_encode_f32<F>(word);
}

TEST_CASE_TEMPLATE("format: encode rounds ties to even and their neighbours away from them", F,
                   WAVETWIN_ENCODED_FORMATS) {
  for (uint32_t word : rounding_boundaries(oracle_of(F{}))) check_encode_f32<F>(word);
}

TEST_CASE_TEMPLATE("format: encode rounds random f32 as the oracle does", F, WAVETWIN_ENCODED_FORMATS) {
  std::mt19937_64 random(test_seed());
  for (int i = 0; i < 200000; ++i) check_encode_f32<F>(static_cast<uint32_t>(random()));
}

// An f64 just off a tie is a tie once it is rounded to f32, so two roundings would go the wrong way.
TEST_CASE_TEMPLATE("format: encode rounds f64 once", F, WAVETWIN_ENCODED_FORMATS) {
  for (uint32_t word : rounding_boundaries(oracle_of(F{}))) {
    const double value = std::bit_cast<float>(word);
    for (double near : {std::nextafter(value, -1e300), value, std::nextafter(value, 1e300)}) {
      for (Overflow overflow : kOverflows) {
        check_encode<F>(near, encode<F>(near, overflow), overflow, std::bit_cast<uint64_t>(near));
      }
    }
  }
  std::mt19937_64 random(test_seed());
  for (int i = 0; i < 100000; ++i) {
    // Exponents -200 .. 199 around 1, every significand.
    const uint64_t word = (random() & 0x800FFFFFFFFFFFFFu) | (823 + random() % 400) << 52;
    const double value = std::bit_cast<double>(word);
    for (Overflow overflow : kOverflows) check_encode<F>(value, encode<F>(value, overflow), overflow, word);
  }
}

// Scaling on the way must round once: compare with the scaled value in f64, where it is exact.
TEST_CASE_TEMPLATE("format: encode of a scaled value rounds once", F, WAVETWIN_ENCODED_FORMATS) {
  std::mt19937_64 random(test_seed());
  for (int i = 0; i < 100000; ++i) {
    const auto word = static_cast<uint32_t>(random());
    const int shift = static_cast<int>(random() % 255) - 127;
    const float value = std::bit_cast<float>(word);
    if (!std::isfinite(value)) continue;
    Unpacked scaled = unpack(value);
    if (scaled.kind == NumberClass::finite) scaled.exponent += shift;
    for (Overflow overflow : kOverflows) {
      check_encode<F>(std::ldexp(static_cast<double>(value), shift), encode<F>(scaled, overflow), overflow,
                      word);
    }
  }
}

TEST_CASE("format: e4m3 without saturation, known answers around the largest value") {
  CHECK(encode<E4M3>(448.0f, Overflow::ieee).bits == 0x7E);
  CHECK(encode<E4M3>(464.0f, Overflow::ieee).bits == 0x7E);
  CHECK(encode<E4M3>(std::nextafter(464.0f, 1e9f), Overflow::ieee).bits == 0x7F);
  CHECK(encode<E4M3>(465.0f, Overflow::ieee).bits == 0x7F);
  CHECK(encode<E4M3>(-465.0f, Overflow::ieee).bits == 0xFF);
  CHECK(encode<E4M3>(465.0f, Overflow::saturate).bits == 0x7E);
  CHECK(encode<E4M3>(-1e38f, Overflow::saturate).bits == 0xFE);
}

TEST_CASE("format: e5m2 goes to infinity from the tie 61440 on") {
  CHECK(encode<E5M2>(std::nextafter(61440.0f, 0.0f), Overflow::ieee).bits == 0x7B);
  CHECK(encode<E5M2>(61440.0f, Overflow::ieee).bits == 0x7C);
  CHECK(encode<E5M2>(-61440.0f, Overflow::ieee).bits == 0xFC);
  CHECK(encode<E5M2>(61440.0f, Overflow::saturate).bits == 0x7B);
}

TEST_CASE("format: e2m1 rounds its ties to the even code") {
  const float ties_down[] = {0.25f, 1.25f, 2.5f, 5.0f};
  const float even_below[] = {0.0f, 1.0f, 2.0f, 4.0f};
  const float ties_up[] = {0.75f, 1.75f, 3.5f};
  const float even_above[] = {1.0f, 2.0f, 4.0f};
  for (int i = 0; i < 4; ++i) {
    CHECK(decode(encode<E2M1>(ties_down[i], Overflow::ieee)) == even_below[i]);
    CHECK(decode(encode<E2M1>(-ties_down[i], Overflow::ieee)) == -even_below[i]);
  }
  for (int i = 0; i < 3; ++i) CHECK(decode(encode<E2M1>(ties_up[i], Overflow::ieee)) == even_above[i]);
}

TEST_CASE("format: infinite inputs follow the overflow table") {
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK(encode<E4M3>(infinity, Overflow::ieee).bits == 0x7F);
  CHECK(encode<E4M3>(-infinity, Overflow::ieee).bits == 0xFF);
  CHECK(encode<E4M3>(-infinity, Overflow::saturate).bits == 0xFE);
  CHECK(encode<E5M2>(-infinity, Overflow::ieee).bits == 0xFC);
  CHECK(encode<E5M2>(infinity, Overflow::saturate).bits == 0x7B);
  CHECK(encode<F16>(infinity, Overflow::saturate).bits == 0x7C00);
  CHECK(encode<F16>(65520.0f, Overflow::saturate).bits == 0x7BFF);
  CHECK(encode<F16>(65520.0f, Overflow::ieee).bits == 0x7C00);
  CHECK(encode<BF16>(-infinity, Overflow::saturate).bits == 0xFF80);
  CHECK(encode<BF16>(std::numeric_limits<float>::max(), Overflow::saturate).bits == 0x7F7F);
  CHECK(encode<E2M1>(-infinity, Overflow::ieee).bits == 0xF);
  CHECK(encode<E3M2>(infinity, Overflow::ieee).bits == 0x1F);
  CHECK(encode<E2M3>(-infinity, Overflow::ieee).bits == 0x3F);
}

TEST_CASE("format: NaN keeps its sign and takes the stated code") {
  const float nan = std::bit_cast<float>(0x7FC00000u);
  const float negative_signalling = std::bit_cast<float>(0xFF812345u);
  for (Overflow overflow : kOverflows) {
    CHECK(encode<E4M3>(nan, overflow).bits == 0x7F);
    CHECK(encode<E4M3>(negative_signalling, overflow).bits == 0xFF);
    CHECK(encode<E5M2>(nan, overflow).bits == 0x7F);
    CHECK(encode<E5M2>(negative_signalling, overflow).bits == 0xFF);
    CHECK(encode<E2M1>(negative_signalling, overflow).bits == 0xF);
    CHECK(encode<E2M3>(nan, overflow).bits == 0x1F);
    CHECK(encode<E3M2>(nan, overflow).bits == 0x1F);
    CHECK(encode<F16>(nan, overflow).bits == 0x7E00);
    CHECK(encode<F16>(negative_signalling, overflow).bits == (0xFE00 | 0x12345 >> 13));
    CHECK(encode<BF16>(nan, overflow).bits == 0x7FC0);
    CHECK(encode<BF16>(std::bit_cast<float>(0x7F800001u), overflow).bits == 0x7FC0);
  }
}

TEST_CASE("format: encode works in constant expressions") {
  static_assert(encode<E4M3>(1.0f, Overflow::ieee).bits == 0x38);
  static_assert(encode<BF16>(1.0, Overflow::ieee) == BF16{0x3F80});
  static_assert(decode(E5M2{0x3C}) == 1.0f);
  CHECK(encode<F16>(1.0f, Overflow::ieee).bits == 0x3C00);
}

}  // namespace
}  // namespace wavetwin
