// SPDX-License-Identifier: MIT
// LDS images of the kernels: the drafter's tiles, the attention back's p rows, the GEMV's activation rows.
// Offsets count from the start of the tile, of p, of the first activation row; each starts at a multiple of
// 256 bytes of LDS, so banks are the same.
#include <fmt/format.h>

#include <array>

#include "common/kernels/back.h"
#include "common/kernels/drafter.h"
#include "common/kernels/gemv.h"
#include "golden/layout/memory_parts.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

constexpr const char* kScaled = "v_mfma_scale_f32_16x16x128_f8f6f4";

// An image small enough to be searched: the way back is looked up, so that only the kernel's own function
// says where an element is.
class LdsImage : public MemoryLayout {
 public:
  using MemoryLayout::MemoryLayout;

  std::optional<MemoryElement> element(unsigned, uint64_t bit) const override {
    if (at_.empty()) fill();
    const Entry& entry = at_[bit / 8];
    if (entry.part == kNothing) return std::nullopt;
    return MemoryElement{entry.part, entry.row, entry.column};
  }

 private:
  static constexpr uint16_t kNothing = 0xFFFF;
  struct Entry {
    uint16_t part = kNothing, row = 0;
    uint32_t column = 0;
  };
  void fill() const {
    at_.resize(buffers()[0].bytes());
    for (unsigned p = 0; p < parts().size(); ++p) {
      for (uint64_t row = 0; row < parts()[p].rows; ++row) {
        for (uint64_t column = 0; column < parts()[p].columns; ++column) {
          const uint64_t first = bit({p, row, column}) / 8;
          for (uint64_t byte = first; byte < first + parts()[p].bits / 8; ++byte) {
            at_[byte] = {static_cast<uint16_t>(p), static_cast<uint16_t>(row), static_cast<uint32_t>(column)};
          }
        }
      }
    }
  }
  mutable std::vector<Entry> at_;
};

template <class WordOf>
LaneAddresses lane_addresses(WordOf word) {
  LaneAddresses addresses(kLanes);
  for (uint32_t lane = 0; lane < kLanes; ++lane) addresses[lane] = 4 * word(lane);
  return addresses;
}

// ---- the drafter's tiles ----

class DrafterTile : public LdsImage {
 public:
  DrafterTile(MemoryPart part) : LdsImage({std::move(part)}, {{"tile", {4 * drafter::kTileWords}, 8}}) {}

 protected:
  static uint64_t tile_bit(uint64_t row, uint64_t byte) {
    return 8 * (4 * drafter::tw(uint64_t{0}, row, byte / 4) + byte % 4);
  }
  // The two halves of an operand of 16 rows from `row`: words w and w + apart of each lane's row.
  static LdsAccess operand_reads(uint32_t words_of_group, uint32_t apart) {
    LdsAccess access{"operand of 16 rows", "ds_read_b128", {}};
    for (uint32_t row = 0; row < drafter::kBlock; row += 16) {
      for (const uint32_t half : {0u, apart}) {
        access.issued.push_back(lane_addresses([&](uint32_t lane) {
          return drafter::tw(0u, row + lane % 16, words_of_group * (lane / 16) + half);
        }));
      }
    }
    return access;
  }
};

class QueryTile final : public DrafterTile {
 public:
  QueryTile() : DrafterTile({"data", drafter::kQueries, drafter::kDim, 8, FormatId::e4m3, 0}) {}
  uint64_t bit(const MemoryElement& e) const override { return tile_bit(e.row, e.column); }
  std::vector<MfmaFeed> feeds(const MemoryElement& e) const override {
    return matrix_feed(Side::b, FormatId::e4m3, e.row, e.column);
  }
  std::vector<LdsAccess> accesses() const override { return {operand_reads(4, 16)}; }
};

class KeyTile final : public DrafterTile {
 public:
  KeyTile() : DrafterTile({"data", drafter::kBlock, drafter::kDim, 8, FormatId::e4m3, 0}) {}
  uint64_t bit(const MemoryElement& e) const override { return tile_bit(e.row, e.column); }
  std::vector<MfmaFeed> feeds(const MemoryElement& e) const override {
    return matrix_feed(Side::a, FormatId::e4m3, e.row, e.column);
  }
  std::vector<LdsAccess> accesses() const override {
    LdsAccess stores{"keys from the cache, wave 0", "ds_write_b128", {}};
    for (uint32_t half = 0; half < 2; ++half) {
      stores.issued.push_back(
          lane_addresses([&](uint32_t tid) { return drafter::tw(0u, tid / 4, tid % 4 * 8 + 4 * half); }));
    }
    return {operand_reads(4, 16), stores};
  }
};

// Element (key, dim) lies in row dim.
class ValueTile final : public DrafterTile {
 public:
  ValueTile() : DrafterTile({"data", drafter::kBlock, drafter::kDim, 8, FormatId::e4m3, 0}) {}
  uint64_t bit(const MemoryElement& e) const override { return tile_bit(e.column, byte_of(e.row)); }
  std::vector<MfmaFeed> feeds(const MemoryElement& e) const override {
    // A lane's operand is the 32 bytes of its group, in their order.
    const auto byte = static_cast<unsigned>(byte_of(e.row));
    const mfma::InputLayout a = mfma::a_layout(*mfma::find_exact(kScaled), FormatId::e4m3);
    const mfma::InputElement k =
        a.element({static_cast<uint8_t>(16 * (byte / 32)), static_cast<uint16_t>(8 * (byte % 32))});
    return matrix_feed(Side::a, FormatId::e4m3, e.column, k.k);
  }
  std::vector<LdsAccess> accesses() const override {
    LdsAccess stores{"transposed values, wave 0", "ds_write_b32", {}};
    for (uint32_t dim = 0; dim < 8; ++dim) {
      stores.issued.push_back(lane_addresses(
          [&](uint32_t tid) { return drafter::tw(0u, tid % 16 * 8 + dim, drafter::tv_word(tid / 16 * 4)); }));
    }
    return {operand_reads(8, 4), stores};
  }

 private:
  static uint64_t byte_of(uint64_t key) { return 4 * drafter::tv_word(key) + key % 4; }
};

// ---- the attention back's p ----

class BackPRows final : public LdsImage {
 public:
  explicit BackPRows(back::Form form)
      : LdsImage({{"data", form.dims().heads(), form.chunk_keys(), 16, FormatId::bf16, 0}},
                 {{"p", {form.dims().heads(), 2 * form.p_row()}, 16}}),
        form_(form) {}
  uint64_t bit(const MemoryElement& e) const override {
    return 32 * back::p_at(form_, e.row, e.column) + 16 * (e.column % 2);
  }
  std::vector<MfmaFeed> feeds(const MemoryElement& e) const override {
    return {operand_feed("v_mfma_f32_16x16x16_bf16", Side::b, FormatId::bf16, e.row, e.column / back::kTile,
                         e.column % back::kTile)};
  }
  std::vector<LdsAccess> accesses() const override {
    LdsAccess reads{"operand of 16 heads and 16 keys", "ds_read_b64", {}};
    for (uint32_t head = 0; head < form_.dims().heads(); head += back::kTile) {
      for (uint32_t key = 0; key < form_.chunk_keys(); key += back::kTile) {
        reads.issued.push_back(lane_addresses(
            [&](uint32_t lane) { return back::p_at(form_, head + lane % 16, key + 4 * (lane / 16)); }));
      }
    }
    LdsAccess writes{"a wave's 16 keys", "ds_write_b64", reads.issued};
    return {reads, writes};
  }

 private:
  back::Form form_;
};

// ---- the GEMV's activation rows ----

class GemvImage final : public LdsImage {
 public:
  GemvImage(uint32_t tokens, GemvForm form)
      : LdsImage({{"data", tokens, 4 * form.words(), 8, FormatId::e4m3, 0},
                  {"scale", tokens, form.groups(), 32, FormatId::i32, 0}},
                 {{"rows", {image_bytes(tokens, form)}, 8}}),
        form_(form),
        scales_(scales_at(tokens, form)) {}
  uint64_t bit(const MemoryElement& e) const override {
    if (e.part == 1) return 8 * scales_ + 32 * (e.row * lds_row(form_.groups()) + e.column);
    return 8 * (4 * e.row * lds_row(form_.words()) + e.column);
  }
  std::vector<MfmaFeed> feeds(const MemoryElement& e) const override {
    if (e.part == 1) return {scale_feed(Side::b, e.row, e.column)};
    return matrix_feed(Side::b, FormatId::e4m3, e.row, e.column);
  }
  std::vector<LdsAccess> accesses() const override {
    const auto rows = static_cast<uint32_t>(parts()[0].rows);
    LdsAccess codes{"operand of 16 tokens", "ds_read_b128", {}}, scales{"scales", "ds_read_b32", {}};
    for (uint32_t st = 0; st < form_.nsteps; ++st) {
      const auto column = [&](uint32_t lane) { return lane % 16 < rows ? lane % 16 : rows - 1; };
      for (const uint32_t half : {0u, 16u}) {
        codes.issued.push_back(lane_addresses([&](uint32_t lane) {
          return column(lane) * lds_row(form_.words()) + kStepWords * st + 4 * (lane / 16) + half;
        }));
      }
      scales.issued.push_back(lane_addresses([&](uint32_t lane) {
        return static_cast<uint32_t>(scales_ / 4) + column(lane) * lds_row(form_.groups()) +
               kStepBlocks * st + lane / 16;
      }));
    }
    return {codes, scales};
  }

 private:
  static uint64_t scales_at(uint32_t tokens, GemvForm form) {
    const GemvLds lds = gemv_lds(form, tokens);
    return lds.xsl - lds.xl;
  }
  static uint64_t image_bytes(uint32_t tokens, GemvForm form) {
    const GemvLds lds = gemv_lds(form, tokens);
    return lds.bytes - lds.xl;
  }
  GemvForm form_;
  uint64_t scales_;
};

}  // namespace

std::unique_ptr<MemoryLayout> make_drafter_q_tile(const MemoryShape& shape) {
  fixed_extent("--rows", shape.rows, drafter::kQueries);
  fixed_extent("--columns", shape.columns, drafter::kDim);
  return std::make_unique<QueryTile>();
}
std::unique_ptr<MemoryLayout> make_drafter_k_tile(const MemoryShape& shape) {
  fixed_extent("--rows", shape.rows, drafter::kBlock);
  fixed_extent("--columns", shape.columns, drafter::kDim);
  return std::make_unique<KeyTile>();
}
std::unique_ptr<MemoryLayout> make_drafter_v_tile(const MemoryShape& shape) {
  fixed_extent("--rows", shape.rows, drafter::kBlock);
  fixed_extent("--columns", shape.columns, drafter::kDim);
  return std::make_unique<ValueTile>();
}

std::unique_ptr<MemoryLayout> make_back_p_rows(const MemoryShape& shape) {
  std::string known;
  for (const back::NamedForm& named : back::kForms) {
    const uint64_t heads = named.form.dims().heads(), keys = named.form.chunk_keys();
    const bool fits =
        (shape.rows == 0 || shape.rows == heads) && (shape.columns == 0 || shape.columns == keys);
    if (fits) return std::make_unique<BackPRows>(named.form);
    known += fmt::format("{}{} x {}", known.empty() ? "" : ", ", heads, keys);
  }
  throw Error(fmt::format("no kernel has p rows of {} heads x {} keys (it is one of {})", shape.rows,
                          shape.columns, known));
}

std::unique_ptr<MemoryLayout> make_gemv_lds(const MemoryShape& shape) {
  const uint64_t tokens = needed_extent("--rows", shape.rows), k = needed_extent("--columns", shape.columns);
  constexpr uint64_t kMostK = 8192;
  if (tokens > kTokenTile)
    throw Error(fmt::format("--rows {}: a tile has at most {} tokens", tokens, kTokenTile));
  if (k % kStepK != 0 || k > kMostK)
    throw Error(
        fmt::format("--columns {}: K of the window is a multiple of {}, at most {}", k, kStepK, kMostK));
  const auto columns = static_cast<uint32_t>(k);
  return std::make_unique<GemvImage>(static_cast<uint32_t>(tokens),
                                     GemvForm{columns, columns / kStepK, 0, false});
}

}  // namespace wavetwin::golden
