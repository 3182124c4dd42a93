// SPDX-License-Identifier: MIT
// Layouts: one-to-one, covering, and equal to the formulas of the guide where it prints them.
#include <set>

#include "tests/unit/mfma/one_dot.h"

namespace wavetwin::mfma {
namespace {

std::vector<Format> formats_of(const Shape& shape, bool a) {
  if (shape.input != InputClass::f8f6f4) return {a ? shape.a : shape.b};
  return {Format::e4m3, Format::e5m2, Format::e2m3, Format::e3m2, Format::e2m1};
}

void check_input(const Shape& shape, const InputLayout& layout, unsigned vgprs) {
  std::set<std::pair<unsigned, unsigned>> bits;  // (lane, bit)
  for (unsigned block = 0; block < shape.blocks; ++block)
    for (unsigned row = 0; row < layout.rows; ++row)
      for (unsigned k = 0; k < shape.k; ++k) {
        const InputElement element{static_cast<uint8_t>(block), static_cast<uint8_t>(row),
                                   static_cast<uint8_t>(k)};
        const Place place = layout.place(element);
        CHECK_MESSAGE(layout.element(place) == element, shape.name, " block ", block, " row ", row, " k ", k);
        CHECK(place.lane < 64);
        CHECK(place.bit + layout.bits <= 32 * vgprs);
        for (unsigned bit = 0; bit < layout.bits; ++bit) bits.insert({place.lane, place.bit + bit});
      }
  CHECK_MESSAGE(bits.size() == 64 * 32 * vgprs, shape.name, " does not cover its registers");
}

TEST_CASE("layouts of A and B are one-to-one and cover every register bit, for every shape and format") {
  for (const Shape& shape : kShapes) {
    for (const Format format : formats_of(shape, true))
      check_input(shape, a_layout(shape, format), a_vgprs(shape, format));
    for (const Format format : formats_of(shape, false))
      check_input(shape, b_layout(shape, format), b_vgprs(shape, format));
  }
}

TEST_CASE("layouts of C and D are one-to-one and cover every register, for every shape") {
  for (const Shape& shape : kShapes) {
    const OutputLayout layout = cd_layout(shape);
    std::set<std::pair<unsigned, unsigned>> bits;
    for (unsigned block = 0; block < shape.blocks; ++block)
      for (unsigned row = 0; row < shape.m; ++row)
        for (unsigned column = 0; column < shape.n; ++column) {
          const OutputElement element{static_cast<uint8_t>(block), static_cast<uint8_t>(row),
                                      static_cast<uint8_t>(column)};
          const Place place = layout.place(element);
          CHECK_MESSAGE(layout.element(place) == element, shape.name, " block ", block, " row ", row,
                        " column ", column);
          CHECK(place.lane < 64);
          CHECK(place.bit + layout.bits <= 32 * cd_vgprs(shape));
          for (unsigned bit = 0; bit < layout.bits; ++bit) bits.insert({place.lane, place.bit + bit});
        }
    CHECK_MESSAGE(bits.size() == 64 * 32 * cd_vgprs(shape), shape.name);
  }
}

TEST_CASE("scales: 64 lanes hold 64 scales, one-to-one") {
  for (const unsigned rows : {16u, 32u}) {
    std::set<unsigned> lanes;
    for (unsigned lane = 0; lane < 64; ++lane) {
      const ScaleElement element = scale_element(rows, lane);
      CHECK(scale_lane(rows, element) == lane);
      CHECK(element.row < rows);
      CHECK(element.k_block < 64 / rows);
      lanes.insert(rows * element.k_block + element.row);
    }
    CHECK(lanes.size() == 64);
  }
  // op_sel is the low bit of the byte number, op_sel_hi the high bit.
  CHECK(scale_byte(1, 0) == 1);
  CHECK(scale_byte(0, 1) == 2);
}

// The formulas as the guide's chapter 7 gives them, one row a layout: (lane, bit) of A(i, k).
struct GuideRow {
  const char* shape;
  Format format;
  Place (*place)(unsigned i, unsigned k);
};
Place at(unsigned lane, unsigned vgpr, unsigned bit) {
  return {static_cast<uint8_t>(lane), static_cast<uint16_t>(32 * vgpr + bit)};
}

TEST_CASE("A layouts equal the guide's formulas") {
  const GuideRow rows[] = {
      {"v_mfma_f32_16x16x16_bf16", Format::bf16,
       [](unsigned i, unsigned k) { return at(16 * (k / 4) + i, k % 4 / 2, k % 2 * 16); }},
      {"v_mfma_f32_16x16x32_bf16", Format::bf16,
       [](unsigned i, unsigned k) { return at(16 * (k / 8) + i, k % 8 / 2, k % 2 * 16); }},
      {"v_mfma_f32_32x32x8_f16", Format::f16,
       [](unsigned i, unsigned k) { return at(32 * (k / 4) + i, k % 4 / 2, k % 2 * 16); }},
      {"v_mfma_f32_32x32x16_f16", Format::f16,
       [](unsigned i, unsigned k) { return at(32 * (k / 8) + i, k % 8 / 2, k % 2 * 16); }},
      {"v_mfma_f32_16x16x32_fp8_bf8", Format::e4m3,
       [](unsigned i, unsigned k) { return at(16 * (k / 8) + i, k % 8 / 4, k % 4 * 8); }},
      {"v_mfma_f32_32x32x16_bf8_bf8", Format::e5m2,
       [](unsigned i, unsigned k) { return at(32 * (k / 8) + i, k % 8 / 4, k % 4 * 8); }},
      {"v_mfma_scale_f32_16x16x128_f8f6f4", Format::e4m3,
       [](unsigned i, unsigned k) {
         return at(16 * (k / 16 % 4) + i, 4 * (k / 64) + k % 16 / 4, k % 4 * 8);
       }},
      {"v_mfma_f32_32x32x64_f8f6f4", Format::e5m2,
       [](unsigned i, unsigned k) {
         return at(32 * (k / 16 % 2) + i, 4 * (k / 32) + k % 16 / 4, k % 4 * 8);
       }},
      {"v_mfma_f32_16x16x128_f8f6f4", Format::e3m2,
       [](unsigned i, unsigned k) { return at(16 * (k / 32) + i, 0, 6 * (k % 32)); }},
      {"v_mfma_scale_f32_32x32x64_f8f6f4", Format::e2m1,
       [](unsigned i, unsigned k) { return at(32 * (k / 32) + i, k % 32 / 8, k % 8 * 4); }},
      {"v_mfma_f32_32x32x1_2b_f32", Format::f32, [](unsigned i, unsigned) { return at(i, 0, 0); }},
      {"v_mfma_f64_16x16x4_f64", Format::f64, [](unsigned i, unsigned k) { return at(16 * k + i, 0, 0); }},
      {"v_mfma_i32_16x16x64_i8", Format::i8,
       [](unsigned i, unsigned k) { return at(16 * (k / 16) + i, k % 16 / 4, k % 4 * 8); }},
  };
  for (const GuideRow& row : rows) {
    const Shape& shape = *find_exact(row.shape);
    const InputLayout layout = a_layout(shape, row.format);
    for (unsigned i = 0; i < shape.m; ++i)
      for (unsigned k = 0; k < shape.k; ++k)
        CHECK_MESSAGE(layout.place({0, static_cast<uint8_t>(i), static_cast<uint8_t>(k)}) == row.place(i, k),
                      shape.name, " A(", i, ",", k, ")");
  }
}

TEST_CASE("D layouts equal the guide's formulas") {
  const auto place = [](const char* name, unsigned block, unsigned i, unsigned j) {
    return cd_layout(*find_exact(name))
        .place({static_cast<uint8_t>(block), static_cast<uint8_t>(i), static_cast<uint8_t>(j)});
  };
  for (unsigned i = 0; i < 32; ++i)
    for (unsigned j = 0; j < 32; ++j) {
      CHECK(place("v_mfma_f32_32x32x16_bf16", 0, i, j) == at(32 * (i / 4 % 2) + j, 4 * (i / 8) + i % 4, 0));
      CHECK(place("v_mfma_f32_32x32x4_2b_f16", 1, i, j) ==
            at(32 * (i / 4 % 2) + j, 16 + 4 * (i / 8) + i % 4, 0));
    }
  for (unsigned i = 0; i < 16; ++i)
    for (unsigned j = 0; j < 16; ++j) {
      CHECK(place("v_mfma_scale_f32_16x16x128_f8f6f4", 0, i, j) == at(16 * (i / 4) + j, i % 4, 0));
      CHECK(place("v_mfma_f32_16x16x4_4b_bf16", 3, i, j) == at(16 * (i / 4) + j, 12 + i % 4, 0));
      CHECK(place("v_mfma_f64_16x16x4_f64", 0, i, j) == at(16 * (i % 4) + j, 2 * (i / 4), 0));
    }
  for (unsigned i = 0; i < 4; ++i)
    for (unsigned j = 0; j < 4; ++j) {
      CHECK(place("v_mfma_f32_4x4x4_16b_f16", 7, i, j) == at(28 + j, i, 0));
      CHECK(place("v_mfma_f64_4x4x4_4b_f64", 2, i, j) == at(16 * i + 8 + j, 0, 0));
    }
}

TEST_CASE("BLGP patterns and CBSZ broadcasts are the guide's") {
  CHECK(b_source_lane(40, 0) == 40);
  CHECK(b_source_lane(40, 1) == 8);
  CHECK(b_source_lane(8, 2) == 40);
  CHECK(b_source_lane(50, 3) == 2);
  CHECK(b_source_lane(63, 4) == 15);
  CHECK(b_source_lane(0, 5) == 16);
  CHECK(b_source_lane(20, 6) == 36);
  CHECK(b_source_lane(5, 7) == 53);
  CHECK(broadcast_block(5, 0, 0) == 5);
  CHECK(broadcast_block(5, 2, 3) == 7);
  CHECK(broadcast_block(3, 2, 1) == 1);
}

TEST_CASE("modifiers: what an instruction has no use for is not legal") {
  CHECK(legal_modifiers(*find_exact("v_mfma_f32_32x32x1_2b_f32"), 1, 1, 7));
  CHECK_FALSE(legal_modifiers(*find_exact("v_mfma_f32_32x32x1_2b_f32"), 2, 0, 0));
  CHECK_FALSE(legal_modifiers(*find_exact("v_mfma_f32_32x32x1_2b_f32"), 1, 2, 0));
  CHECK_FALSE(legal_modifiers(*find_exact("v_mfma_f32_16x16x32_bf16"), 1, 0, 0));
  CHECK(legal_modifiers(*find_exact("v_mfma_f64_4x4x4_4b_f64"), 0, 0, 5));
  CHECK_FALSE(legal_modifiers(*find_exact("v_mfma_f64_4x4x4_4b_f64"), 1, 0, 0));
  CHECK(legal_modifiers(*find_exact("v_mfma_f32_16x16x128_f8f6f4"), 4, 0, 0));
  CHECK_FALSE(legal_modifiers(*find_exact("v_mfma_f32_16x16x128_f8f6f4"), 0, 0, 5));
}

}  // namespace
}  // namespace wavetwin::mfma
