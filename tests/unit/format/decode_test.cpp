// SPDX-License-Identifier: MIT
// Decoding, on every code of every format.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "tests/unit/format/typed_formats.h"

namespace wavetwin {
namespace {

bool same_value(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b);
}

TEST_CASE_TEMPLATE("format: decode gives the table's value for every code", F, WAVETWIN_ALL_FORMATS) {
  const reference::Format& oracle = oracle_of(F{});
  CHECK(F::kFormat.bits() == static_cast<unsigned>(oracle.bits));
  CHECK(F::kFormat.max_finite_magnitude() == oracle.max_finite());
  for (uint32_t bits = 0; bits < 2 * oracle.sign; ++bits) {
    const double want = reference::decode(oracle, bits);
    const double got = decode(code_of<F>(bits));
    CHECK_MESSAGE(same_value(got, want),
                  fmt::format("{} code {:#x}: {} wanted {}", oracle.name, bits, got, want));
  }
}

TEST_CASE_TEMPLATE("format: decode grows with the magnitude code", F, WAVETWIN_ALL_FORMATS) {
  for (uint32_t bits = 1; bits <= F::kFormat.max_finite_magnitude(); ++bits) {
    CHECK_MESSAGE(decode(code_of<F>(bits - 1)) < decode(code_of<F>(bits)), fmt::format("code {:#x}", bits));
  }
}

TEST_CASE("format: 8-bit NaN codes decode to the canonical NaN with the code's sign") {
  CHECK(f32_bits(decode(E4M3{0x7F})) == 0x7FC00000u);
  CHECK(f32_bits(decode(E4M3{0xFF})) == 0xFFC00000u);
  for (uint8_t code : {0x7D, 0x7E, 0x7F}) {
    CHECK(f32_bits(decode(E5M2{code})) == 0x7FC00000u);
    CHECK(f32_bits(decode(E5M2{static_cast<uint8_t>(code | 0x80)})) == 0xFFC00000u);
  }
  CHECK(f32_bits(decode(E5M2{0x7C})) == 0x7F800000u);
  CHECK(f32_bits(decode(E5M2{0xFC})) == 0xFF800000u);
  CHECK(f32_bits(decode(E4M3FNUZ{0x80})) == 0x7FC00000u);
  CHECK(f32_bits(decode(E5M2FNUZ{0x80})) == 0x7FC00000u);
}

TEST_CASE("format: bf16 decodes by shifting, payload and signalling NaN included") {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const uint32_t got = std::bit_cast<uint32_t>(decode(code_of<BF16>(bits)));
    CHECK_MESSAGE(got == bits << 16, fmt::format("code {:#x}", bits));
  }
}

TEST_CASE("format: f16 NaN decodes quiet with its payload") {
  CHECK(f32_bits(decode(F16{0x7C01})) == 0x7FC02000u);
  CHECK(f32_bits(decode(F16{0xFE00})) == 0xFFC00000u);
}

TEST_CASE("format: the values the OCP documents list") {
  CHECK(decode(E4M3{0x7E}) == 448.0f);
  CHECK(decode(E4M3{0x08}) == 0x1p-6f);
  CHECK(decode(E4M3{0x07}) == 0.875f * 0x1p-6f);
  CHECK(decode(E4M3{0x01}) == 0x1p-9f);
  CHECK(decode(E5M2{0x7B}) == 57344.0f);
  CHECK(decode(E5M2{0x04}) == 0x1p-14f);
  CHECK(decode(E5M2{0x03}) == 0.75f * 0x1p-14f);
  CHECK(decode(E5M2{0x01}) == 0x1p-16f);
  CHECK(decode(E3M2{0x1F}) == 28.0f);
  CHECK(decode(E3M2{0x04}) == 0.25f);
  CHECK(decode(E3M2{0x03}) == 0.1875f);
  CHECK(decode(E3M2{0x01}) == 0.0625f);
  CHECK(decode(E2M3{0x1F}) == 7.5f);
  CHECK(decode(E2M3{0x08}) == 1.0f);
  CHECK(decode(E2M3{0x07}) == 0.875f);
  CHECK(decode(E2M3{0x01}) == 0.125f);
  const float e2m1[] = {0.0f, 0.5f, 1.0f, 1.5f, 2.0f, 3.0f, 4.0f, 6.0f};
  for (uint8_t code = 0; code < 8; ++code) {
    CHECK(decode(E2M1{code}) == e2m1[code]);
    CHECK(decode(E2M1{static_cast<uint8_t>(code | 8)}) == -e2m1[code]);
  }
}

TEST_CASE("format: FNUZ gives half of what OCP gives the same code") {
  for (uint32_t bits = 1; bits < 0x80; ++bits) {
    if (bits <= E4M3::kFormat.max_finite_magnitude()) {
      CHECK(2 * decode(code_of<E4M3FNUZ>(bits)) == decode(code_of<E4M3>(bits)));
    }
    if (bits <= E5M2::kFormat.max_finite_magnitude()) {
      CHECK(2 * decode(code_of<E5M2FNUZ>(bits)) == decode(code_of<E5M2>(bits)));
    }
  }
}

}  // namespace
}  // namespace wavetwin
