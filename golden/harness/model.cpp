// SPDX-License-Identifier: MIT
#include "golden/harness/model.h"

#include <fmt/format.h>

namespace wavetwin::golden {

std::string model_preset_names() { return fmt::format("{}", fmt::join(mfma::preset_names(), ", ")); }

mfma::MfmaModel make_model(const std::string& preset, const std::vector<std::string>& settings) {
  mfma::MfmaModel model = preset.empty() ? mfma::MfmaModel{} : mfma::preset(preset);
  for (const std::string& setting : settings) model.set(setting);
  return model;
}

std::string model_text(const mfma::MfmaModel& model) {
  std::string text = model.preset;
  if (!model.modified) return text;
  for (const mfma::OptionInfo& option : mfma::option_list()) {
    const std::string value = model.get(option.name);
    if (value != mfma::preset(model.preset).get(option.name))
      text += fmt::format("+{}={}", option.name, value);
  }
  return text;
}

}  // namespace wavetwin::golden
