// SPDX-License-Identifier: MIT
#include "golden/cli/mode_setting.h"

#include <fmt/format.h>

#include <vector>

#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

struct ModeChoice {
  const char* name;
  uint32_t value;
};
struct ModeField {
  const char* name;
  unsigned shift, bits;
  std::vector<ModeChoice> choices;
};

const std::vector<ModeField>& mode_fields() {
  static const std::vector<ModeChoice> rounds{{"even", 0}, {"up", 1}, {"down", 2}, {"zero", 3}};
  static const std::vector<ModeChoice> denorms{
      {"flush", 0}, {"flush_output", 1}, {"flush_input", 2}, {"keep", 3}};
  static const std::vector<ModeChoice> flags{{"off", 0}, {"on", 1}};
  static const std::vector<ModeField> fields{{"round_f32", 0, 2, rounds},   {"round_f16_f64", 2, 2, rounds},
                                             {"denorm_f32", 4, 2, denorms}, {"denorm_f16_f64", 6, 2, denorms},
                                             {"dx10_clamp", 8, 1, flags},   {"ieee", 9, 1, flags},
                                             {"fp16_ovfl", 23, 1, flags}};
  return fields;
}

}  // namespace

uint32_t apply_mode_setting(uint32_t mode_bits, const std::string& setting) {
  const size_t equals = setting.find('=');
  const std::string name = setting.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : setting.substr(equals + 1);
  std::vector<std::string> known;
  for (const ModeField& field : mode_fields()) {
    known.push_back(field.name);
    if (name != field.name) continue;
    std::vector<std::string> values;
    for (const ModeChoice& choice : field.choices) {
      values.push_back(choice.name);
      if (value != choice.name) continue;
      const uint32_t mask = ((1u << field.bits) - 1) << field.shift;
      return (mode_bits & ~mask) | choice.value << field.shift;
    }
    throw Error(
        fmt::format("--mode {}: the value of {} is one of {}", setting, name, fmt::join(values, ", ")));
  }
  throw Error(fmt::format("--mode {}: the fields are {}", setting, fmt::join(known, ", ")));
}

std::string mode_text(uint32_t mode_bits) {
  std::vector<std::string> parts;
  for (const ModeField& field : mode_fields()) {
    const uint32_t value = mode_bits >> field.shift & ((1u << field.bits) - 1);
    parts.push_back(fmt::format("{}={}", field.name, field.choices[value].name));
  }
  return fmt::format("{}", fmt::join(parts, " "));
}

}  // namespace wavetwin::golden
