// SPDX-License-Identifier: MIT
#include "golden/cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace wavetwin::golden {

ProgressLine::ProgressLine(uint64_t total) : total_(total), terminal_(::isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::show(uint64_t done, const std::string& text) {
  if (!terminal_) return;
  fmt::print(stderr, "\r\033[K[{}/{}] {:.90}", done, total_, text);
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace wavetwin::golden
