// SPDX-License-Identifier: MIT
#include "golden/harness/compare.h"

#include <doctest/doctest.h>

#include "sim/core/error.h"
#include "tests/unit/harness/fake_case.h"

namespace wavetwin::golden {
namespace {

Tensor u8(const std::vector<uint8_t>& values) {
  return make_tensor<uint8_t>(DType::U8, {values.size()}, std::span(values));
}

constexpr uint32_t kQuiet = 0x7FC00000, kNegative = 0xFFC00000, kPayload = 0x7FC01234,
                   kSignalling = 0x7FA00001;

}  // namespace

TEST_CASE("compare: equal tensors are equal and every element counts") {
  const Tensor a = f32({2, 2}, {1, 2, 3, 4});
  const CompareResult result = compare(a, a);
  CHECK(result.equal());
  CHECK(result.compared == 4);
  CHECK_FALSE(result.first);
}

TEST_CASE("compare: one bit is a difference, and zeros of other signs are") {
  const CompareResult result =
      compare(f32_bits({3}, {0x3F800000, 0, 5}), f32_bits({3}, {0x3F800001, 0x80000000, 5}));
  CHECK(result.different == 2);
  REQUIRE(result.first);
  CHECK(result.first->index == 0);
  CHECK(result.first->left == 0x3F800000);
  CHECK(result.first->right == 0x3F800001);
  CHECK(result.max_ulp == 1);
}

TEST_CASE("compare: a NaN matches a NaN in float tensors, and the other bits are counted") {
  const Tensor left = f32_bits({4}, {kQuiet, kQuiet, kQuiet, kQuiet});
  const Tensor right = f32_bits({4}, {kQuiet, kNegative, kPayload, kSignalling});
  const CompareResult result = compare(left, right);
  CHECK(result.equal());
  CHECK(result.nan_differences == 3);
  CHECK(compare(left, right, {Comparison::automatic, true, nullptr}).different == 3);
  CHECK(compare(left, right, {Comparison::bits, false, nullptr}).different == 3);
}

TEST_CASE("compare: a NaN does not match a number or an infinity") {
  CHECK(compare(f32_bits({2}, {kQuiet, kQuiet}), f32_bits({2}, {0x7F800000, 0})).different == 2);
}

TEST_CASE("compare: byte tensors compare their bits, NaN codes too") {
  Tensor left = u8({0x7F}), right = u8({0xFF});
  CHECK(compare(left, right).different == 1);
  left.dtype = right.dtype = DType::F8_E4M3;
  CHECK(compare(left, right).different == 1);
}

TEST_CASE("compare: elements that do not take part are left out") {
  CompareOptions options;
  options.included = [](uint64_t i) { return i % 2 == 0; };
  const CompareResult result = compare(u8({1, 9, 3, 9}), u8({1, 8, 3, 7}), options);
  CHECK(result.equal());
  CHECK(result.compared == 2);
}

TEST_CASE("compare: an unordered region matches any order, but not other elements or counts") {
  const CompareOptions options{Comparison::unordered, false, nullptr};
  CHECK(compare(u8({3, 1, 2, 2}), u8({2, 3, 2, 1}), options).equal());
  CHECK_FALSE(compare(u8({3, 1, 2, 2}), u8({3, 1, 1, 2}), options).equal());
}

TEST_CASE("compare: other dtypes or shapes cannot be compared") {
  CHECK_THROWS_AS(compare(f32({2, 2}, {1, 2, 3, 4}), f32({4}, {1, 2, 3, 4})), Error);
  CHECK_THROWS_AS(compare(f32({1}, {1}), Tensor(DType::U32, {1})), Error);
}

TEST_CASE("ulp: steps on the number line of each format") {
  CHECK(ulp_distance(DType::F32, 0x3F800000, 0x3F7FFFFF) == 1);
  CHECK(ulp_distance(DType::F32, 0x00000001, 0x80000001) == 2);  // across both zeros, which are one point
  CHECK(ulp_distance(DType::F32, 0, 0x80000000) == 0);
  CHECK(ulp_distance(DType::F32, 0x7F800000, 0xFF800000) == 2ull * 0x7F800000);
  CHECK_FALSE(ulp_distance(DType::F32, kQuiet, 0));
  CHECK(ulp_distance(DType::BF16, 0x3F80, 0x3F82) == 2);
  CHECK(ulp_distance(DType::F64, 0x3FF0000000000000, 0x3FF0000000000003) == 3);
  CHECK(ulp_distance(DType::F64, 0x7FEFFFFFFFFFFFFF, 0xFFEFFFFFFFFFFFFF) == 2 * 0x7FEFFFFFFFFFFFFFull);
  CHECK(ulp_distance(DType::F8_E4M3, 0x08, 0x88) == 16);
  CHECK(ulp_distance(DType::F8_E8M0, 120, 130) == 10);
  CHECK(ulp_distance(DType::I8, 0xFF, 0x01) == 2);
  CHECK(ulp_distance(DType::I64, 0x8000000000000000, 0x7FFFFFFFFFFFFFFF) == ~0ull);
  CHECK(ulp_distance(DType::U16, 0xFFFF, 0) == 0xFFFF);
}

TEST_CASE("report: case, tensor, count, index, row and column, place, both values and ULP") {
  const Tensor left = f32({2, 3}, {1, 2, 3, 4, 5, 6}),
               right =
                   f32_bits({2, 3}, {0x3F800000, 0x40000000, 0x40400000, 0x40800000, 0x40A00002, 0x40C00000});
  const auto locate = [](std::span<const uint64_t> i) {
    return "tile 0, wave 1, lane " + std::to_string(i[0] * 10 + i[1]) + ", v3";
  };
  const std::string text =
      mismatch_report({"gemv/a/1", "y", "sim", "isa"}, left, compare(left, right), locate);
  CHECK(text ==
        "gemv/a/1: tensor 'y' F32 [2,3]: 1 of 6 elements differ between sim and isa, at most 2 ULP\n"
        "  first at element 4 (row 1, column 1), tile 0, wave 1, lane 11, v3\n"
        "    sim 0x40a00000 (5)\n"
        "    isa 0x40a00002 (5.000001)\n"
        "    2 ULP apart\n");
}

TEST_CASE("report: a factor of two nearly everywhere names the FNUZ / OCP mix-up, other differences do not") {
  const Tensor wanted = f32({9}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  const Tensor doubled = f32({9}, {2, 4, 6, 8, 10, 12, 14, 16, 18});
  const auto report = [&](const Tensor& got) {
    return mismatch_report({"c", "y", "a", "b"}, wanted, compare(wanted, got), nullptr);
  };
  CHECK(report(doubled).find("differ by a factor of 2: are FNUZ") != std::string::npos);
  CHECK(report(f32({9}, {2, 3, 4, 5, 6, 7, 8, 9, 10})).find("FNUZ") == std::string::npos);
}

TEST_CASE("position: vectors have one row, leading dimensions come first") {
  CHECK(position_text(unravel({}, 0)) == "(scalar)");
  CHECK(position_text(unravel({9}, 7)) == "(row 0, column 7)");
  CHECK(position_text(unravel({4, 5}, 13)) == "(row 2, column 3)");
  CHECK(position_text(unravel({2, 3, 4, 5}, 119)) == "[1,2] (row 3, column 4)");
}

TEST_CASE("canonical: NaNs become one, excluded elements zero, unordered elements sorted") {
  const CompareOptions automatic;
  CHECK(canonical(f32_bits({2}, {kNegative, 7}), automatic) ==
        canonical(f32_bits({2}, {kPayload, 7}), automatic));
  const CompareOptions bits{Comparison::bits, false, nullptr};
  CHECK_FALSE(canonical(f32_bits({1}, {kNegative}), bits) == canonical(f32_bits({1}, {kPayload}), bits));
  const CompareOptions odd{Comparison::automatic, false, [](uint64_t i) { return i % 2 == 1; }};
  CHECK(canonical(u8({5, 6, 7}), odd) == u8({0, 6, 0}));
  const CompareOptions unordered{Comparison::unordered, false, nullptr};
  CHECK(canonical(u8({5, 6, 4}), unordered) == u8({4, 5, 6}));
}

}  // namespace wavetwin::golden
