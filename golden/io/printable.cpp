// SPDX-License-Identifier: MIT
#include "golden/io/printable.h"

#include <algorithm>

namespace wavetwin::golden {

std::string printable(std::string_view text) {
  constexpr size_t kMostQuoted = 200;
  std::string words(text.substr(0, kMostQuoted));
  std::replace_if(
      words.begin(), words.end(), [](unsigned char c) { return c < 0x20 || c > 0x7e; }, '?');
  return text.size() <= kMostQuoted ? words : words + " ...";
}

}  // namespace wavetwin::golden
