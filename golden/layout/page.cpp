// SPDX-License-Identifier: MIT
#include "golden/layout/page.h"

#include <fmt/format.h>

#include "golden/layout/page_files.h"

namespace wavetwin::golden {
namespace {

// Text of the page is made of names and numbers; escape what HTML would take for its own.
std::string escaped(const std::string& text) {
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
      default:
        out += c;
    }
  }
  return out;
}

std::string header(const std::string& instruction,
                   const std::vector<std::pair<std::string, std::string>>& facts,
                   const std::string& evidence) {
  std::string text = fmt::format(
      "<header>\n<div class=\"title\"><h1>{}</h1><span class=\"badge {}\" title=\"what the layout rests "
      "on\">{}</span><button id=\"theme\" type=\"button\" title=\"light or dark\">&#9680;</button></div>\n"
      "<dl class=\"facts\">",
      escaped(instruction), evidence, evidence);
  for (const auto& [fact, value] : facts) {
    if (fact == "instruction" || fact == "evidence" || fact == "layout evidence") continue;
    text += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", escaped(fact), escaped(value));
  }
  return text + "</dl>\n</header>\n";
}

}  // namespace

std::string page(const std::string& instruction,
                 const std::vector<std::pair<std::string, std::string>>& facts, const std::string& evidence,
                 const std::string& data, PageKind kind) {
  const bool registers = kind == PageKind::registers;
  std::string text = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  text += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  text += "<link rel=\"icon\" href=\"data:,\">\n";
  text += fmt::format("<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n", escaped(instruction),
                      page_files::kStyle);
  text += header(instruction, facts, evidence);
  text += registers ? page_files::kRegistersBody : page_files::kLanesBody;
  text += "<script>\n\"use strict\";\nconst layout = " + data + ";\n";
  text += page_files::kCommonScript;
  text += registers ? page_files::kRegistersScript : page_files::kLanesScript;
  return text + "</script>\n</body>\n</html>\n";
}

}  // namespace wavetwin::golden
