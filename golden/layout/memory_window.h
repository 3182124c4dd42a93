// SPDX-License-Identifier: MIT
// What of a memory layout fits in a picture: the whole of a small one, of a large one the part around an
// element.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "golden/layout/memory_layout.h"

namespace wavetwin::golden {

inline constexpr uint64_t kMemoryLineBytes = 64;

struct MemoryWindow {
  // Of one part: rows [row, row_end), columns [column, column_end).
  struct Range {
    uint64_t row = 0, row_end = 0, column = 0, column_end = 0;

    uint64_t rows() const { return row_end - row; }
    uint64_t columns() const { return column_end - column; }
    uint64_t elements() const { return rows() * columns(); }
    bool holds(uint64_t r, uint64_t c) const {
      return r >= row && r < row_end && c >= column && c < column_end;
    }
  };
  std::vector<Range> parts;                  // of every part of the layout
  std::vector<std::vector<uint64_t>> lines;  // of every buffer: numbers of 64-byte lines, ascending
  bool whole = true;

  bool holds(const MemoryElement& e) const { return parts[e.part].holds(e.row, e.column); }
};

// The window that holds `chosen` (without one: the first element). A scale's rows and columns are those of
// its codes. Lines are those that hold an element of the window; of a whole layout all lines.
MemoryWindow memory_window(const MemoryLayout& layout, const std::optional<MemoryElement>& chosen);

// "rows 0..63 of 4096, columns 0..127 of 7168" of a part.
std::string window_text(const MemoryPart& part, const MemoryWindow::Range& range);

}  // namespace wavetwin::golden
