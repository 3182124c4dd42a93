// SPDX-License-Identifier: MIT
// One line on the terminal that says what runs; nothing when stderr is not a terminal.
#pragma once

#include <cstdint>
#include <string>

namespace wavetwin::golden {

class ProgressLine {
 public:
  explicit ProgressLine(uint64_t total);
  ~ProgressLine();  // clears the line
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // "[ 3/80] text"
  void show(uint64_t done, const std::string& text);
  void clear();

 private:
  uint64_t total_;
  bool terminal_;
  bool shown_ = false;
};

}  // namespace wavetwin::golden
