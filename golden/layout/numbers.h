// SPDX-License-Identifier: MIT
// Numbers on a command line: decimal, or hexadecimal after 0x.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wavetwin::golden {

// Nothing for text that is not all of one number that fits.
std::optional<uint64_t> parse_number(const std::string& text);
// "1,2,3"; empty when a part is not a number below 2^32.
std::vector<unsigned> parse_numbers(const std::string& text);

}  // namespace wavetwin::golden
