// SPDX-License-Identifier: MIT
#include "sim/numerics/numeric_model.h"

#include "sim/core/error.h"

namespace wavetwin {
namespace {

// One option: two values, and where it lives.
struct Choice {
  NumericOption info;
  const char* first;  // the default
  const char* second;
  bool (*get)(const NumericModel&);  // true: the second value
  void (*put)(NumericModel&, bool);
};

const std::vector<Choice>& choices() {
  static const std::vector<Choice> kChoices = {
      {{"bf8_nan", "0x7f | 0x7e", "the NaN that conversions to bf8 write"},
       "0x7f",
       "0x7e",
       [](const NumericModel& m) { return m.bf8_nan == 0x7e; },
       [](NumericModel& m, bool v) { m.bf8_nan = v ? 0x7e : 0x7f; }},
      {{"nan_to_small", "max | zero", "NaN converted to fp4, fp6 or bf6"},
       "max",
       "zero",
       [](const NumericModel& m) { return m.nan_to_zero; },
       [](NumericModel& m, bool v) { m.nan_to_zero = v; }},
      {{"stochastic", "hip | guide", "arithmetic of v_cvt_sr_*"},
       "hip",
       "guide",
       [](const NumericModel& m) { return m.stochastic_by_guide; },
       [](NumericModel& m, bool v) { m.stochastic_by_guide = v; }},
      {{"scaled_nan", "ones | canonical", "NaN results of v_cvt_scalef32_* to f16 and bf16"},
       "ones",
       "canonical",
       [](const NumericModel& m) { return m.scaled_nan_canonical; },
       [](NumericModel& m, bool v) { m.scaled_nan_canonical = v; }},
      {{"scale_255", "nan | number", "scale code 255 of v_cvt_scalef32_*"},
       "nan",
       "number",
       [](const NumericModel& m) { return m.scale_255_is_number; },
       [](NumericModel& m, bool v) { m.scale_255_is_number = v; }},
      {{"bf16_nan", "quiet | kept", "NaN that conversions to bf16 pass on"},
       "quiet",
       "kept",
       [](const NumericModel& m) { return m.bf16_nan_kept; },
       [](NumericModel& m, bool v) { m.bf16_nan_kept = v; }},
      {{"format_float", "zero | nearest", "rounding of typed buffer accesses into narrower floats"},
       "zero",
       "nearest",
       [](const NumericModel& m) { return m.format_float_nearest; },
       [](NumericModel& m, bool v) { m.format_float_nearest = v; }},
  };
  return kChoices;
}

}  // namespace

void NumericModel::set(std::string_view option, std::string_view value) {
  std::string names;
  for (const Choice& c : choices()) {
    names += std::string(names.empty() ? "" : ", ") + c.info.name;
    if (option != c.info.name) continue;
    if (value != c.first && value != c.second) {
      throw Error("numeric option " + std::string(option) + " takes " + c.info.values + ", not '" +
                  std::string(value) + "'");
    }
    return c.put(*this, value == c.second);
  }
  throw Error("no numeric option '" + std::string(option) + "'; there are " + names);
}

std::string NumericModel::describe() const {
  std::string text;
  for (const Choice& c : choices()) {
    if (c.get(*this)) text += std::string(text.empty() ? "" : ", ") + c.info.name + "=" + c.second;
  }
  return text.empty() ? "default" : text;
}

const std::vector<NumericOption>& numeric_options() {
  static const auto kOptions = [] {
    std::vector<NumericOption> options;
    for (const Choice& c : choices()) options.push_back(c.info);
    return options;
  }();
  return kOptions;
}

}  // namespace wavetwin
