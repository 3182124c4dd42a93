// SPDX-License-Identifier: MIT
#include "golden/harness/install.h"

#include <initializer_list>

namespace wavetwin::golden {
namespace {

// <prefix> of <prefix>/bin/wavetwin (or of <prefix>/tests/test_x in the build tree).
const std::filesystem::path& prefix() {
  static const std::filesystem::path path = [] {
    std::error_code code;
    return std::filesystem::read_symlink("/proc/self/exe", code).parent_path().parent_path();
  }();
  return path;
}

std::filesystem::path first_existing(std::initializer_list<std::filesystem::path> candidates) {
  std::error_code code;
  for (const auto& candidate : candidates) {
    if (std::filesystem::exists(candidate, code)) return candidate;
  }
  return {};
}

}  // namespace

std::filesystem::path code_object_path(const std::string& stem, const std::string& build) {
  return prefix() / "share/wavetwin/code_objects" / (stem + build + ".co");
}

std::filesystem::path golden_directory() {
  // The build tree has a link to the sources, so that `record` changes what is under review.
  const auto found = first_existing({prefix() / "golden_data", prefix() / "share/wavetwin/golden"});
  return found.empty() ? prefix() / "share/wavetwin/golden" : found;
}

std::filesystem::path hip_plugin_path() {
  constexpr const char* kName = "libwavetwin_hip.so";
  return first_existing({prefix() / "lib" / kName, prefix() / WAVETWIN_INSTALL_LIBDIR / kName});
}

}  // namespace wavetwin::golden
