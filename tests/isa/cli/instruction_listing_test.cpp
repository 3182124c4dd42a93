// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <vector>

#include "tests/isa/cli/launch_bench.h"

namespace wavetwin::golden {
namespace {

// Columns of a line, divided by two spaces or more.
std::vector<std::string> columns(const std::string& line) {
  std::vector<std::string> result;
  for (size_t at = line.find_first_not_of(' '); at < line.size();) {
    const size_t end = std::min(line.find("  ", at), line.size());
    result.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(' ', end);
  }
  return result;
}

}  // namespace

TEST_CASE(
    "list --instructions: status, number of tests, evidence and source of each; the last lines count them") {
  const Outcome outcome = run_wavetwin({"list", "--instructions"});
  REQUIRE(outcome.exit_code == 0);
  std::istringstream lines(outcome.out);
  std::string line;
  std::getline(lines, line);
  CHECK(columns(line) == std::vector<std::string>{"encoding", "opcode", "instruction", "status", "tests",
                                                  "evidence", "source"});
  std::map<std::string, unsigned> status;
  std::map<std::string, std::string> tests;
  while (std::getline(lines, line) && !contains(line, " instructions: ")) {
    const auto cells = columns(line);
    CAPTURE(line);
    ++status[cells.at(3)];
    tests[cells[2]] = cells.at(4);
    if (cells[3] == "missing") {
      CHECK(cells[4] == "0");
      continue;
    }
    REQUIRE(cells.size() >= 7);
    CHECK((cells[3] == "tested") == (cells[4] != "0"));
    CHECK((cells[5] == "specified" || cells[5] == "measured" || cells[5] == "inferred" ||
           cells[5] == "unknown"));
  }
  const unsigned executed = status["tested"] + status["executed"];
  CHECK(status["tested"] > 1000);
  CHECK(contains(line, std::to_string(executed + status["missing"]) +
                           " instructions: " + std::to_string(executed) + " executed ("));
  CHECK(contains(line, "), " + std::to_string(status["tested"]) + " of them tested, " +
                           std::to_string(status["missing"]) + " missing"));
  // Both encodings of a row show the row's tests.
  CHECK(tests.at("V_ADD_F32_E32") == tests.at("V_ADD_F32_E64"));
  CHECK(std::stoul(tests.at("V_ADD_F32_E32")) > 10);
  CHECK(contains(outcome.out, "beside an oracle; "));
}

}  // namespace wavetwin::golden
