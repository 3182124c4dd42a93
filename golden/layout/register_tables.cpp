// SPDX-License-Identifier: MIT
#include "golden/layout/register_tables.h"

#include <fmt/format.h>

#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

void check_element(const RegisterMap& map, const OperandMap& o, unsigned row, unsigned column,
                   unsigned block) {
  if (row < o.rows && column < o.columns && block < o.blocks) return;
  throw Error(fmt::format("{}: {}[{}][{}] block {} is outside {} x {}, {} block{}", map.instruction, o.name,
                          row, column, block, o.rows, o.columns, o.blocks, o.blocks == 1 ? "" : "s"));
}

// "20..23", "20 + index[3][10]", or "" for C and D.
std::string k_text(const RegisterMap& map, const OperandMap& o, unsigned number) {
  const OperandMap::Element e = o.element(number);
  const std::optional<unsigned> k = o.first_k(e);
  if (!k) return "";
  if (map.sparse && o.name == "A") return fmt::format("{} + index[{}][{}]", *k, e.row, e.column);
  if (o.along_k.step == 1) return std::to_string(*k);
  return fmt::format("{}..{}", *k, *k + o.along_k.step - 1);
}

TextTable register_table(const RegisterMap& map) {
  TextTable table{{"element", "register", "lane", "vgpr", "bits"}, {}};
  if (map.sparse) table.columns.push_back("k");
  table.columns.push_back("evidence");
  return table;
}

void add_register(const RegisterMap& map, const OperandMap& o, unsigned number, TextTable& table) {
  const mfma::Place at = o.places[number];
  std::vector<std::string> row{element_text(o, number), place_text(at.lane, at.bit, o.bits),
                               std::to_string(at.lane), std::to_string(at.vgpr()),
                               fmt::format("{}..{}", at.bit_in_vgpr(), at.bit_in_vgpr() + o.bits - 1)};
  if (map.sparse) row.push_back(k_text(map, o, number));
  row.push_back(wavetwin::to_string(map.evidence));
  table.rows.push_back(std::move(row));
}

// The element and its companion.
void add_with_companion(const RegisterMap& map, const OperandMap& o, unsigned row, unsigned column,
                        unsigned block, TextTable& table) {
  add_register(map, o, o.number(row, column, block), table);
  const OperandMap* other = map.find(o.companion);
  if (other == nullptr) return;
  add_register(map, *other,
               other->number(row / o.companion_row_divisor, column / o.companion_column_divisor, block),
               table);
}

void add_entry(const RegisterMap& map, const OperandMap& o, unsigned lane, unsigned slot, unsigned number,
               TextTable& table) {
  std::vector<std::string> row{place_text(lane, slot * o.bits, o.bits), element_text(o, number)};
  if (map.sparse) row.push_back(k_text(map, o, number));
  table.rows.push_back(std::move(row));
}

// Slots [first, last) of the lane hold no element; bits outside register `vgpr` are not its business.
void add_unread(unsigned lane, unsigned first_bit, unsigned last_bit, unsigned vgpr, TextTable& table) {
  const unsigned low = std::max(first_bit, 32 * vgpr), high = std::min(last_bit, 32 * (vgpr + 1));
  std::vector<std::string> row{place_text(lane, low, high - low), "not read"};
  row.resize(table.columns.size());
  table.rows.push_back(std::move(row));
}

}  // namespace

TextTable detail(const RegisterMap& map) {
  TextTable table{{"fact", "value"}, {}};
  for (const auto& [fact, value] : map.facts) table.rows.push_back({fact, value});
  return table;
}

TextTable get_register(const RegisterMap& map, const OperandMap& operand, unsigned row, unsigned column,
                       unsigned block) {
  check_element(map, operand, row, column, block);
  TextTable table = register_table(map);
  add_with_companion(map, operand, row, column, block, table);
  return table;
}

TextTable get_register_of_k(const RegisterMap& map, unsigned row, unsigned k) {
  const OperandMap& a = map.operand("A");
  if (row >= a.rows || k >= map.k)
    throw Error(
        fmt::format("{}: A[{}], k {} is outside {} rows and K = {}", map.instruction, row, k, a.rows, map.k));
  TextTable table = register_table(map);
  table.columns.insert(table.columns.end() - 1, "index bits");
  // The first of a pair has the lower index, so it never stands for the last k of four, nor the second for
  // the first.
  for (const unsigned which : {0u, 1u}) {
    if (k % 4 == (which == 0 ? 3 : 0)) continue;
    const size_t first = table.rows.size();
    add_with_companion(map, a, row, k / 4 * 2 + which, 0, table);
    table.rows[first].insert(table.rows[first].end() - 1, "");
    table.rows[first + 1].insert(table.rows[first + 1].end() - 1, fmt::format("must be {}", k % 4));
  }
  return table;
}

TextTable matrix_entry(const RegisterMap& map, const OperandMap& operand, unsigned vgpr, unsigned lane) {
  if (vgpr >= operand.vgprs || lane >= 64) {
    throw Error(fmt::format("{}: {} has v0..v{} in lanes 0..63, not v{} of lane {}", map.instruction,
                            operand.name, operand.vgprs - 1, vgpr, lane));
  }
  TextTable table{{"register", "element"}, {}};
  if (map.sparse) table.columns.push_back("k");
  const std::vector<std::vector<unsigned>> by_slot = operand.elements_by_slot();
  const unsigned bits = operand.bits, slots = operand.slots();
  // Every slot that has a bit in this register; a run of empty ones is one row.
  const unsigned end = std::min((32 * (vgpr + 1) + bits - 1) / bits, slots);
  for (unsigned slot = vgpr * 32 / bits; slot < end; ++slot) {
    const std::vector<unsigned>& elements = by_slot[lane * slots + slot];
    for (const unsigned number : elements) add_entry(map, operand, lane, slot, number, table);
    if (!elements.empty()) continue;
    const unsigned first = slot;
    while (slot + 1 < end && by_slot[lane * slots + slot + 1].empty()) ++slot;
    add_unread(lane, first * bits, (slot + 1) * bits, vgpr, table);
  }
  return table;
}

TextTable matrix_layout(const RegisterMap&, const OperandMap& operand) {
  const std::vector<std::vector<unsigned>> by_slot = operand.elements_by_slot();
  const unsigned slots = operand.slots();
  TextTable table{{"lane"}, {}};
  for (unsigned v = 0; v < operand.vgprs; ++v) table.columns.push_back(fmt::format("v{}", v));
  for (unsigned lane = 0; lane < 64; ++lane) {
    std::vector<std::string> row{std::to_string(lane)};
    for (unsigned v = 0; v < operand.vgprs; ++v) {
      std::string cell;
      const unsigned end = std::min((32 * (v + 1) + operand.bits - 1) / operand.bits, slots);
      for (unsigned slot = v * 32 / operand.bits; slot < end; ++slot) {
        if (slot != v * 32 / operand.bits) cell += " ";
        std::string names;
        for (const unsigned number : by_slot[lane * slots + slot])
          names += (names.empty() ? "" : "/") + element_text(operand, number);
        cell += names.empty() ? "-" : names;
      }
      row.push_back(cell);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

TextTable register_layout(const RegisterMap&, const OperandMap& operand) {
  TextTable table{{operand.name}, {}};
  for (unsigned j = 0; j < operand.columns; ++j) table.columns.push_back(std::to_string(j));
  for (unsigned block = 0; block < operand.blocks; ++block) {
    for (unsigned i = 0; i < operand.rows; ++i) {
      std::vector<std::string> row{operand.blocks == 1 ? std::to_string(i) : fmt::format("b{} {}", block, i)};
      for (unsigned j = 0; j < operand.columns; ++j) {
        const mfma::Place at = operand.place(i, j, block);
        row.push_back(place_text(at.lane, at.bit, operand.bits));
      }
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

}  // namespace wavetwin::golden
