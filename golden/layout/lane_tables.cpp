// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "golden/layout/lane_moves.h"
#include "golden/layout/register_map.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

std::string register_of(const LaneMoves& moves, unsigned element) {
  if (moves.elements == 1) return "";
  std::string text = place_text(0, element * moves.bits, moves.bits);
  for (size_t at = text.find("{0}"); at != std::string::npos; at = text.find("{0}")) text.erase(at, 3);
  return text;
}

// "0 1 2 3" or, with two results, "vdst{0} ...": every place that the element goes to.
std::string goes_to(const LaneMoves& moves, unsigned source, unsigned lane, unsigned element) {
  std::string text;
  for (unsigned result = 0; result < moves.results.size(); ++result)
    for (unsigned to = 0; to < 64; ++to)
      for (unsigned e = 0; e < moves.elements; ++e) {
        const LaneSource wanted{LaneSource::Kind::lane, static_cast<uint8_t>(source),
                                static_cast<uint8_t>(lane), static_cast<uint8_t>(element)};
        if (moves.at(result, to, e) == wanted)
          text += (text.empty() ? "" : " ") + result_text(moves, result, to, e);
      }
  return text.empty() ? "-" : text;
}

template <class AddCells>
TextTable lane_rows(const LaneMoves& moves, std::vector<std::string> columns,
                    const std::optional<unsigned>& only_lane, AddCells add_cells) {
  if (only_lane && *only_lane > 63) throw Error(fmt::format("--lane {} is not one of 0..63", *only_lane));
  TextTable table{{"lane"}, {}};
  table.columns.insert(table.columns.end(), columns.begin(), columns.end());
  table.columns.push_back("evidence");
  for (unsigned lane = 0; lane < 64; ++lane) {
    if (only_lane && *only_lane != lane) continue;
    std::vector<std::string> row{std::to_string(lane)};
    add_cells(lane, row);
    row.push_back(wavetwin::to_string(moves.evidence));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

std::string source_text(const LaneMoves& moves, const LaneSource& source) {
  if (source.kind == LaneSource::Kind::zero) return "0";
  if (source.kind == LaneSource::Kind::kept) return "kept";
  const std::string text = fmt::format("{}{{{}}}", moves.sources[source.source], source.lane);
  return moves.elements == 1 ? text : text + fmt::format("[{}]", source.element);
}

std::string result_text(const LaneMoves& moves, unsigned result, unsigned lane, unsigned element) {
  if (moves.elements == 1) return fmt::format("{}{{{}}}", moves.results[result], lane);
  return place_text(lane, element * moves.bits, moves.bits);
}

TextTable moves_by_result(const LaneMoves& moves, const std::optional<unsigned>& only_lane) {
  std::vector<std::string> columns;
  for (const std::string& result : moves.results)
    for (unsigned e = 0; e < moves.elements; ++e)
      columns.push_back(moves.elements == 1 ? result : register_of(moves, e));
  const bool whole = moves.elements == 1;  // the other direction fits beside it
  for (size_t s = 0; whole && s < moves.sources.size(); ++s) columns.push_back(moves.sources[s] + " goes to");
  return lane_rows(moves, columns, only_lane, [&](unsigned lane, std::vector<std::string>& row) {
    for (unsigned r = 0; r < moves.results.size(); ++r)
      for (unsigned e = 0; e < moves.elements; ++e) row.push_back(source_text(moves, moves.at(r, lane, e)));
    for (unsigned s = 0; whole && s < moves.sources.size(); ++s) row.push_back(goes_to(moves, s, lane, 0));
  });
}

TextTable moves_by_source(const LaneMoves& moves, const std::optional<unsigned>& only_lane) {
  std::vector<std::string> columns;
  for (const std::string& source : moves.sources)
    for (unsigned e = 0; e < moves.elements; ++e)
      columns.push_back(moves.elements == 1 ? source : fmt::format("{}[{}]", source, e));
  return lane_rows(moves, columns, only_lane, [&](unsigned lane, std::vector<std::string>& row) {
    for (unsigned s = 0; s < moves.sources.size(); ++s)
      for (unsigned e = 0; e < moves.elements; ++e) row.push_back(goes_to(moves, s, lane, e));
  });
}

TextTable moves_detail(const LaneMoves& moves) {
  TextTable table{{"fact", "value"}, {}};
  for (const auto& [fact, value] : moves.facts) table.rows.push_back({fact, value});
  return table;
}

}  // namespace wavetwin::golden
