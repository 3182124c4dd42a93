// SPDX-License-Identifier: MIT
// Runs the built program in a process of its own.
#pragma once

#include <string>
#include <vector>

namespace wavetwin::golden {

struct Outcome {
  int exit_code = -1;  // 128 + signal when it was killed
  std::string out, err;
  double seconds = 0;
};

Outcome run_wavetwin(const std::vector<std::string>& arguments);

// Sanitizers slow the program down and add to what it prints: no timing there.
bool program_is_sanitized();

bool contains(const std::string& text, const std::string& part);

// The part of `text` that is one line: no newline but a final one.
bool is_one_line(const std::string& text);

}  // namespace wavetwin::golden
