// SPDX-License-Identifier: MIT
// A directory with the assembled objects and a launch file.
#pragma once

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "golden/io/file.h"
#include "tests/cli/program.h"
#include "tests/unit/io/scratch_directory.h"

namespace wavetwin::golden {

class LaunchBench {
 public:
  explicit LaunchBench(const std::string& launch) {
    for (const char* object : {"arguments.co", "memory.co", "sync.co", "registers.co", "numeric.co"}) {
      std::filesystem::copy_file(ASM_DIR + std::string(object), dir_ / object);
    }
    write_text(dir_ / "launch.json", launch);
  }
  std::filesystem::path operator/(const std::string& name) const { return dir_ / name; }
  std::string launch() const { return (dir_ / "launch.json").string(); }
  Outcome exec(std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"exec", launch()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_wavetwin(arguments);
  }
  std::vector<uint8_t> bytes(const std::string& name) const {
    const auto data = read_bytes(dir_ / name);
    std::vector<uint8_t> result(data.size());
    std::memcpy(result.data(), data.data(), data.size());
    return result;
  }

 private:
  ScratchDirectory dir_;
};

}  // namespace wavetwin::golden
