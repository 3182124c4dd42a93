// SPDX-License-Identifier: MIT
// Which k each lane holds, for every MFMA and SMFMAC: tables as the CDNA4 ISA guide prints them in chapter 7
// and AMD's matrix instruction calculator answers them (--register-layout). A product alone cannot tell: A
// and B may have their k in any order as long as it is the same one.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "common/mfma/sparse.h"

namespace wavetwin::mfma {
namespace {

// Runs of `run` consecutive k; group g of `rows` lanes (of `rows` times blocks, if there are several) holds
// those that begin at first_k[g], one after the other from bit 0 of VGPR 0 on.
struct InputTable {
  unsigned run;
  std::vector<std::vector<unsigned>> first_k;
};

struct DenseRow {
  std::vector<const char*> names;
  unsigned m, blocks, bits;
  InputTable input;
};

const std::vector<DenseRow>& dense_rows() {
  static const std::vector<DenseRow> kRows = {
      {{"v_mfma_f32_16x16x16_bf16", "v_mfma_f32_16x16x16_f16"}, 16, 1, 16, {4, {{0}, {4}, {8}, {12}}}},
      {{"v_mfma_f32_32x32x8_bf16", "v_mfma_f32_32x32x8_f16"}, 32, 1, 16, {4, {{0}, {4}}}},
      {{"v_mfma_f32_16x16x32_bf16", "v_mfma_f32_16x16x32_f16"}, 16, 1, 16, {8, {{0}, {8}, {16}, {24}}}},
      {{"v_mfma_f32_32x32x16_bf16", "v_mfma_f32_32x32x16_f16"}, 32, 1, 16, {8, {{0}, {8}}}},
      {{"v_mfma_f32_4x4x4_16b_bf16", "v_mfma_f32_4x4x4_16b_f16"}, 4, 16, 16, {4, {{0}}}},
      {{"v_mfma_f32_16x16x4_4b_bf16", "v_mfma_f32_16x16x4_4b_f16"}, 16, 4, 16, {4, {{0}}}},
      {{"v_mfma_f32_32x32x4_2b_bf16", "v_mfma_f32_32x32x4_2b_f16"}, 32, 2, 16, {4, {{0}}}},
      {{"v_mfma_f32_16x16x4_f32"}, 16, 1, 32, {1, {{0}, {1}, {2}, {3}}}},
      {{"v_mfma_f32_32x32x2_f32"}, 32, 1, 32, {1, {{0}, {1}}}},
      {{"v_mfma_f32_4x4x1_16b_f32"}, 4, 16, 32, {1, {{0}}}},
      {{"v_mfma_f32_16x16x1_4b_f32"}, 16, 4, 32, {1, {{0}}}},
      {{"v_mfma_f32_32x32x1_2b_f32"}, 32, 2, 32, {1, {{0}}}},
      {{"v_mfma_f64_16x16x4_f64"}, 16, 1, 64, {1, {{0}, {1}, {2}, {3}}}},
      {{"v_mfma_f64_4x4x4_4b_f64"}, 4, 4, 64, {1, {{0}, {1}, {2}, {3}}}},
      {{"v_mfma_i32_16x16x32_i8", "v_mfma_f32_16x16x32_fp8_fp8", "v_mfma_f32_16x16x32_fp8_bf8",
        "v_mfma_f32_16x16x32_bf8_fp8", "v_mfma_f32_16x16x32_bf8_bf8"},
       16,
       1,
       8,
       {8, {{0}, {8}, {16}, {24}}}},
      {{"v_mfma_i32_32x32x16_i8", "v_mfma_f32_32x32x16_fp8_fp8", "v_mfma_f32_32x32x16_fp8_bf8",
        "v_mfma_f32_32x32x16_bf8_fp8", "v_mfma_f32_32x32x16_bf8_bf8"},
       32,
       1,
       8,
       {8, {{0}, {8}}}},
      {{"v_mfma_i32_16x16x64_i8"}, 16, 1, 8, {16, {{0}, {16}, {32}, {48}}}},
      {{"v_mfma_i32_32x32x32_i8"}, 32, 1, 8, {16, {{0}, {16}}}},
      {{"v_mfma_i32_4x4x4_16b_i8"}, 4, 16, 8, {4, {{0}}}},
      {{"v_mfma_i32_16x16x4_4b_i8"}, 16, 4, 8, {4, {{0}}}},
      {{"v_mfma_i32_32x32x4_2b_i8"}, 32, 2, 8, {4, {{0}}}},
      {{"v_mfma_scale_f32_16x16x128_f8f6f4", "v_mfma_f32_16x16x128_f8f6f4"},
       16,
       1,
       8,
       {16, {{0, 64}, {16, 80}, {32, 96}, {48, 112}}}},
      {{"v_mfma_scale_f32_32x32x64_f8f6f4", "v_mfma_f32_32x32x64_f8f6f4"},
       32,
       1,
       8,
       {16, {{0, 32}, {16, 48}}}},
  };
  return kRows;
}

// The narrower formats of f8f6f4: 32 k a lane, without gaps.
const InputTable kNarrow16{32, {{0}, {32}, {64}, {96}}}, kNarrow32{32, {{0}, {32}}};

void check_input(const std::string& name, const InputLayout& layout, unsigned rows, unsigned blocks,
                 unsigned bits, const InputTable& table) {
  CAPTURE(name);
  CAPTURE(bits);
  std::set<unsigned> seen;
  for (unsigned group = 0; group < table.first_k.size(); ++group) {
    for (unsigned n = 0; n < table.first_k[group].size(); ++n) {
      for (unsigned e = 0; e < table.run; ++e) {
        const unsigned k = table.first_k[group][n] + e;
        seen.insert(k);
        for (unsigned block = 0; block < blocks; ++block) {
          for (unsigned row = 0; row < rows; ++row) {
            CAPTURE(block);
            CAPTURE(row);
            CAPTURE(k);
            const Place want{static_cast<uint8_t>(rows * blocks * group + rows * block + row),
                             static_cast<uint16_t>((n * table.run + e) * bits)};
            CHECK(layout.place({static_cast<uint8_t>(block), static_cast<uint8_t>(row),
                                static_cast<uint8_t>(k)}) == want);
          }
        }
      }
    }
  }
  CHECK(seen.size() == layout.k);
}

// Lane and first VGPR of D(i, j): columns are neighbouring lanes.
Place output_place(unsigned m, unsigned blocks, bool f64, unsigned block, unsigned i, unsigned j) {
  const auto at = [](unsigned lane, unsigned vgpr) {
    return Place{static_cast<uint8_t>(lane), static_cast<uint16_t>(32 * vgpr)};
  };
  if (f64) return m == 4 ? at(16 * i + 4 * block + j, 0) : at(16 * (i % 4) + j, i / 4 * 2);
  if (m == 4) return at(4 * block + j, i);
  if (m == 16) return at(16 * (i / 4) + j, 4 * block + i % 4);
  return at(32 * (i / 4 % 2) + j, 16 * (blocks == 2 ? block : 0) + 4 * (i / 8) + i % 4);
}

struct SparseRow {
  unsigned m, k, bits;
  InputTable a, b;  // of a: compressed elements
  unsigned sets;
};
const std::vector<SparseRow>& sparse_rows() {
  static const std::vector<SparseRow> kRows = {
      {16, 32, 16, {4, {{0}, {4}, {8}, {12}}}, {8, {{0}, {8}, {16}, {24}}}, 4},
      {32, 16, 16, {4, {{0}, {4}}}, {8, {{0}, {8}}}, 4},
      {16,
       64,
       16,
       {4, {{0, 16}, {4, 20}, {8, 24}, {12, 28}}},
       {8, {{0, 32}, {8, 40}, {16, 48}, {24, 56}}},
       2},
      {32, 32, 16, {4, {{0, 8}, {4, 12}}}, {8, {{0, 16}, {8, 24}}}, 2},
      {16, 64, 8, {8, {{0}, {8}, {16}, {24}}}, {16, {{0}, {16}, {32}, {48}}}, 2},
      {32, 32, 8, {8, {{0}, {8}}}, {16, {{0}, {16}}}, 2},
      {16,
       128,
       8,
       {8, {{0, 32}, {8, 40}, {16, 48}, {24, 56}}},
       {16, {{0, 64}, {16, 80}, {32, 96}, {48, 112}}},
       1},
      {32, 64, 8, {8, {{0, 16}, {8, 24}}}, {16, {{0, 32}, {16, 48}}}, 1},
  };
  return kRows;
}

}  // namespace

TEST_CASE("layout tables: A and B of every MFMA hold their k in the lanes that the guide's tables say") {
  size_t tested = 0;
  for (const DenseRow& row : dense_rows()) {
    for (const char* name : row.names) {
      const Shape* shape = find_exact(name);
      REQUIRE_MESSAGE(shape != nullptr, name);
      ++tested;
      check_input(name, a_layout(*shape, shape->a), row.m, row.blocks, row.bits, row.input);
      check_input(name, b_layout(*shape, shape->b), row.m, row.blocks, row.bits, row.input);
      if (shape->input != InputClass::f8f6f4) continue;
      for (const auto& [format, bits] :
           {std::pair{Format::e5m2, 8u}, {Format::e2m3, 6u}, {Format::e3m2, 6u}, {Format::e2m1, 4u}}) {
        const InputTable& table = bits == 8 ? row.input : row.m == 16 ? kNarrow16 : kNarrow32;
        check_input(name, a_layout(*shape, format), row.m, row.blocks, bits, table);
        check_input(name, b_layout(*shape, format), row.m, row.blocks, bits, table);
      }
    }
  }
  CHECK(tested == kShapeCount);
}

TEST_CASE("layout tables: C and D of every MFMA and SMFMAC") {
  for (const Shape& shape : kShapes) {
    CAPTURE(shape.name);
    const OutputLayout layout = cd_layout(shape);
    for (unsigned block = 0; block < shape.blocks; ++block) {
      for (unsigned i = 0; i < shape.m; ++i) {
        for (unsigned j = 0; j < shape.n; ++j) {
          CAPTURE(block);
          CAPTURE(i);
          CAPTURE(j);
          CHECK(
              layout.place({static_cast<uint8_t>(block), static_cast<uint8_t>(i), static_cast<uint8_t>(j)}) ==
              output_place(shape.m, shape.blocks, std::string(shape.name).ends_with("_f64"), block, i, j));
        }
      }
    }
  }
  for (const SparseShape& shape : kSparseShapes) {
    CAPTURE(shape.name);
    for (unsigned i = 0; i < shape.m; ++i) {
      for (unsigned j = 0; j < shape.n; ++j) {
        CHECK(sparse_d_layout(shape).place({0, static_cast<uint8_t>(i), static_cast<uint8_t>(j)}) ==
              output_place(shape.m, 1, false, 0, i, j));
      }
    }
  }
}

// Tables 33 to 37 and those of 7.5.1.3; the index bits of an element are in its lane, 2 bits an element.
TEST_CASE("layout tables: A, B and the index bits of every SMFMAC") {
  for (const SparseShape& shape : kSparseShapes) {
    CAPTURE(shape.name);
    const unsigned bits = std::string(shape.name).ends_with("16") ? 16 : 8;
    const auto row = std::find_if(sparse_rows().begin(), sparse_rows().end(), [&](const SparseRow& r) {
      return r.m == shape.m && r.k == shape.k && r.bits == bits;
    });
    REQUIRE(row != sparse_rows().end());
    check_input(shape.name, sparse_a_layout(shape), row->m, 1, bits, row->a);
    check_input(shape.name, sparse_b_layout(shape), row->m, 1, bits, row->b);
    CHECK(sparse_index_sets(shape) == row->sets);
    for (unsigned set = 0; set < row->sets; ++set) {
      for (unsigned group = 0; group < row->a.first_k.size(); ++group) {
        for (unsigned n = 0; n < row->a.first_k[group].size(); ++n) {
          for (unsigned e = 0; e < row->a.run; ++e) {
            const auto c = static_cast<uint8_t>(row->a.first_k[group][n] + e);
            const Place want{static_cast<uint8_t>(row->m * group + 5),
                             static_cast<uint16_t>(32 / row->sets * set + 2 * (n * row->a.run + e))};
            CAPTURE(set);
            CAPTURE(int{c});
            CHECK(sparse_index_place(shape, set, {0, 5, c}) == want);
          }
        }
      }
    }
    // ABID chooses the set where CBSZ[1:0] is 0, by its low bits.
    for (unsigned cbsz = 0; cbsz < 8; ++cbsz) {
      for (unsigned abid = 0; abid < 4; ++abid)
        CHECK(sparse_index_set(shape, cbsz, abid) == (cbsz % 4 == 0 ? abid % row->sets : 0));
    }
  }
}

TEST_CASE("layout tables: an index counts the k of its four upwards") {
  for (unsigned c = 0; c < 8; ++c) {
    for (unsigned index = 0; index < 4; ++index) CHECK(sparse_k(c, index) == (c & ~1u) * 2 + index);
  }
}

// BLGP: lanes 0..31, 32..63, all moved down by 16, one row of 16 lanes for all (guide, chapter 7; the row
// that each of 16 lanes is read from).
TEST_CASE("layout tables: BLGP and CBSZ with ABID, every lane and block") {
  constexpr unsigned kSourceRow[8][4] = {{0, 1, 2, 3}, {0, 1, 0, 1}, {2, 3, 2, 3}, {1, 2, 3, 0},
                                         {0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}};
  for (unsigned blgp = 0; blgp < 8; ++blgp) {
    for (unsigned lane = 0; lane < 64; ++lane)
      CHECK(b_source_lane(lane, blgp) == 16 * kSourceRow[blgp][lane / 16] + lane % 16);
  }
  for (unsigned cbsz = 0; cbsz <= 4; ++cbsz) {
    for (unsigned abid = 0; abid < 1u << cbsz; ++abid) {
      for (unsigned block = 0; block < 16; ++block)
        CHECK(broadcast_block(block, cbsz, abid) == (block >> cbsz << cbsz) + abid);
    }
  }
}

TEST_CASE("layout tables: scale bytes are numbered by op_sel_hi, then op_sel; rows are neighbouring lanes") {
  for (unsigned byte = 0; byte < 4; ++byte) CHECK(scale_byte(byte % 2, byte / 2) == byte);
  for (const unsigned rows : {16u, 32u}) {
    for (unsigned row = 0; row < rows; ++row) {
      for (unsigned block = 0; block < 64 / rows; ++block)
        CHECK(scale_lane(rows, {static_cast<uint8_t>(row), static_cast<uint8_t>(block)}) ==
              row + rows * block);
    }
  }
}

}  // namespace wavetwin::mfma
