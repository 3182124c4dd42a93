// SPDX-License-Identifier: MIT
// JSON from outside, read strictly: a number that fits no type, a key that occurs twice and nesting that no
// file of ours needs are errors with the place of the member, and no error shows the parser's own words for
// its exceptions.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>

namespace wavetwin::golden {

// What is wrong with a text, in words; the caller adds the file.
struct JsonProblem : std::runtime_error {
  JsonProblem(const std::string& reason, bool is_syntax, uint64_t at)
      : std::runtime_error(reason), syntax(is_syntax), offset(at) {}
  bool syntax;      // not JSON at all; else JSON with a member that cannot be right
  uint64_t offset;  // in bytes from the start of the text, where known
};

// `max_depth` counts objects and lists inside one another. Throws JsonProblem.
nlohmann::json parse_json(const std::string& text, unsigned max_depth);

}  // namespace wavetwin::golden
