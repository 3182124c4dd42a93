// SPDX-License-Identifier: MIT
// Whole files out; nothing is lost when a write fails half way. Reading is in sim/core/file.h.
#pragma once

#include <filesystem>
#include <functional>
#include <ostream>

#include "sim/core/file.h"

namespace wavetwin::golden {

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
