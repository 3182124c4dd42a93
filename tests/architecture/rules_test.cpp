// SPDX-License-Identifier: MIT
// Habits that a compiler does not check.
#include <doctest/doctest.h>

#include <regex>
#include <set>

#include "tests/architecture/source_tree.h"

namespace wavetwin::architecture {
namespace {

bool starts_with(const std::string& text, const std::string& prefix) { return text.rfind(prefix, 0) == 0; }
bool ends_with(const std::string& text, const std::string& suffix) {
  return text.size() >= suffix.size() &&
         text.compare(text.size() - suffix.size(), suffix.size(), suffix) == 0;
}

TEST_CASE("architecture: every source file starts with its SPDX line, every header is included once") {
  for (const SourceFile& file : source_files()) {
    INFO(file.path);
    REQUIRE(!file.lines.empty());
    CHECK(file.lines[0] == "// SPDX-License-Identifier: MIT");
    if (!ends_with(file.path, ".h")) continue;
    bool once = false;
    for (const std::string& line : file.lines) once = once || line == "#pragma once";
    CHECK(once);
  }
}

// common/kernels holds constants, structs and index functions: nothing there may compute on tensor data, or
// the two twins would share arithmetic that no comparison can see.
TEST_CASE("architecture: common/kernels does no arithmetic on data") {
  static const std::regex kData(
      R"(\b(float|double|_Float16|Lane|LaneF32|decode|encode|fma|exp2|sqrt)\b\s*[(<*+\-/=]?)");
  static const std::regex kPointer(R"(DevicePtr<\s*(const\s+)?[A-Za-z0-9_:]+\s*>)");
  static const std::regex kListRow(R"(^\s*X\()");
  for (const SourceFile& file : source_files()) {
    if (!starts_with(file.path, "common/kernels/")) continue;
    for (size_t i = 0; i < file.lines.size(); ++i) {
      // A pointer to floats is a layout fact; a float value or a conversion is arithmetic.
      const std::string code = std::regex_replace(code_of(file.lines[i]), kPointer, "DevicePtr");
      if (std::regex_search(code, kListRow)) continue;  // names in an X-macro list
      CHECK_MESSAGE(!std::regex_search(code, kData), file.path, ":", i + 1, ": ", file.lines[i]);
    }
  }
}

// Compilers have miscompiled co_await inside larger expressions: it is a whole statement or the only
// initialiser.
TEST_CASE("architecture: co_await is a whole statement or the only initialiser") {
  static const std::regex kAwait(R"(\bco_await\b)");
  static const std::regex kStatement(R"(^\s*(\}\s*)?((if|for|while) \(.*\) |else )?co_await [^;]*;?$)");
  static const std::regex kWholeBody(R"(^WaveTask .*\) \{ co_await [^;]*; \}$)");
  static const std::regex kInitialiser(R"(^\s*(const )?[A-Za-z_][\w:<>, *+]* \w+ = co_await [^;]*;?$)");
  for (const SourceFile& file : source_files()) {
    if (!starts_with(file.path, "sim/kernels/")) continue;
    for (size_t i = 0; i < file.lines.size(); ++i) {
      const std::string code = code_of(file.lines[i]);
      if (!std::regex_search(code, kAwait)) continue;
      const std::string trimmed = code.substr(0, code.find_last_not_of(' ') + 1);
      CHECK_MESSAGE((std::regex_match(trimmed, kStatement) || std::regex_match(trimmed, kWholeBody) ||
                     std::regex_match(trimmed, kInitialiser)),
                    file.path, ":", i + 1, ": ", file.lines[i]);
    }
  }
}

TEST_CASE("architecture: no fast-math, no pointer casts between types in the numerics") {
  for (const SourceFile& file : source_files()) {
    for (size_t i = 0; i < file.lines.size(); ++i) {
      const std::string code = code_of(file.lines[i]);
      INFO(file.path, ":", i + 1, ": ", file.lines[i]);
      CHECK(code.find("fast-math") == std::string::npos);
      if (starts_with(file.path, "common/") || starts_with(file.path, "sim/numerics/")) {
        CHECK(code.find("reinterpret_cast<float") == std::string::npos);
        CHECK(code.find("reinterpret_cast<double") == std::string::npos);
      }
    }
  }
}

TEST_CASE("architecture: an assumption is written with the greppable word") {
  static const std::regex kGuess(R"(\b(we guess|probably|presumably)\b)", std::regex::icase);
  for (const SourceFile& file : source_files()) {
    for (size_t i = 0; i < file.lines.size(); ++i) {
      CHECK_MESSAGE(!std::regex_search(file.lines[i], kGuess), file.path, ":", i + 1,
                    ": write 'assumption: ...'");
      if (starts_with(file.path, "tests/architecture/")) break;
    }
  }
}

TEST_CASE("architecture: every folder of the 'what goes where' table exists, and every folder is in it") {
  static const std::regex kRow(R"(^\| `([a-z_/0-9]+)/` \|.*)");
  std::set<std::string> listed;
  for (const std::string& line : read_lines("CONTRIBUTING.md")) {
    std::smatch match;
    if (std::regex_match(line, match, kRow)) listed.insert(match[1]);
  }
  std::set<std::string> present;
  for (const SourceFile& file : source_files()) {
    const std::string folder = file.path.substr(0, file.path.rfind('/'));
    present.insert(folder);
    bool covered = false;
    for (const std::string& entry : listed)
      covered = covered || folder == entry || starts_with(folder, entry + "/");
    CHECK_MESSAGE(covered, folder, " is not in CONTRIBUTING.md's table");
  }
  for (const std::string& entry : listed) {
    if (starts_with(entry, "scripts") || entry == "golden/data") continue;
    bool used = false;
    for (const std::string& folder : present)
      used = used || folder == entry || starts_with(folder, entry + "/");
    CHECK_MESSAGE(used, entry, "/ is listed in CONTRIBUTING.md but holds no source");
  }
}

}  // namespace
}  // namespace wavetwin::architecture
