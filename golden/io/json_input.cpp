// SPDX-License-Identifier: MIT
#include "golden/io/json_input.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "golden/io/printable.h"

namespace wavetwin::golden {
namespace {

using Json = nlohmann::json;

// "[json.exception.parse_error.101] parse error at line 1, column 3: ..." without its first word.
std::string plain_words(const std::string& what) {
  const size_t bracket = what.starts_with('[') ? what.find("] ") : std::string::npos;
  return printable(bracket == std::string::npos ? what : what.substr(bracket + 2));
}

// Builds the document and knows where it is in it.
class StrictBuilder : public nlohmann::json_sax<Json> {
 public:
  explicit StrictBuilder(unsigned max_depth) : max_depth_(max_depth) {}

  Json take() { return std::move(root_); }

  bool null() override { return put(nullptr), true; }
  bool boolean(bool value) override { return put(value), true; }
  bool number_integer(number_integer_t value) override { return put(value), true; }
  bool number_unsigned(number_unsigned_t value) override { return put(value), true; }
  bool number_float(number_float_t value, const string_t&) override { return put(value), true; }
  bool string(string_t& value) override { return put(std::move(value)), true; }
  bool binary(binary_t&) override { return false; }  // not in text

  bool key(string_t& name) override {
    Level& level = levels_.back();
    level.key = name;
    if (!level.keys.insert(name).second) {
      throw JsonProblem(fmt::format("'{}' occurs twice", place()), false, 0);
    }
    return true;
  }

  bool start_object(size_t) override { return open(Json::object()); }
  bool end_object() override { return levels_.pop_back(), true; }
  bool start_array(size_t) override { return open(Json::array()); }
  bool end_array() override { return levels_.pop_back(), true; }

  bool parse_error(size_t position, const std::string& token,
                   const nlohmann::detail::exception& error) override {
    constexpr int kNumberOutOfRange = 406;
    if (error.id == kNumberOutOfRange) {
      throw JsonProblem(fmt::format("'{}': {} is larger than any number", place(), printable(token)), false,
                        position);
    }
    throw JsonProblem(plain_words(error.what()), true, position);
  }

 private:
  struct Level {
    Json* container = nullptr;
    std::string key;             // of the member at hand, in an object
    std::set<std::string> keys;  // seen so far
  };

  // "args[1].f32"
  std::string place() const {
    std::string text;
    for (const Level& level : levels_) {
      if (level.container->is_array()) {
        // The element that is open is there already, a number that failed is not.
        const bool open = &level != &levels_.back();
        text += fmt::format("[{}]", level.container->size() - (open ? 1 : 0));
      } else {
        text += (text.empty() ? "" : ".") + level.key;
      }
    }
    return printable(text);
  }

  Json* put(Json value) {
    if (levels_.empty()) return &(root_ = std::move(value));
    Level& level = levels_.back();
    if (level.container->is_array()) {
      level.container->push_back(std::move(value));
      return &level.container->back();
    }
    return &((*level.container)[level.key] = std::move(value));
  }

  bool open(Json container) {
    if (levels_.size() == max_depth_) throw JsonProblem("is nested too deeply", false, 0);
    Json* here = put(std::move(container));
    levels_.push_back({here, {}, {}});
    return true;
  }

  unsigned max_depth_;
  Json root_;
  std::vector<Level> levels_;
};

}  // namespace

Json parse_json(const std::string& text, unsigned max_depth) {
  StrictBuilder builder(max_depth);
  Json::sax_parse(text, &builder);
  return builder.take();
}

}  // namespace wavetwin::golden
