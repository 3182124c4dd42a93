// SPDX-License-Identifier: MIT
#include "golden/io/manifest.h"

#include <doctest/doctest.h>

#include "golden/io/file.h"
#include "sim/core/error.h"
#include "tests/unit/io/scratch_directory.h"

namespace wavetwin::golden {
namespace {

ManifestEntry entry(const char* content, Source source = Source::sim) {
  ManifestEntry e;
  e.role = "output";
  e.dtype = DType::F32;
  e.shape = {6, 1536};
  e.hash = hash128(content);
  e.source = source;
  e.evidence = Evidence::inferred;
  e.model = "gfx950-default";
  e.generator = "uniform.1.7";
  e.inputs = hash128("inputs");
  return e;
}

std::string line_with(const std::string& tail) {
  const std::string hash(32, 'a');
  return "k/s/1 y output F32[2] " + hash + " sim inferred m g.1.0 " + hash + tail + "\n";
}

}  // namespace

TEST_CASE("manifest: what was written reads back") {
  const ScratchDirectory dir;
  Manifest manifest;
  manifest.record("gemv/a/1", "y", entry("1"), "");
  ManifestEntry nan = entry("2", Source::oracle);
  nan.nan_bits = hash128("bits");
  nan.shape = {};
  manifest.record("gemv/a/1", "red", nan, "");
  manifest.record("gemv/a/1", "y", entry("3"), "the sum runs in the other order");
  manifest.save(dir / "sub" / "manifest.txt");
  const Manifest read = Manifest::load(dir / "sub" / "manifest.txt");
  CHECK(read.entries() == manifest.entries());
  CHECK(read.find("gemv/a/1", "y")->reason == "the sum runs in the other order");
  CHECK(read.find("gemv/a/1", "y")->revision == 2);
  CHECK(read.find("gemv/a/2", "y") == nullptr);
}

TEST_CASE("manifest: a line does not change without a reason") {
  Manifest manifest;
  CHECK(manifest.record("c", "y", entry("old"), "") == Manifest::Change::added);
  CHECK_THROWS_WITH_AS(manifest.record("c", "y", entry("new"), ""),
                       doctest::Contains("c y: the golden would change"), Error);
  CHECK_THROWS_WITH_AS(manifest.record("c", "y", entry("new"), " "), doctest::Contains("--reason"), Error);
  CHECK(manifest.find("c", "y")->hash == hash128("old"));
  CHECK(manifest.record("c", "y", entry("new"), "fixed the scale") == Manifest::Change::changed);
  CHECK(manifest.find("c", "y")->reason == "fixed the scale");
  CHECK(manifest.record("c", "y", entry("new"), "") == Manifest::Change::kept);
  CHECK(manifest.find("c", "y")->reason == "fixed the scale");
}

TEST_CASE("manifest: every field of a line is covered by the reason rule") {
  const ManifestEntry old = entry("1");
  const auto changes = [&](auto edit) {
    ManifestEntry next = old;
    edit(next);
    CHECK_THROWS_AS(replace_entry("c y", old, next, ""), Error);
    CHECK(replace_entry("c y", old, next, "why").revision == 2);
  };
  changes([](ManifestEntry& e) { e.role = "intermediate"; });
  changes([](ManifestEntry& e) { e.dtype = DType::U32; });
  changes([](ManifestEntry& e) { e.shape = {1536, 6}; });
  changes([](ManifestEntry& e) { e.evidence = Evidence::measured; });
  changes([](ManifestEntry& e) { e.model = "gfx950-wide"; });
  changes([](ManifestEntry& e) { e.generator = "uniform.2.7"; });
  changes([](ManifestEntry& e) { e.inputs = hash128("others"); });
  changes([](ManifestEntry& e) { e.source = Source::hardware; });
  changes([](ManifestEntry& e) { e.nan_bits = hash128("n"); });
}

TEST_CASE("manifest: a better source is never overwritten") {
  for (const auto& [better, worse] :
       {std::pair(Source::hardware, Source::oracle), std::pair(Source::hardware, Source::sim),
        std::pair(Source::oracle, Source::sim)}) {
    Manifest manifest;
    manifest.record("c", "y", entry("good", better), "");
    CHECK_THROWS_WITH_AS(manifest.record("c", "y", entry("other", worse), "I insist"),
                         doctest::Contains("is better"), Error);
    CHECK(manifest.record("c", "y", entry("good", worse), "I insist") == Manifest::Change::kept);
    CHECK(manifest.find("c", "y")->source == better);
    // The other way round it is an ordinary change.
    Manifest upgrade;
    upgrade.record("c", "y", entry("sim", worse), "");
    CHECK(upgrade.record("c", "y", entry("good", better), "now from there") == Manifest::Change::changed);
  }
}

TEST_CASE("manifest: a changed line without its reason is refused when it is read") {
  CHECK_NOTHROW(Manifest::parse("m", line_with(" r1")));
  CHECK_NOTHROW(Manifest::parse("m", line_with(" r2 # because")));
  CHECK_THROWS_WITH_AS(Manifest::parse("m", "# c\n" + line_with(" r2")),
                       doctest::Contains("m: line 2: a changed line needs its reason"), FileError);
}

TEST_CASE("manifest: broken lines are refused with file and line") {
  for (const char* tail : {"", " 1", " rx", " r1 what", " r1 nan=12"}) {
    CAPTURE(tail);
    CHECK_THROWS_WITH_AS(Manifest::parse("m.txt", line_with(tail)), doctest::Contains("m.txt: line 1: "),
                         FileError);
  }
  CHECK_THROWS_WITH_AS(Manifest::parse("m", line_with(" r1") + line_with(" r1")),
                       doctest::Contains("occurs twice"), FileError);
  const std::string good = line_with(" r1");
  const auto broken = [&](const char* from, const char* to) {
    std::string text = good;
    text.replace(text.find(from), std::string(from).size(), to);
    CHECK_THROWS_AS(Manifest::parse("m", text), FileError);
  };
  broken("output", "input");
  broken("F32[2]", "F33[2]");
  broken("F32[2]", "F32[2");
  broken("F32[2]", "F32[x]");
  broken("sim", "somebody");
  broken("inferred", "sure");
  broken("aaaa", "zzzz");
}

TEST_CASE("manifest: a reason of several lines stays on its line") {
  Manifest manifest;
  manifest.record("c", "y", entry("1"), "");
  manifest.record("c", "y", entry("2"), "one\ntwo");
  CHECK(Manifest::parse("m", manifest.text()).find("c", "y")->reason == "one two");
}

}  // namespace wavetwin::golden
