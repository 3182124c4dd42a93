// SPDX-License-Identifier: MIT
// What the comparison of a case cannot see: clock stamps, presets of the MFMA arithmetic, evidence, and
// whether the oracle of the whole launch would notice.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "common/kernels/primitives.h"
#include "golden/cases/back.h"
#include "golden/harness/judge.h"
#include "golden/harness/run.h"
#include "tests/kernels/forwarding_case.h"

namespace wavetwin {
namespace {

using namespace wavetwin::golden;
using back::Stage;

constexpr BackProblem kSmall{4, 1, 1, 64, BackData::model, 0};

RunResult run(const KernelCase& kernel_case, Backend& backend, const RunOptions& options = {}) {
  RunResult result = run_case(kernel_case, kernel_case.generate(), backend, options);
  for (const std::string& finding : result.findings) FAIL_CHECK(finding);
  return result;
}

// The stamps of a timeline build as a region.
class StampedCase : public ForwardingCase {
 public:
  using ForwardingCase::ForwardingCase;
  std::vector<RegionSpec> regions() const override {
    std::vector<RegionSpec> regions = ForwardingCase::regions();
    RegionSpec tl;
    tl.name = tl.buffer = "tl";
    tl.dtype = DType::I64;
    tl.shape = {kBlocks, back::kTimelinePoints};
    tl.written = [](uint64_t) { return false; };  // not all of them are
    regions.push_back(std::move(tl));
    return regions;
  }
};

// Points of one workgroup, in the order in which it passes them.
void check_stamps(std::span<const int64_t> at, uint32_t bid) {
  INFO("workgroup ", bid);
  const back::Form form = back::form_of(kSmall.tp, kSmall.tokens);
  const back::Plan plan = back::plan(form, kSmall.tokens);
  std::vector<uint32_t> points{0};
  if (bid < plan.splits) points.insert(points.end(), {5, 6, 7});
  points.insert(points.end(), {1, 2, 8});
  if (first_task(bid, plan.woa0) < form.dims().woa_tasks()) points.insert(points.end(), {9, 10});
  points.insert(points.end(), {3, 11, 12, 14, 15, 13, 4});
  const auto poison = [](int64_t word) { return (static_cast<uint64_t>(word) >> 48) == 0x7FA5; };
  for (size_t i = 0; i < points.size(); ++i) {
    CHECK_MESSAGE(!poison(at[points[i]]), "point ", points[i], " was not stamped: ", at[points[i]]);
    if (i > 0) CHECK_MESSAGE(at[points[i - 1]] <= at[points[i]], "point ", points[i]);
  }
  // This token has no keys beyond its first 640: chunks 0 .. 4 all have some, the others are not stamped.
  CHECK(std::count_if(at.begin(), at.end(), poison) == back::kTimelinePoints - points.size());
}

TEST_CASE("back twins: a timeline build stamps the clock at every point it passes, in order") {
  BackProblem problem = kSmall;
  problem.timeline = true;
  const StampedCase kernel_case(back_case(Stage::run, problem, {}));
  for (const auto& backend : {make_sim_backend(), make_isa_backend()}) {
    INFO(backend->name());
    const RunResult result = run(kernel_case, *backend);
    const auto stamps = result.regions.at("tl").view<int64_t>();
    for (uint32_t bid = 0; bid < kBlocks; ++bid) {
      check_stamps(stamps.subspan(bid * back::kTimelinePoints, back::kTimelinePoints), bid);
    }
  }
}

// Slow: presets other than the default have no fast form.
TEST_CASE("back twins: exact data leave the same bits under every preset of the MFMA arithmetic" *
          doctest::test_suite("slow")) {
  std::vector<std::unique_ptr<KernelCase>> cases;
  for (const Stage stage : {Stage::split, Stage::woa, Stage::wob, Stage::run}) {
    BackProblem problem = kSmall;
    problem.data = BackData::exact;
    cases.push_back(back_case(stage, problem, {}));
  }
  const auto backend = make_sim_backend();
  for (const auto& kernel_case : cases) {
    INFO(kernel_case->name());
    const RunResult first = run(*kernel_case, *backend);
    for (const std::string& preset : mfma::preset_names()) {
      INFO(preset);
      RunOptions options;
      options.model = mfma::preset(preset);
      if (preset == "gfx942") continue;  // that part has no such instructions
      const RunResult other = run(*kernel_case, *backend, options);
      for (const auto& [name, tensor] : first.regions) {
        CHECK_MESSAGE(tensor == other.regions.at(name), name);
      }
    }
  }
}

TEST_CASE("back twins: evidence is that of the sums and of the build's exp2") {
  constexpr Evidence kExp2 = Evidence::WAVETWIN_EXP2_EVIDENCE;
  BackProblem exact = kSmall;
  exact.data = BackData::exact;
  CHECK(back_case(Stage::combine, kSmall, {})->evidence() == kExp2);
  CHECK(back_case(Stage::split, exact, {})->evidence() == kExp2);
  CHECK(back_case(Stage::run, exact, {})->evidence() == kExp2);
  CHECK(back_case(Stage::woa, exact, {})->evidence() == Evidence::specified);
  CHECK(back_case(Stage::wob, exact, {})->evidence() == Evidence::specified);
  for (const Stage stage : {Stage::split, Stage::woa, Stage::wob, Stage::push, Stage::run}) {
    CHECK(back_case(stage, kSmall, {})->evidence() == Evidence::inferred);
  }
}

TEST_CASE("back twins: the chain from query to output notices two swapped outputs and a lost head") {
  const auto kernel_case = back_case(Stage::run, kSmall, {});
  const Tensors inputs = kernel_case->generate();
  const auto backend = make_sim_backend();
  Tensors produced = run_case(*kernel_case, inputs, *backend, {}).regions;
  Reference chain;
  chain["out"].whole = kernel_case->reference(inputs, produced).at("out").whole;
  const auto agreement = [&](const Tensors& regions) {
    Reference only = chain;
    only["out"].value.assign(5120, 0);
    only["out"].bound.assign(5120, HUGE_VAL);
    return judge_against_oracle(*kernel_case, only, "sim", regions, false).agreement;
  };
  CHECK(agreement(produced) == Agreement::equal);
  Tensors halves = produced;
  const auto out = halves.at("out").view<uint16_t>();
  std::swap_ranges(out.begin(), out.begin() + 32, out.begin() + 2560);
  CHECK(agreement(halves) == Agreement::different);
  Tensors lost = inputs;
  const auto q = lost.at("q").view<uint16_t>();
  std::fill_n(q.begin() + 3 * 512, 512, uint16_t{0});  // another attention of head 3
  CHECK(agreement(run_case(*kernel_case, lost, *backend, {}).regions) == Agreement::different);
}

}  // namespace
}  // namespace wavetwin
