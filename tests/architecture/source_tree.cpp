// SPDX-License-Identifier: MIT
#include "tests/architecture/source_tree.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <stdexcept>

namespace wavetwin::architecture {
namespace fs = std::filesystem;

namespace {
const fs::path kRoot = WAVETWIN_SOURCE_DIR;

bool is_source(const fs::path& path) {
  const std::string ext = path.extension().string();
  return ext == ".h" || ext == ".cpp" || ext == ".inc" || ext == ".hip";
}
}  // namespace

std::vector<std::string> read_lines(const std::string& relative_path) {
  std::ifstream in(kRoot / relative_path);
  if (!in) throw std::runtime_error("cannot read " + relative_path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<SourceFile> source_files() {
  std::vector<SourceFile> files;
  for (const char* folder : {"common", "sim", "hip", "golden", "tests"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
      if (!entry.is_regular_file() || !is_source(entry.path())) continue;
      const std::string path = fs::relative(entry.path(), kRoot).generic_string();
      files.push_back({path, read_lines(path)});
    }
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return files;
}

std::vector<Include> includes(const SourceFile& file) {
  static const std::regex kInclude(R"(^\s*#\s*include\s*(["<])([^">]+)[">])");
  std::vector<Include> found;
  for (size_t i = 0; i < file.lines.size(); ++i) {
    std::smatch match;
    if (std::regex_search(file.lines[i], match, kInclude)) {
      found.push_back({match[2], match[1] == "\"", static_cast<int>(i) + 1});
    }
  }
  return found;
}

std::string code_of(const std::string& line) {
  std::string code;
  bool in_string = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false, code += c;
      continue;
    }
    if (c == '/' && i + 1 < line.size() && line[i + 1] == '/') break;
    code += c;
    if (c == '"') in_string = true;
  }
  return code;
}

}  // namespace wavetwin::architecture
