// SPDX-License-Identifier: MIT
// The simulated GEMV kernels at their real sizes, against the fp64 oracle.
#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>

#include "common/kernels/gemv.h"
#include "golden/cases/gemv.h"
#include "golden/harness/judge.h"
#include "golden/harness/registry.h"
#include "golden/harness/run.h"

namespace wavetwin {
namespace {

using namespace wavetwin::golden;

std::unique_ptr<KernelCase> find_case(const std::string& name) {
  for (auto& candidate : gemv_cases()) {
    if (candidate->name() == name) return std::move(candidate);
  }
  FAIL("no case ", name);
  return nullptr;
}

// Runs the case and judges it by the oracle; everything that is wrong becomes a failure.
RunResult check(const std::string& name, const RunOptions& options = {}) {
  INFO(name);
  const auto kernel_case = find_case(name);
  const Tensors inputs = kernel_case->generate();
  const auto backend = make_sim_backend();
  RunResult result = run_case(*kernel_case, inputs, *backend, options);
  for (const std::string& finding : result.findings) FAIL_CHECK(finding);
  const Judgement judgement = judge_against_oracle(
      *kernel_case, kernel_case->reference(inputs, result.regions), "sim", result.regions, false);
  CHECK_MESSAGE(judgement.agreement == Agreement::equal, judgement.text, "\n", judgement.report);
  return result;
}

TEST_CASE("gemv sim: exactness-conditioned data gives the oracle's bits in every shape") {
  for (const GemvKernel& kernel : kGemvKernels) check("gemv/" + std::string(kernel.name) + "-t1-exact_pm1/0");
}

TEST_CASE(
    "gemv sim: every token count and generator stays within the oracle's bound (ragged, masked shape)") {
  for (const char* tokens : {"t1", "t6", "t16", "t17", "t48"}) {
    for (const char* data : {"model", "uniform", "extremes", "exact", "exact_pm1", "nan"}) {
      check("gemv/masked-" + std::string(tokens) + "-" + data + "/0");
    }
  }
}

TEST_CASE("gemv sim: masked-off workgroups compute zeros and store no output") {
  const RunResult result = check("gemv/masked-t6-uniform/0");
  const GemvShape shape = kGemvKernels[6].shape;
  REQUIRE(shape.idle == 16);
  const auto red = result.regions.at("red").view<uint32_t>();
  for (uint64_t i = uint64_t{shape.tasks()} * kRed; i < red.size(); ++i) REQUIRE(red[i] == 0);
}

TEST_CASE("gemv sim: waves past an untiled split leave +0") {
  const RunResult result = check("gemv/split4-t1-uniform/0");
  const auto red = result.regions.at("red").view<uint32_t>();
  for (uint64_t i = 0; i < red.size(); ++i) {
    if (i % kRed / 256 >= 4) REQUIRE(red[i] == 0);
  }
}

TEST_CASE("gemv sim: columns past the last token repeat it") {
  const RunResult result = check("gemv/wqkv-t1-model/0");
  const auto red = result.regions.at("red").view<uint32_t>();
  for (uint64_t i = 0; i < red.size(); ++i)
    REQUIRE(red[i] == red[i / 64 * 64 + i % 4]);  // lane l and 16 (l / 16)
}

TEST_CASE("gemv sim: the result does not depend on threads, residency or schedule") {
  const RunResult first = check("gemv/masked-t17-uniform/0");
  RunOptions options;
  for (const int threads : {1, 2, 7}) {
    options.threads = threads;
    CHECK(check("gemv/masked-t17-uniform/0", options).regions == first.regions);
  }
  for (const uint64_t seed : {1, 2, 3}) {
    options.schedule_seed = seed;
    CHECK(check("gemv/masked-t17-uniform/0", options).regions == first.regions);
  }
  options.resident = 3;
  CHECK(check("gemv/masked-t17-uniform/0", options).regions == first.regions);
}

TEST_CASE("gemv sim: NaN codes reach some outputs and leave others") {
  const RunResult result = check("gemv/masked-t6-nan/0");
  const auto y = result.regions.at("y").view<float>();
  int nans = 0;
  for (const float value : y) nans += std::isnan(value);
  CHECK(nans > 256);
  CHECK(nans < static_cast<int>(y.size() / 2));
}

TEST_CASE("gemv cases: every shape meets every token count and generator; labels say where they run") {
  std::set<std::string> names;
  std::set<std::string> run;
  for (const auto& kernel_case : gemv_cases()) {
    CHECK(names.insert(kernel_case->name()).second);
    if (has_label(*kernel_case, "run")) run.insert(kernel_case->name());
  }
  CHECK(names.size() == std::size(kGemvKernels) * 5 * 6);
  CHECK(run.size() == std::size(kGemvKernels));
  for (const std::string& name : run) CHECK(name.find("-t6-model/0") != std::string::npos);
}

// The MACs that `run` executes in MFMAs: what scripts/run's time rests on.
TEST_CASE("gemv cases: the run label is about 1.4 GMAC") {
  double macs = 0;
  for (const GemvKernel& kernel : kGemvKernels) {
    macs +=
        double{1} * kernel.shape.grid() * kWaves * kernel.shape.form().steps_per_wave() * 16 * 16 * kStepK;
  }
  CHECK(macs == doctest::Approx(1.4e9).epsilon(0.05));
}

TEST_CASE("gemv cases: a NaN scale breaks the contract and names its place") {
  const auto kernel_case = find_case("gemv/masked-t6-model/0");
  Tensors inputs = kernel_case->generate();
  for (const InputSpec& spec : kernel_case->inputs()) {
    if (!spec.contract) continue;
    Tensor& tensor = inputs.at(spec.name);
    CHECK(spec.contract(tensor) == "");
    tensor.view<uint8_t>()[tensor.shape[1] + 3] = 255;
    CHECK(spec.contract(tensor) == "scale byte 255 (NaN) at [1,3]");
  }
}

TEST_CASE("gemv cases: locate names workgroup, wave, lane and register") {
  const auto kernel_case = find_case("gemv/wo_a-t17-model/0");
  const auto regions = kernel_case->regions();
  // Row 1056 + 21: task 33, second row tile (waves 4..7), row 5 of it: lane 16 + token, register 1.
  const uint64_t y[] = {0, 16, 1077};
  CHECK(regions[0].locate(y) ==
        "workgroup 33, token tile 1, summed from waves 4..7, lane 16, v1 by wave 0, lane 21");
  const uint64_t red[] = {33, 1, 5, 16, 1};
  CHECK(regions[1].locate(red) ==
        "workgroup 33, token tile 1, wave 5, lane 16, v1: weight row 1077, token 16, steps "
        "8,9,10,11,12,13,14,15");
}

}  // namespace
}  // namespace wavetwin
