// SPDX-License-Identifier: MIT
// Text from files in errors, which are one line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wavetwin::golden {

// Control characters and bytes that are not ASCII become '?', and what is longer than a person reads is cut.
std::string printable(std::string_view text);

// "a, b, c": what there is, for an error about a name that is not there. Long lists are cut and say by how
// many; "nothing" when there is none.
std::string names_text(const std::vector<std::string>& names);

}  // namespace wavetwin::golden
