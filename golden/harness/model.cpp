// SPDX-License-Identifier: MIT
#include "golden/harness/model.h"

#include <fmt/format.h>

#include <algorithm>

#include "golden/harness/table.h"
#include "sim/core/error.h"

namespace wavetwin::golden {

std::string model_preset_names() { return fmt::format("{}", fmt::join(mfma::preset_names(), ", ")); }

mfma::MfmaModel make_model(const std::string& preset, const std::vector<std::string>& settings) {
  mfma::MfmaModel model = preset.empty() ? mfma::MfmaModel{} : mfma::preset(preset);
  for (const std::string& setting : settings) model.set(setting);
  return model;
}

NumericModel make_numeric_model(const std::vector<std::string>& settings) {
  NumericModel model;
  for (const std::string& setting : settings) {
    const size_t equals = setting.find('=');
    if (equals == std::string::npos) {
      std::vector<std::string> names;
      for (const NumericOption& option : numeric_options()) names.push_back(option.name);
      throw Error(fmt::format("--numeric {}: write OPTION=VALUE; the options are {}", setting,
                              fmt::join(names, ", ")));
    }
    model.set(setting.substr(0, equals), setting.substr(equals + 1));
  }
  return model;
}

std::string model_text(const mfma::MfmaModel& model, const NumericModel& numeric) {
  std::string text = model.preset;
  const mfma::MfmaModel base = mfma::preset(model.preset);
  for (const mfma::OptionInfo& option : mfma::option_list()) {
    const std::string value = model.get(option.name);
    if (value != base.get(option.name)) text += fmt::format("+{}={}", option.name, value);
  }
  if (numeric == NumericModel{}) return text;
  std::string changed = numeric.describe();
  changed.erase(std::remove(changed.begin(), changed.end(), ' '), changed.end());
  std::replace(changed.begin(), changed.end(), ',', '+');
  return text + "+" + changed;
}

std::string model_text(const RunOptions& options) { return model_text(options.model, options.numeric); }

Evidence evidence_under(const RunOptions& options, Evidence evidence) {
  const bool changed =
      options.model.modified || options.model.rule != mfma::Rule::steps || options.numeric != NumericModel{};
  return changed ? std::max(evidence, Evidence::unknown) : evidence;
}

std::string model_listing() {
  std::vector<std::vector<std::string>> cells = {{"MFMA option", "values", "default", "meaning"}};
  const mfma::MfmaModel model;
  for (const mfma::OptionInfo& option : mfma::option_list()) {
    cells.push_back({option.name, option.values, model.get(option.name), option.meaning});
  }
  std::string text = fmt::format(
      "MFMA arithmetic: --model PRESET ({}), then --set OPTION=VALUE\n"
      "evidence: inferred under a preset, unknown once an option is changed\n\n{}\n",
      model_preset_names(), aligned(cells));
  cells = {{"numeric option", "values (the first is the default)", "instructions", "meaning"}};
  for (const NumericOption& option : numeric_options()) {
    cells.push_back({option.name, option.values_text(), option.reaches, option.meaning});
  }
  return text + fmt::format(
                    "Everything else: --numeric OPTION=VALUE\n"
                    "evidence: {} - no document fixes them; results that depend on one say so\n\n{}",
                    wavetwin::to_string(NumericModel::kEvidence), aligned(cells));
}

}  // namespace wavetwin::golden
