// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/cli/program.h"

namespace wavetwin::golden {
namespace {}  // namespace

TEST_CASE("program: help of the program and of every command exits 0 and shows the options") {
  const Outcome help = run_wavetwin({"--help"});
  CHECK(help.exit_code == 0);
  for (const char* word : {"list", "check", "run", "record", "diff", "mfma", "quantize", "Exit codes"}) {
    CAPTURE(word);
    CHECK(contains(help.out, word));
  }
  for (const char* command : {"list", "check", "run", "record", "diff", "mfma", "quantize"}) {
    CAPTURE(command);
    const Outcome outcome = run_wavetwin({command, "--help"});
    CHECK(outcome.exit_code == 0);
    CHECK(contains(outcome.out, "--help"));
    CHECK(outcome.err.empty());
  }
  for (const char* option : {"--backend", "--json", "--nan-bits", "--golden", "--threads", "--schedule",
                             "--resident", "--max-idle-rounds", "--model", "--set"}) {
    CAPTURE(option);
    CHECK(contains(run_wavetwin({"check", "--help"}).out, option));
  }
  CHECK(contains(run_wavetwin({"mfma", "--help"}).out, "gfx950-wide"));
  CHECK(run_wavetwin({"--version"}).out.starts_with("wavetwin "));
}

TEST_CASE("list: kernels and instructions with their evidence; cases of a kernel with labels and inputs") {
  const Outcome all = run_wavetwin({"list"});
  CHECK(all.exit_code == 0);
  CHECK(contains(all.out, "gemv"));
  CHECK(contains(all.out, "v_mfma_scale_f32_16x16x128_f8f6f4"));
  CHECK(contains(all.out, "inferred"));
  const Outcome cases = run_wavetwin({"list", "gemv/masked-*"});
  CHECK(cases.exit_code == 0);
  CHECK(contains(cases.out, "gemv/masked-t6-model/0"));
  CHECK(contains(cases.out, "w F8_E4M3["));
  CHECK_FALSE(contains(cases.out, "gemv/wqkv"));
}

TEST_CASE("list: starts in less than 20 ms") {
  if (program_is_sanitized()) return;
  double best = 1;
  for (int i = 0; i < 20; ++i) best = std::min(best, run_wavetwin({"list"}).seconds);
  CHECK(best < 0.020);
}

}  // namespace wavetwin::golden
