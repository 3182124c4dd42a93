// SPDX-License-Identifier: MIT
// The project's own source files as text, for the tests that check the architecture.
#pragma once

#include <string>
#include <vector>

namespace wavetwin::architecture {

struct SourceFile {
  std::string path;                // relative to the root, '/' separated
  std::vector<std::string> lines;  // without line ends
};

// Every .h .cpp .inc .hip file under common, sim, hip, golden and tests, sorted by path.
std::vector<SourceFile> source_files();

// The lines of one file; throws std::runtime_error when it cannot be read.
std::vector<std::string> read_lines(const std::string& relative_path);

struct Include {
  std::string target;  // what stands between the quotes or brackets
  bool quoted;
  int line;  // from 1
};
std::vector<Include> includes(const SourceFile& file);

// The line without its // comment and with string literals emptied, so that words in text do not count as code.
std::string code_of(const std::string& line);

}  // namespace wavetwin::architecture
