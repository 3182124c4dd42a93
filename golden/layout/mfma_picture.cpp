// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "golden/layout/mfma_page.h"
#include "golden/layout/palette.h"

namespace wavetwin::golden {
namespace {

constexpr unsigned kCell = 10, kGap = 8, kLabel = 20;

// Draws one operand of one block with its upper left corner at (x, y).
class Panel {
 public:
  Panel(const MfmaQuery& query, const std::optional<Chosen>& chosen, unsigned block)
      : query_(query), chosen_(chosen), block_(block) {}

  std::string draw(Operand operand, unsigned x, unsigned y) const {
    const MfmaQuery::Size size = query_.size(operand);
    std::string text = fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", x, y - 3, to_string(operand));
    for (unsigned i = 0; i < size.rows; ++i) {
      for (unsigned j = 0; j < size.columns; ++j)
        text += cell(operand, i, j, x + kCell * j, y + kCell * i, size.vgprs);
    }
    if (!chosen_ || chosen_->operand != operand || chosen_->block != block_) return text;
    return text + fmt::format("<rect class=\"hit\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n",
                              x + kCell * chosen_->j, y + kCell * chosen_->i, kCell, kCell);
  }

 private:
  std::string cell(Operand operand, unsigned i, unsigned j, unsigned x, unsigned y, unsigned vgprs) const {
    const mfma::Place at = query_.place(operand, i, j, block_);
    return fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"><title>{}[{}][{}] "
        "{}</title></rect>\n",
        x, y, kCell, kCell, cell_colour(at.lane / 16u, at.vgpr(), vgprs), to_string(operand), i, j,
        query_.register_name(operand, i, j, block_));
  }

  const MfmaQuery& query_;
  const std::optional<Chosen>& chosen_;
  unsigned block_;
};

}  // namespace

std::string mfma_picture(const MfmaQuery& query, const std::optional<Chosen>& chosen) {
  if (chosen)
    query.get_register(chosen->operand, chosen->i, chosen->j, chosen->block);  // throws when outside
  const mfma::Shape& shape = query.shape();
  const unsigned k_blocks = shape.scaled ? shape.k / mfma::kScaleBlock : 0;
  // Across: A, scale_a, D; down: B, scale_b, D.
  const unsigned x_d = kCell * (shape.k + k_blocks) + (shape.scaled ? 3 : 2) * kGap + kLabel;
  const unsigned y_d = kCell * (shape.k + k_blocks) + (shape.scaled ? 3 : 2) * kLabel + kLabel;
  const unsigned block_width = x_d + kCell * shape.n + kGap, height = y_d + kCell * shape.m + kGap;
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\">\n"
      "<style>text{{font:12px monospace}}rect{{stroke:#fff}}.hit{{fill:none;stroke:#d6006c;stroke-width:3}}"
      "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
      "<text x=\"{2}\" y=\"14\">{3}</text>\n",
      block_width * shape.blocks, height, kGap, shape.name);
  for (unsigned group = 0; group < kLaneGroups; ++group) {
    text += fmt::format(
        "<rect x=\"{0}\" y=\"{1}\" width=\"10\" height=\"10\" fill=\"{2}\"/><text x=\"{3}\" y=\"{4}\">lanes "
        "{5}..{6}</text>\n",
        kGap, 24 + 14 * group, cell_colour(group, 0, 8), kGap + 16, 33 + 14 * group, 16 * group,
        16 * group + 15);
  }
  for (unsigned block = 0; block < shape.blocks; ++block) {
    const Panel panel(query, chosen, block);
    const unsigned x = block_width * block + kGap, below = 2 * kLabel;
    text += panel.draw(Operand::b, x + x_d - kGap, below);
    text += panel.draw(Operand::a, x, y_d);
    text += panel.draw(Operand::d, x + x_d - kGap, y_d);
    if (!shape.scaled) continue;
    text += panel.draw(Operand::scale_a, x + kCell * shape.k + kGap, y_d);
    text += panel.draw(Operand::scale_b, x + x_d - kGap, below + kCell * shape.k + kLabel);
  }
  return text + "</svg>\n";
}

}  // namespace wavetwin::golden
