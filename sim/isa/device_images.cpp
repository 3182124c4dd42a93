// SPDX-License-Identifier: MIT
#include "sim/isa/device_images.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "sim/core/error.h"

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

void DeviceImages::add_other(std::string_view label) { add_labels(printable(label)); }

void DeviceImages::add_best_of(DeviceImages&& others) {
  std::move(others.best().begin(), others.best().end(), std::back_inserter(gfx950_));
  if (!others.labels_.empty()) add_labels(others.labels_);
}

void DeviceImages::add_labels(const std::string& labels) {
  if (labels_.size() < kMostListed) labels_ += (labels_.empty() ? "" : ", ") + labels;
}

std::vector<std::vector<uint8_t>> DeviceImages::take(const std::string& file, const char* none) {
  if (best().empty())
    throw FileError(file, std::string(none) + "; it holds: " + (labels_.empty() ? "nothing" : labels_));
  return std::move(best());
}

std::span<const uint8_t> behind_zeros(std::span<const uint8_t> bytes) {
  const auto next = std::find_if(bytes.begin(), bytes.end(), [](uint8_t byte) { return byte != 0; });
  return bytes.subspan(static_cast<size_t>(next - bytes.begin()));
}

}  // namespace wavetwin::isa
