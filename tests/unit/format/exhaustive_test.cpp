// SPDX-License-Identifier: MIT
// All 2^32 f32 inputs. The oracle's thresholds are walked in step with the ascending magnitude, which keeps
// its search out of the inner loop.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <vector>

#include "tests/unit/format/typed_formats.h"

namespace wavetwin {
namespace {

constexpr uint32_t kInfinity = 0x7F800000u;

// first_bits[m] = the smallest f32 magnitude that does not round to a magnitude code of m or less.
std::vector<uint32_t> upper_bounds(const reference::Format& format) {
  std::vector<uint32_t> first_bits;
  for (uint32_t code = 0; code <= format.max_finite(); ++code) {
    uint32_t low = 0;
    uint32_t high = kInfinity;  // found by bisection: nearest_magnitude never falls as the input grows
    while (low < high) {
      const uint32_t middle = low + (high - low) / 2;
      const bool is_above = reference::nearest_magnitude(format, std::bit_cast<float>(middle)) > code;
      (is_above ? high : low) = is_above ? middle : middle + 1;
    }
    first_bits.push_back(low);
  }
  return first_bits;
}

// Checks every finite f32 of both signs; returns how many were wrong and names the first.
template <class F>
uint64_t count_wrong(Overflow overflow) {
  const reference::Format& oracle = oracle_of(F{});
  const std::vector<uint32_t> bounds = upper_bounds(oracle);
  uint64_t wrong = 0;
  uint32_t code = 0;
  uint32_t beyond = reference::encode(oracle, 1e300, overflow == Overflow::saturate);
  for (uint32_t bits = 0; bits < kInfinity; ++bits) {
    while (code < bounds.size() && bits >= bounds[code]) ++code;
    const uint32_t want = code <= oracle.max_finite() ? code : beyond;
    const uint32_t positive = encode<F>(std::bit_cast<float>(bits), overflow).bits;
    const uint32_t negative = encode<F>(std::bit_cast<float>(bits | 0x80000000u), overflow).bits;
    if (positive == want && negative == (want | oracle.sign)) continue;
    if (wrong++ == 0)
      MESSAGE(fmt::format("{:#010x}: {:#x} / {:#x} wanted {:#x}", bits, positive, negative, want));
  }
  return wrong;
}

// Every NaN input must give a NaN code of its sign.
template <class F>
uint64_t count_wrong_nans(Overflow overflow) {
  const reference::Format& oracle = oracle_of(F{});
  uint64_t wrong = 0;
  for (uint64_t bits = kInfinity + 1; bits <= 0xFFFFFFFFu; ++bits) {
    if (bits == 0x80000000u) bits = 0xFF800001u;
    const auto word = static_cast<uint32_t>(bits);
    const uint32_t got = encode<F>(std::bit_cast<float>(word), overflow).bits;
    const bool is_right =
        reference::is_nan_code(oracle, got) && (got & oracle.sign) == word >> 31 << (oracle.bits - 1);
    wrong += !is_right;
  }
  return wrong;
}

TEST_SUITE("slow") {
  TEST_CASE_TEMPLATE("format: encode of all 2^32 f32 agrees with the oracle", F, E4M3, E5M2) {
    for (Overflow overflow : {Overflow::saturate, Overflow::ieee}) {
      CHECK(count_wrong<F>(overflow) == 0);
      CHECK(count_wrong_nans<F>(overflow) == 0);
    }
  }

  TEST_CASE("format: bf16 of every finite f32 is the integer formula of v_cvt_pk_bf16_f32") {
    uint64_t wrong = 0;
    for (uint32_t bits = 0; bits <= kInfinity; ++bits) {
      const uint32_t want = (bits + 0x7FFFu + (bits >> 16 & 1u)) >> 16;
      wrong += encode<BF16>(std::bit_cast<float>(bits), Overflow::ieee).bits != want;
    }
    CHECK(wrong == 0);
  }
}

}  // namespace
}  // namespace wavetwin
