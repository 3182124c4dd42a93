// SPDX-License-Identifier: MIT
#include "golden/harness/rearrangement.h"

#include <fmt/format.h>

#include <cstring>

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

Rearrangement transposed_tiles(const Axis& columns, const Axis& rows, uint64_t tile) {
  return {fmt::format("each {}x{} tile transposed", tile, tile), [=](uint64_t index) {
            const uint64_t r = rows.position(index), c = columns.position(index);
            return columns.moved(rows.moved(index, r - r % tile + c % tile), c - c % tile + r % tile);
          }};
}

}  // namespace

std::vector<Rearrangement> rearrangements(DType dtype, const Shape& shape) {
  constexpr uint64_t kMasks[] = {1, 16, 32, 64, 2, 4, 8, 128, 256};
  std::vector<Rearrangement> list;
  const std::vector<Axis> axes = axes_of(shape);
  for (const uint64_t mask : kMasks) {
    for (const Axis& axis : axes) {
      if (axis.extent % (2 * mask) != 0) continue;
      list.push_back(exchanged(axis, mask, axis.inner == 1 ? meaning_of_column_mask(dtype, mask) : ""));
    }
  }
  if (size_of(dtype) == 1 && !axes.empty() && axes[0].extent % 4 == 0) {
    list.push_back(exchanged(axes[0], 3, meaning_of_column_mask(dtype, 3)));
  }
  for (size_t a = 0; a < axes.size() && a < 2; ++a) {
    if (axes[a].extent < 3) continue;  // with two, next and previous are the exchange
    list.push_back(rotated(axes[a], true));
    list.push_back(rotated(axes[a], false));
  }
  for (const uint64_t tile : {4, 16, 32}) {
    if (axes.size() < 2 || axes[0].extent % tile != 0 || axes[1].extent % tile != 0) continue;
    list.push_back(transposed_tiles(axes[0], axes[1], tile));
  }
  return list;
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
