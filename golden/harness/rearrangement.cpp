// SPDX-License-Identifier: MIT
#include "golden/harness/rearrangement.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <utility>

namespace wavetwin::golden {
namespace {

// One dimension of a row-major shape: index = (outer * extent + position) * inner + rest.
struct Axis {
  uint64_t extent, inner;
  std::string name, letter;  // "columns", "c"

  uint64_t position(uint64_t index) const { return index / inner % extent; }
  uint64_t moved(uint64_t index, uint64_t position) const {
    return index + (position - this->position(index)) * inner;
  }
};

std::vector<Axis> axes_of(const Shape& shape) {
  std::vector<Axis> axes;  // last dimension first
  uint64_t inner = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    const size_t from_end = shape.size() - 1 - d;
    Axis axis{shape[d], inner, "columns", "c"};
    if (from_end == 1) axis.name = "rows", axis.letter = "r";
    if (from_end > 1) axis.name = fmt::format("indices of dimension {}", d), axis.letter = "i";
    axes.push_back(axis);
    inner *= shape[d];
  }
  return axes;
}

// What exchanging columns a power of two apart means for an operand: each E8M0 code is one K block's scale.
std::string meaning_of_column_mask(DType dtype, uint64_t mask) {
  if (dtype == DType::F8_E8M0) return mask == 1 ? " (the scale of the neighbouring K block)" : "";
  if (size_of(dtype) != 1) return "";
  switch (mask) {
    case 3:
      return " (the bytes of each word reversed)";
    case 16:
      return " (halves of each 32-element K block)";
    case 15:
      return " (the bytes of each 16 reversed)";
    case 48:
      return " (the 16-byte chunks of each 64 reversed)";
    case 96:
      return " (the K blocks of each 128-wide step reversed)";
    case 32:
      return " (neighbouring K blocks)";
    case 64:
      return " (halves of each 128-wide K step)";
    case 128:
      return " (neighbouring 128-wide K steps)";
    default:
      return "";
  }
}

Rearrangement exchanged(const Axis& axis, uint64_t mask, const std::string& meaning) {
  return {fmt::format("{} {} and {} ^ {} exchanged{}", axis.name, axis.letter, axis.letter, mask, meaning),
          [axis, mask](uint64_t index) { return axis.moved(index, axis.position(index) ^ mask); }};
}

Rearrangement rotated(const Axis& axis, bool next) {
  const uint64_t step = next ? 1 : axis.extent - 1;
  return {fmt::format("{} {} {} 1 in place of {} (wrapping around)", axis.name, axis.letter, next ? '+' : '-',
                      axis.letter),
          [axis, step](uint64_t index) {
            return axis.moved(index, (axis.position(index) + step) % axis.extent);
          }};
}

// Byte c + step of each word in place of byte c, as another opsel or shift takes them.
Rearrangement rotated_in_words(const Axis& columns, uint64_t step) {
  return {fmt::format("byte (c {} 1) % 4 of each word in place of byte c", step == 1 ? '+' : '-'),
          [columns, step](uint64_t index) {
            const uint64_t c = columns.position(index);
            return columns.moved(index, c - c % 4 + (c + step) % 4);
          }};
}

Rearrangement reversed(const Axis& axis, uint64_t blocks) {
  const uint64_t width = axis.extent / blocks;
  const std::string what = blocks == axis.extent ? std::string() : fmt::format("blocks of {} ", width);
  return {fmt::format("{}{} in the reverse order", what, axis.name), [=](uint64_t index) {
            const uint64_t p = axis.position(index);
            return axis.moved(index, (blocks - 1 - p / width) * width + p % width);
          }};
}

// Position a * (group / rows) + b of each group comes from b * rows + a.
Rearrangement regrouped(const Axis& axis, uint64_t group, uint64_t rows) {
  const uint64_t columns = group / rows;
  std::string text = fmt::format("each {} {} taken as {} x {} transposed", group, axis.name, rows, columns);
  if (group == axis.extent && rows == 2) text += " (split halves read as interleaved pairs)";
  if (group == axis.extent && columns == 2) text += " (interleaved pairs read as split halves)";
  return {text, [=](uint64_t index) {
            const uint64_t p = axis.position(index), in = p % group;
            return axis.moved(index, p - in + in % columns * rows + in / columns);
          }};
}

// The operand of an MFMA whose lane l holds row l % rows and chunk l / rows of K: dealt out along K first.
Rearrangement dealt_along_k(const Axis& k, const Axis& row, uint64_t rows, uint64_t chunk, uint64_t bytes) {
  const uint64_t chunks = 64 / rows;
  return {fmt::format("lane l's row l / {0} and {1}-byte chunk l % {0} in place of l % {2} and l / {2}",
                      chunks, bytes, rows),
          [=](uint64_t index) {
            const uint64_t r = row.position(index), c = k.position(index);
            const uint64_t lane = c / chunk % chunks * rows + r % rows;
            const uint64_t column = c - c % (chunk * chunks) + lane % chunks * chunk + c % chunk;
            return k.moved(row.moved(index, r - r % rows + lane / chunks), column);
          }};
}

Rearrangement transposed_tiles(const Axis& columns, const Axis& rows, uint64_t tile) {
  return {fmt::format("each {}x{} tile transposed", tile, tile), [=](uint64_t index) {
            const uint64_t r = rows.position(index), c = columns.position(index);
            return columns.moved(rows.moved(index, r - r % tile + c % tile), c - c % tile + r % tile);
          }};
}

// Exchanges by a power of two, the likelier ones first, then by several bits.
constexpr uint64_t kMasks[] = {1, 16, 32, 64, 2, 4, 8, 128, 256};
constexpr uint64_t kColumnMasks[] = {48, 96, 7, 15, 80, 112, 192, 384, 896};

void add_exchanges(DType dtype, const std::vector<Axis>& axes, std::vector<Rearrangement>& list) {
  for (const uint64_t mask : kMasks) {
    for (const Axis& axis : axes) {
      if (axis.extent % (2 * mask) != 0) continue;
      list.push_back(exchanged(axis, mask, axis.inner == 1 ? meaning_of_column_mask(dtype, mask) : ""));
    }
  }
  if (size_of(dtype) == 1 && axes[0].extent % 4 == 0) {
    list.push_back(exchanged(axes[0], 3, meaning_of_column_mask(dtype, 3)));
    for (const uint64_t step : {1, 3}) list.push_back(rotated_in_words(axes[0], step));
  }
}

void add_several_bits(DType dtype, const Axis& columns, std::vector<Rearrangement>& list) {
  for (const uint64_t mask : kColumnMasks) {
    if (columns.extent % (2 * std::bit_floor(mask)) != 0) continue;
    list.push_back(exchanged(columns, mask, meaning_of_column_mask(dtype, mask)));
  }
}

void add_regroupings(const Axis& axis, std::vector<Rearrangement>& list) {
  const auto add = [&](uint64_t group, uint64_t rows) {
    if (rows < 2 || group <= 4 || group % rows != 0 || group == rows || axis.extent % group != 0) return;
    list.push_back(regrouped(axis, group, rows));
  };
  add(axis.extent, 2);
  add(axis.extent, axis.extent / 2);
  for (const auto& [group, rows] : {std::pair{16, 4}, {32, 4}, {32, 8}, {64, 4}, {64, 16}}) {
    add(group, rows);
  }
}

void add_lane_orders(DType dtype, const Axis& k, const Axis& row, std::vector<Rearrangement>& list) {
  for (const uint64_t rows : {16, 32}) {
    for (const uint64_t bytes : {16, 8, 32}) {
      const uint64_t chunk = bytes / size_of(dtype);
      if (size_of(dtype) > 2 || row.extent % rows != 0 || k.extent % (chunk * (64 / rows)) != 0) continue;
      list.push_back(dealt_along_k(k, row, rows, chunk, bytes));
    }
  }
}

}  // namespace

std::vector<Rearrangement> rearrangements(DType dtype, const Shape& shape) {
  std::vector<Rearrangement> list;
  const std::vector<Axis> axes = axes_of(shape);
  if (axes.empty()) return list;
  add_exchanges(dtype, axes, list);
  for (size_t a = 0; a < axes.size() && a < 2; ++a) {
    if (axes[a].extent < 3) continue;  // with two, next and previous are the exchange
    list.push_back(rotated(axes[a], true));
    list.push_back(rotated(axes[a], false));
  }
  for (const uint64_t tile : {4, 16, 32}) {
    if (axes.size() < 2 || axes[0].extent % tile != 0 || axes[1].extent % tile != 0) continue;
    list.push_back(transposed_tiles(axes[0], axes[1], tile));
  }
  if (axes.size() >= 2) add_lane_orders(dtype, axes[0], axes[1], list);
  add_several_bits(dtype, axes[0], list);
  for (size_t a = 0; a < axes.size() && a < 2; ++a) {
    add_regroupings(axes[a], list);
    if (axes[a].extent > 2) list.push_back(reversed(axes[a], axes[a].extent));
  }
  return list;
}

Rearrangement exchanged_columns(DType dtype, const Shape& shape, uint64_t mask) {
  return exchanged(axes_of(shape)[0], mask, meaning_of_column_mask(dtype, mask));
}

Rearrangement exchanged_rows(const Shape& shape, uint64_t mask) {
  return exchanged(axes_of(shape)[1], mask, "");
}

Rearrangement reversed_blocks(const Shape& shape, uint64_t blocks) {
  return reversed(axes_of(shape)[0], blocks);
}

Tensor rearranged(const Tensor& tensor, const Rearrangement& rearrangement) {
  Tensor result(tensor.dtype, tensor.shape);
  const uint64_t bytes = size_of(tensor.dtype), elements = tensor.elements();
  for (uint64_t i = 0; i < elements; ++i) {
    std::memcpy(result.data.data() + i * bytes, tensor.data.data() + rearrangement.source(i) * bytes, bytes);
  }
  return result;
}

}  // namespace wavetwin::golden
