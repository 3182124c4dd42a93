// SPDX-License-Identifier: MIT
#include "golden/io/json_text.h"

#include <nlohmann/json.hpp>

namespace wavetwin::golden {

std::string json_line(const std::vector<std::pair<std::string, JsonScalar>>& fields) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (const auto& [key, value] : fields) {
    std::visit([&, &name = key](const auto& scalar) { object[name] = scalar; }, value);
  }
  return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace wavetwin::golden
