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
  // Only for errors: not a code object.
  void add_other(std::string_view label);
  // What take() would give of the others, as images of gfx950.
  void add_best_of(DeviceImages&& others);

  // The gfx950 images, or without one the gfx9-4-generic ones, as the HIP runtime would take them. FileError
  // when there is neither: "`none`; it holds: " and the labels, in one line that a person can read.
  std::vector<std::vector<uint8_t>> take(const std::string& file, const char* none);

 private:
  std::vector<std::vector<uint8_t>>& best() { return gfx950_.empty() ? generic_ : gfx950_; }
  void add_labels(const std::string& labels);

  std::vector<std::vector<uint8_t>> gfx950_, generic_;
  std::string labels_;
};

// Where the next of several containers starts behind one: linkers put zeros between them.
std::span<const uint8_t> behind_zeros(std::span<const uint8_t> bytes);

}  // namespace wavetwin::isa
