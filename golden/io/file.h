// SPDX-License-Identifier: MIT
// Whole files in, whole files out; nothing is lost when a write fails half way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace wavetwin::golden {

// Physical memory of this machine: more than this cannot be held at once.
uint64_t host_memory_bytes();

// All throw FileError with the system's reason; directories, devices, which may have no end, and files too
// large to be held twice are refused.
std::ifstream open_for_reading(const std::filesystem::path& path);
std::vector<std::byte> read_bytes(const std::filesystem::path& path);
std::string read_text(const std::filesystem::path& path);

// Calls `write` on a temporary file in the same directory, flushes it and renames it to `path`, or to the
// file that the link `path` leads to. On any error the temporary file is removed, an existing file keeps its
// content, and FileError is thrown. Pipes, devices and open descriptors (/dev/stdout) are not replaced: what
// is written is added to them.
void write_atomically(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);

// Throws FileError when write_atomically would have to: for finding out before the work is done.
void require_writable(const std::filesystem::path& path);

// The same, and when `output` is `input`, which it would replace.
void require_output(const std::filesystem::path& output, const std::filesystem::path& input);

// mkdir -p; throws FileError with the system's reason.
void make_directories(const std::filesystem::path& path);

}  // namespace wavetwin::golden
