// SPDX-License-Identifier: MIT
#include "golden/layout/quoting.h"

#include <fmt/format.h>

namespace wavetwin::golden {

std::string html_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string json_text(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') quoted += '\\';
    if (code < 0x20 || c == '<')
      quoted += fmt::format("\\u{:04x}", code);
    else
      quoted += c;
  }
  return quoted + "\"";
}

}  // namespace wavetwin::golden
