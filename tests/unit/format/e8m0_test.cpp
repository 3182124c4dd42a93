// SPDX-License-Identifier: MIT
#include "common/format/e8m0.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>

#include "tests/oracle/format/format_oracle.h"

namespace wavetwin {
namespace {

TEST_CASE("e8m0: every code is a power of two, 0xFF is NaN") {
  for (int code = 0; code < 255; ++code) {
    const E8M0 scale{static_cast<uint8_t>(code)};
    CHECK(decode(scale) == reference::decode_e8m0(scale.bits));
    CHECK(decode_reciprocal(scale) == std::ldexp(1.0, 127 - code));
    CHECK(!is_nan(scale));
  }
  CHECK(std::isnan(decode(E8M0{0xFF})));
  CHECK(std::isnan(decode_reciprocal(E8M0{0xFF})));
  CHECK(is_nan(E8M0{0xFF}));
}

TEST_CASE("e8m0: a scale operand counts by its exponent field alone") {
  for (uint32_t field = 0; field < 256; ++field) {
    for (uint32_t rest : {0x00000000u, 0x00000001u, 0x007FFFFFu, 0x80000000u, 0x80400000u}) {
      CHECK(exponent_field(std::bit_cast<float>(field << 23 | rest)).bits == field);
    }
  }
  CHECK(exponent_field(0.0f).bits == 0);
  CHECK(exponent_field(-1.5f).bits == 127);
}

}  // namespace
}  // namespace wavetwin
