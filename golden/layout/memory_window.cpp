// SPDX-License-Identifier: MIT
#include "golden/layout/memory_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace wavetwin::golden {
namespace {

// A browser draws so many cells without delay.
constexpr uint64_t kMostElements = 16384, kMostBytes = 65536;
constexpr uint64_t kWholeRow = 512, kColumns = 128, kRowsOfTile = 16, kMostRows = 64, kElements = 8192;

using Range = MemoryWindow::Range;

bool is_small(const MemoryLayout& layout) {
  uint64_t elements = 0, bytes = 0;
  for (const MemoryPart& part : layout.parts()) {
    if (part.rows > kMostElements || part.columns > kMostElements) return false;
    elements += part.rows * part.columns;
  }
  for (const MemoryBuffer& buffer : layout.buffers()) bytes += buffer.bytes();
  return elements <= kMostElements && bytes <= kMostBytes;
}

// The run of `size` that holds `at`, of a run that starts at a multiple of its size.
void take(uint64_t at, uint64_t size, uint64_t count, uint64_t& first, uint64_t& end) {
  first = at / size * size;
  end = std::min(first + size, count);
}

uint64_t columns_of(const MemoryPart& part) {
  if (part.columns <= kWholeRow) return part.columns;
  return part.rows < kRowsOfTile ? kWholeRow : kColumns;
}

Range range_around(const MemoryPart& part, uint64_t row, uint64_t column) {
  Range range;
  const uint64_t columns = columns_of(part);
  const uint64_t tiles = std::clamp<uint64_t>(kElements / columns / kRowsOfTile, 1, kMostRows / kRowsOfTile);
  take(row, kRowsOfTile * tiles, part.rows, range.row, range.row_end);
  take(column, columns, part.columns, range.column, range.column_end);
  return range;
}

uint64_t divided_up(uint64_t value, uint64_t by) { return (value + by - 1) / by; }

// The ranges of all parts for an element of one of them.
std::vector<Range> ranges_around(const MemoryLayout& layout, const MemoryElement& chosen) {
  const auto scales = layout.scales();
  MemoryElement codes = chosen;
  if (scales && chosen.part == scales->scales)
    codes = {scales->codes, chosen.row * scales->rows, chosen.column * scales->columns};
  std::vector<Range> ranges;
  for (unsigned p = 0; p < layout.parts().size(); ++p) {
    const uint64_t column = codes.part == p ? codes.column : 0;
    ranges.push_back(range_around(layout.parts()[p], codes.row, column));
  }
  // The rows of the first part, where the others have as many; scales as their codes need them.
  for (unsigned p = 1; p < ranges.size(); ++p) {
    if (layout.parts()[p].rows != layout.parts()[0].rows) continue;
    ranges[p].row = ranges[0].row;
    ranges[p].row_end = ranges[0].row_end;
  }
  if (scales) {
    const Range& of = ranges[scales->codes];
    ranges[scales->scales] = {of.row / scales->rows, divided_up(of.row_end, scales->rows),
                              of.column / scales->columns, divided_up(of.column_end, scales->columns)};
  }
  return ranges;
}

template <class Use>
void for_each_line(const MemoryLayout& layout, const MemoryElement& e, Use use) {
  constexpr uint64_t kLineBits = 8 * kMemoryLineBytes;
  const uint64_t bit = layout.bit(e), last = bit + layout.parts()[e.part].bits - 1;
  for (uint64_t line = bit / kLineBits; line <= last / kLineBits; ++line) use(line);
}

std::vector<std::vector<uint64_t>> lines_of(const MemoryLayout& layout, const std::vector<Range>& ranges) {
  std::vector<std::set<uint64_t>> lines(layout.buffers().size());
  for (unsigned p = 0; p < ranges.size(); ++p) {
    const Range& range = ranges[p];
    for (uint64_t row = range.row; row < range.row_end; ++row) {
      for (uint64_t column = range.column; column < range.column_end; ++column) {
        for_each_line(layout, {p, row, column},
                      [&](uint64_t line) { lines[layout.parts()[p].buffer].insert(line); });
      }
    }
  }
  std::vector<std::vector<uint64_t>> sorted;
  for (const auto& of_buffer : lines) sorted.emplace_back(of_buffer.begin(), of_buffer.end());
  return sorted;
}

}  // namespace

MemoryWindow memory_window(const MemoryLayout& layout, const std::optional<MemoryElement>& chosen) {
  MemoryWindow window;
  window.whole = is_small(layout);
  if (!window.whole) {
    window.parts = ranges_around(layout, chosen.value_or(MemoryElement{0, 0, 0}));
    window.lines = lines_of(layout, window.parts);
    return window;
  }
  for (const MemoryPart& part : layout.parts()) window.parts.push_back({0, part.rows, 0, part.columns});
  for (const MemoryBuffer& buffer : layout.buffers()) {
    window.lines.emplace_back();
    for (uint64_t line = 0; line < divided_up(buffer.bytes(), kMemoryLineBytes); ++line)
      window.lines.back().push_back(line);
  }
  return window;
}

std::string window_text(const MemoryPart& part, const MemoryWindow::Range& range) {
  return fmt::format("rows {}..{} of {}, columns {}..{} of {}", range.row, range.row_end - 1, part.rows,
                     range.column, range.column_end - 1, part.columns);
}

}  // namespace wavetwin::golden
