// SPDX-License-Identifier: MIT
// Matrices in global memory: row major with or without MX scales, and AITER's shuffles of both.
#include <fmt/format.h>

#include "common/layout/aiter.h"
#include "golden/layout/memory_parts.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

constexpr uint64_t kMxBlock = mfma::kScaleBlock;

// Rows of whole bytes.
uint64_t row_bytes(const MemoryPart& part) {
  const uint64_t bits = memory_product(part.columns, part.bits);
  if (bits % 8 != 0) {
    throw Error(fmt::format("--columns {}: a row of {}-bit elements is not a whole number of bytes",
                            part.columns, part.bits));
  }
  return bits / 8;
}

// What a file keeps: elements, or bytes where elements are packed.
MemoryBuffer matrix_buffer(const MemoryPart& part) {
  memory_product(part.rows, 8 * row_bytes(part));
  if (part.bits % 8 != 0) return {part.name, {part.rows, row_bytes(part)}, 8};
  return {part.name, {part.rows, part.columns}, part.bits};
}

MemoryPart data_part(const MemoryShape& shape) {
  const FormatId format = shape.format.value_or(FormatId::e4m3);
  return {"data",
          needed_extent("--rows", shape.rows),
          needed_extent("--columns", shape.columns),
          format_info(format).bits,
          shape.format,
          0};
}

// Rows and columns of data that share a scale byte; 0: no scales.
struct ScaleBlock {
  uint64_t rows = 0, columns = 0;
};

// Every part row major in a buffer of its own; part 1 is the scales of part 0.
class RowMajor : public MemoryLayout {
 public:
  explicit RowMajor(std::vector<MemoryPart> parts, ScaleBlock block = {})
      : MemoryLayout(own_buffers(parts), buffers_of(parts)), block_(block) {}

  uint64_t bit(const MemoryElement& e) const override {
    const MemoryPart& part = parts()[e.part];
    return (e.row * part.columns + e.column) * part.bits;
  }
  std::optional<MemoryElement> element(unsigned buffer, uint64_t bit) const override {
    const MemoryPart& part = parts()[buffer];
    const uint64_t index = bit / part.bits;
    return MemoryElement{buffer, index / part.columns, index % part.columns};
  }
  std::vector<MfmaFeed> feeds(const MemoryElement& e) const override {
    const FormatId format = parts()[e.part].format.value_or(FormatId::e4m3);
    if (e.part == 0) return matrix_feed(Side::a, format, e.row, e.column);
    std::vector<MfmaFeed> feeds;  // a scale of the block's rows
    for (uint64_t row = e.row * block_.rows; row < (e.row + 1) * block_.rows; ++row) {
      feeds.push_back(scale_feed(Side::a, row, e.column));
    }
    return feeds;
  }

 private:
  static std::vector<MemoryPart> own_buffers(std::vector<MemoryPart> parts) {
    for (unsigned i = 0; i < parts.size(); ++i) parts[i].buffer = i;
    return parts;
  }
  static std::vector<MemoryBuffer> buffers_of(const std::vector<MemoryPart>& parts) {
    std::vector<MemoryBuffer> buffers;
    for (const MemoryPart& part : parts) buffers.push_back(matrix_buffer(part));
    return buffers;
  }
  ScaleBlock block_;
};

std::unique_ptr<MemoryLayout> row_major_mx(const MemoryShape& shape, ScaleBlock block) {
  const MemoryPart data = data_part(shape);
  if (data.rows % block.rows != 0 || data.columns % block.columns != 0) {
    throw Error(fmt::format("{} x {} is not a whole number of {}x{} blocks", data.rows, data.columns,
                            block.rows, block.columns));
  }
  const MemoryPart scale{"scale", data.rows / block.rows, data.columns / block.columns, 8, FormatId::e8m0, 1};
  return std::make_unique<RowMajor>(std::vector{data, scale}, block);
}

class AiterPreshuffle : public MemoryLayout {
 public:
  explicit AiterPreshuffle(const MemoryPart& part)
      : MemoryLayout({part}, {matrix_buffer(part)}), row_bytes_(row_bytes(part)) {}

  uint64_t bit(const MemoryElement& e) const override {
    const uint64_t bit = e.column * parts()[0].bits;
    return 8 * aiter::weight_byte({e.row, bit / 8}, row_bytes_) + bit % 8;
  }
  std::optional<MemoryElement> element(unsigned, uint64_t bit) const override {
    const aiter::Cell cell = aiter::weight_cell(bit / 8, row_bytes_);
    return MemoryElement{0, cell.row, (8 * cell.column + bit % 8) / parts()[0].bits};
  }
  std::vector<MfmaFeed> feeds(const MemoryElement& e) const override {
    return matrix_feed(Side::a, parts()[0].format.value_or(FormatId::e4m3), e.row, e.column);
  }

 private:
  uint64_t row_bytes_;
};

class AiterE8m0Shuffle : public MemoryLayout {
 public:
  AiterE8m0Shuffle(const MemoryPart& part, uint64_t padded_rows, uint64_t padded_columns)
      : MemoryLayout({part}, {{part.name, {padded_rows, padded_columns}, 8}}), columns_(padded_columns) {
    memory_product(padded_rows, 8 * padded_columns);
  }

  uint64_t bit(const MemoryElement& e) const override {
    return 8 * aiter::scale_byte({e.row, e.column}, columns_);
  }
  std::optional<MemoryElement> element(unsigned, uint64_t bit) const override {
    const aiter::Cell cell = aiter::scale_cell(bit / 8, columns_);
    if (cell.row >= parts()[0].rows || cell.column >= parts()[0].columns) return std::nullopt;
    return MemoryElement{0, cell.row, cell.column};
  }
  Padding padding(unsigned, uint64_t) const override { return Padding::zero; }
  std::vector<MfmaFeed> feeds(const MemoryElement& e) const override {
    return {scale_feed(Side::a, e.row, e.column)};
  }

 private:
  uint64_t columns_;
};

uint64_t round_up(uint64_t value, uint64_t multiple) { return (value + multiple - 1) / multiple * multiple; }

}  // namespace

std::unique_ptr<MemoryLayout> plain_layout(const MemoryLayout& layout) {
  return std::make_unique<RowMajor>(layout.parts());
}

std::unique_ptr<MemoryLayout> make_row_major(const MemoryShape& shape) {
  return std::make_unique<RowMajor>(std::vector{data_part(shape)});
}
std::unique_ptr<MemoryLayout> make_row_major_mx_32x32(const MemoryShape& shape) {
  return row_major_mx(shape, {kMxBlock, kMxBlock});
}
std::unique_ptr<MemoryLayout> make_row_major_mx_1x32(const MemoryShape& shape) {
  return row_major_mx(shape, {1, kMxBlock});
}

std::unique_ptr<MemoryLayout> make_aiter_preshuffle(const MemoryShape& shape) {
  const MemoryPart part = data_part(shape);
  if (part.bits == 6) throw Error("6-bit elements do not fit its 16-byte pieces");
  // AITER's tensors of 4-bit elements have two in a byte, and its K is counted in bytes.
  const uint64_t columns = part.bits == 4 ? row_bytes(part) : part.columns;
  if (part.rows % aiter::kWeightRows != 0)
    throw Error(fmt::format("--rows {} is not a multiple of {}", part.rows, aiter::kWeightRows));
  if (columns % aiter::kWeightElements != 0) {
    throw Error(fmt::format("--columns {} is not a multiple of {}", part.columns,
                            part.bits == 4 ? 2 * aiter::kWeightElements : aiter::kWeightElements));
  }
  return std::make_unique<AiterPreshuffle>(part);
}

std::unique_ptr<MemoryLayout> make_aiter_e8m0_shuffle(const MemoryShape& shape) {
  const uint64_t multiple = shape.pad_rows == 0 ? aiter::kScaleRows : shape.pad_rows;
  if (multiple % aiter::kScaleRows != 0)
    throw Error(fmt::format("--pad-rows {} is not a multiple of {}", multiple, aiter::kScaleRows));
  if (shape.format && *shape.format != FormatId::e8m0)
    throw Error(fmt::format("holds e8m0 scales, not {}", to_string(*shape.format)));
  const MemoryPart part{"data",
                        needed_extent("--rows", shape.rows),
                        needed_extent("--columns", shape.columns),
                        8,
                        FormatId::e8m0,
                        0};
  memory_product(part.rows, multiple);
  memory_product(part.columns, aiter::kScaleColumns);
  return std::make_unique<AiterE8m0Shuffle>(part, round_up(part.rows, multiple),
                                            round_up(part.columns, aiter::kScaleColumns));
}

}  // namespace wavetwin::golden
