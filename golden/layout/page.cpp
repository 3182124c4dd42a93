// SPDX-License-Identifier: MIT
#include "golden/layout/page.h"

#include <fmt/format.h>

#include "golden/layout/page_files.h"
#include "golden/layout/quoting.h"

namespace wavetwin::golden {
namespace {

struct Script {
  const char* body;
  const char* code;
};
Script script_of(PageKind kind) {
  switch (kind) {
    case PageKind::lanes:
      return {page_files::kLanesBody, page_files::kLanesScript};
    case PageKind::memory:
      return {page_files::kMemoryBody, page_files::kMemoryScript};
    case PageKind::banks:
      return {page_files::kBanksBody, page_files::kBanksScript};
    case PageKind::registers:
      break;
  }
  return {page_files::kRegistersBody, page_files::kRegistersScript};
}

std::string header(const std::string& title, const std::vector<std::pair<std::string, std::string>>& facts,
                   const std::string& evidence) {
  std::string text = fmt::format(
      "<header>\n<div class=\"title\"><h1>{}</h1><span class=\"badge {}\" title=\"what the layout rests "
      "on\">{}</span><button id=\"theme\" type=\"button\" title=\"light or dark\">&#9680;</button></div>\n"
      "<dl class=\"facts\">",
      html_text(title), evidence, evidence);
  for (const auto& [fact, value] : facts) {
    if (fact == "instruction" || fact == "evidence" || fact == "layout evidence") continue;
    text += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", html_text(fact), html_text(value));
  }
  return text + "</dl>\n</header>\n";
}

}  // namespace

std::string page(const std::string& title, const std::vector<std::pair<std::string, std::string>>& facts,
                 const std::string& evidence, const std::string& data, PageKind kind) {
  const Script script = script_of(kind);
  std::string text = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  text += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  text += "<link rel=\"icon\" href=\"data:,\">\n";
  text += fmt::format("<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n", html_text(title),
                      page_files::kStyle);
  text += header(title, facts, evidence);
  text += script.body;
  text += "<script>\n\"use strict\";\nconst layout = " + data + ";\n";
  text += page_files::kCommonScript;
  text += script.code;
  return text + "</script>\n</body>\n</html>\n";
}

}  // namespace wavetwin::golden
