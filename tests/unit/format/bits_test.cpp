// SPDX-License-Identifier: MIT
#include "common/bits.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <type_traits>

#include "common/device_ptr.h"

namespace wavetwin {
namespace {

TEST_CASE("bits: masks and fields of every position and width") {
  for (unsigned width = 0; width <= 32; ++width) {
    CHECK(low_mask<uint32_t>(width) == (uint64_t{1} << width) - 1);
    for (unsigned low = 0; low < 32 && low + width <= 32; ++low) {
      const uint32_t word = 0x9E3779B9u;
      const auto field = static_cast<uint32_t>((uint64_t{word} >> low) & ((uint64_t{1} << width) - 1));
      CHECK(extract_bits(word, low, width) == field);
      if (width == 0) continue;
      const uint32_t inserted = insert_bits<uint32_t>(word, low, width, ~field);
      CHECK(extract_bits(inserted, low, width) == (~field & low_mask<uint32_t>(width)));
      CHECK(insert_bits<uint32_t>(inserted, low, width, field) == word);
    }
  }
  CHECK(low_mask<uint64_t>(64) == ~uint64_t{0});
  CHECK(low_mask<uint8_t>(8) == 0xFF);
}

TEST_CASE("bits: sign extension of 6-bit numbers") {
  CHECK(sign_extend(0x3F, 6) == -1);
  CHECK(sign_extend(0x20, 6) == -32);
  CHECK(sign_extend(0x1F, 6) == 31);
  CHECK(sign_extend(0xFFFFFFDF, 6) == 31);
  CHECK(sign_extend(0x80000000u, 32) == INT32_MIN);
}

TEST_CASE("bits: leading zeros of every power of two") {
  for (int bit = 0; bit < 64; ++bit)
    CHECK(leading_zeros(uint64_t{1} << bit | (uint64_t{1} << bit) / 3) == 63 - bit);
}

TEST_CASE("bits: floats go to bits and back") {
  static_assert(f32_bits(1.0f) == 0x3F800000u);
  static_assert(f64_from_bits(0x3FF0000000000000u) == 1.0);
  CHECK(f32_bits(f32_from_bits(0x7F812345u)) == 0x7F812345u);
}

TEST_CASE("device pointer: eight plain bytes, stepping by elements") {
  struct Arguments {
    DevicePtr<const float> a;
    DevicePtr<void> b;
    uint32_t n;
  };
  static_assert(std::is_trivially_copyable_v<Arguments> && std::is_aggregate_v<DevicePtr<float>>);
  static_assert(offsetof(Arguments, b) == 8 && offsetof(Arguments, n) == 16);
  const DevicePtr<float> p{0x1000};
  CHECK(p.offset(3).address == 0x100C);
  CHECK(p.offset(-1).address == 0xFFC);
  CHECK(p.as<uint16_t>().offset(1).address == 0x1002);
  CHECK(DevicePtr<void>{0}.is_null());
  CHECK(p == DevicePtr<float>{0x1000});
}

}  // namespace
}  // namespace wavetwin
