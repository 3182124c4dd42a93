// SPDX-License-Identifier: MIT
// The MFMA arithmetic a run uses, from the text of --model and --set.
#pragma once

#include <string>
#include <vector>

#include "sim/numerics/mfma_model.h"

namespace wavetwin::golden {

// "gfx950-default, gfx950-wide, ..."
std::string model_preset_names();

// An empty preset is the default one. Throws Error naming what is legal.
mfma::MfmaModel make_model(const std::string& preset, const std::vector<std::string>& settings);

// Without spaces, for manifests: "gfx950-default", "gfx950-wide+F=23".
std::string model_text(const mfma::MfmaModel& model);

}  // namespace wavetwin::golden
