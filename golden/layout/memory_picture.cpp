// SPDX-License-Identifier: MIT
#include "golden/layout/memory_picture.h"

#include <fmt/format.h>

#include "golden/layout/palette.h"

namespace wavetwin::golden {
namespace {

constexpr uint64_t kCell = 10, kGap = 24, kTop = 40, kLineBytes = 64;

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

class Picture {
 public:
  Picture(const MemoryLayout& layout, unsigned part)
      : layout_(layout), part_(layout.parts()[part]), index_(part) {}

  uint64_t matrix_width() const { return kCell * part_.columns; }
  uint64_t lines() const { return (buffer().bytes() + kLineBytes - 1) / kLineBytes; }

  std::string matrix(uint64_t x) const {
    std::string text;
    for (uint64_t row = 0; row < part_.rows; ++row) {
      for (uint64_t column = 0; column < part_.columns; ++column) {
        const MemoryElement e{index_, row, column};
        text += rectangle(static_cast<double>(x + kCell * column), kTop + kCell * row, kCell, colour(e),
                          title(e));
      }
    }
    return text;
  }

  // Elements of the part; what else the buffer holds is grey, padding light grey.
  std::string memory(uint64_t x) const {
    std::string text;
    for (uint64_t bit = 0; bit < buffer().bits();) {
      const auto e = layout_.element(part_.buffer, bit);
      const uint64_t start = e ? layout_.bit(*e) : bit, bits = e ? layout_.parts()[e->part].bits : 8;
      const bool own = e && e->part == index_;
      const std::string what = !e    ? fmt::format("byte {}: padding", bit / 8)
                               : own ? title(*e)
                                     : fmt::format("byte {}: {}", bit / 8, to_string(layout_, *e));
      const uint64_t end = start + bits, line_end = (bit / (8 * kLineBytes) + 1) * 8 * kLineBytes;
      const uint64_t until = end < line_end ? end : line_end;
      text += rectangle(at_x(x, bit), at_y(bit), width(until - bit),
                        own ? colour(*e)
                        : e ? "#c4c4c4"
                            : "#f1f1f1",
                        what);
      bit = until;
    }
    return text;
  }

  std::string mark(const MemoryElement& e, uint64_t matrix_x, uint64_t memory_x) const {
    const uint64_t bit = layout_.bit(e);
    return frame(static_cast<double>(matrix_x + kCell * e.column), kTop + kCell * e.row, kCell) +
           frame(at_x(memory_x, bit), at_y(bit), width(part_.bits));
  }

 private:
  const MemoryBuffer& buffer() const { return layout_.buffers()[part_.buffer]; }
  static double width(uint64_t bits) { return static_cast<double>(kCell * bits) / 8; }
  static double at_x(uint64_t x, uint64_t bit) {
    return static_cast<double>(x) + width(bit % (8 * kLineBytes));
  }
  static uint64_t at_y(uint64_t bit) { return kTop + kCell * (bit / (8 * kLineBytes)); }
  std::string title(const MemoryElement& e) const {
    return fmt::format("{} byte {}", to_string(layout_, e), layout_.bit(e) / 8);
  }

  const MemoryLayout& layout_;
  const MemoryPart& part_;
  unsigned index_;
};

}  // namespace

std::string memory_picture(const std::string& title, const MemoryLayout& layout, unsigned part,
                           const std::optional<MemoryElement>& chosen) {
  const Picture picture(layout, part);
  const uint64_t matrix_x = kGap, memory_x = matrix_x + picture.matrix_width() + kGap;
  const uint64_t width = memory_x + kCell * kLineBytes + kGap;
  const uint64_t height = kTop + kCell * std::max(picture.lines(), layout.parts()[part].rows) + kGap;
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\">\n"
      "<style>text{{font:12px monospace}}rect{{stroke:#fff;stroke-width:.5}}"
      ".hit{{fill:none;stroke:#d6006c;stroke-width:3}}</style>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
      "<text x=\"{2}\" y=\"14\">{3}</text>\n<text x=\"{2}\" y=\"{5}\">{4}</text>\n"
      "<text x=\"{6}\" y=\"{5}\">{7}, 64 bytes a line</text>\n",
      width, height, matrix_x, title, layout.parts()[part].name, kTop - 6, memory_x,
      layout.buffers()[layout.parts()[part].buffer].name);
  text += picture.matrix(matrix_x) + picture.memory(memory_x);
  if (chosen) text += picture.mark(*chosen, matrix_x, memory_x);
  return text + "</svg>\n";
}

}  // namespace wavetwin::golden
