// SPDX-License-Identifier: MIT
#include "tests/isa/differential/buffers.h"

#include <fmt/format.h>

#include <cstring>
#include <sstream>

#include "tests/isa/valu/operands.h"

namespace wavetwin::differential {
namespace {

constexpr uint8_t kPattern = 0xa5;

// One pool of a floating-point type: its interesting codes first come to a third, the rest are numbers with
// exponents around 0, so that results seldom overflow.
void fill_pool(std::vector<uint8_t>& input, uint32_t at, int e, int f, test::Random& random) {
  const std::vector<uint64_t> interesting = test::interesting_floats(e, f);
  const size_t bytes = static_cast<size_t>(1 + e + f) / 8;
  const uint64_t bias = (uint64_t{1} << (e - 1)) - 1;
  for (uint32_t i = 0; i < kPoolElements; ++i) {
    uint64_t code = interesting[random.below(interesting.size())];
    if (random.below(3) != 0) {
      const uint64_t exponent = bias - 6 + random.below(13);
      code = random() >> (64 - f) | exponent << f | random.below(2) << (e + f);
    }
    std::memcpy(&input[at + i * bytes], &code, bytes);
  }
}

uint64_t interesting_integer(test::Random& random) {
  switch (random.below(4)) {
    case 0:
      return random.below(100) - 50;
    case 1:
      return (uint64_t{1} << random.below(64)) - random.below(3);
    case 2:
      return random() >> random.below(64);
    default:
      return random();
  }
}

size_t type_bytes(const std::string& type) {
  return static_cast<size_t>(std::stoul(type.substr(type.find_first_of("1368")))) / 8;
}

std::vector<std::string> variable_types(const KernelEntry& kernel) {
  std::istringstream in(kernel.variables);
  std::vector<std::string> types;
  for (std::string type; in >> type;) types.push_back(type);
  return types;
}

uint64_t element(const std::vector<uint8_t>& bytes, size_t at, size_t size) {
  uint64_t value = 0;
  std::memcpy(&value, &bytes[at], size);
  return value;
}

void note(Difference& difference, const std::string& text) {
  if (difference.count++ == 0) difference.first = text;
}

void compare_bytes(Difference& difference, const char* what, const std::vector<uint8_t>& got,
                   const std::vector<uint8_t>& host) {
  for (size_t i = 0; i < got.size(); ++i) {
    if (got[i] != host[i])
      note(difference, fmt::format("{} byte {}: {:#04x}, host {:#04x}", what, i, got[i], host[i]));
  }
}

}  // namespace

std::vector<uint8_t> make_input() {
  test::Random random(0x1417);
  std::vector<uint8_t> input(kInputBytes);
  for (uint32_t i = 0; i < kPoolElements; ++i) {
    const uint64_t value = interesting_integer(random);
    std::memcpy(&input[kIntegerPool + 8 * i], &value, 8);
  }
  fill_pool(input, kF64Pool, 11, 52, random);
  fill_pool(input, kF32Pool, 8, 23, random);
  fill_pool(input, kF16Pool, 5, 10, random);
  fill_pool(input, kBf16Pool, 8, 7, random);
  return input;
}

Result::Result() : out(kOutputBytes, kPattern), own(kOwnBytes * kMaxThreadsOfGrid), cells(sizeof(Cells)) {
  test::Random random(0xce115);
  for (uint8_t& byte : own) byte = static_cast<uint8_t>(random());
  Cells start{};
  for (uint32_t& word : start.both) word = ~0u;
  for (uint32_t& word : start.own) word = static_cast<uint32_t>(random());
  for (uint64_t& word : start.wide_own) word = random();
  std::memcpy(cells.data(), &start, sizeof start);
}

Result run_on_host(const KernelEntry& kernel, const std::vector<uint8_t>& input) {
  Result result;
  Cells cells;
  std::memcpy(&cells, result.cells.data(), sizeof cells);
  const Arguments arguments{input.data(), result.out.data(), result.own.data(), &cells, kernel.n0, kernel.n1};
  for (uint32_t group = 0; group < kWorkgroups; ++group) kernel.run(arguments, group);
  std::memcpy(result.cells.data(), &cells, sizeof cells);
  return result;
}

Difference compare(const KernelEntry& kernel, const Result& got, const Result& host) {
  Difference difference;
  const std::vector<std::string> types = variable_types(kernel);
  const uint32_t threads = kWorkgroups * kernel.threads;
  for (size_t v = 0; v < types.size(); ++v) {
    const size_t size = type_bytes(types[v]);
    for (uint32_t t = 0; t < threads; ++t) {
      const size_t at = v * kVariableBytes + t * size;
      const uint64_t a = element(got.out, at, size), b = element(host.out, at, size);
      if (a == b) continue;
      note(difference,
           fmt::format("variable v{} ({}), workgroup {} thread {}: {:#0{}x}, host {:#0{}x}", v, types[v],
                       t / kernel.threads, t % kernel.threads, a, 2 * size + 2, b, 2 * size + 2));
    }
  }
  // What no variable covers, too.
  if (difference.count == 0) compare_bytes(difference, "output", got.out, host.out);
  compare_bytes(difference, "own bytes", got.own, host.own);
  compare_bytes(difference, "cells", got.cells, host.cells);
  return difference;
}

}  // namespace wavetwin::differential
