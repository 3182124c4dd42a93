// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "golden/layout/memory_picture.h"
#include "golden/layout/memory_window.h"
#include "golden/layout/page.h"
#include "golden/layout/quoting.h"

namespace wavetwin::golden {
namespace {

// "1,2,3"
class NumberList {
 public:
  void add(uint64_t number) { text_ += fmt::format("{}{}", text_.empty() ? "" : ",", number); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// Operands by name, numbered in the order of their first use.
class OperandNames {
 public:
  size_t number(const MfmaFeed& feed) {
    const std::string name = fmt::format("{} {}", feed.instruction, feed.operand);
    const auto at = std::find(names_.begin(), names_.end(), name);
    if (at != names_.end()) return static_cast<size_t>(at - names_.begin());
    names_.push_back(name);
    return names_.size() - 1;
  }
  std::string text() const {
    std::string text;
    for (const std::string& name : names_) text += (text.empty() ? "" : ",") + json_text(name);
    return text;
  }

 private:
  std::vector<std::string> names_;
};

// The elements of the window of one part, row by row: first bit, and where the first of its operands is.
std::string part_data(const MemoryLayout& layout, unsigned index, const MemoryWindow::Range& range,
                      OperandNames& names) {
  const MemoryPart& part = layout.parts()[index];
  NumberList bit, feeds, operand, tile, step, lane, place;
  for (uint64_t row = range.row; row < range.row_end; ++row) {
    for (uint64_t column = range.column; column < range.column_end; ++column) {
      const MemoryElement e{index, row, column};
      bit.add(layout.bit(e));
      const std::vector<MfmaFeed> all = layout.feeds(e);
      feeds.add(all.size());
      if (all.empty()) continue;
      const MfmaFeed& feed = all.front();
      operand.add(names.number(feed));
      tile.add(feed.row_tile);
      step.add(feed.k_step);
      lane.add(feed.place.lane);
      place.add(feed.place.bit);
    }
  }
  return fmt::format(
      "{{\"id\":{},\"rows\":{},\"columns\":{},\"bits\":{},\"buffer\":{},\"format\":{},\"row\":{},\"rowEnd\":{"
      "},"
      "\"column\":{},\"columnEnd\":{},\n\"bit\":[{}],\n\"feeds\":[{}],\n\"operand\":[{}],\n\"tile\":[{}],\n"
      "\"step\":[{}],\n\"lane\":[{}],\n\"place\":[{}]}}",
      json_text(part.name), part.rows, part.columns, part.bits, part.buffer,
      json_text(part.format ? to_string(*part.format) : ""), range.row, range.row_end, range.column,
      range.column_end, bit.text(), feeds.text(), operand.text(), tile.text(), step.text(), lane.text(),
      place.text());
}

// The lines of one buffer, and what they hold beside the window: elements as [part, row, column, first bit],
// bytes of padding that must be 0, and bytes that nobody reads.
std::string buffer_data(const MemoryLayout& layout, unsigned index, const MemoryWindow& window) {
  const MemoryBuffer& buffer = layout.buffers()[index];
  NumberList lines, zero, unread;
  std::string others;
  for (const uint64_t line : window.lines[index]) {
    lines.add(line);
    const uint64_t end = std::min(8 * kMemoryLineBytes * (line + 1), buffer.bits());
    for (uint64_t bit = 8 * kMemoryLineBytes * line; bit < end;) {
      const auto e = layout.element(index, bit);
      if (!e) {
        (layout.padding(index, bit / 8) == Padding::zero ? zero : unread).add(bit / 8);
        bit += 8;
        continue;
      }
      const uint64_t first = layout.bit(*e);
      if (!window.holds(*e))
        others +=
            fmt::format("{}[{},{},{},{}]", others.empty() ? "" : ",", e->part, e->row, e->column, first);
      bit = first + layout.parts()[e->part].bits;
    }
  }
  return fmt::format(
      "{{\"id\":{},\"bytes\":{},\"lines\":[{}],\n\"others\":[{}],\n\"zero\":[{}],\n\"unread\":[{}]}}",
      json_text(buffer.name), buffer.bytes(), lines.text(), others, zero.text(), unread.text());
}

std::string scales_data(const MemoryLayout& layout) {
  const auto scales = layout.scales();
  if (!scales) return "null";
  return fmt::format("{{\"codes\":{},\"scales\":{},\"rows\":{},\"columns\":{}}}", scales->codes,
                     scales->scales, scales->rows, scales->columns);
}

std::string page_data(const MemoryPageTitle& title, const MemoryLayout& layout, const MemoryWindow& window,
                      const MemoryElement& chosen) {
  OperandNames names;
  std::string parts, buffers;
  for (unsigned p = 0; p < layout.parts().size(); ++p)
    parts += (p == 0 ? "" : ",\n") + part_data(layout, p, window.parts[p], names);
  for (unsigned b = 0; b < layout.buffers().size(); ++b)
    buffers += (b == 0 ? "" : ",\n") + buffer_data(layout, b, window);
  return fmt::format(
      "{{\"lineBytes\":{},\"lds\":{},\"whole\":{},\"again\":{},\"scales\":{},\"start\":[{},{},{}],\n"
      "\"operands\":[{}],\n\"parts\":[{}],\n\"buffers\":[{}]}}",
      kMemoryLineBytes, !layout.accesses().empty(), window.whole, json_text(title.command),
      scales_data(layout), chosen.part, chosen.row, chosen.column, names.text(), parts, buffers);
}

}  // namespace

std::string memory_page(const MemoryPageTitle& title, const MemoryLayout& layout,
                        const std::optional<MemoryElement>& chosen) {
  const MemoryElement start = chosen.value_or(MemoryElement{0, 0, 0});
  return page(title.name, title.facts, title.evidence,
              page_data(title, layout, memory_window(layout, start), start), PageKind::memory);
}

}  // namespace wavetwin::golden
