// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <span>
#include <vector>

#include "sim/core/checks.h"
#include "sim/core/global_memory.h"
#include "tests/unit/core/one_wave.h"

using namespace wavetwin;

TEST_CASE("memory: buffers are aligned and lie at least 4 GiB apart") {
  GlobalMemory m;
  const uint64_t a = m.allocate("a", 100);
  const uint64_t b = m.allocate("b", 100, {.alignment = 1 << 21});
  CHECK(a % 256 == 0);
  CHECK(b % (1 << 21) == 0);
  CHECK(b - a >= (uint64_t{1} << 32));
  CHECK(a > 0xFFFFFFFFull);
}

TEST_CASE("memory: addresses repeat for the same sequence of allocations") {
  GlobalMemory m, n;
  CHECK(m.allocate("a", 5) == n.allocate("x", 7));
  CHECK(m.allocate("b", 5) == n.allocate("y", 5));
}

TEST_CASE("memory: a freed place is used again") {
  GlobalMemory m;
  const uint64_t a = m.allocate("a", 100);
  m.allocate("b", 100);
  m.free(a);
  CHECK(m.allocate("c", 100) == a);
}

TEST_CASE("memory: a buffer can be put at an address, of any alignment, but not over another") {
  GlobalMemory m;
  CHECK(m.allocate("low", 64, {.address = 0x1003}) == 0x1003);
  CHECK(contains(error_of([&] { m.allocate("over", 64, {.address = 0x1042}); }), "overlaps buffer 'low'"));
  CHECK(m.allocate("next", 64, {.address = 0x1043}) == 0x1043);
  const uint32_t word = 0x12345678;
  m.write(0x1003, &word, 4);
  uint32_t back = 0;
  m.read(0x1003, &back, 4);
  CHECK(back == word);
}

TEST_CASE("memory: a placed buffer keeps its distance from one at a fixed address") {
  GlobalMemory probe;
  const uint64_t first = probe.allocate("a", 16);
  GlobalMemory m;
  const uint64_t fixed = m.allocate("fixed", 16, {.address = first + 0x1000});
  const uint64_t a = m.allocate("a", 16);
  CHECK(a > fixed);
  CHECK(a - fixed >= (uint64_t{1} << 32));
}

TEST_CASE("memory: bad allocations are refused") {
  GlobalMemory m;
  m.allocate("a", 4);
  CHECK(contains(error_of([&] { m.allocate("a", 4); }), "exists already"));
  CHECK(contains(error_of([&] { m.allocate("b", 0); }), "no bytes"));
  CHECK(contains(error_of([&] { m.allocate("c", 4, {.alignment = 3}); }), "power of two"));
  CHECK(contains(error_of([&] { m.allocate("d", uint64_t{1} << 48); }), "no room"));
}

TEST_CASE("memory: a sparse buffer of 64 GiB costs nothing until it is touched") {
  GlobalMemory m;
  const uint64_t a = m.allocate("cache", uint64_t{64} << 30);
  const uint64_t far = a + (uint64_t{63} << 30) + 12345;
  const uint64_t value = 0x1122334455667788ull;
  m.write(far, &value, 8);
  uint64_t back = 0;
  m.read(far, &back, 8);
  CHECK(back == value);
  m.read(far - 8, &back, 8);
  CHECK(m.never_written(far - 4, 16).size() == 2);
}

TEST_CASE("memory: never-written bytes read as poison and are listed") {
  GlobalMemory m;
  const uint64_t a = m.allocate("a", 200);
  std::vector<uint8_t> bytes(200, 0);
  m.read(a, bytes.data(), 200);
  uint32_t word;
  std::memcpy(&word, &bytes[196], 4);
  CHECK(word == kPoison);
  m.fill(a + 10, 90, 7);
  const auto holes = m.never_written(a, 200);
  REQUIRE(holes.size() == 2);
  CHECK(holes[0].address == a);
  CHECK(holes[0].bytes == 10);
  CHECK(holes[1].address == a + 100);
  CHECK(holes[1].bytes == 100);
}

TEST_CASE("memory: poisoning makes bytes never-written again, also in a fully written buffer") {
  GlobalMemory m;
  const uint64_t a = m.allocate("a", 4096);
  m.fill(a, 4096, 1);
  CHECK(m.never_written(a, 4096).empty());
  m.poison(a + 100, 28);
  const auto holes = m.never_written(a, 4096);
  REQUIRE(holes.size() == 1);
  CHECK(holes[0].address == a + 100);
  CHECK(holes[0].bytes == 28);
  m.poison(a, 4096);
  CHECK(m.never_written(a, 4096)[0].bytes == 4096);
}

namespace {

// What read() and never_written() say, byte by byte.
struct Plain {
  std::vector<uint8_t> bytes;
  std::vector<GlobalMemory::Range> holes;
};
Plain plain_look(const GlobalMemory& m, uint64_t address, uint64_t bytes, size_t limit) {
  const Region& region = *m.find(address);
  Plain plain;
  bool in_hole = false;
  for (uint64_t at = address; at < address + bytes; ++at) {
    const bool hole = region.unwritten_mask(at, 1) != 0;
    plain.bytes.push_back(hole ? poison_byte(at) : *region.host(at));
    if (hole && !in_hole) plain.holes.push_back({at, 0});
    if (hole) ++plain.holes.back().bytes;
    in_hole = hole;
  }
  if (plain.holes.size() > limit) plain.holes.resize(limit);
  return plain;
}

void check_look(const GlobalMemory& m, uint64_t address, uint64_t bytes, size_t limit) {
  CAPTURE(address);
  CAPTURE(bytes);
  CAPTURE(limit);
  const Plain expected = plain_look(m, address, bytes, limit);
  std::vector<uint8_t> out(bytes + 2, 0x5C);
  m.read(address, out.data() + 1, bytes);
  CHECK(out.front() == 0x5C);
  CHECK(out.back() == 0x5C);
  CHECK(std::equal(expected.bytes.begin(), expected.bytes.end(), out.begin() + 1));
  const auto holes = m.never_written(address, bytes, limit);
  REQUIRE(holes.size() == expected.holes.size());
  for (size_t i = 0; i < holes.size(); ++i) {
    CHECK(holes[i].address == expected.holes[i].address);
    CHECK(holes[i].bytes == expected.holes[i].bytes);
  }
}

}  // namespace

TEST_CASE("memory: reads and lists of never-written bytes equal a look at every byte") {
  std::mt19937 random(20);  // the seed
  for (unsigned trial = 0; trial < 400; ++trial) {
    CAPTURE(trial);
    GlobalMemory m;
    const uint64_t size = 1 + random() % (trial % 4 == 0 ? 20000 : 300);
    const uint64_t base = m.allocate("a", size, {.address = 0x10000 + random() % 5000});
    if (trial % 3 == 0) m.fill(base, size, 0x77);  // all written, until something is poisoned
    // Long pieces and single bytes, written and poisoned again.
    for (unsigned i = random() % 60; i-- > 0;) {
      const uint64_t at = random() % size;
      const uint64_t bytes = std::min<uint64_t>(size - at, 1 + random() % (i % 3 == 0 ? 900 : 5));
      if (random() % 3 == 0) {
        m.poison(base + at, bytes);
      } else {
        m.fill(base + at, bytes, static_cast<uint8_t>(random()));
      }
    }
    check_look(m, base, size, ~size_t{0});
    const uint64_t at = random() % size, bytes = 1 + random() % (size - at);
    check_look(m, base + at, bytes, random() % 5);
  }
}

TEST_CASE("memory: host accesses outside a buffer name it and the distance") {
  GlobalMemory m;
  const uint64_t a = m.allocate("a", 100);
  uint32_t word = 0;
  CHECK(contains(error_of([&] { m.read(a + 98, &word, 4); }), "runs 0x2 bytes past the end"));
  CHECK(contains(error_of([&] { m.write(a + 104, &word, 4); }), "0x4 bytes past the end of a (0x64 bytes"));
  CHECK(contains(error_of([&] { m.write(a - 8, &word, 4); }), "0x8 bytes before the start of a"));
  GlobalMemory empty;
  CHECK(contains(error_of([&] { empty.read(4, &word, 4); }), "there is no buffer"));
}

TEST_CASE("memory: parts of a buffer have names in reports") {
  GlobalMemory m;
  const uint64_t a = m.allocate("scratch", 4096);
  m.name_range("part", a, 1024);
  m.name_range("srdy", a + 1024, 512, 8);
  CHECK(m.describe(a + 1024 + 12) == "scratch + 0x40c (srdy[1] + 4)");
  CHECK(m.describe(a + 1024 + 16) == "scratch + 0x410 (srdy[2])");
  CHECK(m.describe(a + 5) == "scratch + 0x5 (part + 0x5)");
  CHECK(m.describe(a + 4000) == "scratch + 0xfa0");
  m.clear_names();
  CHECK(m.describe(a + 5) == "scratch + 0x5");
}

TEST_CASE("memory: typed arrays round-trip") {
  GlobalMemory m;
  const DevicePtr<uint16_t> a = m.allocate_array<uint16_t>("a", 3);
  const std::vector<uint16_t> values = {1, 0xFFFF, 7};
  m.write_array(a, std::span<const uint16_t>(values));
  CHECK(m.read_array(a, 3) == values);
  CHECK(m.read_array(a.offset(1), 1)[0] == 0xFFFF);
}
