// SPDX-License-Identifier: MIT
// The private segment against a plain array of bytes for each lane.
#include "sim/isa/private_memory.h"

#include <doctest/doctest.h>

#include <array>
#include <random>
#include <vector>

#include "sim/core/checks.h"
#include "sim/core/error.h"

namespace wavetwin::isa {
namespace {

constexpr unsigned kMaxDwords = 4;
using Offsets = std::array<uint32_t, kWaveSize>;
using Data = std::array<uint32_t, kMaxDwords * kWaveSize>;

// The oracle: every lane's bytes in a row, all of them there from the start.
class PlainMemory {
 public:
  explicit PlainMemory(uint32_t bytes) : bytes_(bytes), lanes_(size_t{bytes} * kWaveSize) {
    for (size_t i = 0; i < lanes_.size(); ++i) lanes_[i] = static_cast<uint8_t>(kPoison >> (i % 4 * 8));
  }
  uint8_t& at(unsigned lane, uint32_t offset) { return lanes_.at(size_t{lane} * bytes_ + offset); }

 private:
  uint32_t bytes_;
  std::vector<uint8_t> lanes_;
};

// One access of each lane in `mask`: in half of them all lanes at one offset, as the stack is used.
struct Access {
  unsigned bytes;
  LaneMask mask;
  Offsets offset;
};

Access random_access(std::mt19937& random, uint32_t segment) {
  constexpr unsigned kBytes[] = {1, 2, 4, 8, 12, 16};
  Access a{kBytes[random() % 6], LaneMask(), {}};
  const bool uniform = random() % 2 == 0;
  const uint32_t base = random() % (segment - a.bytes + 1);
  for (unsigned lane = 0; lane < kWaveSize; ++lane) {
    a.offset[lane] = uniform ? base : random() % (segment - a.bytes + 1);
    if (random() % 4 != 0) a.mask = a.mask | LaneMask::lane(lane);
  }
  return a;
}

void store_both(std::mt19937& random, const Access& a, PrivateMemory& memory, PlainMemory& plain) {
  Data data;
  for (uint32_t& d : data) d = random();
  memory.store(a.offset.data(), a.mask, a.bytes, data.data());
  a.mask.for_each([&](unsigned lane) {
    for (unsigned b = 0; b < a.bytes; ++b)
      plain.at(lane, a.offset[lane] + b) =
          static_cast<uint8_t>(data[b / 4 * kWaveSize + lane] >> (b % 4 * 8));
  });
}

// Lanes outside the mask keep what they had.
void load_both(const Access& a, const PrivateMemory& memory, PlainMemory& plain) {
  constexpr uint32_t kBefore = 0x12345678;
  Data out, expected;
  out.fill(kBefore);
  expected.fill(kBefore);
  memory.load(a.offset.data(), a.mask, a.bytes, out.data());
  a.mask.for_each([&](unsigned lane) {
    for (unsigned d = 0; d < (a.bytes + 3) / 4; ++d) expected[d * kWaveSize + lane] = 0;
    for (unsigned b = 0; b < a.bytes; ++b)
      expected[b / 4 * kWaveSize + lane] |= uint32_t{plain.at(lane, a.offset[lane] + b)} << (b % 4 * 8);
  });
  CHECK(out == expected);
}

TEST_CASE("the private segment holds each lane's bytes, whatever the order and width of the accesses") {
  std::mt19937 random(1);
  for (const uint32_t segment : {16u, 64u, 80u, 1024u, 4112u}) {
    CAPTURE(segment);
    PrivateMemory memory;
    memory.reset(segment);
    PlainMemory plain(segment);
    for (int i = 0; i < 400; ++i) {
      const Access a = random_access(random, segment);
      load_both(a, memory, plain);
      store_both(random, a, memory, plain);
      load_both(a, memory, plain);
    }
    memory.reset(segment);
    PlainMemory fresh(segment);
    load_both(random_access(random, segment), memory, fresh);
  }
}

TEST_CASE("the private segment takes host memory where it is stored to, not where it is read") {
  PrivateMemory memory;
  memory.reset(1 << 20);
  CHECK(memory.bytes_per_lane() == 1 << 20);
  CHECK(memory.resident_bytes() == 0);
  Offsets offset;
  Data data{};
  offset.fill((1 << 20) - 4);
  memory.load(offset.data(), LaneMask::all(), 4, data.data());
  CHECK(data[63] == kPoison);
  CHECK(memory.resident_bytes() == 0);
  memory.store(offset.data(), LaneMask::all(), 4, data.data());
  const size_t page = memory.resident_bytes();
  CHECK(page > 0);
  CHECK(page <= 4096);
  offset.fill(0);
  memory.store(offset.data(), LaneMask::lane(5), 1, data.data());
  CHECK(memory.resident_bytes() == 2 * page);
}

TEST_CASE("two private segments are equal when they took the same stores") {
  PrivateMemory a, b;
  a.reset(256);
  b.reset(256);
  CHECK(a == b);
  Offsets offset;
  offset.fill(128);
  Data data{};
  a.store(offset.data(), LaneMask::lane(63), 4, data.data());
  CHECK_FALSE(a == b);
  b.store(offset.data(), LaneMask::lane(63), 4, data.data());
  CHECK(a == b);
  data[63] = 1;
  b.store(offset.data(), LaneMask::lane(63), 4, data.data());
  CHECK_FALSE(a == b);
}

TEST_CASE("an access past the end of the private segment names the lane, the offset and the size") {
  PrivateMemory memory;
  memory.reset(20);  // the hardware gives 16 bytes at a time
  Offsets offset;
  offset.fill(0);
  offset[7] = 30;
  Data data{};
  memory.load(offset.data(), ~LaneMask::lane(7), 16, data.data());
  CHECK_THROWS_WITH_AS(
      memory.load(offset.data(), LaneMask::all(), 4, data.data()),
      "scratch load of 4 bytes in lane 7 at offset 30: the private segment has 32 bytes a work-item", Error);
  CHECK_THROWS_AS(memory.store(offset.data(), LaneMask::all(), 4, data.data()), Error);
  CHECK(memory.resident_bytes() == 0);
}

}  // namespace
}  // namespace wavetwin::isa
