// SPDX-License-Identifier: MIT
// What a run uses where no document fixes it: the MFMA model from --model and --set, all other options from
// --numeric.
#pragma once

#include <string>
#include <vector>

#include "common/evidence.h"
#include "golden/harness/backend.h"
#include "sim/numerics/mfma_model.h"
#include "sim/numerics/numeric_model.h"

namespace wavetwin::golden {

// "gfx950-default, gfx950-wide, ..."
std::string model_preset_names();

// An empty preset is the default one. Throws Error naming what is legal.
mfma::MfmaModel make_model(const std::string& preset, const std::vector<std::string>& settings);

// From "option=value" texts. Throws Error naming what is legal.
NumericModel make_numeric_model(const std::vector<std::string>& settings);

// Without spaces, for manifests: "gfx950-default", "gfx950-wide+F=23", "gfx950-default+scaled_nan=canonical".
std::string model_text(const mfma::MfmaModel& model, const NumericModel& numeric = {});
std::string model_text(const RunOptions& options);

// Evidence behind bits that have `evidence` under the default options: a changed option is a guess.
Evidence evidence_under(const RunOptions& options, Evidence evidence);

// Every preset and option with its values, default and meaning, as `wavetwin list --models` prints it.
std::string model_listing();

}  // namespace wavetwin::golden
