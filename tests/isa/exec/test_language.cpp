// SPDX-License-Identifier: MIT
// tests/isa/kernels/language.hip at every optimisation level against the same meaning worked out on the host.
#include <doctest/doctest.h>

#include <numeric>

#include "tests/isa/exec/machine.h"

namespace wavetwin::isa {
namespace {

constexpr uint32_t kWords = 10;

uint32_t shuffle_sum(uint32_t seed) {
  uint32_t values[8];
  for (uint32_t i = 0; i < 8; ++i) values[(i * 5 + seed) % 8] = i * i + seed;
  uint32_t sum = 0;
  for (uint32_t i = 0; i < 8; ++i) sum = sum * 3 + values[(i + seed) % 8];
  return sum;
}

std::vector<uint32_t> expected_words(uint32_t id) {
  const uint32_t digits[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
  const uint32_t called[] = {2 * id, id * id, ~id};
  const uint32_t chosen[] = {10 + id, id << 3, id ^ 0xff, 7, id / 3};
  const uint64_t big = (uint64_t{id} << 33) + 12345678901u;
  const double real = id * 0.75 + 0.5;
  return {std::gcd(id * 12 + 18, 84u),
          digits[id % 16],
          called[id % 3],
          shuffle_sum(id),
          id * 7 + id * 11,
          static_cast<uint32_t>(big / (id + 3)),
          static_cast<uint32_t>(big % (id + 3)),
          static_cast<uint32_t>(real * real * 16),
          chosen[id % 5],
          id % 4 * 100 + 100};
}

}  // namespace

TEST_CASE("C++ constructs give the host's words at -O0, -O1 and -O3") {
  for (const char* build : {"language.O0.co", "language.O1.co", "language.co"}) {
    CAPTURE(build);
    Machine machine(HIP_DIR + std::string(build));
    constexpr uint32_t kItems = 130, kRoom = 192;
    const uint64_t out = machine.zeroed("out", 4 * kWords * kRoom);
    machine.run("language", 3, 64, {out, kItems});
    const auto words = machine.words(out, kWords * kRoom);
    for (uint32_t id = 0; id < kRoom; ++id) {
      CAPTURE(id);
      const std::vector<uint32_t> got(words.begin() + id * kWords, words.begin() + (id + 1) * kWords);
      REQUIRE(got == (id < kItems ? expected_words(id) : std::vector<uint32_t>(kWords)));
    }
  }
}

}  // namespace wavetwin::isa
