// SPDX-License-Identifier: MIT
// A table of text in the forms people paste it into.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace wavetwin::golden {

enum class TableForm : uint8_t { text, csv, markdown, json };

struct TextTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // as many cells a row as there are columns
};

// text: aligned columns; csv: RFC 4180, a header line first; markdown: a pipe table; json: one array of
// objects keyed by column.
std::string render(const TextTable& table, TableForm form);

}  // namespace wavetwin::golden
