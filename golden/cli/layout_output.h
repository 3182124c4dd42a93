// SPDX-License-Identifier: MIT
// The forms that an answer about layouts takes: a table as text, CSV, Markdown or JSON, or drawings.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "golden/layout/table.h"

namespace wavetwin::golden {

// Where an answer goes.
struct LayoutOutput {
  TableForm form = TableForm::text;
  std::string svg, html;  // files to draw to; empty when not asked

  bool draws() const { return !svg.empty() || !html.empty(); }
  void print(const TextTable& table) const;
  // Writes a picture; throws FileError when the file cannot be written.
  static void write(const std::string& path, const std::string& text);
};

// --csv, --markdown, --json, and --svg and --html.
class LayoutOutputOptions {
 public:
  void add_to(CLI::App& command);
  static const std::vector<std::string>& names();
  bool given() const { return csv_ || markdown_ || json_ || svg_ || html_; }
  // Throws Error for forms that exclude each other.
  LayoutOutput output() const;

 private:
  bool csv_ = false, markdown_ = false, json_ = false;
  std::optional<std::string> svg_, html_;
};

}  // namespace wavetwin::golden
