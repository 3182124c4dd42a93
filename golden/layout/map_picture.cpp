// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "golden/layout/map_pictures.h"
#include "golden/layout/palette.h"
#include "golden/layout/register_tables.h"

namespace wavetwin::golden {
namespace {

constexpr unsigned kCell = 10, kGap = 8, kLabel = 20, kHead = 84;

// Draws operands of one block.
class Drawing {
 public:
  Drawing(const std::optional<MapElement>& chosen, unsigned block) : chosen_(chosen), block_(block) {}

  // With its upper left corner at (x, y).
  void add(const OperandMap& o, unsigned x, unsigned y) {
    text_ += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", x, y - 4, o.name);
    for (unsigned i = 0; i < o.rows; ++i) {
      for (unsigned j = 0; j < o.columns; ++j) cell(o, o.number(i, j, block_), x + kCell * j, y + kCell * i);
    }
    if (!chosen_ || chosen_->operand != o.name || chosen_->block != block_) return;
    text_ += fmt::format("<rect class=\"hit\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n",
                         x + kCell * chosen_->column, y + kCell * chosen_->row, kCell, kCell);
  }
  const std::string& text() const { return text_; }

 private:
  void cell(const OperandMap& o, unsigned number, unsigned x, unsigned y) {
    const mfma::Place at = o.places[number];
    text_ += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"><title>{} {}</title></rect>\n", x, y,
        kCell, kCell, cell_colour(at.lane / 16u, at.vgpr(), o.vgprs), element_text(o, number),
        place_text(at.lane, at.bit, o.bits));
  }

  const std::optional<MapElement>& chosen_;
  unsigned block_;
  std::string text_;
};

std::string legend() {
  std::string text;
  for (unsigned group = 0; group < kLaneGroups; ++group) {
    text += fmt::format(
        "<rect x=\"{0}\" y=\"38\" width=\"10\" height=\"10\" fill=\"{1}\"/><text x=\"{2}\" y=\"47\">lanes "
        "{3}..{4}</text>\n",
        kGap + 110 * group, cell_colour(group, 0, 8), kGap + 110 * group + 16, 16 * group, 16 * group + 15);
  }
  return text;
}

}  // namespace

std::string map_picture(const RegisterMap& map, const std::optional<MapElement>& chosen) {
  if (chosen)  // throws when outside
    get_register(map, map.operand(chosen->operand), chosen->row, chosen->column, chosen->block);
  const OperandMap &a = map.operand("A"), &b = map.operand("B"), &d = map.operand("D");
  const OperandMap* beside_a = map.find(a.companion);  // scale_a or index
  const OperandMap* below_b = map.find(b.companion);   // scale_b
  // Across: A, what goes with it, D; down: B, what goes with it, D.
  const unsigned x_beside = kGap + kCell * a.columns + kGap;
  const unsigned x_d = x_beside + (beside_a ? kCell * beside_a->columns + 5 * kGap : kGap);
  const unsigned y_below = kHead + kCell * b.rows + kLabel;
  const unsigned y_d = y_below + (below_b ? kCell * below_b->rows + kLabel : 0);
  const unsigned block_width = std::max(x_d + kCell * d.columns + kGap, 60u);
  const unsigned width = std::max(block_width * map.blocks, 460u), height = y_d + kCell * d.rows + kGap;
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\">\n"
      "<style>text{{font:12px monospace}}rect{{stroke:#fff}}.hit{{fill:none;stroke:#d6006c;stroke-width:3}}"
      "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
      "<text x=\"{2}\" y=\"14\">{3}</text>\n<text x=\"{2}\" y=\"30\">lighter: higher VGPR; layout "
      "evidence: {4}</text>\n",
      width, height, kGap, map.instruction, wavetwin::to_string(map.evidence));
  text += legend();
  for (unsigned block = 0; block < map.blocks; ++block) {
    Drawing drawing(chosen, block);
    const unsigned x = block_width * block;
    drawing.add(b, x + x_d, kHead);
    drawing.add(a, x + kGap, y_d);
    drawing.add(d, x + x_d, y_d);
    if (beside_a) drawing.add(*beside_a, x + x_beside, y_d);
    if (below_b) drawing.add(*below_b, x + x_d, y_below);
    text += drawing.text();
  }
  return text + "</svg>\n";
}

}  // namespace wavetwin::golden
