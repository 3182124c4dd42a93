// SPDX-License-Identifier: MIT
// What explanations are made of: value maps, credibility, places, hints of findings, rules.
#include <doctest/doctest.h>

#include "golden/harness/backend.h"
#include "golden/harness/explained.h"
#include "golden/harness/finding_hints.h"
#include "golden/harness/mistake.h"
#include "golden/harness/value_map.h"
#include "golden/harness/where.h"
#include "tests/unit/harness/fake_case.h"

namespace wavetwin::golden {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

uint64_t mapped(DType dtype, const std::string& text, uint64_t bits) {
  for (const ValueMap& map : value_maps(dtype)) {
    if (has(map.text, text)) return map.apply(bits);
  }
  FAIL("no map '", text, "'");
  return 0;
}

RegionSpec region_of(const Tensor& tensor) {
  RegionSpec region;
  region.name.assign(1, 'y');  // g++ 12 warns of an overlap in an assignment of "y"
  region.dtype = tensor.dtype;
  region.shape = tensor.shape;
  return region;
}

Explanation explanation(uint64_t different, uint64_t matched, uint64_t elsewhere, uint64_t words) {
  return {"it", {{"y", 32, different, matched, elsewhere, words}}};
}

Finding finding(FindingKind kind, uint32_t wave, uint64_t address, const std::string& where) {
  Finding result;
  result.kind = kind;
  result.wave = wave;
  result.address = address;
  result.where = where;
  return result;
}

FindingLog log_of(std::vector<Finding> findings) {
  FindingLog log;
  for (Finding& one : findings) {
    log.count(one.kind);
    log.add(std::move(one));
  }
  return log;
}

std::string rounding_of(std::vector<uint32_t> right, std::vector<uint32_t> found) {
  const Tensor a = f32_bits({right.size()}, right), b = f32_bits({found.size()}, found);
  return rounding_text(region_of(a), a, b);
}

}  // namespace

TEST_CASE("value maps give the bits their text says") {
  CHECK(mapped(DType::F32, "off by exactly 2^-1:", 0x40400000) == 0x3FC00000);
  CHECK(mapped(DType::F32, "the other sign", 0x40400000) == 0xC0400000);
  CHECK(mapped(DType::F32, "subnormals flushed", 0x80000001) == 0x80000000);
  CHECK(mapped(DType::F32, "subnormals flushed", 0x00800000) == 0x00800000);
  CHECK(mapped(DType::F32, "rounded to bf16", 0x3F808001) == 0x3F810000);
  CHECK(mapped(DType::F32, "truncated to bf16", 0x3F80FFFF) == 0x3F800000);
  CHECK(mapped(DType::BF16, "the bits of f16", 0x3F80) == 0x3C00);
  CHECK(mapped(DType::F16, "the bits of bf16", 0x3C00) == 0x3F80);
  CHECK(mapped(DType::F8_E4M3, "codes of e5m2", 0x38) == 0x3C);
  CHECK(mapped(DType::F8_E4M3, "do not saturate", 0xFE) == 0xFF);
  CHECK(mapped(DType::F8_E4M3, "that saturate", 0x7F) == 0x7E);
  CHECK(mapped(DType::U8, "one too large", 0xFF) == 0);
  CHECK(mapped(DType::I32, "one too small", 0) == 0xFFFFFFFF);
}

TEST_CASE("an explanation is credible by words that are no chance") {
  CHECK(is_credible(explanation(8, 8, 0, 8)));
  CHECK_FALSE(is_credible(explanation(1, 1, 0, 1)));    // one equal word
  CHECK_FALSE(is_credible(explanation(0, 0, 0, 0)));    // nothing differs
  CHECK(is_credible(explanation(8, 8, 100, 8)));        // some waves do it
  CHECK_FALSE(is_credible(explanation(8, 8, 100, 1)));  // all alike: zeros, say
  CHECK(is_credible(explanation(8, 4, 0, 4)));          // half, and nothing that is right
  CHECK_FALSE(is_credible(explanation(8, 3, 0, 3)));
  CHECK_FALSE(is_credible(explanation(8, 4, 1, 4)));
}

TEST_CASE("count_explained: any of several words matches, and right ones that change are counted") {
  const Tensor right = f32({4}, {1, 2, 3, 4}), found = f32({4}, {1, 20, 30, 4});
  const auto would_be = [&](uint64_t i, std::vector<uint64_t>& words) {
    words = {f32({1}, {i == 1 ? 20.0f : 7.0f}).bits(0), f32({1}, {i == 3 ? 4.0f : 8.0f}).bits(0)};
  };
  const Explained counted = count_explained(region_of(right), right, found, would_be);
  CHECK(counted.different == 2);
  CHECK(counted.matched == 1);
  CHECK(counted.elsewhere == 1);  // element 0; element 3 keeps its word
  CHECK(counted.words == 1);
}

TEST_CASE("where: rows and columns that differ are named when others are right") {
  const Tensor right = f32({4, 16}, std::vector<float>(64, 1));
  Tensor found = right;
  for (int c = 0; c < 16; ++c) found.view<float>()[2 * 16 + c] = 2;
  CHECK(where_text(region_of(right), right, found) == "  all of 'y' that differ lie in rows 2 (of 4)\n");
  found = right;
  for (int i = 0; i < 64; ++i) found.view<float>()[i] = i % 4 == 1 ? 2.0f : 1.0f;
  CHECK(where_text(region_of(right), right, found) ==
        "  all of 'y' that differ lie in columns 1, 5 .. 13 in steps of 4 (of 16)\n");
  found = right;
  for (int i = 0; i < 64; ++i) found.view<float>()[i] = i % 16 == 3 || i % 16 > 13 ? 2.0f : 1.0f;
  CHECK(where_text(region_of(right), right, found) ==
        "  all of 'y' that differ lie in columns 3, 14..15 (of 16)\n");
  found = right;
  for (int i = 0; i < 64; ++i) found.view<float>()[i] = i % 16 == 7 || i % 2 == 0 ? 2.0f : 1.0f;
  CHECK(where_text(region_of(right), right, found).empty());  // no pattern
  found = right;
  found.view<float>()[5] = 2;
  CHECK(where_text(region_of(right), right, found).empty());  // one element: the report names it
}

TEST_CASE("rounding: a direction is said only when every element goes there by one") {
  std::vector<uint32_t> right, down, mixed;
  for (uint32_t i = 0; i < 20; ++i) {
    right.push_back(0x3F800001 + i + (i % 2) * 0x80000000u);
    down.push_back(right.back() - 1);
    mixed.push_back(right.back() + (i == 7 ? 1 : -1));
  }
  CHECK(has(rounding_of(right, down), "the next number toward zero"));
  CHECK(has(rounding_of(down, right), "the next number away from zero"));
  CHECK(rounding_of(right, mixed).empty());
  right.resize(8), down.resize(8);
  CHECK(rounding_of(right, down).empty());  // too few
}

TEST_CASE("hints: an LDS race is a missing barrier between the two accesses") {
  const auto race = finding(FindingKind::lds_race, 1, 64, "pc 0x10 ds_write_b32");
  const auto early = finding(FindingKind::lds_never_written, 0, 64, "pc 0x20 ds_read_b32");
  CHECK(finding_hints(log_of({early, race}), {})[0] ==
        "a barrier is missing between the store of LDS by wave 1 (pc 0x10 ds_write_b32) and the read of the "
        "same "
        "bytes by wave 0 (pc 0x20 ds_read_b32)");
  CHECK(
      has(finding_hints(log_of({race}), {})[0], "a barrier is missing before wave 1 (pc 0x10 ds_write_b32)"));
  CHECK(has(finding_hints(log_of({early}), {})[0], "a row pitch, its padding or an offset is off"));
  CHECK(has(finding_hints(log_of({finding(FindingKind::unwaited_lds, 1, 64, "")}), {})[0],
            "an s_waitcnt is missing before an s_barrier"));
  CHECK(finding_hints(log_of({}), {}).empty());
}

TEST_CASE("hints: each kind has one, once, unless it is allowed") {
  const auto log =
      log_of({finding(FindingKind::memory_race, 0, 0, ""), finding(FindingKind::memory_race, 1, 0, "")});
  CHECK(finding_hints(log, {}).size() == 1);
  std::vector<std::string> hints;
  append_hints(log, {}, hints);
  append_hints(log, {}, hints);
  CHECK(hints.size() == 1);
  FindingKinds allowed;
  allowed[static_cast<size_t>(FindingKind::memory_race)] = true;
  CHECK(finding_hints(log, allowed).empty());
}

TEST_CASE("rules: conversions are the twins' alone, the MFMA models both simulated backends'") {
  const auto sim = rule_mistakes({}, *make_sim_backend()), isa = rule_mistakes({}, *make_isa_backend());
  CHECK(sim.size() > isa.size());
  CHECK_FALSE(isa.empty());
  for (const Mistake& mistake : isa) {
    RunOptions options;
    mistake.by_options(options);
    CHECK(options.model.describe() != RunOptions{}.model.describe());
    CHECK(options.model.part == RunOptions{}.model.part);
  }
}

}  // namespace wavetwin::golden
