// SPDX-License-Identifier: MIT
// The fixed frame of the pages: style, header, script. The files are in golden/layout/page/ and are part of
// the program, so that a page is one file that loads nothing.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace wavetwin::golden {

enum class PageKind : uint8_t { registers, lanes, memory, banks };

// `data` is the JavaScript value `layout` that the script of the kind draws; `title` the name of what it is.
std::string page(const std::string& title, const std::vector<std::pair<std::string, std::string>>& facts,
                 const std::string& evidence, const std::string& data, PageKind kind);

}  // namespace wavetwin::golden
