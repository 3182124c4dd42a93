// SPDX-License-Identifier: MIT
#include "golden/layout/mfma_page.h"

#include <fmt/format.h>

#include "golden/layout/mfma_page_parts.h"
#include "golden/layout/palette.h"
#include "sim/numerics/mfma_model.h"

namespace wavetwin::golden {
namespace {

std::vector<Operand> operands(const MfmaQuery& query) {
  std::vector<Operand> all{Operand::a, Operand::b, Operand::d};
  if (query.shape().scaled) all.insert(all.end(), {Operand::scale_a, Operand::scale_b});
  return all;
}

// {"id": "A", "rows": .., "lane": [..], "bit": [..]}: places in the order block, row, column.
std::string operand_data(const MfmaQuery& query, Operand operand) {
  const MfmaQuery::Size size = query.size(operand);
  std::string lane, bit, colours;
  for (unsigned block = 0; block < size.blocks; ++block) {
    for (unsigned i = 0; i < size.rows; ++i) {
      for (unsigned j = 0; j < size.columns; ++j) {
        const mfma::Place at = query.place(operand, i, j, block);
        lane += fmt::format("{}{}", lane.empty() ? "" : ",", at.lane);
        bit += fmt::format("{}{}", bit.empty() ? "" : ",", at.bit);
      }
    }
  }
  for (unsigned group = 0; group < kLaneGroups; ++group) {
    for (unsigned vgpr = 0; vgpr < size.vgprs; ++vgpr)
      colours += fmt::format("{}\"{}\"", colours.empty() ? "" : ",", cell_colour(group, vgpr, size.vgprs));
  }
  return fmt::format(
      "{{\"id\":\"{}\",\"rows\":{},\"columns\":{},\"blocks\":{},\"bits\":{},\"vgprs\":{},\"lane\":[{}],"
      "\"bit\":[{}],\"colours\":[{}]}}",
      to_string(operand), size.rows, size.columns, size.blocks, size.bits, size.vgprs, lane, bit, colours);
}

std::string page_data(const MfmaQuery& query, const Chosen& chosen) {
  std::string all;
  for (const Operand operand : operands(query))
    all += (all.empty() ? "" : ",\n") + operand_data(query, operand);
  const mfma::Shape& shape = query.shape();
  // K blocks are what one scale covers; without MX blocks all of K is one.
  const bool mx = shape.input == mfma::InputClass::f8f6f4;
  return fmt::format("{{\"k\":{},\"kBlock\":{},\"start\":[\"{}\",{},{},{}],\"operands\":[\n{}]}}", shape.k,
                     mx ? mfma::kScaleBlock : unsigned{shape.k}, to_string(chosen.operand), chosen.i,
                     chosen.j, chosen.block, all);
}

std::string summary(const MfmaQuery& query) {
  const mfma::Shape& shape = query.shape();
  const std::string a = wavetwin::to_string(query.a_format()), b = wavetwin::to_string(query.b_format());
  return fmt::format("D = A B + C, {} x {} x {}{}, A {}, B {}; layout evidence: {}", shape.m, shape.n,
                     shape.k, shape.blocks == 1 ? "" : fmt::format(", {} blocks", shape.blocks), a, b,
                     wavetwin::to_string(mfma::layout_evidence(shape)));
}

}  // namespace

std::string mfma_page(const MfmaQuery& query, const Chosen& chosen) {
  query.get_register(chosen.operand, chosen.i, chosen.j, chosen.block);  // throws when outside
  std::string page = "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n";
  page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  page += "<link rel=\"icon\" href=\"data:,\">\n";
  page += fmt::format("<title>{}</title>\n<style>{}</style>\n", query.shape().name, kPageStyle);
  page += fmt::format("<header><h1>{}</h1><p>{}</p></header>\n", query.shape().name, summary(query));
  page += kPageBody;
  page +=
      "<script>\nconst layout = " + page_data(query, chosen) + ";\n" + kPageScript + "</script>\n</html>\n";
  return page;
}

}  // namespace wavetwin::golden
