// SPDX-License-Identifier: MIT
// Would the differential test see a wrong instruction? Each instruction that the kernels execute is spoilt in
// turn.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
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

// Every kernel at every level, run once on both sides, by the mnemonics that its traced wave executes.
class Corpus {
 public:
  Corpus() {
    for (const CorpusFile& file : corpus_files()) add(file);
  }
  const std::vector<uint8_t> input = make_input();
  std::map<std::string, std::vector<Build>> builds;

 private:
  void add(const CorpusFile& file) {
    const size_t first = results_.size();
    for (const KernelEntry& kernel : file.kernels) {
      results_.push_back(std::make_unique<Result>(run_on_host(kernel, input)));
    }
    for (const int level : kLevels) {
      objects_.push_back(std::make_unique<ObjectRun>(object_path(file, level)));
      for (size_t i = 0; i < file.kernels.size(); ++i) {
        Coverage coverage;
        const auto run = objects_.back()->run(file.kernels[i], input, coverage);
        const Build build{objects_.back().get(), &file.kernels[i], results_[first + i].get(),
                          run.instructions};
        for (const std::string& mnemonic : coverage.take()) builds[mnemonic].push_back(build);
      }
    }
  }

  std::vector<std::unique_ptr<ObjectRun>> objects_;
  std::vector<std::unique_ptr<Result>> results_;
};

// How many of the cheapest kernels with an instruction are tried.
constexpr size_t kAttempts = 40;

enum class Outcome { lowest_bit, all_bits, unnoticed, nothing_to_spoil };

// Runs the kernel with bits of the instruction's results inverted. An error or an endless loop is noticed,
// too.
bool noticed(Saboteur& saboteur, const Build& build, const std::vector<uint8_t>& input) {
  try {
    return compare(*build.kernel, build.object->run(*build.kernel, input, saboteur).result, *build.host)
               .count != 0;
  } catch (const Error&) {
    return true;
  }
}

Outcome spoil(const std::string& mnemonic, std::vector<Build>& builds, const std::vector<uint8_t>& input) {
  std::sort(builds.begin(), builds.end(),
            [](const Build& a, const Build& b) { return a.instructions < b.instructions; });
  builds.resize(std::min(kAttempts, builds.size()));
  Outcome outcome = Outcome::nothing_to_spoil;
  for (const auto& [bits, when_noticed] :
       {std::pair{1u, Outcome::lowest_bit}, std::pair{~0u, Outcome::all_bits}}) {
    for (const Build& build : builds) {
      Saboteur saboteur(mnemonic, bits, 10 * build.instructions + 100'000);
      if (noticed(saboteur, build, input)) return when_noticed;
      if (saboteur.acted()) outcome = Outcome::unnoticed;
    }
  }
  return outcome;
}

}  // namespace

TEST_SUITE_BEGIN("slow");

TEST_CASE("the kernels execute every instruction of the census but s_trap, which ends a program") {
  const Corpus corpus;
  std::ifstream census(CENSUS);
  std::string missing;
  size_t executed = 0;
  for (std::string line; std::getline(census, line);) {
    if (line[0] == '#') continue;
    if (corpus.builds.count(line) == 0)
      missing += line + " ";
    else
      ++executed;
  }
  CHECK(executed == 338);
  CHECK(missing == "s_trap ");
}

TEST_CASE("a wrong result of any instruction that the kernels execute is noticed") {
  Corpus corpus;
  std::map<Outcome, std::vector<std::string>> outcomes;
  for (auto& [mnemonic, list] : corpus.builds)
    outcomes[spoil(mnemonic, list, corpus.input)].push_back(mnemonic);
  const auto print = [&outcomes](const char* what, Outcome outcome) {
    const std::vector<std::string>& names = outcomes[outcome];
    std::fputs(fmt::format("{} {}: {}\n", names.size(), what, fmt::join(names, " ")).c_str(), stdout);
    return names.size();
  };
  const size_t lowest = outcomes[Outcome::lowest_bit].size();
  std::fputs(fmt::format("{} instructions executed, {} with the lowest bit wrong noticed\n",
                         corpus.builds.size(), lowest)
                 .c_str(),
             stdout);
  // v_rcp and its like are among them: what clang builds from them rounds correctly all the same.
  const size_t all = print("noticed with all bits wrong only", Outcome::all_bits);
  print("without a result", Outcome::nothing_to_spoil);
  print("not noticed", Outcome::unnoticed);
  CHECK(lowest > 15 * all);
  CHECK(fmt::format("{}", fmt::join(outcomes[Outcome::unnoticed], " ")) == "");
  CHECK(fmt::format("{}", fmt::join(outcomes[Outcome::nothing_to_spoil], " ")) ==
        "buffer_inv buffer_wbl2 s_barrier s_endpgm s_nop s_setprio s_sleep s_waitcnt");
}

TEST_SUITE_END();

}  // namespace wavetwin::differential
