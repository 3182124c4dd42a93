// SPDX-License-Identifier: MIT
#include "golden/layout/memory_picture.h"

#include <fmt/format.h>

#include <algorithm>

#include "golden/layout/memory_window.h"
#include "golden/layout/palette.h"
#include "golden/layout/quoting.h"

namespace wavetwin::golden {
namespace {

constexpr uint64_t kCell = 10, kGap = 24, kTop = 40, kLabel = 64, kJump = 5;

// The row in its tile of 16 gives the lightness, the tile the hue.
std::string colour(const MemoryElement& element) {
  return cell_colour(static_cast<unsigned>(element.row / 16 % kLaneGroups),
                     static_cast<unsigned>(element.row % 16), 16);
}

std::string rectangle(double x, uint64_t y, double width, const std::string& fill, const std::string& title) {
  return fmt::format(
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"><title>{}</title></rect>\n", x, y,
      width, kCell, fill, title);
}

std::string frame(double x, uint64_t y, double width) {
  return fmt::format("<rect class=\"hit\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", x, y, width,
                     kCell);
}

std::string label(uint64_t x, uint64_t y, const char* anchor, const std::string& text) {
  return fmt::format("<text class=\"s\" x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     text);
}

class Picture {
 public:
  Picture(const MemoryLayout& layout, unsigned part, const MemoryWindow& window)
      : layout_(layout),
        part_(layout.parts()[part]),
        index_(part),
        range_(window.parts[part]),
        lines_(window.lines[part_.buffer]) {
    uint64_t y = kTop;
    for (size_t i = 0; i < lines_.size(); ++i) {
      if (jumps(i)) y += kJump;
      y_.push_back(y);
      y += kCell;
    }
    memory_bottom_ = y;
  }

  uint64_t matrix_width() const { return kCell * range_.columns(); }
  uint64_t bottom() const { return std::max(memory_bottom_, kTop + kCell * range_.rows()); }

  std::string matrix(uint64_t x) const {
    std::string text;
    for (uint64_t row = range_.row; row < range_.row_end; ++row) {
      const uint64_t y = kTop + kCell * (row - range_.row);
      if ((row - range_.row) % 8 == 0) text += label(x - 4, y + 9, "end", std::to_string(row));
      for (uint64_t column = range_.column; column < range_.column_end; ++column) {
        const MemoryElement e{index_, row, column};
        text += rectangle(static_cast<double>(x + kCell * (column - range_.column)), y, kCell, colour(e),
                          title(e));
      }
    }
    for (uint64_t column = range_.column; column < range_.column_end; column += 8)
      text += label(x + kCell * (column - range_.column), kTop - 3, "start", std::to_string(column));
    return text;
  }

  // Elements of the part in the window; what else the lines hold is grey, padding light grey.
  std::string memory(uint64_t x) const {
    std::string text;
    for (size_t i = 0; i < lines_.size(); ++i) {
      if (i % 4 == 0 || jumps(i))
        text += label(x - 4, y_[i] + 9, "end", fmt::format("0x{:x}", kMemoryLineBytes * lines_[i]));
      const uint64_t end = std::min((lines_[i] + 1) * kLineBits, buffer().bits());
      for (uint64_t bit = lines_[i] * kLineBits; bit < end;) bit = memory_cell(bit, end, x, y_[i], text);
    }
    return text;
  }

  std::string mark(const MemoryElement& e, uint64_t matrix_x, uint64_t memory_x) const {
    const uint64_t bit = layout_.bit(e);
    const auto line = std::lower_bound(lines_.begin(), lines_.end(), bit / kLineBits);
    return frame(static_cast<double>(matrix_x + kCell * (e.column - range_.column)),
                 kTop + kCell * (e.row - range_.row), kCell) +
           frame(at_x(memory_x, bit), y_[static_cast<size_t>(line - lines_.begin())], width(part_.bits));
  }

 private:
  static constexpr uint64_t kLineBits = 8 * kMemoryLineBytes;

  const MemoryBuffer& buffer() const { return layout_.buffers()[part_.buffer]; }
  // Whether line i does not follow the one above it.
  bool jumps(size_t i) const { return i > 0 && lines_[i] != lines_[i - 1] + 1; }
  static double width(uint64_t bits) { return static_cast<double>(kCell * bits) / 8; }
  static double at_x(uint64_t x, uint64_t bit) { return static_cast<double>(x) + width(bit % kLineBits); }
  std::string title(const MemoryElement& e) const {
    return fmt::format("{} byte {}", to_string(layout_, e), layout_.bit(e) / 8);
  }
  // Draws what is at `bit`, up to the end of the line; returns where the next thing starts.
  uint64_t memory_cell(uint64_t bit, uint64_t line_end, uint64_t x, uint64_t y, std::string& text) const {
    const auto e = layout_.element(part_.buffer, bit);
    const uint64_t start = e ? layout_.bit(*e) : bit, bits = e ? layout_.parts()[e->part].bits : 8;
    const bool own = e && e->part == index_ && range_.holds(e->row, e->column);
    const std::string what = !e    ? fmt::format("byte {}: padding", bit / 8)
                             : own ? title(*e)
                                   : fmt::format("byte {}: {}", bit / 8, to_string(layout_, *e));
    const uint64_t until = std::min(start + bits, line_end);
    text += rectangle(at_x(x, bit), y, width(until - bit),
                      own ? colour(*e)
                      : e ? "#c4c4c4"
                          : "#f1f1f1",
                      what);
    return until;
  }

  const MemoryLayout& layout_;
  const MemoryPart& part_;
  unsigned index_;
  const MemoryWindow::Range& range_;
  const std::vector<uint64_t>& lines_;
  std::vector<uint64_t> y_;  // of each line
  uint64_t memory_bottom_ = kTop;
};

}  // namespace

std::string memory_picture(const std::string& title, const MemoryLayout& layout, unsigned part,
                           const std::optional<MemoryElement>& chosen) {
  const MemoryWindow window = memory_window(layout, chosen.value_or(MemoryElement{part, 0, 0}));
  const Picture picture(layout, part, window);
  const uint64_t matrix_x = kLabel / 2, memory_x = matrix_x + picture.matrix_width() + kLabel;
  const uint64_t width = memory_x + kCell * kMemoryLineBytes + kGap;
  const std::string shown = window.whole ? "" : ": " + window_text(layout.parts()[part], window.parts[part]);
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\">\n"
      "<style>text{{font:12px monospace}}.s{{font-size:9px;fill:#666}}rect{{stroke:#fff;stroke-width:.5}}"
      ".hit{{fill:none;stroke:#d6006c;stroke-width:3}}</style>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
      "<text x=\"{2}\" y=\"14\">{3}: {4}{5}; {6}, 64 bytes a line</text>\n",
      width, picture.bottom() + kGap, matrix_x, html_text(title), layout.parts()[part].name, shown,
      layout.buffers()[layout.parts()[part].buffer].name);
  text += picture.matrix(matrix_x) + picture.memory(memory_x);
  if (chosen) text += picture.mark(*chosen, matrix_x, memory_x);
  return text + "</svg>\n";
}

}  // namespace wavetwin::golden
