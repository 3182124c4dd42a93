// SPDX-License-Identifier: MIT
// Conversions there and back, and what a check says of buffers that are not what they claim.
#include <doctest/doctest.h>

#include <algorithm>

#include "golden/layout/memory_check_report.h"
#include "sim/core/error.h"
#include "tests/layout/memory/naive.h"

namespace wavetwin::golden {
namespace {

std::string fact(const TextTable& table, const std::string& name) {
  std::string all;
  for (const auto& row : table.rows) {
    if (row[0] == name) all += (all.empty() ? "" : "\n") + row[1];
  }
  return all;
}

}  // namespace

TEST_CASE("convert: random matrices come back exactly from every layout, and padding is 0") {
  for (const ShapedLayout& shaped : shaped_layouts()) {
    CAPTURE(describe(shaped));
    const auto layout = make_memory_layout(shaped.name, shaped.shape);
    const auto plain = plain_layout(*layout);
    const BufferBytes matrices = random_buffers(7, *plain);
    const BufferBytes there = convert_memory(*plain, *layout, matrices);
    CHECK(convert_memory(*layout, *plain, there) == matrices);
    CHECK(nonzero_padding(*layout, there, 1).empty());
    for (unsigned buffer = 0; buffer < there.size(); ++buffer) {
      for (uint64_t byte = 0; byte < there[buffer].size(); ++byte) {
        if (!layout->element(buffer, 8 * byte)) REQUIRE(there[buffer][byte] == std::byte{0});
      }
    }
  }
}

TEST_CASE("convert: between two layouts of the same matrix without a stop in between") {
  const auto weight = make_memory_layout("aiter_preshuffle_16x16", {128, 128});
  const auto scales = make_memory_layout("aiter_e8m0_shuffle", {128, 128});
  const auto tile = make_memory_layout("drafter_v_tile", {});
  const BufferBytes bytes = random_buffers(3, *weight);
  const BufferBytes in_tile = convert_memory(*weight, *tile, bytes);
  const BufferBytes in_scales = convert_memory(*tile, *scales, in_tile);
  CHECK(convert_memory(*scales, *weight, in_scales) == bytes);
  CHECK(in_tile != bytes);
}

TEST_CASE("convert: other matrices are refused, and both are named") {
  const auto a = make_memory_layout("row_major", {32, 32}), b = make_memory_layout("row_major", {32, 64});
  const auto kv = make_memory_layout("drafter_kv", {128, 0}), k = make_memory_layout("drafter_k_tile", {});
  const auto wide = make_memory_layout("row_major", {32, 32, FormatId::bf16});
  CHECK_NOTHROW(check_same_elements("a", *a, "a", *a));
  CHECK_THROWS_AS(check_same_elements("a", *a, "b", *b), Error);
  CHECK_THROWS_AS(check_same_elements("a", *a, "wide", *wide), Error);
  CHECK_THROWS_WITH_AS(check_same_elements("drafter_kv", *kv, "drafter_k_tile", *k),
                       "drafter_kv holds k 128 x 128 of 8 bits (e4m3), v 128 x 128 of 8 bits (e4m3), but "
                       "drafter_k_tile holds data 128 x 128 of 8 bits (e4m3): not the same elements",
                       Error);
}

TEST_CASE("check: a buffer that is right says so") {
  for (const ShapedLayout& shaped : shaped_layouts()) {
    CAPTURE(describe(shaped));
    const auto layout = make_memory_layout(shaped.name, shaped.shape);
    const auto plain = plain_layout(*layout);
    const BufferBytes matrices = random_buffers(11, *plain);
    BufferBytes bytes = convert_memory(*plain, *layout, matrices);
    for (unsigned buffer = 0; buffer < bytes.size(); ++buffer) {  // bytes that are never read do not matter
      for (uint64_t byte = 0; byte < bytes[buffer].size(); ++byte) {
        if (!layout->element(buffer, 8 * byte) && layout->padding(buffer, byte) == Padding::any)
          bytes[buffer][byte] = std::byte{0x5A};
      }
    }
    const MemoryCheck check = check_memory(*layout, shaped.name, shaped.shape, bytes, matrices, 8);
    CHECK(check.wrong == 0);
    CHECK(check.first.empty());
    CHECK_FALSE(is_wrong(check_report(*layout, shaped.name, check)));
  }
}

TEST_CASE("check: one wrong byte of every layout is found, named, and traced to its lane") {
  for (const ShapedLayout& shaped : shaped_layouts()) {
    CAPTURE(describe(shaped));
    const auto layout = make_memory_layout(shaped.name, shaped.shape);
    const auto plain = plain_layout(*layout);
    const BufferBytes matrices = random_buffers(13, *plain);
    BufferBytes bytes = convert_memory(*plain, *layout, matrices);
    const unsigned part = static_cast<unsigned>(layout->parts().size()) - 1;
    const MemoryPart& of = layout->parts()[part];
    const MemoryElement last{part, of.rows - 1, of.columns - 1};
    const uint64_t byte = layout->bit(last) / 8;
    bytes[of.buffer][byte] ^= std::byte{0xFF};
    const MemoryCheck check = check_memory(*layout, shaped.name, shaped.shape, bytes, matrices, 8);
    CHECK(check.wrong == 1);
    REQUIRE(check.first.size() == 1);
    CHECK(check.first[0].byte == byte);
    CHECK(check.first[0].buffer == of.buffer);
    CHECK(check.first[0].want == (check.first[0].have ^ std::byte{0xFF}));
    if (of.bits >= 8) {
      CHECK(check.first[0].element == last);
      uint64_t lanes = 0;
      for (const MfmaFeed& feed : layout->feeds(last)) lanes |= uint64_t{1} << feed.place.lane;
      CHECK((check.fed.empty() ? 0 : check.fed[0].lanes) == lanes);
    }
    CHECK(is_wrong(check_report(*layout, shaped.name, check)));
  }
}

TEST_CASE("check: a weight that was never shuffled looks like row_major, and every lane gets wrong bytes") {
  const MemoryShape shape{64, 256};
  const auto layout = make_memory_layout("aiter_preshuffle_16x16", shape);
  const BufferBytes matrix = random_buffers(5, *layout);
  const MemoryCheck check = check_memory(*layout, "aiter_preshuffle_16x16", shape, matrix, matrix, 4);
  CHECK(check.wrong > 15000);
  REQUIRE_FALSE(check.looks_like.empty());
  CHECK(check.looks_like[0].name == "row_major");
  CHECK(check.looks_like[0].equal == check.looks_like[0].total);
  REQUIRE(check.fed.size() == 1);
  CHECK(std::string(check.fed[0].operand) == "A");
  CHECK(check.fed[0].lanes == ~uint64_t{0});
  const TextTable report = check_report(*layout, "aiter_preshuffle_16x16", check);
  CHECK(fact(report, "looks like") == "row_major: every byte");
  CHECK(fact(report, "fed wrongly") ==
        "v_mfma_scale_f32_16x16x128_f8f6f4 A: lanes 0..63, VGPRs 0..7, in 4 row tiles and 2 K steps");
  // Byte 16 of row 0 should hold row 1's first byte.
  CHECK(fact(report, "wrong").find("data byte 16 (0x10)") == 0);
}

TEST_CASE("check: known mistakes are recognised by name") {
  struct Case {
    const char* claimed;
    const char* is;
    MemoryShape shape;
  };
  const Case cases[] = {
      {"row_major", "aiter_preshuffle_16x16", {64, 128}},
      {"aiter_e8m0_shuffle", "row_major", {64, 16}},
      {"drafter_k_tile", "row_major", {128, 128}},
      {"drafter_k_tile", "drafter_v_tile", {128, 128}},
      {"drafter_v_tile", "drafter_k_tile", {128, 128}},
      {"aiter_preshuffle_16x16", "aiter_e8m0_shuffle", {64, 128}},
  };
  for (const Case& mistake : cases) {
    CAPTURE(mistake.claimed);
    CAPTURE(mistake.is);
    const auto claimed = make_memory_layout(mistake.claimed, mistake.shape);
    const auto is = make_memory_layout(mistake.is, mistake.shape);
    const BufferBytes matrix = random_buffers(17, *plain_layout(*is));
    const BufferBytes bytes = convert_memory(*plain_layout(*is), *is, matrix);
    const MemoryCheck check = check_memory(*claimed, mistake.claimed, mistake.shape, bytes, matrix, 1);
    REQUIRE_FALSE(check.looks_like.empty());
    CHECK(check.looks_like[0].name == mistake.is);
    CHECK(check.looks_like[0].equal == check.looks_like[0].total);
  }
}

TEST_CASE("check: a transposed matrix, and K and V one after the other, are recognised") {
  const MemoryShape shape{48, 96};
  const auto layout = make_memory_layout("row_major", shape);
  const BufferBytes matrix = random_buffers(19, *layout);
  BufferBytes turned{std::vector<std::byte>(matrix[0].size())};
  for (uint64_t row = 0; row < 48; ++row) {
    for (uint64_t column = 0; column < 96; ++column)
      turned[0][column * 48 + row] = matrix[0][row * 96 + column];
  }
  const MemoryCheck check = check_memory(*layout, "row_major", shape, turned, matrix, 1);
  REQUIRE_FALSE(check.looks_like.empty());
  CHECK(check.looks_like[0].name == "row_major of the transposed matrix");

  const auto kv = make_memory_layout("drafter_kv", {128, 0});
  const BufferBytes parts = random_buffers(23, *plain_layout(*kv));
  BufferBytes one_by_one{parts[0]};
  one_by_one[0].insert(one_by_one[0].end(), parts[1].begin(), parts[1].end());
  const MemoryCheck of_kv = check_memory(*kv, "drafter_kv", {128, 0}, one_by_one, parts, 1);
  REQUIRE_FALSE(of_kv.looks_like.empty());
  CHECK(of_kv.looks_like[0].name == "its matrices one after the other");
  CHECK(of_kv.fed.size() == 1);  // A of the scores and A of P V are one instruction and operand
}

TEST_CASE("check: noise looks like nothing, and padding that is not 0 is wrong") {
  const MemoryShape shape{40, 12};
  const auto layout = make_memory_layout("aiter_e8m0_shuffle", shape);
  const BufferBytes matrix = random_buffers(29, *plain_layout(*layout));
  BufferBytes bytes = convert_memory(*plain_layout(*layout), *layout, matrix);
  uint64_t pad = 0;
  while (layout->element(0, 8 * pad)) ++pad;
  bytes[0][pad] = std::byte{0x7F};
  const MemoryCheck check = check_memory(*layout, "aiter_e8m0_shuffle", shape, bytes, matrix, 8);
  CHECK(check.wrong == 1);
  CHECK(fact(check_report(*layout, "aiter_e8m0_shuffle", check), "wrong")
            .ends_with("0x7f, want 0x00, padding"));
  const auto found = nonzero_padding(*layout, bytes, 8);
  REQUIRE(found.size() == 1);
  CHECK(found[0].byte == pad);
  const TextTable structure = structure_report(*layout, "aiter_e8m0_shuffle", found);
  CHECK(is_wrong(structure));
  CHECK(fact(structure, "checked").find("needs a --reference") != std::string::npos);

  const MemoryCheck noise =
      check_memory(*layout, "aiter_e8m0_shuffle", shape, {random_bytes(31, bytes[0].size())}, matrix, 1);
  CHECK(noise.wrong > 400);
}

}  // namespace wavetwin::golden
