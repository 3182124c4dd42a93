// SPDX-License-Identifier: MIT
#include "sim/isa/device_images.h"

#include <algorithm>

namespace wavetwin::isa {
namespace {

constexpr size_t kMostListed = 1000, kLongestLabel = 100;  // characters

std::string printable(std::string_view label) {
  std::string text(label.substr(0, kLongestLabel));
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 32 || c > 126; }, '?');
  return label.size() > kLongestLabel ? text + "..." : text;
}

}  // namespace

void DeviceImages::add(std::string_view target, std::string_view label, std::span<const uint8_t> image) {
  const std::string_view processor = target.substr(0, target.find(':'));
  if (processor == "gfx950") gfx950_.emplace_back(image.begin(), image.end());
  if (processor == "gfx9-4-generic") generic_.emplace_back(image.begin(), image.end());
  add_other(label);
}

void DeviceImages::add_other(std::string_view label) {
  if (labels_.size() < kMostListed) labels_ += (labels_.empty() ? "" : ", ") + printable(label);
}

}  // namespace wavetwin::isa
