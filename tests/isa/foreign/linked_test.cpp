// SPDX-License-Identifier: MIT
// An object of two parts: symbols of the other part, relocated pointers, virtual calls, weak definitions,
// dynamic LDS, recursion, stack objects of any size.
#include <doctest/doctest.h>

#include "tests/isa/foreign/run_object.h"

namespace wavetwin::isa {
namespace {

constexpr uint32_t kFar[8] = {2, 3, 5, 7, 11, 13, 17, 19};

uint32_t far_function(uint32_t x) { return x * x + kFar[x % 8]; }
uint32_t fibonacci(uint32_t n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

std::vector<uint32_t> expected(uint32_t i) {
  constexpr uint32_t kPointed[3] = {2, 3, 17}, kLists[3] = {132, 2, 32};
  return {kFar[i % 8],  far_function(i),   i % 2 ? ~i : 2 * i,   i + 2000,
          kFar[3],      kPointed[i % 3],   kLists[i % 3],        i % 2 ? i * i : 3 * i + 1,
          8 * (63 - i), fibonacci(i % 10), i * (i * (i + 1) / 2)};
}

}  // namespace

TEST_CASE("an object linked from two parts runs, whether they were machine code or bitcode") {
  for (const char* kind : {"linked.parts", "linked.packed", "linked.lto"}) {
    CAPTURE(std::string(kind));
    Machine machine(foreign(kind));
    const uint64_t out = machine.zeroed("out", 4 * 11 * 64);
    std::vector<uint8_t> block;
    push(block, out);
    const ExecuteReport report = machine.run("linked", shape_of({1, 1, 1}, {64, 1, 1}, 256), block);
    CHECK(report.dispatch.findings.total() == 0);
    const auto words = machine.words(out, 11 * 64);
    for (uint32_t i = 0; i < 64; ++i) {
      CAPTURE(i);
      CHECK(std::vector<uint32_t>(words.begin() + 11 * i, words.begin() + 11 * (i + 1)) == expected(i));
    }
    machine.run("linked_after", 1, 1, {out});
    CHECK(machine.words(out, 1)[0] == 17 + 64);
    machine.run("linked_other", 1, 1, {out, 6});
    CHECK(machine.words(out, 1)[0] == far_function(6));
  }
}

TEST_CASE("every kernel of a linked object has its arguments, whichever part it came from") {
  for (const char* kind : {"linked.parts", "linked.packed", "linked.lto"}) {
    const CodeObject object = CodeObject::load(foreign(kind));
    CHECK(object.kernels().size() == 3);
    for (const KernelInfo& kernel : object.kernels()) {
      CAPTURE(kernel.name);
      CHECK(kernel.has_metadata);
      CHECK(!kernel.metadata.arguments.empty());
    }
  }
}

}  // namespace wavetwin::isa
