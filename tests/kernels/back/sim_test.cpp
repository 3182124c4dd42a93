// SPDX-License-Identifier: MIT
// The simulated attention back: results that do not depend on the schedule, and what its parts leave.
#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "golden/cases/back.h"
#include "golden/harness/judge.h"
#include "golden/harness/run.h"

namespace wavetwin {
namespace {

using namespace wavetwin::golden;

std::unique_ptr<KernelCase> find_case(const std::string& name) {
  for (auto& candidate : back_cases()) {
    if (candidate->name() == name) return std::move(candidate);
  }
  FAIL("no case ", name);
  return nullptr;
}

RunResult run(const std::string& name, const RunOptions& options = {}) {
  INFO(name);
  const auto kernel_case = find_case(name);
  RunResult result = run_case(*kernel_case, kernel_case->generate(), *make_sim_backend(), options);
  for (const std::string& finding : result.findings) FAIL_CHECK(finding);
  return result;
}

void check_equal(const RunResult& a, const RunResult& b) {
  for (const auto& [name, tensor] : a.regions) CHECK_MESSAGE(tensor == b.regions.at(name), name);
}

TEST_CASE("back sim: the persistent launch does not depend on threads or schedule") {
  const std::string name = "attention_back/run-tp4-t1-r1-b128-model/0";
  const RunResult first = run(name);
  RunOptions options;
  options.threads = 1;
  check_equal(first, run(name, options));
  options.schedule_seed = 11;
  check_equal(first, run(name, options));
}

TEST_CASE("back sim: a token without keys leaves zeros at code 1") {
  const RunResult result = run("attention_back/combine-tp4-t6-r2-b64-model/0");
  const auto xo = result.regions.at("xo").view<uint8_t>();
  const auto xos = result.regions.at("xos").view<uint32_t>();
  constexpr uint32_t kPadToken = 3;  // the generator's fourth token has no key
  for (uint32_t i = 0; i < 8192; ++i) CHECK((xo[kPadToken * 8192 + i] & 0x7F) == 0);
  for (uint32_t i = 0; i < 256; ++i) CHECK(xos[kPadToken * 256 + i] == 1);
}

TEST_CASE("back sim: a chunk whose keys are all absent has no sum and no partial") {
  const RunResult result = run("attention_back/split-tp4-t1-r2-b32-model/0");
  const auto stats = result.regions.at("pstat").view<uint32_t>();
  const auto part = result.regions.at("part").view<uint16_t>();
  constexpr uint32_t kHeads = 16, kAbsent = 1;  // chunk 1: keys 128 .. 255
  for (uint32_t h = 0; h < kHeads; ++h) {
    CHECK(stats[2 * (kAbsent * kHeads + h)] == 0xFF7FFFFFu);
    CHECK(stats[2 * (kAbsent * kHeads + h) + 1] == 0);
  }
  for (uint32_t i = 0; i < kHeads * 512; ++i) CHECK(part[kAbsent * kHeads * 512 + i] == 0);
}

}  // namespace
}  // namespace wavetwin
