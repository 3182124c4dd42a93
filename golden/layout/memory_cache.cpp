// SPDX-License-Identifier: MIT
// KV caches: the paged fp8_ds_mla records of DeepSeek's attention and the drafter's records.
#include <fmt/format.h>

#include "common/kernels/back.h"
#include "common/kernels/drafter.h"
#include "golden/layout/memory_parts.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

// The (kernel's) 16-byte piece of lane group g of part c that starts at or before byte `byte`.
template <class WordOf>
uint32_t group_of(WordOf word, uint32_t c, uint64_t byte) {
  uint32_t g = 0;
  while (g < 3 && 4 * word(c, g + 1) <= byte) ++g;
  return g;
}

// Slots of 512 dims: 448 e4m3, a scale each 64 of them, 64 bf16. Slots lie in pages; a page holds the data
// rows of its slots, then their scale rows.
class Fp8DsMla : public MemoryLayout {
 public:
  enum Part : unsigned { kNopePart, kRopePart, kScalePart };

  Fp8DsMla(uint64_t slots, uint32_t block, uint64_t stride)
      : MemoryLayout({{"nope", slots, back::kNope, 8, FormatId::e4m3, 0},
                      {"rope", slots, back::kRope, 16, FormatId::bf16, 0},
                      {"scale", slots, kScales, 8, FormatId::e8m0, 0}},
                     {{"pages", {slots / block, stride}, 8}}),
        block_(block),
        stride_(stride) {}

  uint64_t bit(const MemoryElement& e) const override {
    const uint64_t page = e.row / block_ * stride_;
    const uint64_t data = page + back::data_row_at(e.row % block_);
    if (e.part == kNopePart) return 8 * (data + e.column);
    if (e.part == kRopePart) return 8 * (data + back::kNope + 2 * e.column);
    return 8 * (page + back::scale_row_at(block_, e.row % block_) + e.column);
  }

  std::optional<MemoryElement> element(unsigned, uint64_t bit) const override {
    const uint64_t byte = bit / 8, page = byte / stride_, at = byte % stride_;
    const uint64_t scales = back::scale_row_at(block_, uint64_t{0});
    if (at < scales) {
      const uint64_t slot = page * block_ + at / back::kData, in_row = at % back::kData;
      if (in_row < back::kNope) return MemoryElement{kNopePart, slot, in_row};
      return MemoryElement{kRopePart, slot, (in_row - back::kNope) / 2};
    }
    const uint64_t in_page = (at - scales) / back::kScaleBytes, column = (at - scales) % back::kScaleBytes;
    if (in_page >= block_ || column >= kScales) return std::nullopt;
    return MemoryElement{kScalePart, page * block_ + in_page, column};
  }

  // The last byte of a scale row is 0; what follows the scale rows of a page is never read.
  Padding padding(unsigned, uint64_t byte) const override {
    return byte % stride_ < back::scale_row_at(block_, block_) ? Padding::zero : Padding::any;
  }

  // Of the scores, for keys in the order of their slots; codes are multiplied by their scale and become bf16
  // first.
  std::vector<MfmaFeed> feeds(const MemoryElement& e) const override {
    const auto feed = [&](uint64_t k_step, uint64_t k) {
      return operand_feed("v_mfma_f32_16x16x32_bf16", Side::a, FormatId::bf16, e.row, k_step, k);
    };
    std::vector<MfmaFeed> feeds;
    if (e.part == kNopePart) {  // MFMA 2 c + h takes bytes 8 h .. 8 h + 7 of each lane's 16
      const auto c = static_cast<uint32_t>(e.column / 64);
      const uint32_t g = group_of(back::nope_word<uint32_t>, c, e.column);
      const auto in_piece = static_cast<uint32_t>(e.column - 4 * back::nope_word(c, g));
      feeds.push_back(feed(2 * c + in_piece / 8, 8 * g + in_piece % 8));
    } else if (e.part == kRopePart) {
      const uint64_t byte = back::kNope + 2 * e.column;
      const auto c = static_cast<uint32_t>(e.column / 32);
      const uint32_t g = group_of(back::rope_word<uint32_t>, c, byte);
      feeds.push_back(feed(14 + c, 8 * g + (byte - 4 * back::rope_word(c, g)) / 2));
    } else {  // every code of its 64 dims
      for (uint64_t d = back::kScaleDims * e.column; d < back::kScaleDims * (e.column + 1); ++d) {
        feeds.push_back(this->feeds({kNopePart, e.row, d}).front());
      }
    }
    return feeds;
  }

 private:
  static constexpr uint64_t kScales = back::kNope / back::kScaleDims;
  uint64_t block_, stride_;
};

class DrafterKv : public MemoryLayout {
 public:
  explicit DrafterKv(uint64_t keys)
      : MemoryLayout({{"k", keys, drafter::kDim, 8, FormatId::e4m3, 0},
                      {"v", keys, drafter::kDim, 8, FormatId::e4m3, 0}},
                     {{"cache", {keys / drafter::kBlock, drafter::kBlock, drafter::kKeyBytes}, 8}}),
        k_tile_(make_drafter_k_tile({})),
        v_tile_(make_drafter_v_tile({})) {}

  uint64_t bit(const MemoryElement& e) const override {
    return 8 * (e.row * drafter::kKeyBytes + e.part * drafter::kDim + e.column);
  }
  std::optional<MemoryElement> element(unsigned, uint64_t bit) const override {
    const uint64_t byte = bit / 8, in_key = byte % drafter::kKeyBytes;
    return MemoryElement{static_cast<unsigned>(in_key / drafter::kDim), byte / drafter::kKeyBytes,
                         in_key % drafter::kDim};
  }
  // By way of the LDS tiles of the key's block.
  std::vector<MfmaFeed> feeds(const MemoryElement& e) const override {
    const MemoryLayout& tile = e.part == 0 ? *k_tile_ : *v_tile_;
    return tile.feeds({0, e.row % drafter::kBlock, e.column});
  }

 private:
  std::unique_ptr<MemoryLayout> k_tile_, v_tile_;
};

uint64_t whole_blocks(uint64_t rows, uint64_t block, const char* of) {
  if (rows % block != 0)
    throw Error(fmt::format("--rows {} is not a whole number of {} {}", rows, block, of));
  return rows;
}

}  // namespace

std::unique_ptr<MemoryLayout> make_fp8_ds_mla(const MemoryShape& shape) {
  constexpr uint64_t kDefaultBlock = 64, kMostSlots = 1u << 20;
  const uint64_t block = shape.page_block == 0 ? kDefaultBlock : shape.page_block;
  if (block > kMostSlots) throw Error(fmt::format("--page-block {}: at most {} slots", block, kMostSlots));
  const uint64_t least = back::scale_row_at(block, block);
  const uint64_t stride =
      shape.page_stride == 0 ? back::page_stride(static_cast<uint32_t>(block)) : shape.page_stride;
  if (stride < least)
    throw Error(fmt::format("--page-stride {}: a page of {} slots takes {} bytes", stride, block, least));
  if (shape.columns != back::kNope) fixed_extent("--columns", shape.columns, back::kHeadDim);
  const uint64_t slots = whole_blocks(needed_extent("--rows", shape.rows), block, "slots of a page");
  memory_product(memory_product(slots, stride), 8);
  return std::make_unique<Fp8DsMla>(slots, static_cast<uint32_t>(block), stride);
}

std::unique_ptr<MemoryLayout> make_drafter_kv(const MemoryShape& shape) {
  fixed_extent("--columns", shape.columns, drafter::kDim);
  const uint64_t keys =
      whole_blocks(needed_extent("--rows", shape.rows), drafter::kBlock, "keys of a cache block");
  memory_product(keys, 8 * drafter::kKeyBytes);
  return std::make_unique<DrafterKv>(keys);
}

}  // namespace wavetwin::golden
