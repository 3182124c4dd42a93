// SPDX-License-Identifier: MIT
// A directory of a test's own, removed at its end, and what tests write there.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace wavetwin::golden {

inline void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "wavetwin-test-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~ScratchDirectory() {
    std::error_code code;
    std::filesystem::remove_all(path_, code);
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace wavetwin::golden
