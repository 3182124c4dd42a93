// SPDX-License-Identifier: MIT
#include "golden/layout/memory_query.h"

#include <fmt/format.h>

#include <algorithm>

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
  throw Error(fmt::format("{} of {} x {} is too large to show whole: choose fewer --rows and --columns",
                          part.name, part.rows, part.columns));
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
  // The scale that goes with it: the part "scale" spreads its rows and columns evenly over the codes.
  for (unsigned p = 0; p < layout_->parts().size(); ++p) {
    const MemoryPart &of = layout_->parts()[first.part], &scale = layout_->parts()[p];
    const bool scales_it =
        scale.name == "scale" && p != first.part && (of.name == "data" || of.name == "nope");
    if (!scales_it) continue;
    add_place(table, {p, row / (of.rows / scale.rows), column / (of.columns / scale.columns)});
  }
  return table;
}

TextTable MemoryQuery::at_address(const std::string& name, uint64_t byte) const {
  std::vector<std::string> names;
  for (const MemoryBuffer& buffer : layout_->buffers()) names.push_back(buffer.name);
  unsigned index = 0;
  while (!name.empty() && index < names.size() && names[index] != name) ++index;
  if (index == names.size()) {
    throw Error(
        fmt::format("{} has no buffer '{}'; did you mean {}?", info_.name, name, nearest_name(name, names)));
  }
  const MemoryBuffer& buffer = layout_->buffers()[index];
  if (byte >= buffer.bytes())
    throw Error(fmt::format("{}: byte {} is outside the {} bytes of {}", info_.name, byte, buffer.bytes(),
                            buffer.name));
  TextTable table{{"buffer", "byte", "bits", "element", "bits of the element"}, {}};
  for (uint64_t bit = 8 * byte; bit < 8 * (byte + 1);) {
    const auto element = layout_->element(index, bit);
    if (!element) {
      const bool zero = layout_->padding(index, byte) == Padding::zero;
      table.rows.push_back({buffer.name, std::to_string(byte), "0..7",
                            zero ? "padding, must be 0" : "padding, never read", "-"});
      break;
    }
    const uint64_t first = layout_->bit(*element), end = first + layout_->parts()[element->part].bits;
    const uint64_t last = std::min(end, 8 * (byte + 1)) - 1;
    table.rows.push_back({buffer.name, std::to_string(byte), fmt::format("{}..{}", bit % 8, last % 8),
                          to_string(*layout_, *element), fmt::format("{}..{}", bit - first, last - first)});
    bit = last + 1;
  }
  return table;
}

TextTable MemoryQuery::matrix_layout(const std::string& name) const {
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

std::string MemoryQuery::picture(const std::string& part, std::optional<MemoryElement> chosen) const {
  const unsigned index = part_index(part);
  check_size(layout_->parts()[index]);
  return memory_picture(info_.name, *layout_, index, chosen);
}

std::string feed_text(const MfmaFeed& feed) {
  return fmt::format("{} {}, row tile {}, K step {}: {}", feed.instruction, feed.operand, feed.row_tile,
                     feed.k_step, place_text(feed.place.lane, feed.place.bit, feed.bits));
}

}  // namespace wavetwin::golden
