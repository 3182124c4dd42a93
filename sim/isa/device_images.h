// SPDX-License-Identifier: MIT
// Device images of a file that holds several, of which those for gfx950 are wanted.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wavetwin::isa {

class DeviceImages {
 public:
  // `target` is "gfx950" and the like, with or without ":xnack-"; `label` names the image in errors.
  void add(std::string_view target, std::string_view label, std::span<const uint8_t> image);
  // Only for labels(): not a code object.
  void add_other(std::string_view label);

  // The gfx950 images, or without one the gfx9-4-generic ones, as the HIP runtime would take them.
  std::vector<std::vector<uint8_t>>& best() { return gfx950_.empty() ? generic_ : gfx950_; }
  // Of all images, for errors: one line that a person can read.
  const std::string& labels() const { return labels_; }

 private:
  std::vector<std::vector<uint8_t>> gfx950_, generic_;
  std::string labels_;
};

}  // namespace wavetwin::isa
