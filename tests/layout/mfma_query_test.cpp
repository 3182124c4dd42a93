// SPDX-License-Identifier: MIT
// The tables of MfmaQuery: each agrees with its inverse for every instruction, operand and format.
#include "golden/layout/mfma_query.h"

#include <doctest/doctest.h>

#include <map>
#include <set>

#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

using mfma::Format;

const mfma::Shape& shape_of(const char* name) {
  const mfma::Shape* shape = mfma::find_exact(name);
  REQUIRE(shape != nullptr);
  return *shape;
}

MfmaQuery plain(const mfma::Shape& shape, Format a, Format b) { return MfmaQuery(shape, a, b, {}); }

// Runs `check` for every instruction and every pair of equal formats it takes.
template <class Check>
void for_each_query(Check check) {
  for (const mfma::Shape& shape : mfma::kShapes) {
    CAPTURE(shape.name);
    if (shape.input != mfma::InputClass::f8f6f4) {
      check(plain(shape, shape.a, shape.b));
      continue;
    }
    for (unsigned code = 0; code < mfma::kF8F6F4Formats; ++code) {
      CAPTURE(code);
      check(plain(shape, static_cast<Format>(code), static_cast<Format>(code)));
    }
  }
}

std::vector<Operand> operands_of(const MfmaQuery& query) {
  std::vector<Operand> all{Operand::a, Operand::b, Operand::c, Operand::d};
  if (query.shape().scaled) all.insert(all.end(), {Operand::scale_a, Operand::scale_b});
  return all;
}

// "A[3][70].b1" -> its register, from the table of the matrix.
std::map<std::string, std::string> by_matrix(const MfmaQuery& query, Operand operand) {
  std::map<std::string, std::string> result;
  const MfmaQuery::Size size = query.size(operand);
  const TextTable table = query.matrix_layout(operand);
  REQUIRE(table.rows.size() == size.rows * size.blocks);
  for (unsigned r = 0; r < table.rows.size(); ++r) {
    REQUIRE(table.rows[r].size() == size.columns + 1);
    for (unsigned j = 0; j < size.columns; ++j) {
      std::string name = std::string(to_string(operand)) + "[" + std::to_string(r % size.rows) + "][" +
                         std::to_string(j) + "]";
      if (size.blocks > 1) name += ".b" + std::to_string(r / size.rows);
      result[name] = table.rows[r][j + 1];
    }
  }
  return result;
}

// The same from the registers: every VGPR of every lane.
std::map<std::string, std::string> by_register(const MfmaQuery& query, Operand operand) {
  std::map<std::string, std::string> result;
  for (unsigned lane = 0; lane < 64; ++lane) {
    for (unsigned vgpr = 0; vgpr < query.size(operand).vgprs; ++vgpr) {
      for (const auto& row : query.matrix_entry(operand, vgpr, lane).rows) result[row[1]] = row[0];
    }
  }
  return result;
}

}  // namespace

TEST_CASE("layout: the table of the matrix and the table of the registers are each other's inverse") {
  for_each_query([](const MfmaQuery& query) {
    for (const Operand operand : operands_of(query)) {
      CAPTURE(to_string(operand));
      const auto matrix = by_matrix(query, operand);
      CHECK(matrix == by_register(query, operand));
      std::set<std::string> registers;
      for (const auto& [element, name] : matrix) registers.insert(name);
      CHECK(registers.size() == matrix.size());  // no two elements in one place
    }
  });
}

TEST_CASE("layout: an operand fills its registers exactly") {
  for_each_query([](const MfmaQuery& query) {
    for (const Operand operand : {Operand::a, Operand::b, Operand::d}) {
      CAPTURE(to_string(operand));
      const MfmaQuery::Size size = query.size(operand);
      CHECK(size.rows * size.columns * size.blocks * size.bits == 64 * 32 * size.vgprs);
    }
  });
}

TEST_CASE("layout: register_layout shows what matrix_entry answers for each register") {
  const MfmaQuery query = plain(shape_of("v_mfma_scale_f32_32x32x64_f8f6f4"), Format::e2m3, Format::e2m1);
  const TextTable table = query.register_layout(Operand::a);
  REQUIRE(table.rows.size() == 64);
  CHECK(table.columns == std::vector<std::string>{"lane", "v0", "v1", "v2", "v3", "v4", "v5"});
  for (unsigned lane = 0; lane < 64; ++lane) {
    for (unsigned vgpr = 0; vgpr < 6; ++vgpr) {
      std::string cell;
      for (const auto& entry : query.matrix_entry(Operand::a, vgpr, lane).rows)
        cell += (cell.empty() ? "" : " ") + entry[1];
      CAPTURE(lane);
      CAPTURE(vgpr);
      CHECK(table.rows[lane][vgpr + 1] == cell);
    }
  }
}

TEST_CASE("layout: the scale of row r and K block k is in lane 16 k + r of 16x16x128, 32 k + r of 32x32x64") {
  for (const char* name : {"v_mfma_scale_f32_16x16x128_f8f6f4", "v_mfma_scale_f32_32x32x64_f8f6f4"}) {
    const mfma::Shape& shape = shape_of(name);
    const MfmaQuery query(shape, Format::e4m3, Format::e4m3, {.opsel_a = 1, .opsel_b = 3});
    for (unsigned r = 0; r < shape.m; ++r) {
      for (unsigned k = 0; k < shape.k / 32u; ++k) {
        CAPTURE(name);
        CAPTURE(r);
        CAPTURE(k);
        const unsigned lane = (shape.m == 16 ? 16 : 32) * k + r;
        CHECK(query.place(Operand::scale_a, r, k, 0) == mfma::Place{static_cast<uint8_t>(lane), 8});
        CHECK(query.place(Operand::scale_b, k, r, 0) == mfma::Place{static_cast<uint8_t>(lane), 24});
      }
    }
  }
}

TEST_CASE("layout: an element of a scaled operand is listed with the scale of its row and K block") {
  const MfmaQuery query = plain(shape_of("v_mfma_scale_f32_16x16x128_f8f6f4"), Format::e4m3, Format::e4m3);
  for (unsigned row = 0; row < 16; ++row) {
    for (unsigned k = 0; k < 128; ++k) {
      CAPTURE(row);
      CAPTURE(k);
      const TextTable a = query.get_register(Operand::a, row, k, 0);
      const TextTable b = query.get_register(Operand::b, k, row, 0);
      REQUIRE(a.rows.size() == 2);
      REQUIRE(b.rows.size() == 2);
      CHECK(a.rows[1][2] == std::to_string(16 * (k / 32) + row));
      CHECK(b.rows[1][2] == std::to_string(16 * (k / 32) + row));
    }
  }
}

TEST_CASE("layout: CBSZ and ABID move A to the broadcast block, BLGP moves B to the source lane") {
  const mfma::Shape& shape = shape_of("v_mfma_f32_4x4x4_16b_f16");
  const MfmaQuery query(shape, Format::f16, Format::f16, {.cbsz = 2, .abid = 3, .blgp = 1});
  for (unsigned block = 0; block < 16; ++block) {
    CAPTURE(block);
    CHECK(query.place(Operand::a, 2, 0, block).lane == 4 * (block / 4 * 4 + 3) + 2);
    CHECK(query.place(Operand::b, 0, 1, block).lane == (4 * block + 1) % 32);
  }
  CHECK_THROWS_AS(MfmaQuery(shape, Format::f16, Format::f16, {.cbsz = 2, .abid = 4}), Error);
  CHECK_THROWS_AS(MfmaQuery(shape, Format::f16, Format::f16, {.opsel_a = 4}), Error);
}

}  // namespace wavetwin::golden
