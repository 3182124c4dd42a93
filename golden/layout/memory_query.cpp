// SPDX-License-Identifier: MIT
#include "golden/layout/memory_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "golden/layout/memory_picture.h"
#include "golden/layout/nearest_name.h"
#include "golden/layout/register_map.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

constexpr uint64_t kMostCells = 65536;

std::string bits_text(uint64_t bit, unsigned bits) {
  return fmt::format("{}..{}", bit % 8, bit % 8 + bits - 1);
}

void check_size(const MemoryPart& part) {
  if (part.rows <= kMostCells && part.columns <= kMostCells && part.rows * part.columns <= kMostCells) return;
  throw Error(
      fmt::format("{} of {} x {} is too large to print: choose fewer --rows and --columns, or a part of it "
                  "with --html or --svg",
                  part.name, part.rows, part.columns));
}

// Bits first..last of a buffer: all of an element that lies there (which starts at bit `start`), or a byte of
// padding.
struct Piece {
  std::optional<MemoryElement> element;
  uint64_t first, last, start;
  bool zero;
};
template <class Use>
void for_each_piece(const MemoryLayout& layout, unsigned buffer, uint64_t first, uint64_t end, Use use) {
  for (uint64_t bit = first; bit < end;) {
    Piece piece{layout.element(buffer, bit), bit, bit / 8 * 8 + 7, bit, false};
    if (piece.element) {
      piece.start = layout.bit(*piece.element);
      piece.last = std::min(piece.start + layout.parts()[piece.element->part].bits, end) - 1;
    } else {
      piece.zero = layout.padding(buffer, bit / 8) == Padding::zero;
    }
    use(piece);
    bit = piece.last + 1;
  }
}

// Bytes of a cell that holds whole elements of every part of the buffer; 1 where elements are packed.
uint64_t unit_bytes(const MemoryLayout& layout, unsigned buffer) {
  uint64_t unit = 0;
  for (const MemoryPart& part : layout.parts()) {
    if (part.buffer != buffer) continue;
    if (part.bits % 8 != 0) return 1;
    unit = std::gcd(unit, uint64_t{part.bits / 8});
  }
  return unit;
}

}  // namespace

TextTable memory_layout_list() {
  TextTable table{{"name", "holds", "shape", "evidence", "source", "index function"}, {}};
  for (const MemoryLayoutInfo& info : memory_layouts()) {
    table.rows.push_back(
        {info.name, info.what, info.shape, wavetwin::to_string(info.evidence), info.source, info.defined});
  }
  return table;
}

MemoryQuery::MemoryQuery(const std::string& name, const MemoryShape& shape)
    : info_(find_memory_layout(name)), layout_(make_memory_layout(info_, shape)) {}

unsigned MemoryQuery::part_index(const std::string& part) const {
  if (part.empty()) return 0;
  std::vector<std::string> names;
  for (const MemoryPart& known : layout_->parts()) {
    if (known.name == part) return static_cast<unsigned>(names.size());
    names.push_back(known.name);
  }
  throw Error(
      fmt::format("{} has no part '{}'; did you mean {}?", info_.name, part, nearest_name(part, names)));
}

unsigned MemoryQuery::buffer_index(const std::string& buffer) const {
  if (buffer.empty()) return 0;
  std::vector<std::string> names;
  for (const MemoryBuffer& known : layout_->buffers()) {
    if (known.name == buffer) return static_cast<unsigned>(names.size());
    names.push_back(known.name);
  }
  throw Error(fmt::format("{} has no buffer '{}'; did you mean {}?", info_.name, buffer,
                          nearest_name(buffer, names)));
}

MemoryElement MemoryQuery::element(const std::string& part, uint64_t row, uint64_t column) const {
  const unsigned index = part_index(part);
  const MemoryPart& of = layout_->parts()[index];
  if (row < of.rows && column < of.columns) return {index, row, column};
  throw Error(fmt::format("{}: {}[{}][{}] is outside {} x {}", info_.name, of.name, row, column, of.rows,
                          of.columns));
}

TextTable MemoryQuery::detail() const {
  TextTable table{{"fact", "value"}, {}};
  const auto add = [&](std::string fact, std::string value) {
    table.rows.push_back({std::move(fact), std::move(value)});
  };
  add("layout", info_.name);
  add("holds", info_.what);
  for (const MemoryPart& part : layout_->parts()) {
    add("part " + part.name, fmt::format("{} x {} of {} bits{}", part.rows, part.columns, part.bits,
                                         part.format ? fmt::format(", {}", to_string(*part.format)) : ""));
  }
  for (const MemoryBuffer& buffer : layout_->buffers())
    add("buffer " + buffer.name, fmt::format("{} bytes", buffer.bytes()));
  add("evidence", wavetwin::to_string(info_.evidence));
  add("source", info_.source);
  add("index function", info_.defined);
  return table;
}

void MemoryQuery::add_place(TextTable& table, const MemoryElement& element) const {
  const MemoryPart& part = layout_->parts()[element.part];
  const uint64_t bit = layout_->bit(element);
  const auto feeds = layout_->feeds(element);
  std::string feed = feeds.empty() ? "-" : feed_text(feeds.front());
  if (feeds.size() > 1) feed += fmt::format(" and {} more", feeds.size() - 1);
  table.rows.push_back({to_string(*layout_, element), layout_->buffers()[part.buffer].name,
                        std::to_string(bit / 8), fmt::format("0x{:x}", bit / 8), bits_text(bit, part.bits),
                        feed, wavetwin::to_string(info_.evidence)});
}

TextTable MemoryQuery::get_address(const std::string& part, uint64_t row, uint64_t column) const {
  const MemoryElement first = element(part, row, column);
  TextTable table{{"element", "buffer", "byte", "hex", "bits", "MFMA operand", "evidence"}, {}};
  add_place(table, first);
  const auto scales = layout_->scales();
  if (scales && first.part == scales->codes) add_place(table, scales->of(first));
  return table;
}

TextTable MemoryQuery::at_address(const std::string& name, uint64_t byte) const {
  const unsigned index = buffer_index(name);
  const MemoryBuffer& buffer = layout_->buffers()[index];
  if (byte >= buffer.bytes())
    throw Error(fmt::format("{}: byte {} is outside the {} bytes of {}", info_.name, byte, buffer.bytes(),
                            buffer.name));
  TextTable table{{"buffer", "byte", "bits", "element", "bits of the element"}, {}};
  for_each_piece(*layout_, index, 8 * byte, 8 * (byte + 1), [&](const Piece& piece) {
    if (!piece.element) {
      table.rows.push_back({buffer.name, std::to_string(byte), "0..7",
                            piece.zero ? "padding, must be 0" : "padding, never read", "-"});
      return;
    }
    table.rows.push_back({buffer.name, std::to_string(byte),
                          fmt::format("{}..{}", piece.first % 8, piece.last % 8),
                          to_string(*layout_, *piece.element),
                          fmt::format("{}..{}", piece.first - piece.start, piece.last - piece.start)});
  });
  return table;
}

TextTable MemoryQuery::register_layout(const std::string& name) const {
  const unsigned index = part_index(name);
  const MemoryPart& part = layout_->parts()[index];
  check_size(part);
  TextTable table{{part.name}, {}};
  for (uint64_t column = 0; column < part.columns; ++column) table.columns.push_back(std::to_string(column));
  for (uint64_t row = 0; row < part.rows; ++row) {
    std::vector<std::string> cells{std::to_string(row)};
    for (uint64_t column = 0; column < part.columns; ++column) {
      const uint64_t bit = layout_->bit({index, row, column});
      cells.push_back(part.bits % 8 == 0 ? std::to_string(bit / 8)
                                         : fmt::format("{}.[{}]", bit / 8, bits_text(bit, part.bits)));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::string MemoryQuery::cell_text(unsigned buffer, uint64_t first, uint64_t end) const {
  std::string text;
  for_each_piece(*layout_, buffer, first, end, [&](const Piece& piece) {
    if (!text.empty()) text += " ";
    if (!piece.element) {
      text += piece.zero ? "0" : "-";
      return;
    }
    text += to_string(*layout_, *piece.element);
    const bool all = piece.last - piece.first + 1 == layout_->parts()[piece.element->part].bits;
    if (!all) text += fmt::format(".[{}..{}]", piece.first - piece.start, piece.last - piece.start);
  });
  return text;
}

TextTable MemoryQuery::matrix_layout(const std::string& name) const {
  const unsigned index = buffer_index(name);
  const MemoryBuffer& buffer = layout_->buffers()[index];
  if (buffer.bytes() > kMostCells)
    throw Error(
        fmt::format("{}: {} bytes are too many to print: choose fewer --rows and --columns, or a part "
                    "of them with --html or --svg",
                    buffer.name, buffer.bytes()));
  constexpr uint64_t kUnits = 16;
  const uint64_t unit = unit_bytes(*layout_, index);
  TextTable table{{buffer.name}, {}};
  for (uint64_t i = 0; i < kUnits; ++i) table.columns.push_back(fmt::format("+{}", i * unit));
  for (uint64_t line = 0; line < buffer.bytes(); line += kUnits * unit) {
    std::vector<std::string> cells{std::to_string(line)};
    for (uint64_t byte = line; byte < line + kUnits * unit; byte += unit)
      cells.push_back(byte < buffer.bytes() ? cell_text(index, 8 * byte, 8 * (byte + unit)) : "");
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::string MemoryQuery::picture(const std::string& part, std::optional<MemoryElement> chosen) const {
  return memory_picture(info_.name, *layout_, part_index(part), chosen);
}

std::string MemoryQuery::page(const std::string& part, std::optional<MemoryElement> chosen,
                              const std::string& command) const {
  MemoryPageTitle title{info_.name, wavetwin::to_string(info_.evidence), {}, command};
  title.facts = {{"holds", info_.what}, {"source", info_.source}, {"index function", info_.defined}};
  return memory_page(title, *layout_, chosen.value_or(MemoryElement{part_index(part), 0, 0}));
}

std::string feed_text(const MfmaFeed& feed) {
  return fmt::format("{} {}, row tile {}, K step {}: {}", feed.instruction, feed.operand, feed.row_tile,
                     feed.k_step, place_text(feed.place.lane, feed.place.bit, feed.bits));
}

}  // namespace wavetwin::golden
