// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "golden/layout/map_pictures.h"
#include "golden/layout/page.h"
#include "golden/layout/register_tables.h"

namespace wavetwin::golden {
namespace {

// Places as two arrays in the order block, row, column.
std::string operand_data(const OperandMap& o) {
  std::string lane, bit;
  for (const mfma::Place& at : o.places) {
    lane += fmt::format("{}{}", lane.empty() ? "" : ",", at.lane);
    bit += fmt::format("{}{}", bit.empty() ? "" : ",", at.bit);
  }
  constexpr const char* kAxes[] = {"none", "row", "column"};
  return fmt::format(
      "{{\"id\":\"{}\",\"rows\":{},\"columns\":{},\"blocks\":{},\"bits\":{},\"vgprs\":{},\"negated\":{},"
      "\"axis\":\"{}\",\"divisor\":{},\"step\":{},\"companion\":\"{}\",\"rowDivisor\":{},\"columnDivisor\":{}"
      ","
      "\"lane\":[{}],\"bit\":[{}]}}",
      o.name, o.rows, o.columns, o.blocks, o.bits, o.vgprs, o.negated,
      kAxes[static_cast<unsigned>(o.along_k.axis)], o.along_k.divisor, o.along_k.step, o.companion,
      o.companion_row_divisor, o.companion_column_divisor, lane, bit);
}

std::string page_data(const RegisterMap& map, const MapElement& chosen) {
  std::string operands;
  for (const OperandMap& o : map.operands) operands += (operands.empty() ? "" : ",\n") + operand_data(o);
  return fmt::format(
      "{{\"instruction\":\"{}\",\"formula\":\"{}\",\"m\":{},\"n\":{},\"k\":{},\"blocks\":{},\"kBlock\":{},"
      "\"sparse\":{},\"start\":[\"{}\",{},{},{}],\"operands\":[\n{}]}}",
      map.instruction, map.formula, map.m, map.n, map.k, map.blocks, map.k_block, map.sparse, chosen.operand,
      chosen.row, chosen.column, chosen.block, operands);
}

}  // namespace

std::string map_page(const RegisterMap& map, const MapElement& chosen) {
  // Throws when outside.
  get_register(map, map.operand(chosen.operand), chosen.row, chosen.column, chosen.block);
  return page(map.instruction, map.facts, wavetwin::to_string(map.evidence), page_data(map, chosen),
              PageKind::registers);
}

}  // namespace wavetwin::golden
