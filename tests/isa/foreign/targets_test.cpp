// SPDX-License-Identifier: MIT
// sources/basics.hip for every target and version that runs here, and for some that do not.
#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

#include "tests/isa/bundle_writer.h"
#include "tests/isa/foreign/run_object.h"

namespace wavetwin::isa {
namespace {

constexpr uint32_t kGrid[3] = {3, 2, 2}, kBlock[3] = {20, 3, 2}, kItems = 120, kGroups = 12, kFactor = 7;

std::vector<uint32_t> expected() {
  constexpr uint32_t kTable[4] = {10, 200, 3000, 40000};
  std::vector<uint32_t> words;
  for (uint32_t group = 0; group < kGroups; ++group) {
    for (uint32_t item = 0; item < kItems; ++item) {
      words.push_back((kItems - 1 - item) * kFactor + group + kTable[item % 4]);
      words.push_back(kGrid[0] << 16 | kGrid[1] << 8 | kGrid[2] * kBlock[2]);
      words.push_back(kBlock[0] << 16 | kBlock[1] << 8 | kBlock[2]);
    }
  }
  return words;
}

std::vector<uint8_t> file_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string refusal(const std::vector<uint8_t>& bytes) {
  try {
    CodeObject::parse(bytes, "given.co");
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("objects of every version, feature setting and kind of gfx950 give the same words") {
  for (const char* name : {"v4", "v5", "v6", "xnack+", "xnack-", "sramecc+", "sramecc-", "gfx9-4-generic",
                           "preload", "debug", "stripped"}) {
    CAPTURE(std::string(name));
    Machine machine(foreign(std::string("basics.") + name));
    const std::vector<uint32_t> wanted = expected();
    const uint64_t out = machine.zeroed("out", 4 * wanted.size());
    std::vector<uint8_t> block;
    push(block, out);
    push(block, kFactor);
    const LaunchShape shape = shape_of({kGrid[0], kGrid[1], kGrid[2]}, {kBlock[0], kBlock[1], kBlock[2]});
    const ExecuteReport report = machine.run("basics", shape, block);
    CHECK(report.dispatch.findings.total() == 0);
    CHECK(machine.words(out, wanted.size()) == wanted);
  }
}

TEST_CASE("an object for another target is refused, and the message says for which") {
  for (const char* name : {"gfx942", "gfx90a", "gfx1200"}) {
    const std::string text = refusal(file_bytes(foreign(std::string("basics.") + name)));
    CAPTURE(text);
    CHECK(contains(text, std::string("is for ") + name));
    CHECK(contains(text, "gfx950"));
  }
}

TEST_CASE("a bundle without a gfx950 entry gives its generic one, one with both the exact one") {
  const auto exact = file_bytes(foreign("basics.v6")), generic = file_bytes(foreign("basics.gfx9-4-generic"));
  CHECK(CodeObject::parse(bundle("gfx9-4-generic:xnack+", generic), "b").target() == "gfx9-4-generic");
  CHECK(CodeObject::parse(compressed(bundle("gfx9-4-generic", generic), 3), "b").target() ==
        "gfx9-4-generic");
  CHECK(CodeObject::parse(bundle("gfx950", exact), "b").target() == "gfx950");
  // Two bundles one after the other are two translation units: each gives its object.
  auto both = bundle("gfx9-4-generic", generic);
  const auto second = bundle("gfx950", exact);
  both.insert(both.end(), second.begin(), second.end());
  CHECK(contains(refusal(both), "holds 2 gfx950 code objects"));
}

}  // namespace wavetwin::isa
