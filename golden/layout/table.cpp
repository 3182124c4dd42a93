// SPDX-License-Identifier: MIT
#include "golden/layout/table.h"

#include <fmt/format.h>

#include <algorithm>

#include "golden/layout/quoting.h"

namespace wavetwin::golden {
namespace {

std::string csv_cell(const std::string& cell) {
  if (cell.find_first_of(",\"\n") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string aligned_text(const TextTable& table) {
  std::vector<size_t> widths;
  for (const std::string& column : table.columns) widths.push_back(column.size());
  for (const auto& row : table.rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string text;
    for (size_t i = 0; i < cells.size(); ++i) text += fmt::format("{:<{}}  ", cells[i], widths[i]);
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  };
  std::string text = line(table.columns);
  for (const auto& row : table.rows) text += line(row);
  return text;
}

std::string joined(const std::vector<std::string>& cells, const char* separator,
                   std::string (*cell)(const std::string&)) {
  std::string text;
  for (size_t i = 0; i < cells.size(); ++i) text += (i == 0 ? "" : separator) + cell(cells[i]);
  return text;
}

std::string markdown_cell(const std::string& cell) {
  std::string out;
  for (const char c : cell) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string csv(const TextTable& table) {
  std::string text = joined(table.columns, ",", csv_cell) + "\n";
  for (const auto& row : table.rows) text += joined(row, ",", csv_cell) + "\n";
  return text;
}

std::string markdown(const TextTable& table) {
  std::string text = "| " + joined(table.columns, " | ", markdown_cell) + " |\n|";
  for (size_t i = 0; i < table.columns.size(); ++i) text += "---|";
  text += "\n";
  for (const auto& row : table.rows) text += "| " + joined(row, " | ", markdown_cell) + " |\n";
  return text;
}

std::string json(const TextTable& table) {
  std::string text = "[";
  for (size_t r = 0; r < table.rows.size(); ++r) {
    text += r == 0 ? "\n  {" : ",\n  {";
    for (size_t i = 0; i < table.columns.size(); ++i) {
      text += fmt::format("{}{}: {}", i == 0 ? "" : ", ", json_text(table.columns[i]),
                          json_text(table.rows[r][i]));
    }
    text += "}";
  }
  return text + "\n]\n";
}

}  // namespace

std::string render(const TextTable& table, TableForm form) {
  switch (form) {
    case TableForm::csv:
      return csv(table);
    case TableForm::markdown:
      return markdown(table);
    case TableForm::json:
      return json(table);
    case TableForm::text:
      break;
  }
  return aligned_text(table);
}

}  // namespace wavetwin::golden
