// SPDX-License-Identifier: MIT
// A user's own tensors in a drafter case: what is taken, and how the rest is refused.
#include <doctest/doctest.h>

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "golden/harness/inputs.h"
#include "tests/kernels/drafter/cases.h"

namespace wavetwin::drafter {
namespace {

using namespace wavetwin::golden;

// What the case's contract says about input `name` after `change`.
template <class T, class F>
std::string complaint(const std::string& case_name, const std::string& name, F change) {
  const auto kernel_case = find_case(case_name);
  Tensor tensor = kernel_case->generate().at(name);
  const auto given = tensor.view<T>();
  std::vector<T> values(given.begin(), given.end());
  change(values);
  tensor = make_tensor<T>(tensor.dtype, tensor.shape, std::span<const T>(values));
  for (const InputSpec& spec : kernel_case->inputs()) {
    if (spec.name == name) return spec.contract(tensor);
  }
  return "no such input";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

constexpr const char* kRun = "drafter/run-r2-p122-padded/0";

}  // namespace

TEST_CASE("drafter contract: every generated input keeps it") {
  for (const auto& kernel_case : drafter_cases()) {
    if (!has_label(*kernel_case, "test")) continue;
    CAPTURE(kernel_case->name());
    CHECK_NOTHROW(make_inputs(*kernel_case));
  }
}

TEST_CASE("drafter contract: a case's positions, lengths and slots are its own") {
  CHECK(contains(complaint<int64_t>(kRun, "positions", [](auto& v) { v[3] = 500; }),
                 "positions[3] is 500, this case's is 125"));
  CHECK(contains(complaint<int32_t>(kRun, "seq_lens", [](auto& v) { v[1] = 9; }),
                 "seq_lens[1] is 9, this case's is 0"));
  CHECK(contains(complaint<int64_t>(kRun, "slots", [](auto& v) { v[0] = -1; }), "slots[0] is -1"));
}

TEST_CASE("drafter contract: block table entries lead home or to blocks that nobody writes") {
  CHECK(contains(complaint<int32_t>(kRun, "block_table", [](auto& v) { v[0] = 2; }),
                 "block_table[0,0] is 2, but the slots of this block's new rows are in cache block 1"));
  // The padded request reads nothing: its entries may be anything.
  CHECK(complaint<int32_t>(kRun, "block_table", [](auto& v) { v.back() = 1; }) == "");
  const char* shared = "drafter/run-r2-p4097-padded/0";
  const auto wrong = complaint<int32_t>(shared, "block_table", [](auto& v) { v[5] = v[32]; });
  CHECK(contains(wrong, "takes new rows of this launch"));
  CHECK(complaint<int32_t>(shared, "block_table", [](auto& v) { v[5] = -1; }) == "");
}

TEST_CASE("drafter contract: what is normed, turned or attended to is a number") {
  CHECK(contains(complaint<uint16_t>(kRun, "qkv", [](auto& v) { v[kQkvRow + 1] = 0x7F80; }),
                 "qkv[1,1] is 0x7f80 (inf)"));
  CHECK(contains(complaint<uint16_t>(kRun, "kn", [](auto& v) { v[5] = 0xFFC0; }), "kn[5] is 0xffc0"));
  CHECK(
      contains(complaint<uint8_t>(kRun, "cache", [](auto& v) { v[kBlockBytes + 3 * kKeyBytes + 9] = 0xFF; }),
               "cache[1,3,9] is 0xff, a NaN in e4m3"));
  CHECK(contains(complaint<float>("drafter/merge-r1-p6/0", "partials", [](auto& v) { v[200] = NAN; }),
                 "partials[0,0,200] is nan: request, partition, word (l)"));
  CHECK(complaint<float>("drafter/merge-r1-p6/0", "partials", [](auto& v) { v[3] = -INFINITY; }) == "");
  CHECK(contains(
      complaint<uint8_t>("drafter/block-chain-n3/0", "tiles", [](auto& v) { v[kBlock * kDim] = 0x7F; }),
      "tiles[1,0,0] is 0x7f, a NaN in e4m3"));
}

}  // namespace wavetwin::drafter
