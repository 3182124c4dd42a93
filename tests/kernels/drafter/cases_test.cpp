// SPDX-License-Identifier: MIT
// The drafter's cases: which there are, that every tile is compared, and what a run does not depend on.
#include "tests/kernels/drafter/cases.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <limits>
#include <set>

#include "golden/harness/registry.h"
#include "sim/core/error.h"
#include "sim/numerics/mfma_model.h"

namespace wavetwin::drafter {
namespace {

using namespace wavetwin::golden;

void check_equal(const RunResult& a, const RunResult& b) {
  for (const auto& [name, tensor] : a.regions) CHECK_MESSAGE(tensor == b.regions.at(name), name);
}

void check_every_model(const std::string& name) {
  const auto kernel_case = find_case(name);
  CHECK(has_label(*kernel_case, "exact"));
  const Tensors inputs = kernel_case->generate();
  for (const std::string& preset : mfma::preset_names()) {
    CAPTURE(name);
    CAPTURE(preset);
    RunOptions options;
    options.model = mfma::preset(preset);
    const bool multiplies =
        name.find("/kv-") == std::string::npos && name.find("/rows-") == std::string::npos;
    if (preset == "gfx942" && multiplies) {  // has no scaled MFMA
      CHECK_THROWS_AS(run_case(*kernel_case, inputs, *make_sim_backend(), options), Error);
      continue;
    }
    const RunResult result = run(*kernel_case, options);
    const Judgement judgement = judge_against_oracle(
        *kernel_case, kernel_case->reference(inputs, result.regions), "sim", result.regions, false);
    CHECK_MESSAGE(judgement.agreement == Agreement::equal, judgement.text, "\n", judgement.report);
    CHECK(judgement.text == "oracle exact");
  }
}

}  // namespace

TEST_CASE("drafter cases: every request count meets every first position; names are unique") {
  std::set<std::string> names;
  for (const auto& kernel_case : drafter_cases()) CHECK(names.insert(kernel_case->name()).second);
  std::vector<int> positions{0, 1, 6, 100, 5000, 131071};
  for (int p0 = 4088; p0 <= 4102; ++p0) positions.push_back(p0);
  for (const int requests : {1, 2, 5, 8, 16}) {
    for (const int p0 : positions) {
      const std::string name = fmt::format("drafter/run-r{}-p{}/0", requests, p0);
      CHECK_MESSAGE(names.count(name) == 1, name);
    }
  }
}

TEST_CASE("drafter cases: 1, 2, 33 and 34 partials are merged") {
  std::set<uint32_t> counts;
  for (const int32_t p0 : {6, 122, 4096, 4218}) {
    CHECK(find_case(fmt::format("drafter/merge-r1-p{}/0", p0)) != nullptr);
    counts.insert(live_partitions(window_of(p0, p0 + 6, p0 + 7), 1));
  }
  CHECK(counts == std::set<uint32_t>{1, 2, 33, 34});
}

TEST_CASE("drafter cases: a wrong byte in any LDS tile is reported by tile, workgroup and row") {
  const auto kernel_case = find_case("drafter/run-r1-p122-exact/0");
  const RunResult result = run(*kernel_case);
  for (const char* tile : {"tq", "tk0", "tv0"}) {
    Tensors wrong = result.regions;
    Tensor& tensor = wrong.at(tile);
    const uint64_t per_workgroup = tensor.shape[1] * tensor.shape[2];
    tensor.data[per_workgroup + 5 * kDim + 40] ^= std::byte{1};  // partition 1
    const Judgement judgement = judge_against_run(*kernel_case, "sim", result.regions, "isa", wrong, false);
    CHECK(judgement.agreement == Agreement::different);
    CAPTURE(judgement.report);
    CHECK(judgement.report.find(fmt::format("tensor '{}'", tile)) != std::string::npos);
    CHECK(judgement.report.find("workgroup 1, tile row 5, byte 40") != std::string::npos);
  }
}

TEST_CASE("drafter sim: exact data gives the oracle's bits under every model of the MFMA") {
  check_every_model("drafter/block-exact_newest-n1/0");
  check_every_model("drafter/block-exact_oldest-n1/0");
}

TEST_SUITE("slow") {
  TEST_CASE("drafter sim: every exact case gives the oracle's bits under every model of the MFMA") {
    for (const auto& kernel_case : drafter_cases()) {
      if (has_label(*kernel_case, "exact")) check_every_model(kernel_case->name());
    }
  }
}

TEST_CASE("drafter sim: the persistent launch does not depend on threads, schedule or residency") {
  const auto kernel_case = find_case("drafter/run-r1-p6/0");
  const RunResult first = run(*kernel_case);
  RunOptions options;
  options.threads = 1;
  options.schedule_seed = 3;
  check_equal(first, run(*kernel_case, options));
  options.resident = 40;
  check_equal(first, run(*kernel_case, options));
}

TEST_CASE("drafter sim: rows that see no key leave -inf, zeros and, merged, code 1") {
  const RunResult block = run(*find_case("drafter/block-empty-n1/0"));
  for (const char* kernel : {"math_masked", "acc_masked"}) {
    for (const float m : block.regions.at(std::string(kernel) + ".m").view<float>()) {
      CHECK(m == -std::numeric_limits<float>::infinity());
    }
    for (const char* part : {".l", ".o"}) {
      for (const float v : block.regions.at(kernel + std::string(part)).view<float>()) REQUIRE(v == 0);
    }
  }
  const RunResult padded = run(*find_case("drafter/run-r2-p122-padded/0"));
  const auto codes = padded.regions.at("as8").view<uint32_t>();
  for (uint64_t i = codes.size() / 2; i < codes.size(); ++i) REQUIRE(codes[i] == 1);
}

// Metadata that breaks every promise: nothing outside the table row and the cache is touched.
TEST_CASE("drafter: hostile tables, slots and positions lead nowhere") {
  const auto kv = find_case("drafter/kv-r5-p4100-padded-stale/0");
  Tensors inputs = kv->generate();
  const Shape shape = inputs.at("block_table").shape;
  std::vector<int32_t> table(element_count(shape));
  for (uint64_t i = 0; i < table.size(); ++i) {
    constexpr int32_t kEntries[] = {-1, INT32_MIN, INT32_MAX, 1 << 20, 0};
    table[i] = kEntries[i % 5];
  }
  inputs.at("block_table") = make_tensor<int32_t>(DType::I32, shape, std::span<const int32_t>(table));
  for (const auto& backend : {make_sim_backend(), make_isa_backend()}) {
    for (const std::string& finding : run_case(*kv, inputs, *backend, {}).findings) FAIL_CHECK(finding);
  }

  const auto rows = find_case("drafter/rows-r1-p122/1");
  inputs = rows->generate();
  const std::vector<int64_t> slots{-1, INT32_MIN, INT32_MAX, int64_t{36} * kBlock, -7, 1 << 24, 0x7FFFFF80};
  inputs.at("slots") = make_tensor<int64_t>(DType::I64, {kRows}, std::span<const int64_t>(slots));
  for (const auto& backend : {make_sim_backend(), make_isa_backend()}) {
    const RunResult result = run_case(*rows, inputs, *backend, {});
    for (const std::string& finding : result.findings) FAIL_CHECK(finding);
    CHECK(result.regions.at("cache").data == inputs.at("cache").data);
  }
}

TEST_CASE("drafter cases: a user's data in an exact case are judged by their meaning") {
  const auto kernel_case = find_case("drafter/block-exact_newest-n1/0");
  Tensors inputs = kernel_case->generate();
  const std::vector<uint8_t> codes = drafter_codes(7, "own", inputs.at("tiles").elements());
  inputs.at("tiles") = make_tensor<uint8_t>(DType::U8, inputs.at("tiles").shape, std::span(codes));
  const RunResult result = run_case(*kernel_case, inputs, *make_sim_backend(), {});
  const Judgement judgement = judge_against_oracle(
      *kernel_case, kernel_case->reference(inputs, result.regions), "sim", result.regions, false);
  CHECK(judgement.agreement == Agreement::equal);
  CHECK(judgement.text.find("oracle within bound") != std::string::npos);
}

TEST_CASE("drafter cases: a launch is judged by what attention means, too") {
  const auto kernel_case = find_case("drafter/run-r1-p6/0");
  const RunResult result = run(*kernel_case);
  const Tensors inputs = kernel_case->generate();
  Reference reference = kernel_case->reference(inputs, result.regions);
  REQUIRE(reference.at("a8").whole.has_value());
  const auto judge = [&] {
    return judge_against_oracle(*kernel_case, reference, "sim", result.regions, false);
  };
  CHECK(judge().agreement == Agreement::equal);
  for (double& value : reference.at("a8").whole->value) value = -value;
  CHECK(judge().agreement == Agreement::different);
}

}  // namespace wavetwin::drafter
