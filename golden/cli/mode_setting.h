// SPDX-License-Identifier: MIT
// The fields of the MODE register by name, for --mode and for listings.
#pragma once

#include <cstdint>
#include <string>

namespace wavetwin::golden {

// "denorm_f32=flush" and the like applied to MODE bits. Throws Error naming what there is.
uint32_t apply_mode_setting(uint32_t mode_bits, const std::string& setting);

// "round_f32=even round_f16_f64=even denorm_f32=keep denorm_f16_f64=keep dx10_clamp=on ieee=on fp16_ovfl=off"
std::string mode_text(uint32_t mode_bits);

}  // namespace wavetwin::golden
