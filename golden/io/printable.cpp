// SPDX-License-Identifier: MIT
#include "golden/io/printable.h"

#include <fmt/format.h>

#include <algorithm>

namespace wavetwin::golden {

std::string printable(std::string_view text) {
  constexpr size_t kMostQuoted = 200;
  std::string words(text.substr(0, kMostQuoted));
  std::replace_if(
      words.begin(), words.end(), [](unsigned char c) { return c < 0x20 || c > 0x7e; }, '?');
  return text.size() <= kMostQuoted ? words : words + " ...";
}

std::string names_text(const std::vector<std::string>& names) {
  constexpr size_t kMostNames = 24;
  if (names.empty()) return "nothing";
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), kMostNames); ++i)
    text += (i == 0 ? "" : ", ") + printable(names[i]);
  if (names.size() > kMostNames) text += fmt::format(" and {} more", names.size() - kMostNames);
  return text;
}

}  // namespace wavetwin::golden
