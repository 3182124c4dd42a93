// SPDX-License-Identifier: MIT
// Text in other languages: names can be those of files, so they may hold anything.
#pragma once

#include <string>

namespace wavetwin::golden {

// With &, <, > and " written as HTML and SVG want them.
std::string html_text(const std::string& text);
// A JSON string with its quotes; safe inside a <script>, too.
std::string json_text(const std::string& text);

}  // namespace wavetwin::golden
