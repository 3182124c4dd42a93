// SPDX-License-Identifier: MIT
// Would the differential test see a wrong instruction? Each instruction that the kernels execute is spoilt in
// turn.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>

#include "tests/isa/differential/coverage.h"
#include "tests/isa/differential/object_run.h"
#include "tests/isa/differential/saboteur.h"
#include "tests/isa/differential/table.h"

namespace wavetwin::differential {
namespace {

// A kernel at one level.
struct Build {
  ObjectRun* object;
  const KernelEntry* kernel;
  const Result* host;
  uint64_t instructions;
};

// How many of the cheapest kernels with an instruction are tried.
constexpr size_t kAttempts = 12;

// Runs the kernel with the instruction spoilt. An error or an endless loop is noticed, too.
bool noticed(const std::string& mnemonic, const Build& build, const std::vector<uint8_t>& input) {
  Saboteur saboteur(mnemonic, 10 * build.instructions + 100'000);
  try {
    return compare(*build.kernel, build.object->run(*build.kernel, input, saboteur).result, *build.host)
               .count != 0;
  } catch (const Error&) {
    return true;
  }
}

}  // namespace

TEST_SUITE_BEGIN("slow");

TEST_CASE("a wrong result of any instruction that the kernels execute is noticed") {
  const std::vector<uint8_t> input = make_input();
  std::vector<std::unique_ptr<ObjectRun>> objects;
  std::vector<std::unique_ptr<Result>> results;
  std::map<std::string, std::vector<Build>> builds;  // of each mnemonic
  for (const CorpusFile& file : corpus_files()) {
    for (const KernelEntry& kernel : file.kernels)
      results.push_back(std::make_unique<Result>(run_on_host(kernel, input)));
    for (const int level : kLevels) {
      objects.push_back(std::make_unique<ObjectRun>(object_path(file, level)));
      for (size_t i = 0; i < file.kernels.size(); ++i) {
        Coverage coverage;
        const Result& host = *results[results.size() - file.kernels.size() + i];
        const auto run = objects.back()->run(file.kernels[i], input, coverage);
        for (const std::string& mnemonic : coverage.take()) {
          builds[mnemonic].push_back({objects.back().get(), &file.kernels[i], &host, run.instructions});
        }
      }
    }
  }
  size_t seen = 0;
  std::string missed;
  for (auto& [mnemonic, list] : builds) {
    std::sort(list.begin(), list.end(),
              [](const Build& a, const Build& b) { return a.instructions < b.instructions; });
    const auto end = list.begin() + static_cast<std::ptrdiff_t>(std::min(kAttempts, list.size()));
    const bool found =
        std::any_of(list.begin(), end, [&](const Build& build) { return noticed(mnemonic, build, input); });
    seen += found;
    if (!found) missed += " " + mnemonic;
  }
  std::fputs(
      fmt::format("{} of {} instructions spoilt and noticed; not noticed:{}\n", seen, builds.size(), missed)
          .c_str(),
      stdout);
}

TEST_SUITE_END();

}  // namespace wavetwin::differential
