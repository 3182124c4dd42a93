// SPDX-License-Identifier: MIT
// Text from files in errors, which are one line.
#pragma once

#include <string>
#include <string_view>

namespace wavetwin::golden {

// Control characters and bytes that are not ASCII become '?', and what is longer than a person reads is cut.
std::string printable(std::string_view text);

}  // namespace wavetwin::golden
