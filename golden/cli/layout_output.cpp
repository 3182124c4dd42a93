// SPDX-License-Identifier: MIT
#include "golden/cli/layout_output.h"

#include <fmt/format.h>

#include "golden/io/file.h"
#include "sim/core/error.h"

namespace wavetwin::golden {

void LayoutOutput::print(const TextTable& table) const { fmt::print("{}", render(table, form)); }

void LayoutOutput::write(const std::string& path, const std::string& text) {
  write_atomically(path, [&](std::ostream& out) { out << text; });
}

void LayoutOutputOptions::add_to(CLI::App& command) {
  command.add_option("--svg", svg_, "Draw to a file")->type_name("FILE");
  command.add_option("--html", html_, "Write a self-contained page to explore in a browser")
      ->type_name("FILE");
  command.add_flag("--csv", csv_, "Comma-separated values");
  command.add_flag("--markdown", markdown_, "A Markdown table");
  command.add_flag("--json", json_, "An array of objects");
}

const std::vector<std::string>& LayoutOutputOptions::names() {
  static const std::vector<std::string> kNames = {"--svg", "--html", "--csv", "--markdown", "--json"};
  return kNames;
}

LayoutOutput LayoutOutputOptions::output() const {
  const int tables = csv_ + markdown_ + json_;
  if (tables > 1) throw Error("--csv, --markdown and --json exclude each other");
  LayoutOutput output{TableForm::text, svg_.value_or(""), html_.value_or("")};
  if ((svg_ && svg_->empty()) || (html_ && html_->empty())) throw Error("--svg, --html: which file?");
  if (svg_ && html_ && *svg_ == *html_) throw Error("--svg and --html write the same file, " + *svg_);
  if (tables > 0 && output.draws())
    throw Error("--svg and --html draw; --csv, --markdown and --json print: ask for one of the two");
  if (csv_) output.form = TableForm::csv;
  if (markdown_) output.form = TableForm::markdown;
  if (json_) output.form = TableForm::json;
  return output;
}

}  // namespace wavetwin::golden
