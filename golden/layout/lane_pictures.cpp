// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "golden/layout/lane_moves.h"
#include "golden/layout/page.h"
#include "golden/layout/palette.h"

namespace wavetwin::golden {
namespace {

constexpr unsigned kGap = 10, kRowLanes = 16;

// Pictures show a lane's number; with several elements a lane, the lane and the element.
std::string label(const LaneMoves& moves, const LaneSource& source) {
  if (source.kind == LaneSource::Kind::zero) return "0";
  if (source.kind == LaneSource::Kind::kept) return "-";
  return moves.elements == 1 ? std::to_string(source.lane)
                             : fmt::format("{}.{}", source.lane, source.element);
}

// One lane's element: its source's number on the colour of the source's row of lanes.
std::string cell(const LaneMoves& moves, unsigned result, unsigned lane, unsigned element, unsigned x,
                 unsigned y, unsigned width, unsigned height) {
  const LaneSource& source = moves.at(result, lane, element);
  const bool from_lane = source.kind == LaneSource::Kind::lane;
  const std::string fill =
      from_lane ? cell_colour(source.lane / kRowLanes, source.lane % kRowLanes / 4, 8) : "#e8e8e8";
  return fmt::format(
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"><title>{} from "
      "{}</title></rect><text x=\"{}\" y=\"{}\"{}>{}</text>\n",
      x, y, width, height, fill, result_text(moves, result, lane, element), source_text(moves, source),
      x + width / 2, y + height / 2 + 4, from_lane ? "" : " class=\"no\"", label(moves, source));
}

// One row of lanes with its elements below each other.
std::string lane_row(const LaneMoves& moves, unsigned result, unsigned first, unsigned y, unsigned width,
                     unsigned height) {
  std::string text;
  for (unsigned l = 0; l < kRowLanes; ++l) {
    const unsigned x = 70 + width * l;
    text += fmt::format("<text class=\"n\" x=\"{}\" y=\"{}\">{}</text>\n", x + width / 2, y - 3, first + l);
    for (unsigned e = 0; e < moves.elements; ++e)
      text += cell(moves, result, first + l, e, x, y + height * e, width, height);
  }
  return text;
}

std::string number_list(const LaneMoves& moves, unsigned (*value)(const LaneSource&)) {
  std::string text;
  for (const LaneSource& source : moves.from)
    text += fmt::format("{}{}", text.empty() ? "" : ",", value(source));
  return text;
}

std::string name_list(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += fmt::format("{}\"{}\"", text.empty() ? "" : ",", name);
  return text;
}

}  // namespace

std::string moves_picture(const LaneMoves& moves) {
  const unsigned width = moves.elements == 1 ? 30 : 40, height = moves.elements == 1 ? 24 : 18;
  const unsigned row_height = height * moves.elements + 26;
  const unsigned panel = 4 * row_height + 24;
  const unsigned total_width = 70 + width * kRowLanes + kGap,
                 total_height = 50 + panel * static_cast<unsigned>(moves.results.size());
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\">\n"
      "<style>text{{font:11px monospace;fill:#fff;text-anchor:middle}}.h{{font-size:12px;fill:#222;"
      "text-anchor:start}}.n{{font-size:9px;fill:#777}}.no{{fill:#555}}rect{{stroke:#fff}}</style>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
      "<text class=\"h\" x=\"{2}\" y=\"16\">{3}</text>\n"
      "<text class=\"h\" x=\"{2}\" y=\"32\">in each lane: the lane{4} it comes from; evidence: {5}</text>\n",
      total_width, total_height, kGap, moves.instruction, moves.elements == 1 ? "" : ".element",
      wavetwin::to_string(moves.evidence));
  for (unsigned result = 0; result < moves.results.size(); ++result) {
    const unsigned top = 50 + panel * result;
    for (unsigned row = 0; row < 4; ++row) {
      const unsigned y = top + 20 + row * row_height;
      text += fmt::format("<text class=\"h\" x=\"{}\" y=\"{}\">{}</text>\n", kGap, y + height / 2 + 4,
                          row == 0 ? moves.results[result] : "");
      text += lane_row(moves, result, kRowLanes * row, y, width, height);
    }
  }
  return text + "</svg>\n";
}

std::string moves_page(const LaneMoves& moves, unsigned lane) {
  const std::string data = fmt::format(
      "{{\"instruction\":\"{}\",\"sources\":[{}],\"results\":[{}],\"bits\":{},\"elements\":{},\"start\":{},\n"
      "\"kind\":[{}],\n\"source\":[{}],\n\"lane\":[{}],\n\"element\":[{}]}}",
      moves.instruction, name_list(moves.sources), name_list(moves.results), moves.bits, moves.elements, lane,
      number_list(moves, [](const LaneSource& s) { return static_cast<unsigned>(s.kind); }),
      number_list(moves, [](const LaneSource& s) { return unsigned{s.source}; }),
      number_list(moves, [](const LaneSource& s) { return unsigned{s.lane}; }),
      number_list(moves, [](const LaneSource& s) { return unsigned{s.element}; }));
  return page(moves.instruction, moves.facts, wavetwin::to_string(moves.evidence), data, PageKind::lanes);
}

}  // namespace wavetwin::golden
