// SPDX-License-Identifier: MIT
#include "golden/io/tensor.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <random>

#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

constexpr DType kAll[] = {DType::F64,     DType::F32, DType::F16, DType::BF16, DType::F8_E4M3, DType::F8_E5M2,
                          DType::F8_E8M0, DType::U8,  DType::I8,  DType::I16,  DType::U16,     DType::I32,
                          DType::U32,     DType::I64, DType::U64, DType::BOOL};

// Every code of formats of at most 16 bits decodes to a value that encodes to the code again.
void check_round_trip(DType dtype) {
  const uint64_t codes = 1ull << (8 * size_of(dtype));
  for (uint64_t code = 0; code < codes; ++code) {
    const double value = decode_element(dtype, code);
    if (std::isnan(value)) continue;
    INFO(fmt::format("{} code 0x{:x} value {}", to_string(dtype), code, value));
    if (encode_element(dtype, value) != code) CHECK(encode_element(dtype, value) == code);
  }
}

}  // namespace

TEST_CASE("dtype: names are those of safetensors and read back") {
  for (const DType dtype : kAll) CHECK(dtype_from(to_string(dtype)) == dtype);
  CHECK(std::string(to_string(DType::F8_E8M0)) == "F8_E8M0");
  CHECK_FALSE(dtype_from("F8"));
  CHECK_FALSE(dtype_from("f32"));
}

TEST_CASE("element: encoding undoes decoding for every code of the narrow types") {
  for (const DType dtype : kAll) {
    if (size_of(dtype) <= 2) check_round_trip(dtype);
  }
}

TEST_CASE("element: known values of the float formats") {
  CHECK(decode_element(DType::F8_E4M3, 0x7E) == 448);
  CHECK(std::isnan(decode_element(DType::F8_E4M3, 0x7F)));
  CHECK(std::isnan(decode_element(DType::F8_E4M3, 0xFF)));
  CHECK(decode_element(DType::F8_E4M3, 0x01) == std::ldexp(1.0, -9));
  CHECK(decode_element(DType::F8_E5M2, 0x7B) == 57344);
  CHECK(std::isinf(decode_element(DType::F8_E5M2, 0xFC)));
  CHECK(decode_element(DType::F8_E8M0, 0) == std::ldexp(1.0, -127));
  CHECK(std::isnan(decode_element(DType::F8_E8M0, 255)));
  CHECK(decode_element(DType::BF16, 0xC049) == -3.140625);
  CHECK(decode_element(DType::F16, 0x7BFF) == 65504);
  CHECK(decode_element(DType::F32, 0x00000001) == std::ldexp(1.0, -149));
  CHECK(decode_element(DType::I16, 0xFFFE) == -2);
}

TEST_CASE("element: F32 encodes as the host converts, ties to even included") {
  std::mt19937_64 random(7);
  for (int i = 0; i < 200000; ++i) {
    const uint64_t bits = random();
    // Half of them near the f32 range, with few low bits, so that ties occur.
    const double value =
        i % 2 ? std::bit_cast<double>(bits)
              : std::ldexp(static_cast<double>(bits >> 38), static_cast<int>(bits % 300) - 190);
    if (std::isnan(value)) continue;
    const auto expected = std::bit_cast<uint32_t>(static_cast<float>(value));
    INFO(fmt::format("value 0x{:016x}", std::bit_cast<uint64_t>(value)));
    if (encode_element(DType::F32, value) != expected) CHECK(encode_element(DType::F32, value) == expected);
  }
}

TEST_CASE("element: overflow gives infinity, or NaN in e4m3") {
  CHECK(encode_element(DType::F8_E4M3, 464) == 0x7E);
  CHECK(encode_element(DType::F8_E4M3, 465) == 0x7F);
  CHECK(encode_element(DType::F8_E4M3, -1e9) == 0xFF);
  CHECK(encode_element(DType::F8_E5M2, 1e9) == 0x7C);
  CHECK(encode_element(DType::F16, 65520) == 0x7C00);
  CHECK(encode_element(DType::F16, 65519) == 0x7BFF);
  CHECK(encode_element(DType::BF16, -0.0) == 0x8000);
}

TEST_CASE("tensor: wrong sizes and wrong views are errors") {
  CHECK_THROWS_AS(Tensor(DType::F32, {2, 2}, std::vector<std::byte>(15)), Error);
  CHECK_THROWS_AS(element_count({1ull << 40, 1ull << 40}), Error);
  Tensor tensor(DType::BF16, {3});
  CHECK(tensor.data.size() == 6);
  CHECK_THROWS_AS(tensor.view<float>(), Error);
  CHECK(element_count({}) == 1);
  CHECK(element_count({4, 0}) == 0);
}

}  // namespace wavetwin::golden
