// SPDX-License-Identifier: MIT
// The one error type of the project: bad programs (a guest that reads out of bounds) and bad input (a broken
// file).
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace wavetwin {

// What went wrong and where. `what()` is one line that a person can act on: it already contains the place.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Bad outside data: "<file>: <reason> (offset N)". The offset is in bytes from the start of the file.
class FileError : public Error {
 public:
  FileError(const std::string& file, const std::string& reason) : Error(file + ": " + reason) {}
  FileError(const std::string& file, uint64_t offset, const std::string& reason)
      : Error(file + ": " + reason + " (offset " + std::to_string(offset) + ")") {}
};

}  // namespace wavetwin
