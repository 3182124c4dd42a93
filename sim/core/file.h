// SPDX-License-Identifier: MIT
// Whole files in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace wavetwin {

// Physical memory of this machine: more than this cannot be held at once.
uint64_t host_memory_bytes();

// All throw FileError with the system's reason; directories, devices, which may have no end, and files too
// large to be held twice are refused.
std::ifstream open_for_reading(const std::filesystem::path& path);
std::vector<std::byte> read_bytes(const std::filesystem::path& path);
std::string read_text(const std::filesystem::path& path);

}  // namespace wavetwin
