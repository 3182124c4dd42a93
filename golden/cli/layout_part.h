// SPDX-License-Identifier: MIT
// `wavetwin layout` answers several kinds of question. A kind is a part: one file, and one line in kParts of
// layout.cpp; `layout convert` and its like are subcommands: one line in kSubcommands.
#pragma once

#include <functional>
#include <string>

#include "golden/cli/command.h"
#include "golden/cli/layout_output.h"

namespace wavetwin::golden {

// `asked`: whether the command line names the part (by its own option, such as --instruction). Exactly one
// part must be asked. `answer` throws Error for bad input.
struct LayoutPart {
  std::function<bool()> asked;
  std::function<void(const LayoutOutput&)> answer;
  // Options that it reads, beside those of LayoutOutput; any other one on the command line is refused. Empty:
  // not checked.
  std::vector<std::string> reads;
};

// The value of an option that another part may have added, and nothing when it was not given.
template <class T>
std::optional<T> given(const CLI::App& layout, const char* option) {
  if (layout.count(option) == 0) return std::nullopt;
  return layout.get_option(option)->as<T>();
}

// Adds the options of the part to the command `layout`.
using AddLayoutPart = LayoutPart (*)(CLI::App& layout);
LayoutPart add_matrix_layout(CLI::App& layout);
LayoutPart add_lane_layout(CLI::App& layout);    // after add_matrix_layout, whose options it shares
LayoutPart add_memory_layout(CLI::App& layout);  // the same
LayoutPart add_bank_layout(CLI::App& layout);    // the same, and add_memory_layout's

// Adds a subcommand to the command `layout`; `exit_code` as in AddCommand.
using AddLayoutSubcommand = void (*)(CLI::App& layout, int& exit_code);
void add_layout_convert(CLI::App& layout, int& exit_code);

}  // namespace wavetwin::golden
