// SPDX-License-Identifier: MIT
#include "golden/layout/mfma_map.h"

#include <fmt/format.h>

#include "golden/layout/matrix_fields.h"
#include "sim/numerics/mfma_model.h"

namespace wavetwin::golden {
namespace {

using mfma::Place;

uint8_t byte(unsigned v) { return static_cast<uint8_t>(v); }

// Fills `places` by place(row, column, block).
template <class PlaceOf>
OperandMap operand(std::string name, unsigned rows, unsigned columns, unsigned blocks, unsigned bits,
                   unsigned vgprs, PlaceOf place_of) {
  OperandMap o;
  o.name = std::move(name);
  o.rows = rows;
  o.columns = columns;
  o.blocks = blocks;
  o.bits = bits;
  o.vgprs = vgprs;
  o.places.reserve(size_t{blocks} * rows * columns);
  for (unsigned block = 0; block < blocks; ++block)
    for (unsigned i = 0; i < rows; ++i)
      for (unsigned j = 0; j < columns; ++j) o.places.push_back(place_of(i, j, block));
  return o;
}

constexpr AlongK::Axis kRow = AlongK::Axis::row, kColumn = AlongK::Axis::column;

// A: CBSZ and ABID choose the block of A that a block of the result reads.
OperandMap dense_a(const mfma::Shape& shape, const DenseFields& f) {
  const mfma::InputLayout layout = mfma::a_layout(shape, f.a_format);
  OperandMap a = operand("A", shape.m, shape.k, shape.blocks, layout.bits, mfma::a_vgprs(shape, f.a_format),
                         [&](unsigned i, unsigned k, unsigned block) {
                           const unsigned source = mfma::broadcast_block(block, f.cbsz, f.abid);
                           return layout.place({byte(source), byte(i), byte(k)});
                         });
  a.along_k = {kColumn, 1, 1};
  a.negated = f.negate & 1;
  if (shape.scaled) a.companion = "scale_a", a.companion_column_divisor = mfma::kScaleBlock;
  return a;
}

// B: BLGP chooses the lanes that are read in place of its own.
OperandMap dense_b(const mfma::Shape& shape, const DenseFields& f) {
  const mfma::InputLayout layout = mfma::b_layout(shape, f.b_format);
  OperandMap b = operand("B", shape.k, shape.n, shape.blocks, layout.bits, mfma::b_vgprs(shape, f.b_format),
                         [&](unsigned k, unsigned j, unsigned block) {
                           Place at = layout.place({byte(block), byte(j), byte(k)});
                           at.lane = byte(mfma::b_source_lane(at.lane, f.lane_pattern));
                           return at;
                         });
  b.along_k = {kRow, 1, 1};
  b.negated = f.negate >> 1 & 1;
  if (shape.scaled) b.companion = "scale_b", b.companion_row_divisor = mfma::kScaleBlock;
  return b;
}

OperandMap output(const char* name, const mfma::OutputLayout& layout, unsigned vgprs) {
  return operand(name, layout.m, layout.n, layout.blocks, layout.bits, vgprs,
                 [&](unsigned i, unsigned j, unsigned block) {
                   return layout.place({byte(block), byte(i), byte(j)});
                 });
}

void add_scales(const mfma::Shape& shape, const DenseFields& f, RegisterMap& map) {
  const unsigned k_blocks = shape.k / mfma::kScaleBlock;
  const auto at = [](unsigned rows, unsigned row, unsigned k_block, unsigned opsel) {
    return Place{byte(mfma::scale_lane(rows, {byte(row), byte(k_block)})), static_cast<uint16_t>(8 * opsel)};
  };
  OperandMap a = operand("scale_a", shape.m, k_blocks, 1, 8, 1,
                         [&](unsigned i, unsigned kb, unsigned) { return at(shape.m, i, kb, f.opsel_a); });
  a.along_k = {kColumn, 1, mfma::kScaleBlock};
  OperandMap b = operand("scale_b", k_blocks, shape.n, 1, 8, 1,
                         [&](unsigned kb, unsigned j, unsigned) { return at(shape.n, j, kb, f.opsel_b); });
  b.along_k = {kRow, 1, mfma::kScaleBlock};
  map.operands.push_back(std::move(a));
  map.operands.push_back(std::move(b));
}

std::string plural(unsigned count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

void add_common_facts(RegisterMap& map, mfma::Format a, mfma::Format b) {
  map.facts.emplace_back("instruction", map.instruction);
  map.facts.emplace_back(
      map.formula, fmt::format("M {}, N {}, K {}, {}", map.m, map.n, map.k, plural(map.blocks, "block")));
  map.facts.emplace_back("A format, VGPRs",
                         fmt::format("{}, {}", wavetwin::to_string(a), map.operand("A").vgprs));
  map.facts.emplace_back("B format, VGPRs",
                         fmt::format("{}, {}", wavetwin::to_string(b), map.operand("B").vgprs));
  map.facts.emplace_back(
      "C, D VGPRs", fmt::format("{} of {} bits an element", map.operand("D").vgprs, map.operand("D").bits));
}

void add_evidence_facts(RegisterMap& map, Evidence arithmetic) {
  map.facts.emplace_back("layout evidence", wavetwin::to_string(map.evidence));
  map.facts.emplace_back("arithmetic evidence", wavetwin::to_string(arithmetic));
}

}  // namespace

RegisterMap mfma_map(const mfma::Shape& shape, const MatrixFields& fields) {
  const DenseFields f = dense_fields(shape, fields);
  RegisterMap map;
  map.instruction = shape.name;
  map.formula = "D = A * B + C";
  map.m = shape.m, map.n = shape.n, map.k = shape.k, map.blocks = shape.blocks;
  map.k_block = shape.input == mfma::InputClass::f8f6f4 ? mfma::kScaleBlock : unsigned{shape.k};
  map.evidence = mfma::layout_evidence(shape);
  map.operands = {dense_a(shape, f), dense_b(shape, f),
                  output("C", mfma::cd_layout(shape), mfma::cd_vgprs(shape)),
                  output("D", mfma::cd_layout(shape), mfma::cd_vgprs(shape))};
  map.operands[2].negated = f.negate >> 2 & 1;
  if (shape.scaled) add_scales(shape, f, map);
  add_common_facts(map, f.a_format, f.b_format);
  map.facts.emplace_back(
      "scales",
      shape.scaled
          ? fmt::format(
                "one E8M0 byte a lane: byte {} of scale_a, byte {} of scale_b; lane = {} * (k / 32) + row",
                f.opsel_a, f.opsel_b, unsigned{shape.m})
          : "none");
  for (const std::string& text : f.meanings) map.facts.emplace_back("modifiers", text);
  add_evidence_facts(map, mfma::arithmetic_evidence(shape, mfma::MfmaModel{}));
  return map;
}

RegisterMap smfmac_map(const mfma::SparseShape& shape, const MatrixFields& fields) {
  const unsigned set = sparse_set(shape, fields);
  RegisterMap map;
  map.instruction = shape.name;
  map.formula = "D = A * B + D";
  map.m = shape.m, map.n = shape.n, map.k = shape.k;
  map.k_block = 4;
  map.sparse = true;
  map.evidence = Evidence::specified;
  const mfma::InputLayout a_layout = mfma::sparse_a_layout(shape), b_layout = mfma::sparse_b_layout(shape);
  OperandMap a = operand("A", shape.m, shape.k / 2, 1, a_layout.bits, mfma::sparse_a_vgprs(shape),
                         [&](unsigned i, unsigned c, unsigned) {
                           return a_layout.place({0, byte(i), byte(c)});
                         });
  OperandMap b = operand("B", shape.k, shape.n, 1, b_layout.bits, mfma::sparse_b_vgprs(shape),
                         [&](unsigned k, unsigned j, unsigned) {
                           return b_layout.place({0, byte(j), byte(k)});
                         });
  OperandMap index = operand("index", shape.m, shape.k / 2, 1, 2, 1, [&](unsigned i, unsigned c, unsigned) {
    return mfma::sparse_index_place(shape, set, {0, byte(i), byte(c)});
  });
  a.along_k = index.along_k = {kColumn, 2, 4};
  b.along_k = {kRow, 1, 1};
  a.companion = "index";
  index.companion = "A";
  map.operands = {std::move(a), std::move(b),
                  output("C", mfma::sparse_d_layout(shape), mfma::sparse_d_vgprs(shape)),
                  output("D", mfma::sparse_d_layout(shape), mfma::sparse_d_vgprs(shape)), std::move(index)};
  add_common_facts(map, shape.a, shape.b);
  map.facts.emplace_back("A",
                         "4:2 sparse: two of every four k are stored; A[i][c] stands for k = 4 (c / 2) "
                         "+ index[i][c]");
  const unsigned bits = 2 * mfma::sparse_lane_elements(shape);
  map.facts.emplace_back("index register",
                         fmt::format("2 bits an element of A, in its lane: bits {}..{} (set {} of {})",
                                     set * bits, set * bits + bits - 1, set, mfma::sparse_index_sets(shape)));
  map.facts.emplace_back("C", "the same registers as D");
  add_evidence_facts(map, Evidence::inferred);
  return map;
}

}  // namespace wavetwin::golden
