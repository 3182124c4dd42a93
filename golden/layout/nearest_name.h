// SPDX-License-Identifier: MIT
// What a mistyped name meant.
#pragma once

#include <string>
#include <vector>

namespace wavetwin::golden {

// The first name that contains `name`, else the one with the fewest insertions, deletions and replacements
// (the first of equals). `names` is not empty.
std::string nearest_name(const std::string& name, const std::vector<std::string>& names);

}  // namespace wavetwin::golden
