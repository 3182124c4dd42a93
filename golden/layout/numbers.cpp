// SPDX-License-Identifier: MIT
#include "golden/layout/numbers.h"

#include <algorithm>
#include <charconv>

namespace wavetwin::golden {
std::optional<uint64_t> parse_number(const std::string& text) {
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  const char *first = text.data() + (hex ? 2 : 0), *last = text.data() + text.size();
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(first, last, value, hex ? 16 : 10);
  if (first == last || error != std::errc() || end != last) return std::nullopt;
  return value;
}

std::vector<unsigned> parse_numbers(const std::string& text) {
  std::vector<unsigned> numbers;
  for (size_t at = 0; at <= text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    const std::optional<uint64_t> value = parse_number(text.substr(at, comma - at));
    if (!value || *value > 0xffffffffu) return {};
    numbers.push_back(static_cast<unsigned>(*value));
    at = comma + 1;
  }
  return numbers;
}

}  // namespace wavetwin::golden
