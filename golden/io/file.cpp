// SPDX-License-Identifier: MIT
#include "golden/io/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

std::string system_reason(const char* what) { return std::string(what) + ": " + std::strerror(errno); }

// Creates an empty file beside `path` that no other process uses.
std::string make_temporary(const std::filesystem::path& path) {
  std::string name = path.string() + ".XXXXXX";
  const int descriptor = ::mkstemp(name.data());
  if (descriptor < 0) throw FileError(path.string(), system_reason("cannot write"));
  // mkstemp makes it private; give it what a plain new file would get.
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(descriptor, 0666 & ~mask);
  ::close(descriptor);
  return name;
}

// /proc/self/fd/1, and /dev/stdout and /dev/fd/1, which lead there.
bool names_descriptor(const std::filesystem::path& path) {
  std::error_code code;
  const auto in_proc = [&code](const std::filesystem::path& file) {
    return std::filesystem::weakly_canonical(file.parent_path(), code).string().starts_with("/proc/");
  };
  const std::filesystem::path link = std::filesystem::read_symlink(path, code);
  return in_proc(path) || (!link.empty() && in_proc(path.parent_path() / link));
}

// A rename would put a plain file in the place of these.
bool written_in_place(const std::filesystem::path& path) {
  std::error_code code;
  const auto type = std::filesystem::status(path, code).type();
  using Type = std::filesystem::file_type;
  return type == Type::character || type == Type::block || type == Type::fifo || type == Type::socket ||
         names_descriptor(path);
}

// The file to replace: behind links, which stay.
std::filesystem::path behind_links(const std::filesystem::path& path) {
  std::error_code code;
  if (!std::filesystem::is_symlink(path, code)) return path;
  const std::filesystem::path file = std::filesystem::canonical(path, code);
  return code ? path : file;
}

void write_in_place(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write) {
  errno = 0;
  std::ofstream out(path, std::ios::binary | std::ios::app);
  if (out) write(out);
  out.close();
  if (!out) throw FileError(path.string(), system_reason("cannot write"));
}

void sync_to_disk(const std::string& name) {
  const int descriptor = ::open(name.c_str(), O_RDONLY);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

void write_atomically(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write) {
  if (written_in_place(path)) return write_in_place(path, write);
  const std::filesystem::path target = behind_links(path);
  const std::string temporary = make_temporary(target);
  try {
    errno = 0;
    std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
    if (out) write(out);
    out.close();
    if (!out) throw FileError(path.string(), system_reason("cannot write"));
    sync_to_disk(temporary);
    if (std::rename(temporary.c_str(), target.c_str()) != 0) {
      throw FileError(path.string(), system_reason("cannot write"));
    }
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
}

void require_writable(const std::filesystem::path& path) {
  std::error_code code;
  if (std::filesystem::is_directory(path, code))
    throw FileError(path.string(), "cannot write: it is a directory");
  if (written_in_place(path)) {
    if (::access(path.c_str(), W_OK) != 0) throw FileError(path.string(), system_reason("cannot write"));
    return;
  }
  ::unlink(make_temporary(behind_links(path)).c_str());
}

void require_output(const std::filesystem::path& output, const std::filesystem::path& input) {
  std::error_code code;
  if (std::filesystem::equivalent(output, input, code) && !written_in_place(output))
    throw FileError(output.string(), "is the input: give the output another name");
  require_writable(output);
}

void make_directories(const std::filesystem::path& path) {
  std::error_code code;
  std::filesystem::create_directories(path, code);
  if (code) throw FileError(path.string(), "cannot create the directory: " + code.message());
}

}  // namespace wavetwin::golden
