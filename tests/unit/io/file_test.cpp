// SPDX-License-Identifier: MIT
#include "golden/io/file.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>

#include "golden/io/hash.h"
#include "golden/io/json_text.h"
#include "golden/io/printable.h"
#include "sim/core/error.h"
#include "tests/unit/io/scratch_directory.h"

namespace wavetwin::golden {
namespace {

size_t files_in(const std::filesystem::path& path) {
  return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(path), {}));
}

}  // namespace

TEST_CASE("atomic write: the file has the new content and nothing else is left") {
  const ScratchDirectory dir;
  write_atomically(dir / "a", [](std::ostream& out) { out << "one"; });
  write_atomically(dir / "a", [](std::ostream& out) { out << "two"; });
  CHECK(read_text(dir / "a") == "two");
  CHECK(files_in(dir.path()) == 1);
}

TEST_CASE("atomic write: a failure half way keeps the old content and leaves no temporary file") {
  const ScratchDirectory dir;
  write_atomically(dir / "a", [](std::ostream& out) { out << "old"; });
  CHECK_THROWS_AS(write_atomically(dir / "a",
                                   [](std::ostream& out) {
                                     out << "half";
                                     throw std::runtime_error("stop");
                                   }),
                  std::runtime_error);
  CHECK_THROWS_AS(write_atomically(dir / "a", [](std::ostream& out) { out.setstate(std::ios::badbit); }),
                  FileError);
  CHECK(read_text(dir / "a") == "old");
  CHECK(files_in(dir.path()) == 1);
}

TEST_CASE("atomic write: a directory that cannot be written is named with the reason") {
  const ScratchDirectory dir;
  write_atomically(dir / "file", [](std::ostream& out) { out << "x"; });
  CHECK_THROWS_WITH_AS(write_atomically(dir / "file" / "b", [](std::ostream&) {}),
                       doctest::Contains("file/b: cannot write: Not a directory"), FileError);
  CHECK_THROWS_WITH_AS(make_directories(dir / "file" / "sub"), doctest::Contains("Not a directory"),
                       FileError);
}

TEST_CASE("atomic write: a link stays a link, and the file behind it has the new content") {
  const ScratchDirectory dir;
  make_directories(dir / "elsewhere");
  write_atomically(dir / "elsewhere" / "real", [](std::ostream& out) { out << "old"; });
  std::filesystem::create_symlink("elsewhere/real", dir / "link");
  require_writable(dir / "link");
  write_atomically(dir / "link", [](std::ostream& out) { out << "new"; });
  CHECK(std::filesystem::is_symlink(dir / "link"));
  CHECK(read_text(dir / "elsewhere" / "real") == "new");
  CHECK(files_in(dir.path()) == 2);
  CHECK(files_in(dir / "elsewhere") == 1);
}

TEST_CASE("atomic write: what is no file, as a pipe or a device, is written and not replaced") {
  const ScratchDirectory dir;
  const std::filesystem::path pipe = dir / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const int reader = ::open(pipe.c_str(), O_RDWR | O_NONBLOCK);
  REQUIRE(reader >= 0);
  require_writable(pipe);
  CHECK(std::filesystem::is_fifo(pipe));
  write_atomically(pipe, [](std::ostream& out) { out << "through"; });
  CHECK(std::filesystem::is_fifo(pipe));
  char got[16] = {};
  CHECK(::read(reader, got, sizeof got) == 7);
  CHECK(std::string(got) == "through");
  ::close(reader);
}

TEST_CASE("atomic write: an open descriptor, as /dev/stdout names one, keeps its file and what is there") {
  const ScratchDirectory dir;
  const std::filesystem::path log = dir / "log";
  write_text(log, "first ");
  const int descriptor = ::open(log.c_str(), O_WRONLY | O_APPEND);
  REQUIRE(descriptor >= 0);
  const std::string name = "/proc/self/fd/" + std::to_string(descriptor);
  std::filesystem::create_symlink(name, dir / "stdout");
  require_writable(dir / "stdout");
  write_atomically(dir / "stdout", [](std::ostream& out) { out << "second "; });
  write_atomically(name, [](std::ostream& out) { out << "third "; });
  REQUIRE(::write(descriptor, "fourth", 6) == 6);
  ::close(descriptor);
  CHECK(read_text(log) == "first second third fourth");
}

TEST_CASE("output: a file that would replace its input is refused, whatever way it is named") {
  const ScratchDirectory dir;
  write_text(dir / "in", "x");
  std::filesystem::create_symlink("in", dir / "link");
  const auto refused = doctest::Contains("is the input");
  CHECK_THROWS_WITH_AS(require_output(dir / "in", dir / "in"), refused, FileError);
  CHECK_THROWS_WITH_AS(require_output(dir / "." / "in", dir / "in"), refused, FileError);
  CHECK_THROWS_WITH_AS(require_output(dir / "link", dir / "in"), refused, FileError);
  CHECK_THROWS_AS(require_output(dir / "none" / "out", dir / "in"), FileError);
  require_output(dir / "out", dir / "in");
  CHECK(files_in(dir.path()) == 2);
}

TEST_CASE("printable: control characters go, long text and long lists of names are cut and say so") {
  CHECK(printable("a\n\x1b\xff~") == "a???~");
  CHECK(printable(std::string(1000, 'n')).size() < 210);
  CHECK(names_text({}) == "nothing");
  CHECK(names_text({"a", "b\n"}) == "a, b?");
  const std::vector<std::string> many(100, "t");
  CHECK(names_text(many).starts_with("t, t"));
  CHECK(names_text(many).ends_with("t and 76 more"));
}

TEST_CASE("read: missing files and directories are errors") {
  const ScratchDirectory dir;
  CHECK_THROWS_WITH_AS(read_text(dir / "none"), doctest::Contains("No such file"), FileError);
  CHECK_THROWS_WITH_AS(read_bytes(dir.path()), doctest::Contains("it is a directory"), FileError);
}

TEST_CASE("hash: XXH3 of 128 bits as its own tool prints it, read back") {
  const Hash128 empty = hash128(std::string_view());
  CHECK(to_string(empty) == "99aa06d3014798d86001c324468d497f");
  CHECK(hash_from(to_string(empty)) == empty);
  CHECK_FALSE(hash_from("99aa06d3014798d86001c324468d497"));
  CHECK_FALSE(hash_from("99aa06d3014798d8 001c324468d497f"));
  CHECK(hash128("a") != hash128("b"));
}

TEST_CASE("hash: name, dtype, shape and content of a tensor all count") {
  const auto hash = [](const char* name, DType dtype, Shape shape, int first) {
    Tensor tensor(dtype, std::move(shape));
    tensor.data[0] = static_cast<std::byte>(first);
    return hash_tensors({{name, tensor}});
  };
  const Hash128 base = hash("x", DType::U8, {2, 3}, 1);
  CHECK(base == hash("x", DType::U8, {2, 3}, 1));
  CHECK(base != hash("y", DType::U8, {2, 3}, 1));
  CHECK(base != hash("x", DType::I8, {2, 3}, 1));
  CHECK(base != hash("x", DType::U8, {3, 2}, 1));
  CHECK(base != hash("x", DType::U8, {2, 3}, 2));
}

TEST_CASE("json line: keys keep their order, text is escaped, bad UTF-8 is replaced") {
  CHECK(json_line({{"z", std::string("a\"b")}, {"a", uint64_t{18446744073709551615ull}}, {"t", true}}) ==
        R"({"z":"a\"b","a":18446744073709551615,"t":true})");
  CHECK(json_line({{"x", std::string("\xff")}}) == "{\"x\":\"\xEF\xBF\xBD\"}");
}

}  // namespace wavetwin::golden
