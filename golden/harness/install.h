// SPDX-License-Identifier: MIT
// Where the program finds its own files, relative to the executable: the build tree has the installed shape.
#pragma once

#include <filesystem>
#include <string>

namespace wavetwin::golden {

// <prefix>/share/wavetwin/code_objects/<stem><build>.co; `build` is "", ".O0" or ".O1".
std::filesystem::path code_object_path(const std::string& stem, const std::string& build = "");

// Recorded goldens: golden/data of the source tree for a program in its build tree, else
// share/wavetwin/golden.
std::filesystem::path golden_directory();

// libwavetwin_hip.so, or an empty path when it was not built or installed.
std::filesystem::path hip_plugin_path();

}  // namespace wavetwin::golden
