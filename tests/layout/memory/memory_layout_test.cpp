// SPDX-License-Identifier: MIT
// Every memory layout's map: one-to-one, covering, equal to its inverse, and to what its source computes.
#include <doctest/doctest.h>

#include <set>

#include "golden/layout/memory_query.h"
#include "sim/core/error.h"
#include "tests/layout/memory/naive.h"

namespace wavetwin::golden {
namespace {

// Which byte of a matrix of 1-byte elements lies at each byte of the only buffer: row * columns + column, or
// kPad.
constexpr uint32_t kPad = 0xFFFFFFFF;
std::vector<uint32_t> sources(const MemoryLayout& layout) {
  std::vector<uint32_t> all(layout.buffers()[0].bytes(), kPad);
  const MemoryPart& part = layout.parts()[0];
  for (uint64_t row = 0; row < part.rows; ++row) {
    for (uint64_t column = 0; column < part.columns; ++column) {
      all[layout.bit({0, row, column}) / 8] = static_cast<uint32_t>(row * part.columns + column);
    }
  }
  return all;
}

}  // namespace

TEST_CASE(
    "memory layouts: elements never share a bit, and every bit leads back to its element or is padding") {
  for (const ShapedLayout& shaped : shaped_layouts()) {
    CAPTURE(describe(shaped));
    const auto layout = make_memory_layout(shaped.name, shaped.shape);
    std::vector<std::vector<bool>> used;
    for (const MemoryBuffer& buffer : layout->buffers()) used.emplace_back(buffer.bits());
    for (unsigned p = 0; p < layout->parts().size(); ++p) {
      const MemoryPart& part = layout->parts()[p];
      for (uint64_t row = 0; row < part.rows; ++row) {
        for (uint64_t column = 0; column < part.columns; ++column) {
          const MemoryElement element{p, row, column};
          const uint64_t first = layout->bit(element);
          REQUIRE(first + part.bits <= used[part.buffer].size());
          for (uint64_t bit = first; bit < first + part.bits; ++bit) {
            REQUIRE_FALSE(used[part.buffer][bit]);
            used[part.buffer][bit] = true;
            REQUIRE(layout->element(part.buffer, bit) == element);
          }
        }
      }
    }
    for (unsigned buffer = 0; buffer < used.size(); ++buffer) {
      for (uint64_t bit = 0; bit < used[buffer].size(); ++bit) {
        if (!used[buffer][bit]) REQUIRE_FALSE(layout->element(buffer, bit).has_value());
      }
    }
  }
}

TEST_CASE("memory layouts: every registered one is exercised, its name is found, a misspelt one is guessed") {
  std::set<std::string> exercised;
  for (const ShapedLayout& shaped : shaped_layouts()) exercised.insert(shaped.name);
  for (const MemoryLayoutInfo& info : memory_layouts()) {
    CAPTURE(info.name);
    CHECK(exercised.count(info.name) == 1);
    CHECK(&find_memory_layout(info.name) == &info);
    CHECK_NOTHROW(make_memory_layout(info, info.smallest));
  }
  const auto guess = [](const std::string& name) {
    try {
      find_memory_layout(name);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(guess("aiter_preshufle_16x16").find("aiter_preshuffle_16x16?") != std::string::npos);
  CHECK(guess("e8m0").find("aiter_e8m0_shuffle?") != std::string::npos);
  CHECK(guess("drafter_qtile").find("drafter_q_tile?") != std::string::npos);
}

TEST_CASE("aiter_preshuffle_16x16: view(rows/16, 16, K/BK, BK/c, c).permute(0, 2, 3, 1, 4) of any element") {
  struct Case {
    FormatId format;
    size_t bytes;
  };
  for (const Case& element : {Case{FormatId::e4m3, 1}, Case{FormatId::bf16, 2}, Case{FormatId::f32, 4}}) {
    for (const size_t rows : {16, 32, 80}) {
      for (const size_t columns : {32, 64, 160}) {
        CAPTURE(rows);
        CAPTURE(columns);
        CAPTURE(element.bytes);
        const auto layout = make_memory_layout("aiter_preshuffle_16x16", {rows, columns, element.format});
        // AITER's names: BK = 32 elements, c = 16 / element size.
        const size_t c = 16 / element.bytes;
        const auto want =
            view_permute(numbers(rows * columns), {rows / 16, 16, columns / 32, 32 / c, c}, {0, 2, 3, 1, 4});
        for (size_t at = 0; at < want.size(); ++at) {
          const MemoryElement e{0, want[at] / columns, want[at] % columns};
          REQUIRE(layout->bit(e) == 8 * element.bytes * at);
        }
      }
    }
  }
}

TEST_CASE("aiter_preshuffle_16x16: 4-bit elements move in pairs, as AITER's fp4x2 tensors do") {
  const size_t rows = 32, bytes = 64;  // 128 columns
  const auto layout = make_memory_layout("aiter_preshuffle_16x16", {rows, 2 * bytes, FormatId::e2m1});
  const auto want = view_permute(numbers(rows * bytes), {rows / 16, 16, bytes / 32, 2, 16}, {0, 2, 3, 1, 4});
  for (size_t at = 0; at < want.size(); ++at) {
    const MemoryElement low{0, want[at] / bytes, 2 * (want[at] % bytes)};
    REQUIRE(layout->bit(low) == 8 * at);
    REQUIRE(layout->bit({0, low.row, low.column + 1}) == 8 * at + 4);
  }
}

TEST_CASE("aiter_e8m0_shuffle: padded, view(rows/32, 2, 16, columns/8, 2, 4).permute(0, 3, 5, 2, 4, 1)") {
  for (const uint64_t pad : {0, 256}) {
    for (const size_t rows : {1, 31, 32, 40, 96}) {
      for (const size_t columns : {1, 7, 8, 20}) {
        CAPTURE(rows);
        CAPTURE(columns);
        const auto layout = make_memory_layout("aiter_e8m0_shuffle", {rows, columns, {}, pad});
        const size_t multiple = pad == 0 ? 32 : pad;
        const size_t m = (rows + multiple - 1) / multiple * multiple, n = (columns + 7) / 8 * 8;
        std::vector<uint32_t> padded(m * n, kPad);
        for (size_t row = 0; row < rows; ++row) {
          for (size_t column = 0; column < columns; ++column)
            padded[row * n + column] = static_cast<uint32_t>(row * columns + column);
        }
        CHECK(sources(*layout) == view_permute(padded, {m / 32, 2, 16, n / 8, 2, 4}, {0, 3, 5, 2, 4, 1}));
        for (uint64_t byte = 0; byte < layout->buffers()[0].bytes(); ++byte)
          REQUIRE(layout->padding(0, byte) == Padding::zero);
      }
    }
  }
}

TEST_CASE("aiter_e8m0_shuffle: the four bytes of a word are rows r and r + 16 of columns c and c + 4") {
  const auto layout = make_memory_layout("aiter_e8m0_shuffle", {64, 16});
  for (uint64_t r = 0; r < 16; ++r) {
    for (uint64_t c = 0; c < 4; ++c) {
      const uint64_t word = layout->bit({0, r, c}) / 32;
      CHECK(layout->bit({0, r, c}) == 32 * word);
      CHECK(layout->bit({0, r + 16, c}) == 32 * word + 8);
      CHECK(layout->bit({0, r, c + 4}) == 32 * word + 16);
      CHECK(layout->bit({0, r + 16, c + 4}) == 32 * word + 24);
    }
  }
}

TEST_CASE("row_major_mx: the scale of (row, column) is that of its 32 x 32 or 1 x 32 block") {
  const MemoryQuery by_square("row_major_mx_32x32", {96, 128});
  CHECK(by_square.get_address("", 70, 97).rows[1][0] == "scale[2][3]");
  CHECK(by_square.get_address("", 70, 97).rows[1][2] == "11");  // 2 * 4 + 3
  const MemoryQuery by_row("row_major_mx_1x32", {96, 128});
  CHECK(by_row.get_address("", 70, 97).rows[1][0] == "scale[70][3]");
  CHECK(by_row.get_address("", 70, 97).rows[1][2] == "283");  // 70 * 4 + 3
}

TEST_CASE("fp8_ds_mla: data rows of 576 bytes, then scale rows of 8, page after page") {
  const auto layout = make_memory_layout("fp8_ds_mla", {96, 0, {}, 0, 32});
  const uint64_t stride = 33 * 576;  // 32 * 584 = 18688 bytes, rounded up to whole data rows
  CHECK(layout->buffers()[0].bytes() == 3 * stride);
  for (const uint64_t slot : {0, 1, 31, 32, 95}) {
    CAPTURE(slot);
    const uint64_t page = slot / 32 * stride;
    CHECK(layout->bit({0, slot, 447}) == 8 * (page + slot % 32 * 576 + 447));
    CHECK(layout->bit({1, slot, 0}) == 8 * (page + slot % 32 * 576 + 448));
    CHECK(layout->bit({1, slot, 63}) == 8 * (page + slot % 32 * 576 + 574));
    CHECK(layout->bit({2, slot, 6}) == 8 * (page + 32 * 576 + slot % 32 * 8 + 6));
    CHECK(layout->padding(0, page + 32 * 576 + slot % 32 * 8 + 7) == Padding::zero);
    CHECK(layout->padding(0, page + 32 * 584) == Padding::any);
  }
}

TEST_CASE("drafter: a key's K and V, the swizzled tiles, and V's transposed order") {
  const auto cache = make_memory_layout("drafter_kv", {256, 0});
  CHECK(cache->bit({0, 200, 5}) == 8 * (200 * 256 + 5));
  CHECK(cache->bit({1, 200, 5}) == 8 * (200 * 256 + 128 + 5));
  const auto k = make_memory_layout("drafter_k_tile", {}), v = make_memory_layout("drafter_v_tile", {});
  for (uint64_t key = 0; key < 128; ++key) {
    for (uint64_t dim = 0; dim < 128; ++dim) {
      REQUIRE(k->bit({0, key, dim}) / 8 == key * 128 + (dim / 16 ^ key % 8) * 16 + dim % 16);
      // Byte 32 g + 4 i + e of row dim holds key 16 i + 4 g + e.
      const uint64_t i = key / 16, g = key % 16 / 4, e = key % 4, byte = 32 * g + 4 * i + e;
      REQUIRE(v->bit({0, key, dim}) / 8 == dim * 128 + (byte / 16 ^ dim % 8) * 16 + byte % 16);
    }
  }
}

TEST_CASE("LDS rows: p of a head has two words of padding, activation rows and their scales four") {
  for (const uint64_t keys : {64, 128}) {
    const auto p = make_memory_layout("back_p_rows", {32, keys});
    for (uint64_t head = 0; head < 32; ++head) {
      for (uint64_t key = 0; key < keys; ++key) {
        REQUIRE(p->bit({0, head, key}) == 32 * head * (keys / 2 + 2) + 16 * key);
      }
    }
  }
  for (const uint64_t steps : {1, 10}) {
    const uint64_t rows = 5;
    const auto x = make_memory_layout("gemv_lds", {rows, 128 * steps});
    const uint64_t row_words = 32 * steps + 4, scale_words = 4 * steps + 4;
    for (uint64_t row = 0; row < rows; ++row) {
      for (uint64_t k = 0; k < 128 * steps; ++k) REQUIRE(x->bit({0, row, k}) == 32 * row * row_words + 8 * k);
      for (uint64_t block = 0; block < 4 * steps; ++block)
        REQUIRE(x->bit({1, row, block}) == 32 * (rows * row_words + row * scale_words + block));
    }
    CHECK(x->buffers()[0].bytes() == 4 * rows * (row_words + scale_words));
  }
}

TEST_CASE("feeds: the lane and register of an element of each layout, by the ISA guide's formulas") {
  const auto at = [](const MemoryLayout& layout, const MemoryElement& e) {
    const auto feeds = layout.feeds(e);
    REQUIRE(feeds.size() == 1);
    return feeds[0];
  };
  // 8-bit f8f6f4: k = 16 g + .. in VGPRs 0..3, 64 + 16 g + .. in VGPRs 4..7 of lane 16 g + row.
  const auto weight = make_memory_layout("aiter_preshuffle_16x16", {64, 512});
  for (const uint64_t row : {0, 17, 63}) {
    for (uint64_t k = 0; k < 512; ++k) {
      const MfmaFeed feed = at(*weight, {0, row, k});
      const uint64_t in_step = k % 128, g = in_step % 64 / 16;
      REQUIRE(std::string(feed.operand) == "A");
      REQUIRE(feed.row_tile == row / 16);
      REQUIRE(feed.k_step == k / 128);
      REQUIRE(feed.place.lane == 16 * g + row % 16);
      REQUIRE(feed.place.bit == 8 * (16 * (in_step / 64) + in_step % 16));
    }
  }
  // A scale: lane 16 (block % 4) + row.
  const auto scale = make_memory_layout("aiter_e8m0_shuffle", {40, 20});
  const MfmaFeed scale_feed = at(*scale, {0, 37, 19});
  CHECK(std::string(scale_feed.operand) == "scale_a");
  CHECK(scale_feed.place.lane == 16 * 3 + 5);
  CHECK(scale_feed.row_tile == 2);
  CHECK(scale_feed.k_step == 4);
  // V: a lane's 32 bytes are bytes 32 g .. of row dim.
  const auto v = make_memory_layout("drafter_v_tile", {});
  for (uint64_t key = 0; key < 128; ++key) {
    const MfmaFeed feed = at(*v, {0, key, 20});
    const uint64_t i = key / 16, g = key % 16 / 4, e = key % 4;
    REQUIRE(feed.place.lane == 16 * g + 20 % 16);
    REQUIRE(feed.place.bit == 8 * (4 * i + e));
  }
  // Scores: MFMA 2 c + h takes dims 64 c + 16 g + 8 h + e as K 8 g + e.
  const auto records = make_memory_layout("fp8_ds_mla", {64, 0});
  for (uint64_t d = 0; d < 448; ++d) {
    const MfmaFeed feed = at(*records, {0, 3, d});
    REQUIRE(feed.k_step == 2 * (d / 64) + d % 16 / 8);
    REQUIRE(feed.place.lane == 16 * (d % 64 / 16) + 3);
    REQUIRE(feed.place.bit == 16 * (d % 8));
  }
  for (uint64_t d = 0; d < 64; ++d) {
    const MfmaFeed feed = at(*records, {1, 3, d});
    REQUIRE(feed.k_step == 14 + d / 32);
    REQUIRE(feed.place.lane == 16 * (d % 32 / 8) + 3);
    REQUIRE(feed.place.bit == 16 * (d % 8));
  }
  // p: a column a head, 4 keys a lane.
  const auto p = make_memory_layout("back_p_rows", {32, 64});
  const MfmaFeed p_feed = at(*p, {0, 21, 38});
  CHECK(std::string(p_feed.instruction) == "v_mfma_f32_16x16x16_bf16");
  CHECK(std::string(p_feed.operand) == "B");
  CHECK(p_feed.place.lane == 16 * 1 + 5);  // key 38 % 16 = 6: group 1
  CHECK(p_feed.place.bit == 16 * 2);
  // A 32 x 32 scale reaches two row tiles.
  const auto square = make_memory_layout("row_major_mx_32x32", {64, 128});
  CHECK(square->feeds({1, 1, 2}).size() == 32);
}

TEST_CASE("memory layouts: a shape that is not one is an error that names layout and option") {
  struct Case {
    const char* name;
    MemoryShape shape;
    const char* says;
  };
  const Case cases[] = {
      {"row_major", {0, 4}, "row_major: say --rows"},
      {"row_major", {4, 0}, "row_major: say --columns"},
      {"row_major", {1ull << 40, 1ull << 40}, "larger than any memory"},
      {"row_major", {4, 3, FormatId::e2m1}, "--columns 3"},
      {"row_major_mx_32x32", {31, 32}, "31 x 32"},
      {"row_major_mx_1x32", {31, 33}, "31 x 33"},
      {"aiter_preshuffle_16x16", {17, 32}, "--rows 17"},
      {"aiter_preshuffle_16x16", {16, 48}, "--columns 48"},
      {"aiter_preshuffle_16x16", {16, 64, FormatId::e2m3}, "6-bit"},
      {"aiter_e8m0_shuffle", {32, 8, FormatId::e4m3}, "not e4m3"},
      {"aiter_e8m0_shuffle", {32, 8, {}, 48}, "--pad-rows 48"},
      {"fp8_ds_mla", {65, 0}, "--rows 65"},
      {"fp8_ds_mla", {64, 100}, "--columns 100"},
      {"fp8_ds_mla", {64, 0, {}, 0, 64, 584 * 64 - 1}, "--page-stride"},
      {"drafter_kv", {100, 0}, "--rows 100"},
      {"drafter_q_tile", {128, 0}, "--rows 128"},
      {"drafter_k_tile", {0, 64}, "--columns 64"},
      {"back_p_rows", {16, 64}, "16 heads x 64 keys"},
      {"gemv_lds", {17, 128}, "--rows 17"},
      {"gemv_lds", {4, 100}, "--columns 100"},
  };
  for (const Case& wrong : cases) {
    CAPTURE(wrong.name);
    CAPTURE(wrong.says);
    std::string message;
    try {
      make_memory_layout(wrong.name, wrong.shape);
    } catch (const Error& error) {
      message = error.what();
    }
    CHECK(message.starts_with(wrong.name));
    CHECK(message.find(wrong.says) != std::string::npos);
  }
}

TEST_CASE("memory picture: a titled cell for each element in the matrix and in memory") {
  const MemoryQuery query("aiter_e8m0_shuffle", {33, 9});
  const std::string svg = query.picture("", MemoryElement{0, 32, 8});
  const auto count = [&](const std::string& part) {
    size_t n = 0;
    for (size_t at = svg.find(part); at != std::string::npos; at = svg.find(part, at + 1)) ++n;
    return n;
  };
  CHECK(count("<title>data[") == 2 * 33 * 9);
  CHECK(count(": padding</title>") == 64 * 16 - 33 * 9);
  CHECK(count("<rect class=\"hit\"") == 2);
  CHECK(svg.ends_with("</svg>\n"));
}

}  // namespace wavetwin::golden
