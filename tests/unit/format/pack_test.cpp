// SPDX-License-Identifier: MIT
#include "common/format/pack.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstring>
#include <random>
#include <vector>

#include "tests/unit/format/operands.h"

namespace wavetwin {
namespace {

// Bit by bit, the definition itself.
uint8_t code_by_bits(const std::vector<uint8_t>& bytes, unsigned width, size_t index) {
  uint8_t code = 0;
  for (unsigned bit = 0; bit < width; ++bit) {
    const size_t position = index * width + bit;
    code |= static_cast<uint8_t>((bytes[position / 8] >> (position % 8) & 1u) << bit);
  }
  return code;
}

TEST_CASE("pack: 4-bit codes put the first element in the low nibble") {
  const uint8_t codes[] = {0x1, 0x2, 0xF};
  uint8_t packed[2] = {0xEE, 0xEE};
  pack_codes(codes, 3, 4, packed);
  CHECK(packed[0] == 0x21);
  CHECK(packed[1] == 0x0F);
}

TEST_CASE("pack: 6-bit codes start at bit 0 and straddle bytes and dwords") {
  const uint8_t codes[] = {0x3F, 0x00, 0x3F, 0x00, 0x00, 0x21};
  uint8_t packed[5];
  pack_codes(codes, 6, 6, packed);
  CHECK(packed[0] == 0x3F);
  CHECK(packed[1] == 0xF0);
  CHECK(packed[2] == 0x03);
  CHECK(packed[3] == 0x40);  // element 5 is bits 30 .. 35
  CHECK(packed[4] == 0x08);
  const uint32_t dwords[] = {0x4003F03F, 0x00000008};
  for (size_t i = 0; i < 6; ++i) CHECK(extract_code(dwords, 6, i) == codes[i]);
}

TEST_CASE("pack: every width and count round trips, by bytes and by dwords") {
  std::mt19937_64 random(test_seed());
  for (unsigned width = 1; width <= 8; ++width) {
    for (size_t count = 0; count <= 70; ++count) {
      INFO(fmt::format("width {} count {}", width, count));
      std::vector<uint8_t> codes(count);
      for (uint8_t& code : codes) code = static_cast<uint8_t>(random() & ((1u << width) - 1));
      // Exactly as many bytes as needed, so that the address sanitizer sees a read past the end.
      std::vector<uint8_t> packed(packed_bytes(count, width), 0xA5);
      pack_codes(codes.data(), count, width, packed.data());
      std::vector<uint8_t> back(count);
      unpack_codes(packed.data(), count, width, back.data());
      CHECK(back == codes);
      std::vector<uint32_t> dwords((packed.size() + 3) / 4);
      if (!packed.empty()) std::memcpy(dwords.data(), packed.data(), packed.size());
      for (size_t i = 0; i < count; ++i) {
        CHECK(code_by_bits(packed, width, i) == codes[i]);
        CHECK(extract_code(dwords.data(), width, i) == codes[i]);
      }
    }
  }
}

TEST_CASE("pack: insert changes nothing but its own bits") {
  std::mt19937_64 random(test_seed());
  for (unsigned width = 1; width <= 8; ++width) {
    const size_t count = 96 / width;
    for (size_t index = 0; index < count; ++index) {
      uint32_t dwords[3];
      for (uint32_t& dword : dwords) dword = static_cast<uint32_t>(random());
      std::vector<uint8_t> bytes(sizeof dwords);
      std::memcpy(bytes.data(), dwords, sizeof dwords);
      const std::vector<uint8_t> before = bytes;
      const auto code = static_cast<uint8_t>(random());  // bits above the width must be ignored
      insert_code(bytes.data(), width, index, code);
      insert_code(dwords, width, index, code);
      CHECK(std::memcmp(bytes.data(), dwords, sizeof dwords) == 0);
      for (size_t i = 0; i < count; ++i) {
        const uint8_t want = i == index ? code & ((1u << width) - 1) : code_by_bits(before, width, i);
        CHECK_MESSAGE(code_by_bits(bytes, width, i) == want,
                      fmt::format("width {} index {} at {}", width, index, i));
      }
    }
  }
}

}  // namespace
}  // namespace wavetwin
