// SPDX-License-Identifier: MIT
// `wavetwin layout` answers several kinds of question. A kind is a part: one file, and one line in kParts of
// layout.cpp; `layout convert` and its like are subcommands: one line in kSubcommands.
#pragma once

#include <functional>
#include <string>

#include "golden/cli/command.h"
#include "golden/layout/table.h"

namespace wavetwin::golden {

// Where an answer goes: the options that all parts share.
struct LayoutOutput {
  TableForm form = TableForm::text;
  std::string svg, html;  // files to draw to; empty when not asked

  bool draws() const { return !svg.empty() || !html.empty(); }
  void print(const TextTable& table) const;
  // Writes a picture; throws FileError when the file cannot be written.
  static void write(const std::string& path, const std::string& text);
};

// `asked`: whether the command line names the part (by its own option, such as --instruction). Exactly one
// part must be asked. `answer` throws Error for bad input.
struct LayoutPart {
  std::function<bool()> asked;
  std::function<void(const LayoutOutput&)> answer;
};

// Adds the options of the part to the command `layout`.
using AddLayoutPart = LayoutPart (*)(CLI::App& layout);
LayoutPart add_matrix_layout(CLI::App& layout);

// Adds a subcommand to the command `layout`.
using AddLayoutSubcommand = void (*)(CLI::App& layout);

}  // namespace wavetwin::golden
