// SPDX-License-Identifier: MIT
// Bounded little-endian reads from outside data.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "sim/core/error.h"

namespace wavetwin::isa {

// A view of a file's bytes that throws FileError, naming what was read and the offset, instead of reading
// past the end.
class ByteReader {
 public:
  ByteReader(std::span<const uint8_t> bytes, const std::string& file) : bytes_(bytes), file_(&file) {}

  uint64_t size() const { return bytes_.size(); }
  const std::string& file() const { return *file_; }

  template <typename T>
  T read(uint64_t offset, const char* what) const {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    std::memcpy(&value, slice(offset, sizeof(T), what).data(), sizeof(T));
    return value;
  }

  std::span<const uint8_t> slice(uint64_t offset, uint64_t size, const char* what) const {
    if (offset > bytes_.size() || size > bytes_.size() - offset) {
      fail(offset, std::string(what) + " of " + std::to_string(size) +
                       " bytes reaches past the end of the file (" + std::to_string(bytes_.size()) +
                       " bytes)");
    }
    return bytes_.subspan(offset, size);
  }

  // The zero-terminated string at `offset` of `table`, empty when it does not end inside it.
  static std::string_view string_at(std::span<const uint8_t> table, uint64_t offset) {
    if (offset >= table.size()) return {};
    const char* begin = reinterpret_cast<const char*>(table.data()) + offset;
    const void* end = std::memchr(begin, 0, table.size() - offset);
    return end ? std::string_view(begin, static_cast<const char*>(end) - begin) : std::string_view();
  }

  [[noreturn]] void fail(uint64_t offset, const std::string& reason) const {
    throw FileError(*file_, offset, one_line(reason));
  }

  // Names come from the file: control characters become '?'.
  static std::string one_line(std::string text) {
    for (char& c : text) {
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
    }
    return text;
  }

 private:
  std::span<const uint8_t> bytes_;
  const std::string* file_;
};

}  // namespace wavetwin::isa
