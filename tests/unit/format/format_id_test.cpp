// SPDX-License-Identifier: MIT
#include "common/format/format_id.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <iterator>

#include "tests/unit/format/typed_formats.h"

namespace wavetwin {
namespace {

TEST_CASE("format id: the table is in the order of the enumerators and names read back") {
  for (size_t i = 0; i < std::size(kFormats); ++i) {
    const auto id = static_cast<FormatId>(i);
    CHECK(kFormats[i].id == id);
    CHECK(&format_info(id) == &kFormats[i]);
    CHECK(parse_format(to_string(id)) == id);
    if (kFormats[i].float_format != nullptr) CHECK(kFormats[i].float_format->bits() == kFormats[i].bits);
  }
  CHECK(!parse_format("e4m4"));
  CHECK(!parse_format(""));
  CHECK(!parse_format("E4M3"));
}

TEST_CASE("format id: CBSZ and BLGP codes 0 to 4 select e4m3, e5m2, e2m3, e3m2, e2m1") {
  const FormatId want[] = {FormatId::e4m3, FormatId::e5m2, FormatId::e2m3, FormatId::e3m2, FormatId::e2m1};
  for (unsigned code = 0; code < 5; ++code) {
    CHECK(format_of_f8f6f4_code(code) == want[code]);
    CHECK(format_info(want[code]).f8f6f4_code == static_cast<int>(code));
  }
  for (unsigned code : {5u, 6u, 7u}) CHECK(!format_of_f8f6f4_code(code));
}

template <class F>
void check_same_as_typed(FormatId id) {
  const reference::Format& oracle = oracle_of(F{});
  CHECK(fmt::format("{}", oracle.name) == to_string(id));
  for (uint32_t bits = 0; bits < 2 * oracle.sign; ++bits) {
    const double wide = decode_f64(id, bits);
    const double want = reference::decode(oracle, bits);
    const bool same_wide = std::bit_cast<uint64_t>(wide) == std::bit_cast<uint64_t>(want);
    CHECK_MESSAGE((same_wide || (std::isnan(wide) && std::isnan(want))),
                  fmt::format("{} {:#x}", oracle.name, bits));
    CHECK_MESSAGE(f32_bits(decode(id, bits)) == f32_bits(decode(code_of<F>(bits))),
                  fmt::format("{} {:#x}", oracle.name, bits));
  }
}

TEST_CASE("format id: decoding by id is decoding by type, for every code") {
  check_same_as_typed<E4M3>(FormatId::e4m3);
  check_same_as_typed<E5M2>(FormatId::e5m2);
  check_same_as_typed<E2M3>(FormatId::e2m3);
  check_same_as_typed<E3M2>(FormatId::e3m2);
  check_same_as_typed<E2M1>(FormatId::e2m1);
  check_same_as_typed<E4M3FNUZ>(FormatId::e4m3fnuz);
  check_same_as_typed<E5M2FNUZ>(FormatId::e5m2fnuz);
  check_same_as_typed<F16>(FormatId::f16);
  check_same_as_typed<BF16>(FormatId::bf16);
}

TEST_CASE("format id: e8m0, integers, f32 and f64 decode to their values") {
  for (uint32_t code = 0; code < 255; ++code) {
    CHECK(decode_f64(FormatId::e8m0, code) == reference::decode_e8m0(static_cast<uint8_t>(code)));
    CHECK(decode(FormatId::e8m0, code) == reference::decode_e8m0(static_cast<uint8_t>(code)));
  }
  CHECK(std::isnan(decode(FormatId::e8m0, 255)));
  for (int value = -128; value < 128; ++value) {
    CHECK(decode(FormatId::i8, static_cast<uint8_t>(value)) == static_cast<float>(value));
    CHECK(decode_f64(FormatId::i32, static_cast<uint32_t>(value * 1000003)) == value * 1000003.0);
  }
  CHECK(decode(FormatId::i32, 0xFFFFFFFFu) == -1.0f);
  CHECK(decode(FormatId::i32, 0x7FFFFFFFu) == 0x1p31f);
  CHECK(f32_bits(decode(FormatId::f32, 0x7F812345u)) == 0x7F812345u);
  CHECK(decode_f64(FormatId::f32, 0x00000001u) == 0x1p-149);
  CHECK(decode_f64(FormatId::f64, 0x3FF0000000000001u) == 1.0 + 0x1p-52);
  CHECK(decode(FormatId::f64, 0x3FF0000000000001u) == 1.0f);
}

TEST_CASE("format id: encode by id is encode by type") {
  CHECK(encode(FormatId::e4m3, 465.0f, Overflow::ieee) == 0x7F);
  CHECK(encode(FormatId::e2m1, -5.0f, Overflow::ieee) == 0xE);
  CHECK(encode(FormatId::bf16, 1.0, Overflow::ieee) == 0x3F80);
  CHECK(encode(FormatId::f32, 0.1, Overflow::ieee) == f32_bits(0.1f));
  CHECK(encode(FormatId::f32, 1e300, Overflow::ieee) == 0x7F800000u);
  CHECK(encode(FormatId::f64, 0.1, Overflow::ieee) == f64_bits(0.1));
  CHECK(encode(FormatId::f64, 0.1f, Overflow::ieee) == f64_bits(static_cast<double>(0.1f)));
}

}  // namespace
}  // namespace wavetwin
