// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "golden/layout/bank_report.h"
#include "golden/layout/palette.h"
#include "golden/layout/quoting.h"

namespace wavetwin::golden {
namespace {

constexpr unsigned kCell = 10, kLabel = 52, kGap = 24, kTop = 34, kGroupGap = 4, kMostBanks = 64;
constexpr const char* kConflict = "#d6006c";

// One access; draws with its upper left corner at (0, y).
class Panel {
 public:
  explicit Panel(const BankAccess& access)
      : access_(access), use_(bank_use(access.instruction, access.addresses)) {}

  unsigned height() const {
    unsigned lanes = 0;
    for (const BankGroup& group : use_.groups) lanes += static_cast<unsigned>(group.lanes.size());
    return kTop + kCell * lanes + kGroupGap * static_cast<unsigned>(use_.groups.size()) + kGap;
  }

  std::string draw(unsigned top) const {
    std::string text = fmt::format("<text x=\"{}\" y=\"{}\">{}: {}, {} cycles, {} without conflicts</text>\n",
                                   kLabel, top + 12, html_text(access_.name), html_text(access_.text),
                                   use_.cycles(), use_.unhindered());
    for (unsigned bank = 0; bank < access_.instruction.banks; bank += 8) {
      text += fmt::format("<text class=\"s\" x=\"{}\" y=\"{}\">{}</text>\n", kLabel + kCell * bank,
                          top + kTop - 4, bank);
    }
    unsigned y = top + kTop;
    for (unsigned g = 0; g < use_.groups.size(); ++g) {
      const BankGroup& group = use_.groups[g];
      const unsigned start = y;
      if (!group.lanes.empty()) {
        text += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#f3f3f3\"/>\n", kLabel,
                            y, kCell * access_.instruction.banks, kCell * group.lanes.size());
      }
      for (const unsigned lane : group.lanes) {
        text += row(group, lane, g, y);
        y += kCell;
      }
      if (!group.lanes.empty()) {
        text += fmt::format("<text class=\"s\" x=\"{}\" y=\"{}\">{} cycle{}</text>\n",
                            kLabel + kCell * access_.instruction.banks + 6, start + 9, group.cycles,
                            group.cycles == 1 ? "" : "s");
      }
      y += kGroupGap;
    }
    return text;
  }

 private:
  std::string row(const BankGroup& group, unsigned lane, unsigned g, unsigned y) const {
    std::string text = fmt::format("<text class=\"s\" x=\"4\" y=\"{}\">lane {}</text>\n", y + 9, lane);
    for (const BankCell& cell : bank_cells(group)) {
      if (cell.lane != lane) continue;
      text += fmt::format(
          "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"><title>lane {}, bank {}, word "
          "{}{}</title></rect>\n",
          kLabel + kCell * cell.bank, y, kCell, kCell,
          cell.words > 1 ? kConflict : cell_colour(g % kLaneGroups, 0, 8), lane, cell.bank, cell.word,
          cell.words > 1 ? fmt::format(": {} words of this bank", cell.words) : "");
    }
    return text;
  }

  const BankAccess& access_;
  BankUse use_;
};

}  // namespace

std::string bank_picture(const std::vector<BankAccess>& accesses) {
  constexpr size_t kMostPanels = 16;
  std::string panels;
  unsigned y = 0;
  if (accesses.size() > kMostPanels) {
    panels = fmt::format("<text x=\"4\" y=\"14\">{}</text>\n", shown_text(accesses, kMostPanels));
    y = kGap;
  }
  for (const size_t i : costliest(accesses, kMostPanels)) {
    const Panel panel(accesses[i]);
    panels += panel.draw(y);
    y += panel.height();
  }
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
             "height=\"{1}\">\n"
             "<style>text{{font:12px monospace}}.s{{font:9px monospace}}"
             "rect{{stroke:#fff;stroke-width:.5}}</style>\n"
             "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
             kLabel + kCell * kMostBanks + 80, y) +
         panels + "</svg>\n";
}

}  // namespace wavetwin::golden
