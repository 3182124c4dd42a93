// SPDX-License-Identifier: MIT
// Colours of the pictures: a hue for each group of 16 lanes, lighter with higher VGPRs.
#pragma once

#include <string>

namespace wavetwin::golden {

inline constexpr unsigned kLaneGroups = 4;

// "#rrggbb" of VGPR `vgpr` of `vgprs` in lane group `group`.
std::string cell_colour(unsigned group, unsigned vgpr, unsigned vgprs);

}  // namespace wavetwin::golden
