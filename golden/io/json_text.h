// SPDX-License-Identifier: MIT
// One JSON object on one line, keys in the order given.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace wavetwin::golden {

using JsonScalar = std::variant<std::string, uint64_t, double, bool>;

// Text that is not UTF-8 has its bad bytes replaced; a double that is not finite becomes null.
std::string json_line(const std::vector<std::pair<std::string, JsonScalar>>& fields);

}  // namespace wavetwin::golden
