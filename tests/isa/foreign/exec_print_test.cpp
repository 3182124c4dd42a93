// SPDX-License-Identifier: MIT
// Where `wavetwin exec` writes what kernels print.
#include <doctest/doctest.h>

#include "tests/cli/program.h"
#include "tests/unit/io/scratch_directory.h"

namespace wavetwin::golden {
namespace {

// Runs a kernel of host_calls.hip with six work-items and a buffer of zeros.
Outcome exec_host_calls(const std::string& kernel, const std::string& fill, std::vector<std::string> more) {
  const ScratchDirectory dir;
  write_text(dir / "launch.json", std::string(R"({"code_object": ")") + FOREIGN_DIR + R"(host_calls.co",
    "kernel": ")" + kernel + R"(", "block": [6, 1, 1], "args": [{"buffer": "o", "bytes": 24, "fill": ")" +
                                      fill + R"("}]})");
  std::vector<std::string> arguments{"exec", (dir / "launch.json").string()};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_wavetwin(arguments);
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("exec: printf goes to standard output, in front of the report, which begins a line") {
  const Outcome outcome = exec_host_calls("print", "zero", {});
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.starts_with("0.00: 0.00 |an even number"));
  CHECK(holds(outcome.out, "\n0.05: 2.50 |odd|f|0x20|"));
  CHECK(holds(outcome.out, "\nfive\nprint: "));
  CHECK(outcome.err.empty());
}

TEST_CASE("exec --json: printf goes to standard error, and standard output is one JSON object") {
  const Outcome outcome = exec_host_calls("print", "zero", {"--json"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.starts_with("{\"kernel\":\"print\""));
  CHECK(outcome.err.starts_with("0.00: 0.00 |an even number"));
  CHECK(outcome.err.ends_with("\nfive"));
}

TEST_CASE("exec: a failed assert is told on standard error, and the run ends as bad input does") {
  const Outcome outcome = exec_host_calls("check", "poison", {});
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.starts_with("host_calls.hip:17: Device-side assertion `out[item] < 5' failed.\n"));
  CHECK(holds(outcome.err, "kernel 'check', workgroup 0, wave 0"));
}

}  // namespace wavetwin::golden
