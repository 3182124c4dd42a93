// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include "sim/core/lane.h"

using namespace wavetwin;

namespace {

// 64 values that cover signs, edges and a spread.
template <class T>
Lane<T> samples(uint64_t seed) {
  return Lane<T>::generate([&](unsigned l) {
    uint64_t x = (seed + l) * 0x9E3779B97F4A7C15ull;
    x ^= x >> 29;
    if (l == 0) return T{0};
    if (l == 1) return std::numeric_limits<T>::max();
    if (l == 2) return std::numeric_limits<T>::min();
    if (l == 3) return static_cast<T>(1);
    return static_cast<T>(x);
  });
}

}  // namespace

TEST_CASE("lane: a scalar is broadcast to all lanes") {
  const LaneU32 a = 5u;
  for (unsigned l = 0; l < 64; ++l) CHECK(a[l] == 5u);
  CHECK((a == 5u).is_all());
}

TEST_CASE_TEMPLATE("lane: integer operators wrap as the unsigned type does", T, uint8_t, int8_t, uint16_t,
                   int16_t, uint32_t, int32_t, uint64_t, int64_t) {
  using U = std::make_unsigned_t<T>;
  const Lane<T> a = samples<T>(1), b = samples<T>(99);
  const Lane<T> sum = a + b, difference = a - b, product = a * b, negated = -a, inverted = ~a;
  for (unsigned l = 0; l < 64; ++l) {
    CAPTURE(l);
    const uint64_t x = static_cast<U>(a[l]), y = static_cast<U>(b[l]);
    CHECK(static_cast<U>(sum[l]) == static_cast<U>(x + y));
    CHECK(static_cast<U>(difference[l]) == static_cast<U>(x - y));
    CHECK(static_cast<U>(product[l]) == static_cast<U>(x * y));
    CHECK(static_cast<U>(negated[l]) == static_cast<U>(0 - x));
    CHECK(static_cast<U>(inverted[l]) == static_cast<U>(~x));
  }
}

TEST_CASE("lane: scalars combine from both sides and by assignment") {
  LaneU32 a = LaneU32::iota();
  CHECK((a - 1)[0] == 0xFFFFFFFFu);
  CHECK((1 - a)[3] == 0xFFFFFFFEu);
  CHECK((a % 16)[37] == 5);
  CHECK((a / 16)[37] == 2);
  CHECK((100 / (a + 1))[9] == 10);
  a += 2;
  a <<= 1;
  a |= 1;
  CHECK(a[5] == 15);
}

TEST_CASE("lane: shifts use the low bits of their count") {
  const LaneU32 one = 1u;
  CHECK((one << 32)[0] == 1u);
  CHECK((one << 33)[0] == 2u);
  CHECK((LaneU32(0x80000000u) >> 31)[0] == 1u);
  CHECK((LaneI32(-8) >> 1)[0] == -4);
  CHECK((LaneI32(-1) << 31)[0] == std::numeric_limits<int32_t>::min());
  CHECK((LaneU64(1u) << uint64_t{63})[0] == uint64_t{1} << 63);
  CHECK((LaneU64(1u) << uint64_t{64})[0] == 1u);
}

TEST_CASE("lane: division is defined for zero and for the lowest number") {
  CHECK((LaneU32(7u) / 0)[0] == 0xFFFFFFFFu);
  CHECK((LaneU32(7u) % 0)[0] == 7u);
  const int32_t lowest = std::numeric_limits<int32_t>::min();
  CHECK((LaneI32(lowest) / -1)[0] == lowest);
  CHECK((LaneI32(lowest) % -1)[0] == 0);
  CHECK((LaneI32(-7) / 2)[0] == -3);
  CHECK((LaneI32(-7) % 2)[0] == -1);
}

TEST_CASE("lane: comparisons give one bit a lane") {
  const LaneU32 l = LaneU32::iota();
  CHECK((l < 5).bits == 0x1F);
  CHECK((5 > l).bits == 0x1F);
  CHECK((l == 63).bits == uint64_t{1} << 63);
  CHECK((l % 2 != 0).bits == 0xAAAAAAAAAAAAAAAAull);
  CHECK((l <= 0).bits == 1);
  CHECK((l >= 62).bits == uint64_t{3} << 62);
  CHECK((convert<int32_t>(l) - 3 < 0).bits == 7);
}

TEST_CASE("lane: comparisons with a NaN are false, except !=") {
  LaneF32 a = 1.0f;
  a[7] = std::numeric_limits<float>::quiet_NaN();
  CHECK((a == a) == ~LaneMask::lane(7));
  CHECK((a < 2.0f) == ~LaneMask::lane(7));
  CHECK((a != a) == LaneMask::lane(7));
  CHECK((a >= 0.0f) == ~LaneMask::lane(7));
}

TEST_CASE("lane: float operators round each operation, without contraction") {
  const float x = 1.0f + 0x1p-12f;  // x*x needs 25 bits
  const LaneF32 a = x;
  const LaneF32 r = a * a - 1.0f;
  for (unsigned l = 0; l < 64; ++l) CHECK(r[l] == 0x1p-11f);  // a fused result would be 0x1p-11 + 0x1p-24
  CHECK(std::signbit((-LaneF32(0.0f))[0]));
}

TEST_CASE("lane: select takes masked lanes from the first operand") {
  const LaneU32 l = LaneU32::iota();
  const LaneU32 r = select(l < 10, l, 99u);
  for (unsigned i = 0; i < 64; ++i) CHECK(r[i] == (i < 10 ? i : 99u));
  CHECK(select(LaneMask::none(), 1u, l)[5] == 5u);
}

TEST_CASE("lane: conversions keep or wrap values, casts keep bits") {
  CHECK(convert<int32_t>(LaneU8(0xFFu))[0] == 255);
  CHECK(convert<uint64_t>(LaneI32(-1))[0] == ~uint64_t{0});
  CHECK(convert<uint8_t>(LaneU32(0x1FFu))[0] == 0xFF);
  CHECK(convert<float>(LaneU32(0x01000001u))[0] == 16777216.0f);  // ties to even
  CHECK(as_u32(LaneF32(1.0f))[0] == 0x3F800000u);
  CHECK(as_f32(LaneU32(0x80000000u))[9] == 0.0f);
  const LaneU64 c = combine(LaneU32(0x89ABCDEFu), LaneU32(0x01234567u));
  CHECK(c[63] == 0x0123456789ABCDEFull);
  CHECK(low_dword(c)[1] == 0x89ABCDEFu);
  CHECK(high_dword(c)[1] == 0x01234567u);
}

TEST_CASE("lane: masks count, iterate in lane order and combine with uniform conditions") {
  const LaneMask m{0x8000000000000005ull};
  CHECK(m.count() == 3);
  CHECK(m.first_set() == 0);
  CHECK(m[63]);
  CHECK_FALSE(m[1]);
  std::string seen;
  m.for_each([&](unsigned l) { seen += std::to_string(l) + " "; });
  CHECK(seen == "0 2 63 ");
  CHECK((m & true) == m);
  CHECK((m & false).is_none());
  CHECK((m | true).is_all());
  CHECK((~m).count() == 61);
  CHECK(LaneMask::first(0).is_none());
  CHECK(LaneMask::first(1).bits == 1);
  CHECK(LaneMask::first(64).is_all());
}
