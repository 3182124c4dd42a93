// SPDX-License-Identifier: MIT
// The register maps of every SMFMAC are what the executor does: compressed A, B, D, and which index bits
// choose the k of which element, in every index set. How: tests/layout/one_hot.h.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "golden/layout/mfma_map.h"
#include "tests/layout/one_hot.h"

namespace wavetwin::golden {
namespace {

struct IndexFields {
  unsigned cbsz, abid;
};

RegisterMap map_of(const mfma::SparseShape& shape, const IndexFields& f) {
  MatrixFields fields;
  fields.cbsz = f.cbsz;
  fields.abid = f.abid;
  return smfmac_map(shape, fields);
}

// The partner's bits that make a legal pair with `index` of compressed element c: the first is the lower.
unsigned partner_index(unsigned c, unsigned) { return c % 2 == 0 ? 3 : 0; }
bool legal_index(unsigned c, unsigned index) { return c % 2 == 0 ? index < 3 : index > 0; }

// Index bits: `wanted(row)` for A(row, c), a legal partner, and for every other element of A, and every bit
// that the instruction does not read, something that would give another k.
template <class Wanted>
void load_index(const RegisterMap& map, OneHotWave& wave, unsigned c, Wanted wanted) {
  const OperandMap& index = map.operand("index");
  OperandImage image(index);
  image.fill(0xe4e4e4e4);  // 0, 1, 2, 3 in turn
  for (unsigned row = 0; row < index.rows; ++row) {
    for (unsigned other = 0; other < index.columns; ++other)
      image.set(index.place(row, other, 0), other % 2 == 0 ? 0 : 3);
    image.set(index.place(row, c, 0), wanted(row));
    image.set(index.place(row, c ^ 1, 0), partner_index(c, wanted(row)));
  }
  wave.load(OneHotWave::kIndex, image.words());
}

std::vector<Route> routes_of(const RegisterMap& map, unsigned c, unsigned (*index)(unsigned, unsigned),
                             unsigned argument) {
  const OperandMap &a = map.operand("A"), &b = map.operand("B"), &d = map.operand("D");
  std::vector<Route> routes(d.places.size());
  for (unsigned n = 0; n < routes.size(); ++n) {
    const OperandMap::Element e = d.element(n);
    routes[n] = {a.number(e.row, c, 0), b.number(mfma::sparse_k(c, index(e.row, argument)), e.column, 0)};
  }
  return routes;
}

// Element c of every row with index bits `index(row, argument)`.
std::string check_element(const mfma::SparseShape& shape, const RegisterMap& map, OneHotWave& wave,
                          unsigned c, unsigned (*index)(unsigned, unsigned), unsigned argument,
                          size_t& runs) {
  load_index(map, wave, c, [&](unsigned row) { return index(row, argument); });
  const std::string difference = compare_routes(map, wave, routes_of(map, c, index, argument),
                                                small_codes(shape.a), small_codes(shape.b), runs);
  return difference.empty() ? difference : difference + fmt::format(", compressed element {}", c);
}

unsigned same_index(unsigned, unsigned value) { return value; }
// 1 or 2, both legal for either of a pair, by one bit of the row.
unsigned index_by_row_bit(unsigned row, unsigned bit) { return 1 + (row >> bit & 1); }

// Every compressed element, or with `stride` some of them.
size_t check_sparse(const mfma::SparseShape& shape, const IndexFields& fields, unsigned stride = 1) {
  const RegisterMap map = map_of(shape, fields);
  OneHotWave wave(encode_matrix(shape.name, {fields.cbsz, fields.abid, 0, 0, 0}));
  size_t runs = 0;
  for (unsigned c = 0; c < map.operand("A").columns; c += stride) {
    std::string difference;
    for (unsigned value = 0; value < 4 && difference.empty(); ++value) {
      if (legal_index(c, value)) difference = check_element(shape, map, wave, c, same_index, value, runs);
    }
    // Rows with different bits: each row obeys its own lane's.
    for (unsigned bit = 0; (1u << bit) < shape.m && difference.empty(); ++bit)
      difference = check_element(shape, map, wave, c, index_by_row_bit, bit, runs);
    CHECK_MESSAGE(difference.empty(), difference, ", cbsz ", fields.cbsz, " abid ", fields.abid);
    if (!difference.empty()) break;
  }
  return runs;
}

}  // namespace

TEST_CASE("one-hot: A, B, D and the index bits of every SMFMAC are where the map says") {
  size_t runs = 0;  // every third element here, every one in the suite "slow"
  for (const mfma::SparseShape& shape : mfma::kSparseShapes)
    runs += check_sparse(shape, {0, mfma::sparse_index_sets(shape) - 1}, 3);
  CHECK(runs > 20'000);
}

TEST_CASE("one-hot: C and D of every SMFMAC share their registers") {
  for (const mfma::SparseShape& shape : mfma::kSparseShapes) {
    const RegisterMap map = map_of(shape, {0, 0});
    OneHotWave wave(encode_matrix(shape.name, {}));
    const OperandMap& d = map.operand("D");
    OperandImage image(d);
    for (const mfma::Place& place : d.places)
      image.set(place, output_code(map, 1 + static_cast<int>(place_number(d, place))));
    wave.load(OneHotWave::kD, image.words());
    wave.run();
    for (unsigned n = 0; n < d.places.size(); ++n) {
      CAPTURE(element_text(d, n));
      CHECK(wave.v(d.places[n].vgpr(), d.places[n].lane) ==
            output_code(map, 1 + static_cast<int>(place_number(d, d.places[n]))));
    }
  }
}

TEST_CASE(
    "one-hot: ABID chooses the index set, CBSZ other than 0 the first, for one SMFMAC of each count of "
    "sets") {
  for (const char* name : {"v_smfmac_f32_32x32x16_bf16", "v_smfmac_f32_16x16x64_f16",
                           "v_smfmac_f32_16x16x64_fp8_bf8", "v_smfmac_i32_32x32x64_i8"}) {
    for (const mfma::SparseShape& shape : mfma::kSparseShapes) {
      if (std::string(shape.name) != name) continue;
      for (unsigned abid = 0; abid < mfma::sparse_index_sets(shape); ++abid)
        check_sparse(shape, {0, abid}, 5);
      for (unsigned cbsz = 1; cbsz < 4; ++cbsz) check_sparse(shape, {cbsz, 0}, 5);
    }
  }
}

TEST_SUITE("slow") {
  TEST_CASE("one-hot: every SMFMAC in every index set") {
    for (const mfma::SparseShape& shape : mfma::kSparseShapes) {
      for (unsigned abid = 0; abid < mfma::sparse_index_sets(shape); ++abid) check_sparse(shape, {0, abid});
      for (unsigned cbsz = 1; cbsz < 4; ++cbsz) check_sparse(shape, {cbsz, 0});
    }
  }
}

}  // namespace wavetwin::golden
