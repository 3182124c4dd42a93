// SPDX-License-Identifier: MIT
// Options that say what a buffer in memory is; shared by the commands that take a memory layout.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "golden/layout/memory_layout.h"

namespace wavetwin::golden {

struct MemoryOptions {
  uint64_t rows = 0, columns = 0, pad_rows = 0, page_block = 0, page_stride = 0;
  std::string format;

  // --rows, --columns, --format, --pad-rows, --page-block, --page-stride
  void add_to(CLI::App& command);
  static const std::vector<std::string>& names();
  // Whether the command line of `command` has any of them.
  static bool given(const CLI::App& command);
  // Throws Error for a format that is not known.
  MemoryShape shape() const;
};

// A whole number, decimal or 0x...; throws Error naming the option.
uint64_t parse_number(const std::string& option, const std::string& text);

}  // namespace wavetwin::golden
