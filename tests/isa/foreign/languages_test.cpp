// SPDX-License-Identifier: MIT
// OpenCL C and LLVM IR.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>

#include "tests/isa/foreign/run_object.h"

namespace wavetwin::isa {
namespace {

uint32_t bit_reverse(uint32_t v) {
  uint32_t result = 0;
  for (unsigned bit = 0; bit < 32; ++bit) result |= (v >> bit & 1) << (31 - bit);
  return result;
}

std::vector<uint32_t> integers(uint32_t t, double x, int64_t q) {
  const double product = x * t;
  const auto saturated = static_cast<int32_t>(std::min(std::max(product, -2147483648.0), 2147483647.0));
  const uint32_t reversed = bit_reverse(t);
  const auto funnel =
      static_cast<uint32_t>((uint64_t{static_cast<uint32_t>(saturated)} << 32 | reversed) << t % 32 >> 32);
  const int64_t difference = int64_t{static_cast<int32_t>(reversed)} - static_cast<int32_t>(funnel);
  const uint64_t swapped = __builtin_bswap64(static_cast<uint64_t>(q) - t);
  const uint64_t last = static_cast<uint64_t>(q / -37) ^ swapped % 1000003;
  return {static_cast<uint32_t>(saturated), funnel,
          static_cast<uint32_t>(std::min<int64_t>(std::max<int64_t>(difference, INT32_MIN), INT32_MAX)),
          static_cast<uint32_t>(last)};
}

}  // namespace

TEST_CASE("OpenCL C: local pointers, constants, vectors, generic pointers") {
  Machine machine(foreign("languages.cl"));
  constexpr uint32_t kItems = 128, kGroups = 2;
  const uint64_t out = machine.zeroed("out", 16 * kItems * kGroups), constants = machine.zeroed("c", 16);
  const uint32_t added[4] = {1, 2, 3, 4}, table[4] = {10, 20, 30, 40};
  machine.memory().write(constants, added, sizeof added);
  const KernelInfo& kernel = machine.executable().object().kernel("opencl");
  std::vector<uint8_t> block;
  push(block, out);
  push(block, kernel.descriptor.group_segment_fixed_size);  // dynamic LDS lies behind the static
  block.resize(16);
  for (const float f : {1.0f, 2.0f, 3.0f, 4.0f}) push(block, f);
  push(block, uint16_t{0x3e00});  // 1.5
  push(block, constants);
  push(block, 7);
  const ExecuteReport report =
      machine.run("opencl", shape_of({kGroups, 1, 1}, {64, 2, 1}, 4 * kItems), block);
  CHECK(report.dispatch.findings.total() == 0);
  const auto words = machine.words(out, 4 * kItems * kGroups);
  for (uint32_t i = 0; i < kItems * kGroups; ++i) {
    CAPTURE(i);
    const uint32_t item = i % kItems;
    const auto mirror = [&](uint32_t at) { return ((127 - at) ^ 1) * 3 + added[((127 - at) ^ 1) % 4]; };
    uint32_t mine[8];
    for (uint32_t k = 0; k < 8; ++k) mine[(k * 3 + item) & 7] = k;
    const float w = (4.0f * item + 1.0f) + (2.0f * item + 3.0f);
    CHECK(words[4 * i] == mirror(item) + table[item & 3]);
    CHECK(words[4 * i + 1] == std::bit_cast<uint32_t>(w));
    CHECK(words[4 * i + 2] == 10);
    CHECK(words[4 * i + 3] == (item & 1 ? mine[item & 7] : mirror(item)));
  }
}

TEST_CASE("LLVM IR: whole-wave mode, saturating and wide integers, atomics, at -O0 and -O3") {
  for (const char* build : {"languages.ll.O0", "languages.ll.O3"}) {
    CAPTURE(std::string(build));
    Machine machine(foreign(build));
    const uint64_t out = machine.zeroed("out", 16 * 64);
    machine.run("whole_wave", 1, 64, {out});
    const auto prefix = machine.words(out, 64);
    for (uint32_t t = 1; t < 64; t += 4) CHECK(prefix[t] == t + (t % 16 == 1 ? 1000 : 3000));

    const double x = -3.7e7;
    const int64_t q = -123456789012345;
    machine.run("integers", 1, 64, {out, std::bit_cast<uint64_t>(x), static_cast<uint64_t>(q)});
    const auto words = machine.words(out, 4 * 64);
    for (uint32_t t = 0; t < 64; ++t) {
      CAPTURE(t);
      CHECK(std::vector<uint32_t>(words.begin() + 4 * t, words.begin() + 4 * t + 4) == integers(t, x, q));
    }

    machine.memory().fill(out, 64, 0);
    machine.run("atomics", 1, 64, {out});
    const auto sums = machine.words(out, 14);
    CHECK(sums[0] == std::bit_cast<uint32_t>(64.0f));
    CHECK(sums[1] == 63);
    CHECK(sums[3] == 0x40040000);  // 2.5
    CHECK((uint64_t{sums[5]} << 32 | sums[4]) == std::bit_cast<uint64_t>(-2016.0));
    CHECK(sums[6] == 64 % 21);
    CHECK(sums[7] == 2016);
    CHECK(sums[8] == 0x43004280);   // 128 and 64
    CHECK(sums[9] == 0xc000);       // -2
    CHECK(sums[11] == 0x40400000);  // 32
    CHECK(sums[12] == 320);
  }
}

}  // namespace wavetwin::isa
