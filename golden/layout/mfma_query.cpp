// SPDX-License-Identifier: MIT
#include "golden/layout/mfma_query.h"

#include <fmt/format.h>

#include "sim/core/error.h"
#include "sim/numerics/mfma_model.h"

namespace wavetwin::golden {
namespace {

constexpr unsigned kLanes = 64;

bool is_scale(Operand operand) { return operand == Operand::scale_a || operand == Operand::scale_b; }

// "v5{3}" or "v5{3}.[23:16]"; an element across two registers names both.
std::string place_text(unsigned lane, unsigned bit, unsigned bits) {
  const unsigned vgpr = bit / 32, low = bit % 32, high = low + bits - 1;
  if (bits == 32) return fmt::format("v{}{{{}}}", vgpr, lane);
  if (bits == 64) return fmt::format("v[{}:{}]{{{}}}", vgpr, vgpr + 1, lane);
  if (high < 32) return fmt::format("v{}{{{}}}.[{}:{}]", vgpr, lane, high, low);
  return fmt::format("v{}{{{}}}.[31:{}] v{}{{{}}}.[{}:0]", vgpr, lane, low, vgpr + 1, lane, high - 32);
}

}  // namespace

Operand parse_operand(const std::string& text) {
  constexpr Operand kAll[] = {Operand::a, Operand::b,       Operand::c,
                              Operand::d, Operand::scale_a, Operand::scale_b};
  std::string lower;
  for (const char c : text) lower += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  for (const Operand operand : kAll) {
    std::string name = to_string(operand);
    if (name.size() == 1) name[0] = static_cast<char>(name[0] - 'A' + 'a');
    if (lower == name) return operand;
  }
  throw Error("--matrix " + text + ": not an operand; one of A, B, C, D, scale_a, scale_b");
}

const char* to_string(Operand operand) {
  constexpr const char* kNames[] = {"A", "B", "C", "D", "scale_a", "scale_b"};
  return kNames[static_cast<uint8_t>(operand)];
}

MfmaQuery::MfmaQuery(const mfma::Shape& shape, mfma::Format a_format, mfma::Format b_format,
                     const Modifiers& modifiers)
    : shape_(shape), a_format_(a_format), b_format_(b_format), modifiers_(modifiers) {
  const bool f8f6f4 = shape.input == mfma::InputClass::f8f6f4;
  if (!f8f6f4 && !mfma::legal_modifiers(shape, modifiers.cbsz, modifiers.abid, modifiers.blgp)) {
    throw Error(fmt::format("{}: --cbsz {} --abid {} --blgp {} is not legal for its {} block{}", shape.name,
                            modifiers.cbsz, modifiers.abid, modifiers.blgp, shape.blocks,
                            shape.blocks == 1 ? "" : "s"));
  }
  if (modifiers.opsel_a > 3 || modifiers.opsel_b > 3) throw Error("--opsel-a and --opsel-b are a byte, 0..3");
}

MfmaQuery::Size MfmaQuery::size(Operand operand) const {
  switch (operand) {
    case Operand::a:
      return {shape_.m, shape_.k, shape_.blocks, mfma::format_bits(a_format_),
              mfma::a_vgprs(shape_, a_format_)};
    case Operand::b:
      return {shape_.k, shape_.n, shape_.blocks, mfma::format_bits(b_format_),
              mfma::b_vgprs(shape_, b_format_)};
    case Operand::c:
    case Operand::d:
      return {shape_.m, shape_.n, shape_.blocks, mfma::output_bits(shape_), mfma::cd_vgprs(shape_)};
    case Operand::scale_a:
    case Operand::scale_b:
      break;
  }
  if (!shape_.scaled) throw Error(fmt::format("{} has no scale operands", shape_.name));
  const unsigned k_blocks = shape_.k / mfma::kScaleBlock;
  if (operand == Operand::scale_a) return {shape_.m, k_blocks, 1, 8, 1};
  return {k_blocks, shape_.n, 1, 8, 1};
}

mfma::Place MfmaQuery::place(Operand operand, unsigned i, unsigned j, unsigned block) const {
  const auto byte = [](unsigned v) { return static_cast<uint8_t>(v); };
  switch (operand) {
    case Operand::a: {
      // CBSZ and ABID: the block of A that this block of the result reads.
      const unsigned source = shape_.input == mfma::InputClass::f8f6f4
                                  ? block
                                  : mfma::broadcast_block(block, modifiers_.cbsz, modifiers_.abid);
      return mfma::a_layout(shape_, a_format_).place({byte(source), byte(i), byte(j)});
    }
    case Operand::b: {
      mfma::Place at = mfma::b_layout(shape_, b_format_).place({byte(block), byte(j), byte(i)});
      const bool pattern = shape_.input != mfma::InputClass::f8f6f4 && shape_.input != mfma::InputClass::f64;
      if (pattern) at.lane = byte(mfma::b_source_lane(at.lane, modifiers_.blgp));
      return at;
    }
    case Operand::c:
    case Operand::d:
      return mfma::cd_layout(shape_).place({byte(block), byte(i), byte(j)});
    case Operand::scale_a:
      return {byte(mfma::scale_lane(shape_.m, {byte(i), byte(j)})),
              static_cast<uint16_t>(8 * modifiers_.opsel_a)};
    case Operand::scale_b:
      return {byte(mfma::scale_lane(shape_.n, {byte(j), byte(i)})),
              static_cast<uint16_t>(8 * modifiers_.opsel_b)};
  }
  return {};
}

void MfmaQuery::check_element(Operand operand, unsigned i, unsigned j, unsigned block) const {
  const Size s = size(operand);
  if (i < s.rows && j < s.columns && block < s.blocks) return;
  throw Error(fmt::format("{}: {}[{}][{}] block {} is outside {} x {}, {} block{}", shape_.name,
                          to_string(operand), i, j, block, s.rows, s.columns, s.blocks,
                          s.blocks == 1 ? "" : "s"));
}

std::string MfmaQuery::register_name(Operand operand, unsigned i, unsigned j, unsigned block) const {
  const mfma::Place at = place(operand, i, j, block);
  return place_text(at.lane, at.bit, size(operand).bits);
}

// The element whose lowest bit is `bit` of the lane's registers. Modifiers that read one register for several
// elements are not undone here: the register belongs to the element that lies there without them.
std::string MfmaQuery::element_name(Operand operand, unsigned lane, unsigned bit) const {
  const mfma::Place at{static_cast<uint8_t>(lane), static_cast<uint16_t>(bit)};
  unsigned i = 0, j = 0, block = 0;
  if (operand == Operand::a || operand == Operand::b) {
    const bool is_a = operand == Operand::a;
    const auto layout = is_a ? mfma::a_layout(shape_, a_format_) : mfma::b_layout(shape_, b_format_);
    const mfma::InputElement e = layout.element(at);
    i = is_a ? e.row : e.k;
    j = is_a ? e.k : e.row;
    block = e.block;
  } else if (is_scale(operand)) {
    const bool is_a = operand == Operand::scale_a;
    const mfma::ScaleElement e = mfma::scale_element(is_a ? shape_.m : shape_.n, lane);
    i = is_a ? e.row : e.k_block;
    j = is_a ? e.k_block : e.row;
  } else {
    const mfma::OutputElement e = mfma::cd_layout(shape_).element(at);
    i = e.row;
    j = e.column;
    block = e.block;
  }
  const std::string name = fmt::format("{}[{}][{}]", to_string(operand), i, j);
  return shape_.blocks == 1 ? name : name + fmt::format(".b{}", block);
}

TextTable MfmaQuery::get_register(Operand operand, unsigned i, unsigned j, unsigned block) const {
  check_element(operand, i, j, block);
  TextTable table{{"element", "register", "lane", "vgpr", "bits", "evidence"}, {}};
  const auto add = [&](Operand of, unsigned row, unsigned column) {
    const mfma::Place at = place(of, row, column, block);
    const unsigned last = at.bit_in_vgpr() + size(of).bits - 1;
    table.rows.push_back({fmt::format("{}[{}][{}]", to_string(of), row, column),
                          register_name(of, row, column, block), std::to_string(at.lane),
                          std::to_string(at.vgpr()), fmt::format("{}..{}", at.bit_in_vgpr(), last),
                          wavetwin::to_string(mfma::layout_evidence(shape_))});
  };
  add(operand, i, j);
  if (shape_.scaled && operand == Operand::a) add(Operand::scale_a, i, j / mfma::kScaleBlock);
  if (shape_.scaled && operand == Operand::b) add(Operand::scale_b, i / mfma::kScaleBlock, j);
  return table;
}

TextTable MfmaQuery::matrix_entry(Operand operand, unsigned vgpr, unsigned lane) const {
  const Size s = size(operand);
  if (vgpr >= s.vgprs || lane >= kLanes) {
    throw Error(fmt::format("{}: {} has v0..v{} in lanes 0..63, not v{} of lane {}", shape_.name,
                            to_string(operand), s.vgprs - 1, vgpr, lane));
  }
  TextTable table{{"register", "element"}, {}};
  if (is_scale(operand)) {
    const unsigned byte = operand == Operand::scale_a ? modifiers_.opsel_a : modifiers_.opsel_b;
    table.rows.push_back({place_text(lane, 8 * byte, 8), element_name(operand, lane, 0)});
    return table;
  }
  // Every element that has a bit in this register.
  for (unsigned first = vgpr * 32 / s.bits; first * s.bits < 32 * (vgpr + 1); ++first) {
    if (first * s.bits >= 32 * s.vgprs) break;
    table.rows.push_back(
        {place_text(lane, first * s.bits, s.bits), element_name(operand, lane, first * s.bits)});
  }
  return table;
}

TextTable MfmaQuery::register_layout(Operand operand) const {
  const Size s = size(operand);
  TextTable table{{"lane"}, {}};
  for (unsigned v = 0; v < s.vgprs; ++v) table.columns.push_back(fmt::format("v{}", v));
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    std::vector<std::string> row{std::to_string(lane)};
    for (unsigned v = 0; v < s.vgprs; ++v) {
      std::string cell;
      for (const auto& entry : matrix_entry(operand, v, lane).rows)
        cell += (cell.empty() ? "" : " ") + entry[1];
      row.push_back(cell);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

TextTable MfmaQuery::matrix_layout(Operand operand) const {
  const Size s = size(operand);
  TextTable table{{to_string(operand)}, {}};
  for (unsigned j = 0; j < s.columns; ++j) table.columns.push_back(std::to_string(j));
  for (unsigned block = 0; block < s.blocks; ++block) {
    for (unsigned i = 0; i < s.rows; ++i) {
      std::vector<std::string> row{s.blocks == 1 ? std::to_string(i) : fmt::format("b{} {}", block, i)};
      for (unsigned j = 0; j < s.columns; ++j) row.push_back(register_name(operand, i, j, block));
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

TextTable MfmaQuery::detail() const {
  TextTable table{{"fact", "value"}, {}};
  const auto add = [&](const char* fact, std::string value) {
    table.rows.push_back({fact, std::move(value)});
  };
  add("instruction", shape_.name);
  add("D = A * B + C", fmt::format("M {}, N {}, K {}, {} block{}", shape_.m, shape_.n, shape_.k,
                                   shape_.blocks, shape_.blocks == 1 ? "" : "s"));
  add("A format, VGPRs", fmt::format("{}, {}", wavetwin::to_string(a_format_), size(Operand::a).vgprs));
  add("B format, VGPRs", fmt::format("{}, {}", wavetwin::to_string(b_format_), size(Operand::b).vgprs));
  add("C, D VGPRs", fmt::format("{} of {} bits an element", size(Operand::d).vgprs, size(Operand::d).bits));
  add("scales",
      shape_.scaled
          ? fmt::format(
                "one E8M0 byte a lane: byte {} of scale_a, byte {} of scale_b; lane = {} * (k / 32) + row",
                modifiers_.opsel_a, modifiers_.opsel_b, unsigned{shape_.m})
          : "none");
  add("layout evidence", wavetwin::to_string(mfma::layout_evidence(shape_)));
  add("arithmetic evidence", wavetwin::to_string(mfma::arithmetic_evidence(shape_, mfma::MfmaModel{})));
  return table;
}

}  // namespace wavetwin::golden
