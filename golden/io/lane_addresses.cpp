// SPDX-License-Identifier: MIT
#include "golden/io/lane_addresses.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "golden/io/file.h"
#include "golden/io/json_input.h"
#include "golden/io/printable.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

constexpr size_t kLanes = 64;
constexpr uint64_t kMostAddress = 0xFFFFFFFE;  // the one after it stands for an inactive lane elsewhere

using Row = std::vector<std::optional<uint32_t>>;

std::optional<uint32_t> parse_address(const std::string& text, const std::string& where) {
  if (text == "-") return std::nullopt;
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  const char *first = text.data() + (hex ? 2 : 0), *last = text.data() + text.size();
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(first, last, value, hex ? 16 : 10);
  if (first == last || error != std::errc() || end != last || value > kMostAddress)
    throw Error(where + "'" + printable(text) + "' is not an LDS byte address");
  return static_cast<uint32_t>(value);
}

void check_row(const Row& row, const std::string& where) {
  if (row.size() == kLanes) return;
  throw Error(fmt::format("{}{} addresses, but a wave has {}", where, row.size(), kLanes));
}

std::vector<Row> parse_lines(const std::string& text) {
  std::vector<Row> rows;
  std::istringstream lines(text);
  size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string where = fmt::format("line {}: ", ++number);
    line.erase(std::min(line.find('#'), line.size()));
    for (char& c : line) c = c == ',' || c == ';' || c == '\r' ? ' ' : c;
    std::istringstream words(line);
    Row row;
    for (std::string word; words >> word;) row.push_back(parse_address(word, where));
    if (row.empty()) continue;
    check_row(row, where);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<Row> parse_json_rows(const std::string& text) {
  nlohmann::json json = parse_json(text, 2);
  if (!json.is_array()) throw Error("expected an array of 64 addresses, or an array of such arrays");
  if (!json.empty() && !json[0].is_array()) json = nlohmann::json::array({json});
  std::vector<Row> rows;
  for (const auto& list : json) {
    const std::string where = fmt::format("instruction {}: ", rows.size());
    if (!list.is_array()) throw Error(where + "not an array");
    Row row;
    for (const auto& entry : list) {
      if (entry.is_null()) {
        row.emplace_back();
      } else if (entry.is_number_unsigned() && entry.get<uint64_t>() <= kMostAddress) {
        row.emplace_back(entry.get<uint32_t>());
      } else {
        throw Error(where + "'" + printable(entry.dump()) + "' is not an LDS byte address");
      }
    }
    check_row(row, where);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::vector<Row> read_lane_addresses(const std::filesystem::path& path) {
  const std::string text = read_text(path);
  std::vector<Row> rows;
  try {
    rows = path.extension() == ".json" ? parse_json_rows(text) : parse_lines(text);
  } catch (const JsonProblem& problem) {
    throw FileError(path.string(), problem.offset, problem.what());
  } catch (const Error& error) {
    throw FileError(path.string(), error.what());
  }
  if (rows.empty()) throw FileError(path.string(), "holds no addresses");
  return rows;
}

}  // namespace wavetwin::golden
