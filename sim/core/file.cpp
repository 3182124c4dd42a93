// SPDX-License-Identifier: MIT
#include "sim/core/file.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "sim/core/error.h"

namespace wavetwin {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& why) {
  throw FileError(path.empty() ? "''" : path.string(), "cannot read: " + why);
}

// std::ifstream keeps the failure of a read to itself, but not errno.
template <class Bytes>
Bytes read_all(const std::filesystem::path& path) {
  std::ifstream in = open_for_reading(path);
  std::error_code code;
  const uint64_t stated = std::filesystem::file_size(path, code);
  if (!code && stated > host_memory_bytes() / 2) {
    fail(path, std::to_string(stated) + " bytes do not fit this machine's memory of " +
                   std::to_string(host_memory_bytes()) + " bytes");
  }
  Bytes bytes;
  if (!code) bytes.reserve(stated);
  std::array<char, 1 << 16> piece;
  errno = 0;
  while (in.read(piece.data(), piece.size()), in.gcount() > 0) {
    const auto* begin = reinterpret_cast<const typename Bytes::value_type*>(piece.data());
    bytes.insert(bytes.end(), begin, begin + in.gcount());
  }
  if (in.bad()) fail(path, std::strerror(errno));
  return bytes;
}

}  // namespace

uint64_t host_memory_bytes() {
  return static_cast<uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::ifstream open_for_reading(const std::filesystem::path& path) {
  std::error_code code;
  if (std::filesystem::is_directory(path, code)) fail(path, "it is a directory");
  if (std::filesystem::is_character_file(path, code) || std::filesystem::is_block_file(path, code))
    fail(path, "it is a device");
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) fail(path, std::strerror(errno));
  return in;
}

std::vector<std::byte> read_bytes(const std::filesystem::path& path) {
  return read_all<std::vector<std::byte>>(path);
}

std::string read_text(const std::filesystem::path& path) { return read_all<std::string>(path); }

}  // namespace wavetwin
