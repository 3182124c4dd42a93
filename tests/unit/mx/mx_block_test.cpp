// SPDX-License-Identifier: MIT
#include "common/format/mx_block.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "common/format/pack.h"
#include "tests/oracle/format/mx_oracle.h"
#include "tests/unit/format/operands.h"
#include "tests/unit/format/typed_formats.h"

namespace wavetwin {
namespace {

#define WAVETWIN_MX_ELEMENTS E4M3, E5M2, E2M3, E3M2, E2M1

struct Block {
  E8M0 scale;
  std::vector<uint8_t> codes;
};

template <class F>
Block quantize(ScaleRule rule, const std::vector<float>& values) {
  Block block{{}, std::vector<uint8_t>(values.size(), 0xEE)};
  block.scale = quantize_block(rule, F::kFormat, values.data(), values.size(), block.codes.data());
  return block;
}

template <class F>
std::vector<float> dequantize(const Block& block) {
  std::vector<float> values(block.codes.size(), -77.0f);
  dequantize_block(F::kFormat, block.codes.data(), block.codes.size(), block.scale, values.data());
  return values;
}

// Finite values around 2^centre with a spread of `spread` binades, zeros and negative zeros among them.
std::vector<float> random_block(std::mt19937_64& random, size_t count, int centre, int spread) {
  std::vector<float> values(count);
  for (float& value : values) {
    const double magnitude = std::ldexp(1.0 + static_cast<double>(random() % (1u << 23)) / (1u << 23),
                                        centre - static_cast<int>(random() % spread));
    value = static_cast<float>(random() % 16 == 0 ? 0.0 : magnitude);
    if (random() % 2 == 0) value = -value;
  }
  return values;
}

template <class F>
void check_block(ScaleRule rule, const std::vector<float>& values) {
  const reference::Format& format = oracle_of(F{});
  const Block block = quantize<F>(rule, values);
  const std::vector<float> back = dequantize<F>(block);
  for (size_t i = 0; i < values.size(); ++i) {
    const double scaled = std::ldexp(static_cast<double>(values[i]), 127 - block.scale.bits);
    const uint32_t code = reference::encode(format, scaled, true);
    const double value = std::ldexp(reference::decode(format, code), block.scale.bits - 127);
    INFO(fmt::format("{} {} scale {} value {:#010x}", to_string(rule), format.name, block.scale.bits,
                     f32_bits(values[i])));
    CHECK(block.codes[i] == code);
    CHECK(std::bit_cast<uint32_t>(back[i]) == std::bit_cast<uint32_t>(static_cast<float>(value)));
  }
}

TEST_CASE_TEMPLATE("mx block: codes and dequantised values are the oracle's, for any block size", F,
                   WAVETWIN_MX_ELEMENTS) {
  std::mt19937_64 random(test_seed());
  for (int rule = 0; rule < kScaleRuleCount; ++rule) {
    if (!supports(static_cast<ScaleRule>(rule), F::kFormat)) continue;
    for (size_t count : {0, 1, 2, 16, 31, 32, 33, 128}) {
      for (int centre : {-149, -135, -126, -100, -20, 0, 1, 40, 100, 126}) {
        check_block<F>(static_cast<ScaleRule>(rule), random_block(random, count, centre, 12));
        check_block<F>(static_cast<ScaleRule>(rule), random_block(random, count, centre, 1));
      }
    }
  }
}

TEST_CASE_TEMPLATE("mx block: rceil and ceil never saturate, floor does just above the largest value", F,
                   WAVETWIN_MX_ELEMENTS) {
  const float largest = max_finite(F::kFormat);
  const float above = std::ldexp(1.0f, F::kFormat.max_exponent() + 1) * 0.99f;
  for (ScaleRule rule : {ScaleRule::rceil, ScaleRule::ceil}) {
    const Block block = quantize<F>(rule, {above});
    CHECK(dequantize<F>(block)[0] >= above * (1 - std::ldexp(1.0f, -F::kFormat.mantissa_bits - 1)));
  }
  CHECK(dequantize<F>(quantize<F>(ScaleRule::floor, {above}))[0] == largest);
}

TEST_CASE("mx block: largest magnitude takes NaN over infinity over numbers, whatever the sign") {
  const float nan = std::bit_cast<float>(0xFFC00001u);
  const float infinity = std::numeric_limits<float>::infinity();
  const float values[] = {1.0f, -3.0f, 2.0f, -infinity, nan, -0.0f};
  CHECK(block_amax(values, 0) == 0.0f);
  CHECK(block_amax(values, 3) == 3.0f);
  CHECK(block_amax(values, 4) == infinity);
  CHECK(std::isnan(block_amax(values, 6)));
  CHECK(f32_bits(block_amax(values + 5, 1)) == 0);
}

TEST_CASE_TEMPLATE("mx block: a zero block keeps its signs and comes back as zero", F, WAVETWIN_MX_ELEMENTS) {
  for (int rule = 0; rule < kScaleRuleCount; ++rule) {
    if (!supports(static_cast<ScaleRule>(rule), F::kFormat)) continue;
    const Block block = quantize<F>(static_cast<ScaleRule>(rule), {0.0f, -0.0f});
    CHECK(block.scale.bits == (static_cast<ScaleRule>(rule) == ScaleRule::vllm_rocm ? 1 : 0));
    CHECK(block.codes[0] == 0);
    CHECK(block.codes[1] == F::kFormat.sign_mask());
    CHECK(f32_bits(dequantize<F>(block)[1]) == 0x80000000u);
  }
}

TEST_CASE_TEMPLATE("mx block: one NaN or infinity makes the whole block NaN under torchao's rules", F,
                   WAVETWIN_MX_ELEMENTS) {
  for (ScaleRule rule : {ScaleRule::floor, ScaleRule::rceil, ScaleRule::ceil, ScaleRule::even}) {
    for (uint32_t bad : {0x7FC00000u, 0xFFC00000u, 0x7F800000u, 0xFF800000u, 0x7F800001u}) {
      const Block block = quantize<F>(rule, {1.0f, std::bit_cast<float>(bad), 0.0f});
      CHECK(block.scale.bits == 0xFF);
      const uint8_t nan_code = static_cast<uint8_t>(reference::encode(oracle_of(F{}), NAN, true));
      for (uint8_t code : block.codes) CHECK(code == nan_code);
      for (float value : dequantize<F>(block)) CHECK(std::isnan(value));
    }
  }
}

TEST_CASE("mx block: under vllm_rocm a NaN stays in its element and zeroes the finite ones") {
  const Block block = quantize<E4M3>(ScaleRule::vllm_rocm, {1.0f, std::bit_cast<float>(0xFFC00000u), -1.0f});
  CHECK(block.scale.bits == 254);
  CHECK(block.codes == std::vector<uint8_t>{0x00, 0x7F, 0x80});
}

TEST_CASE("mx block: dequantising rounds into f32 subnormals and past its end") {
  CHECK(dequantize_element(E4M3::kFormat, 0x01, E8M0{0}) == 0x1p-136f);
  CHECK(dequantize_element(E5M2::kFormat, 0x01, E8M0{0}) == 0x1p-143f);
  CHECK(std::isinf(dequantize_element(E5M2::kFormat, 0x7B, E8M0{254})));
  CHECK(dequantize_element(E5M2::kFormat, 0xFC, E8M0{0}) == -INFINITY);
  CHECK(std::isnan(dequantize_element(E4M3::kFormat, 0x7F, E8M0{127})));
  CHECK(std::isnan(dequantize_element(E2M1::kFormat, 0x00, E8M0{255})));
}

TEST_CASE("mx block: an mxfp4 block packs to 16 bytes, an mxfp6 block to 24") {
  std::mt19937_64 random(test_seed());
  const std::vector<float> values = random_block(random, 32, 3, 6);
  const Block fp4 = quantize<E2M1>(ScaleRule::even, values);
  const Block fp6 = quantize<E2M3>(ScaleRule::even, values);
  CHECK(packed_bytes(32, E2M1::kFormat.bits()) == 16);
  CHECK(packed_bytes(32, E2M3::kFormat.bits()) == 24);
  std::vector<uint8_t> packed(24), back(32);
  pack_codes(fp4.codes.data(), 32, 4, packed.data());
  unpack_codes(packed.data(), 32, 4, back.data());
  CHECK(back == fp4.codes);
  pack_codes(fp6.codes.data(), 32, 6, packed.data());
  unpack_codes(packed.data(), 32, 6, back.data());
  CHECK(back == fp6.codes);
}

}  // namespace
}  // namespace wavetwin
