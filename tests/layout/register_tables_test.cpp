// SPDX-License-Identifier: MIT
// The tables about one instruction: each agrees with its inverse for every instruction, operand and format;
// known answers; what the instruction fields change.
#include "golden/layout/register_tables.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "golden/layout/mfma_map.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

using mfma::Format;

const mfma::Shape& shape_of(const char* name) {
  const mfma::Shape* shape = mfma::find_exact(name);
  REQUIRE(shape != nullptr);
  return *shape;
}
const mfma::SparseShape& sparse_of(const std::string& name) {
  const auto found = std::find_if(std::begin(mfma::kSparseShapes), std::end(mfma::kSparseShapes),
                                  [&](const mfma::SparseShape& shape) { return name == shape.name; });
  REQUIRE(found != std::end(mfma::kSparseShapes));
  return *found;
}

RegisterMap scaled_map(const char* name, Format a, Format b) {
  MatrixFields fields;
  fields.a_format = a;
  fields.b_format = b;
  return mfma_map(shape_of(name), fields);
}

// Runs `check` for every MFMA (f8f6f4 in every format on both sides) and every SMFMAC.
template <class Check>
void for_each_map(Check check) {
  for (const mfma::Shape& shape : mfma::kShapes) {
    CAPTURE(shape.name);
    if (shape.input != mfma::InputClass::f8f6f4) {
      check(mfma_map(shape, {}));
      continue;
    }
    for (unsigned code = 0; code < mfma::kF8F6F4Formats; ++code) {
      CAPTURE(code);
      check(scaled_map(shape.name, static_cast<Format>(code), static_cast<Format>(code)));
    }
  }
  for (const mfma::SparseShape& shape : mfma::kSparseShapes) {
    CAPTURE(shape.name);
    check(smfmac_map(shape, {}));
  }
}

// "A[3][70].b1" -> its register, from the table of the matrix.
std::map<std::string, std::string> by_matrix(const RegisterMap& map, const OperandMap& o) {
  std::map<std::string, std::string> result;
  const TextTable table = register_layout(map, o);
  REQUIRE(table.rows.size() == o.rows * o.blocks);
  for (unsigned r = 0; r < table.rows.size(); ++r) {
    REQUIRE(table.rows[r].size() == o.columns + 1);
    for (unsigned j = 0; j < o.columns; ++j) {
      std::string name = o.name + "[" + std::to_string(r % o.rows) + "][" + std::to_string(j) + "]";
      if (o.blocks > 1) name += ".b" + std::to_string(r / o.rows);
      result[name] = table.rows[r][j + 1];
    }
  }
  return result;
}

// The same from the registers: every VGPR of every lane.
std::map<std::string, std::string> by_register(const RegisterMap& map, const OperandMap& o) {
  std::map<std::string, std::string> result;
  for (unsigned lane = 0; lane < 64; ++lane) {
    for (unsigned vgpr = 0; vgpr < o.vgprs; ++vgpr) {
      for (const auto& row : matrix_entry(map, o, vgpr, lane).rows)
        if (row[1] != "not read") result[row[1]] = row[0];
    }
  }
  return result;
}

std::string error_of(const mfma::Shape& shape, const MatrixFields& fields) {
  try {
    mfma_map(shape, fields);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("layout: the table of the matrix and the table of the registers are each other's inverse") {
  for_each_map([](const RegisterMap& map) {
    for (const OperandMap& o : map.operands) {
      CAPTURE(o.name);
      const auto matrix = by_matrix(map, o);
      CHECK(matrix == by_register(map, o));
      std::set<std::string> registers;
      for (const auto& [element, name] : matrix) registers.insert(name);
      CHECK(registers.size() == matrix.size());  // no two elements in one place
    }
  });
}

TEST_CASE("layout: A, B, C and D fill their registers exactly; index bits fill their set") {
  for_each_map([](const RegisterMap& map) {
    for (const char* name : {"A", "B", "C", "D"}) {
      CAPTURE(name);
      const OperandMap& o = map.operand(name);
      CHECK(o.rows * o.columns * o.blocks * o.bits == 64 * 32 * o.vgprs);
    }
    if (!map.sparse) return;
    const OperandMap& index = map.operand("index");
    std::set<unsigned> bits;
    for (const mfma::Place& place : index.places) bits.insert(place.bit);
    CHECK(bits.size() == index.places.size() / 64);
    CHECK(*bits.rbegin() == 2 * (bits.size() - 1));  // without gaps from bit 0 of set 0
  });
}

TEST_CASE("layout: matrix_layout shows what matrix_entry answers for each register") {
  const RegisterMap map = scaled_map("v_mfma_scale_f32_32x32x64_f8f6f4", Format::e2m3, Format::e2m1);
  const TextTable table = matrix_layout(map, map.operand("A"));
  REQUIRE(table.rows.size() == 64);
  CHECK(table.columns == std::vector<std::string>{"lane", "v0", "v1", "v2", "v3", "v4", "v5"});
  for (unsigned lane = 0; lane < 64; ++lane) {
    for (unsigned vgpr = 0; vgpr < 6; ++vgpr) {
      std::string cell;
      for (const auto& entry : matrix_entry(map, map.operand("A"), vgpr, lane).rows)
        cell += (cell.empty() ? "" : " ") + entry[1];
      CAPTURE(lane);
      CAPTURE(vgpr);
      CHECK(table.rows[lane][vgpr + 1] == cell);
    }
  }
}

TEST_CASE("layout: the scale of row r and K block k is in lane 16 k + r of 16x16x128, 32 k + r of 32x32x64") {
  for (const char* name : {"v_mfma_scale_f32_16x16x128_f8f6f4", "v_mfma_scale_f32_32x32x64_f8f6f4"}) {
    MatrixFields fields;
    fields.opsel_a = 1;
    fields.opsel_b = 3;
    const RegisterMap map = mfma_map(shape_of(name), fields);
    for (unsigned r = 0; r < map.m; ++r) {
      for (unsigned k = 0; k < map.k / 32; ++k) {
        CAPTURE(name);
        CAPTURE(r);
        CAPTURE(k);
        const unsigned lane = (map.m == 16 ? 16 : 32) * k + r;
        CHECK(map.operand("scale_a").place(r, k, 0) == mfma::Place{static_cast<uint8_t>(lane), 8});
        CHECK(map.operand("scale_b").place(k, r, 0) == mfma::Place{static_cast<uint8_t>(lane), 24});
      }
    }
  }
}

TEST_CASE("layout: an element of a scaled operand is listed with the scale of its row and K block") {
  const RegisterMap map = scaled_map("v_mfma_scale_f32_16x16x128_f8f6f4", Format::e4m3, Format::e4m3);
  for (unsigned row = 0; row < 16; ++row) {
    for (unsigned k = 0; k < 128; ++k) {
      CAPTURE(row);
      CAPTURE(k);
      const TextTable a = get_register(map, map.operand("A"), row, k, 0);
      const TextTable b = get_register(map, map.operand("B"), k, row, 0);
      REQUIRE(a.rows.size() == 2);
      REQUIRE(b.rows.size() == 2);
      CHECK(a.rows[1][2] == std::to_string(16 * (k / 32) + row));
      CHECK(b.rows[1][2] == std::to_string(16 * (k / 32) + row));
    }
  }
}

// Tables 34 and 36 and those of 7.5.1.3 of the CDNA4 ISA guide: first k of VGPR v in each row of 16 lanes.
TEST_CASE("layout: B of the SMFMACs is the guide's tables") {
  struct Row {
    const char* name;
    unsigned per_vgpr;
    std::vector<std::array<unsigned, 4>> first_k;  // [vgpr][row of lanes]
  };
  const Row rows[] = {
      {"v_smfmac_f32_16x16x32_f16", 2, {{0, 8, 16, 24}, {2, 10, 18, 26}, {4, 12, 20, 28}, {6, 14, 22, 30}}},
      {"v_smfmac_f32_32x32x16_bf16", 2, {{0, 0, 8, 8}, {2, 2, 10, 10}, {4, 4, 12, 12}, {6, 6, 14, 14}}},
      {"v_smfmac_i32_16x16x64_i8", 4, {{0, 16, 32, 48}, {4, 20, 36, 52}, {8, 24, 40, 56}, {12, 28, 44, 60}}},
      {"v_smfmac_f32_32x32x32_fp8_bf8",
       4,
       {{0, 0, 16, 16}, {4, 4, 20, 20}, {8, 8, 24, 24}, {12, 12, 28, 28}}},
      {"v_smfmac_f32_16x16x64_bf16",
       2,
       {{0, 8, 16, 24},
        {2, 10, 18, 26},
        {4, 12, 20, 28},
        {6, 14, 22, 30},
        {32, 40, 48, 56},
        {34, 42, 50, 58},
        {36, 44, 52, 60},
        {38, 46, 54, 62}}},
      {"v_smfmac_f32_32x32x32_f16",
       2,
       {{0, 0, 8, 8},
        {2, 2, 10, 10},
        {4, 4, 12, 12},
        {6, 6, 14, 14},
        {16, 16, 24, 24},
        {18, 18, 26, 26},
        {20, 20, 28, 28},
        {22, 22, 30, 30}}},
      {"v_smfmac_f32_16x16x128_bf8_fp8",
       4,
       {{0, 16, 32, 48},
        {4, 20, 36, 52},
        {8, 24, 40, 56},
        {12, 28, 44, 60},
        {64, 80, 96, 112},
        {68, 84, 100, 116},
        {72, 88, 104, 120},
        {76, 92, 108, 124}}},
      {"v_smfmac_i32_32x32x64_i8",
       4,
       {{0, 0, 16, 16},
        {4, 4, 20, 20},
        {8, 8, 24, 24},
        {12, 12, 28, 28},
        {32, 32, 48, 48},
        {36, 36, 52, 52},
        {40, 40, 56, 56},
        {44, 44, 60, 60}}},
  };
  for (const Row& row : rows) {
    const RegisterMap map = smfmac_map(sparse_of(row.name), {});
    const OperandMap& b = map.operand("B");
    REQUIRE(b.vgprs == row.first_k.size());
    for (unsigned vgpr = 0; vgpr < b.vgprs; ++vgpr)
      for (unsigned lane = 0; lane < 64; ++lane)
        for (unsigned e = 0; e < row.per_vgpr; ++e) {
          CAPTURE(row.name);
          CAPTURE(vgpr);
          CAPTURE(lane);
          const unsigned k = row.first_k[vgpr][lane / 16] + e;
          CHECK(b.place(k, lane % map.n, 0) ==
                mfma::Place{static_cast<uint8_t>(lane), static_cast<uint16_t>(32 * vgpr + b.bits * e)});
        }
  }
}

// Tables 35 and 37 and those of 7.5.1.3: the index bits of VGPR and position of A, and the sets.
TEST_CASE("layout: the index bits of the SMFMACs are the guide's tables") {
  struct Row {
    const char* name;
    unsigned sets;
  };
  for (const Row& row : {Row{"v_smfmac_f32_32x32x16_f16", 4}, Row{"v_smfmac_i32_16x16x64_i8", 2},
                         Row{"v_smfmac_f32_16x16x64_bf16", 2}, Row{"v_smfmac_f32_32x32x64_fp8_fp8", 1}}) {
    CAPTURE(row.name);
    const mfma::SparseShape& shape = sparse_of(row.name);
    CHECK(mfma::sparse_index_sets(shape) == row.sets);
    for (unsigned set = 0; set < row.sets; ++set) {
      MatrixFields fields;
      fields.abid = set;
      const RegisterMap map = smfmac_map(shape, fields);
      const OperandMap &a = map.operand("A"), &index = map.operand("index");
      for (unsigned n = 0; n < a.places.size(); ++n) {
        CAPTURE(n);
        CHECK(index.places[n].lane == a.places[n].lane);
        CHECK(index.places[n].bit == 32 / row.sets * set + 2 * (a.places[n].bit / a.bits));
      }
    }
    MatrixFields first;
    first.cbsz = 1;
    CHECK(smfmac_map(shape, first).operand("index").places == smfmac_map(shape, {}).operand("index").places);
  }
}

TEST_CASE("layout: a k of a sparse A is one of two elements, by their index bits") {
  const RegisterMap map = smfmac_map(sparse_of("v_smfmac_f32_16x16x64_f16"), {});
  const auto elements = [&](unsigned k) {
    std::string text;
    for (const auto& row : get_register_of_k(map, 3, k).rows) text += row[0] + " ";
    return text;
  };
  CHECK(elements(20) == "A[3][10] index[3][10] ");  // only the first of a pair can stand for its first k
  CHECK(elements(22) == "A[3][10] index[3][10] A[3][11] index[3][11] ");
  CHECK(elements(23) == "A[3][11] index[3][11] ");
  // AMD's matrix instruction calculator for CDNA4: the index bits of k 31 of row 2 are in v0{50}.[7:4].
  const OperandMap& index = map.operand("index");
  CHECK(index.place(2, 14, 0) == mfma::Place{50, 4});
  CHECK(index.place(2, 15, 0) == mfma::Place{50, 6});
  CHECK(get_register_of_k(map, 2, 31).rows[1][0] == "index[2][15]");
  CHECK_THROWS_AS(get_register_of_k(map, 3, 64), Error);
  CHECK_THROWS_AS(get_register_of_k(map, 16, 0), Error);
}

TEST_CASE("layout: CBSZ and ABID: all blocks of a group read one block of A, the others are not read") {
  MatrixFields fields;
  fields.cbsz = 2;
  fields.abid = 3;
  fields.blgp = 1;
  const RegisterMap map = mfma_map(shape_of("v_mfma_f32_4x4x4_16b_f16"), fields);
  const OperandMap &a = map.operand("A"), &b = map.operand("B");
  for (unsigned block = 0; block < 16; ++block) {
    CAPTURE(block);
    CHECK(a.place(2, 0, block).lane == 4 * (block / 4 * 4 + 3) + 2);
    CHECK(b.place(0, 1, block).lane == (4 * block + 1) % 32);
  }
  const TextTable read = matrix_entry(map, a, 0, 14);  // lane 14: block 3, row 2
  CHECK(read.rows.size() == 8);
  CHECK(read.rows[0] == std::vector<std::string>{"v0{14}.[15:0]", "A[2][0].b0"});
  CHECK(read.rows[7] == std::vector<std::string>{"v0{14}.[31:16]", "A[2][1].b3"});
  const TextTable unread = matrix_entry(map, a, 0, 13 - 8);
  CHECK(unread.rows == std::vector<std::vector<std::string>>{{"v0{5}", "not read"}});
  CHECK(matrix_layout(map, a).rows[5][1] == "- -");
  // Lanes 32..63 of B are not read; lanes 0..31 by two blocks each.
  CHECK(matrix_layout(map, b).rows[40][1] == "- -");
  CHECK(matrix_layout(map, b).rows[5][1] == "B[0][1].b1/B[0][1].b9 B[1][1].b1/B[1][1].b9");
}

TEST_CASE("layout: BLGP of the f64 shapes changes the signs of A, B and C") {
  MatrixFields fields;
  fields.blgp = 5;
  const RegisterMap map = mfma_map(shape_of("v_mfma_f64_16x16x4_f64"), fields);
  CHECK(matrix_entry(map, map.operand("A"), 0, 17).rows[0][1] == "-A[1][1]");
  CHECK(matrix_entry(map, map.operand("B"), 0, 17).rows[0][1] == "B[1][1]");
  CHECK(matrix_entry(map, map.operand("C"), 0, 0).rows[0][1] == "-C[0][0]");
  CHECK(matrix_entry(map, map.operand("D"), 0, 0).rows[0][1] == "D[0][0]");
  CHECK(map.operand("B").place(1, 1, 0) ==
        mfma_map(shape_of("v_mfma_f64_16x16x4_f64"), {}).operand("B").place(1, 1, 0));
}

TEST_CASE(
    "layout: a field that means nothing, is out of range or contradicts another is refused, and says why") {
  const auto with = [](auto set) {
    MatrixFields fields;
    set(fields);
    return fields;
  };
  const mfma::Shape &scaled = shape_of("v_mfma_scale_f32_16x16x128_f8f6f4"),
                    &bf16 = shape_of("v_mfma_f32_16x16x32_bf16"), &f64 = shape_of("v_mfma_f64_4x4x4_4b_f64"),
                    &small = shape_of("v_mfma_f32_4x4x4_16b_f16");
  const auto says = [](const std::string& error, const char* part) {
    CAPTURE(error);
    CHECK(error.find(part) != std::string::npos);
  };
  says(error_of(bf16, with([](auto& f) { f.cbsz = 1; })), "one block");
  says(error_of(bf16, with([](auto& f) { f.abid = 1; })), "one block");
  says(error_of(bf16, with([](auto& f) { f.blgp = 8; })), "0..7");
  says(error_of(bf16, with([](auto& f) { f.opsel_a = 0; })), "no scale operands");
  says(error_of(bf16, with([](auto& f) { f.a_format = Format::f16; })), "bf16 elements only");
  says(error_of(small, with([](auto& f) { f.cbsz = 2, f.abid = 4; })), "--abid 4");
  says(error_of(small, with([](auto& f) { f.cbsz = 5; })), "0..4");
  says(error_of(f64, with([](auto& f) { f.cbsz = 1; })), "does not broadcast");
  says(error_of(scaled, with([](auto& f) { f.cbsz = 5; })), "0..4");
  says(error_of(scaled, with([](auto& f) { f.abid = 1; })), "--abid");
  says(error_of(scaled, with([](auto& f) { f.opsel_b = 4; })), "0..3");
  says(error_of(scaled, with([](auto& f) { f.cbsz = 4, f.a_format = Format::e4m3; })), "contradict");
  CHECK(error_of(scaled, with([](auto& f) { f.cbsz = 4, f.a_format = Format::e2m1; })).empty());
  const mfma::SparseShape& sparse = sparse_of("v_smfmac_f32_16x16x64_f16");
  CHECK_THROWS_AS(smfmac_map(sparse, with([](auto& f) { f.abid = 2; })), Error);
  CHECK_THROWS_AS(smfmac_map(sparse, with([](auto& f) { f.blgp = 1; })), Error);
  CHECK_THROWS_AS(smfmac_map(sparse, with([](auto& f) { f.cbsz = 1, f.abid = 1; })), Error);
  CHECK_THROWS_AS(smfmac_map(sparse, with([](auto& f) { f.opsel_a = 1; })), Error);
}

}  // namespace wavetwin::golden
