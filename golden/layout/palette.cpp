// SPDX-License-Identifier: MIT
#include "golden/layout/palette.h"

#include <fmt/format.h>

namespace wavetwin::golden {

std::string cell_colour(unsigned group, unsigned vgpr, unsigned vgprs) {
  // Dark ends, chosen to be told apart with the common forms of colour blindness: blue, orange, green,
  // violet.
  constexpr unsigned kDark[kLaneGroups][3] = {{31, 95, 168}, {196, 94, 10}, {28, 128, 88}, {122, 72, 160}};
  const double light = vgprs < 2 ? 0.25 : 0.62 * vgpr / (vgprs - 1);
  unsigned rgb[3];
  for (unsigned i = 0; i < 3; ++i) {
    const double dark = kDark[group % kLaneGroups][i];
    rgb[i] = static_cast<unsigned>(dark + (255 - dark) * light);
  }
  return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
}

}  // namespace wavetwin::golden
