// SPDX-License-Identifier: MIT
#include "golden/io/safetensors.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cstring>
#include <random>

#include "golden/io/file.h"
#include "sim/core/error.h"
#include "tests/unit/io/scratch_directory.h"

namespace wavetwin::golden {
namespace {

// A file with this header text and so many data bytes.
std::string file_bytes(const std::string& header, size_t data_bytes) {
  const uint64_t size = header.size();
  std::string bytes(sizeof size, '\0');
  std::memcpy(bytes.data(), &size, sizeof size);
  return bytes + header + std::string(data_bytes, 'd');
}

SafetensorsFile parse(const std::string& header, size_t data_bytes) {
  return SafetensorsFile::parse("x.safetensors", file_bytes(header, data_bytes));
}

// The header must be refused with a message that names the file and contains `reason`.
void check_refused(const std::string& header, size_t data_bytes, const char* reason) {
  CAPTURE(header);
  CHECK_THROWS_WITH_AS(parse(header, data_bytes), doctest::Contains(reason), FileError);
  CHECK_THROWS_WITH_AS(parse(header, data_bytes), doctest::Contains("x.safetensors: "), FileError);
}

Tensors sample_tensors() {
  Tensors tensors;
  std::mt19937 random(1);
  for (const DType dtype : {DType::F64, DType::BF16, DType::F8_E4M3, DType::F8_E8M0, DType::U8, DType::I64}) {
    Tensor tensor(dtype, {3, 5});
    for (auto& byte : tensor.data) byte = static_cast<std::byte>(random());
    tensors.emplace(to_string(dtype), tensor);
  }
  tensors.emplace("scalar", Tensor(DType::F32, {}));
  tensors.emplace("empty", Tensor(DType::F32, {0, 7}));
  tensors.emplace("odd \"name\"\n", Tensor(DType::U8, {1}));
  return tensors;
}

// What a parse may do with bad bytes: throw FileError, or give tensors that lie inside the data.
bool survives(const std::string& bytes) {
  try {
    const auto file = SafetensorsFile::parse("fuzz", bytes);
    for (const auto& [name, info] : file.tensors()) {
      if (info.begin > info.end || info.end > bytes.size()) return false;
      if (info.end - info.begin != element_count(info.shape) * size_of(info.dtype)) return false;
    }
    return true;
  } catch (const FileError&) {
    return true;
  }
}

}  // namespace

TEST_CASE("safetensors: what was written reads back, with metadata") {
  const ScratchDirectory dir;
  const Tensors tensors = sample_tensors();
  const Metadata metadata = {{"case", "gemv/x/1"}, {"text", "a \"b\" \xC3\xA4"}};
  write_safetensors(dir / "a.safetensors", tensors, metadata);
  const auto file = SafetensorsFile::open(dir / "a.safetensors");
  CHECK(file.metadata() == metadata);
  CHECK(file.read_all() == tensors);
  write_safetensors(dir / "none.safetensors", {});
  CHECK(SafetensorsFile::open(dir / "none.safetensors").tensors().empty());
}

TEST_CASE("safetensors: the data section and every tensor are aligned") {
  const ScratchDirectory dir;
  write_safetensors(dir / "a", sample_tensors());
  const std::string bytes = read_text(dir / "a");
  uint64_t header_bytes;
  std::memcpy(&header_bytes, bytes.data(), sizeof header_bytes);
  CHECK(header_bytes % 8 == 0);
  const auto file = SafetensorsFile::open(dir / "a");
  for (const auto& [name, info] : file.tensors()) CHECK(info.begin % size_of(info.dtype) == 0);
}

TEST_CASE("safetensors: a file as other writers make it is read") {
  const auto file =
      parse(R"({"b":{"dtype":"F32","shape":[2,1],"data_offsets":[2,10]},"__metadata__":{"format":"pt"},)"
            R"("a":{"dtype":"F8_E4M3","shape":[2],"data_offsets":[0,2]}}   )",
            10);
  CHECK(file.metadata().at("format") == "pt");
  CHECK(file.tensors().at("a").dtype == DType::F8_E4M3);
  CHECK(file.tensors().at("b").shape == Shape{2, 1});
}

TEST_CASE("safetensors: a file cut anywhere is refused") {
  const ScratchDirectory dir;
  write_safetensors(dir / "a", sample_tensors(), {{"k", "v"}});
  const std::string bytes = read_text(dir / "a");
  for (size_t size = 0; size < bytes.size(); ++size) {
    CAPTURE(size);
    CHECK_THROWS_AS(SafetensorsFile::parse("cut", bytes.substr(0, size)), FileError);
  }
  CHECK_THROWS_WITH_AS(SafetensorsFile::parse("long", bytes + "x"),
                       doctest::Contains("1 bytes after the last tensor"), FileError);
  CHECK_NOTHROW(SafetensorsFile::parse("whole", bytes));
}

TEST_CASE("safetensors: random damage gives an error or tensors inside the file") {
  const ScratchDirectory dir;
  write_safetensors(dir / "a", sample_tensors(), {{"k", "v"}});
  const std::string bytes = read_text(dir / "a");
  std::mt19937 random(11);
  for (int round = 0; round < 20000; ++round) {
    std::string damaged = bytes;
    for (uint32_t i = random() % 4 + 1; i > 0; --i) {
      const size_t at = random() % damaged.size();
      switch (random() % 4) {
        case 0:
          damaged[at] = static_cast<char>(random());
          break;
        case 1:
          damaged.erase(at, random() % 9 + 1);
          break;
        case 2:
          damaged.insert(at, damaged.substr(random() % damaged.size(), random() % 20));
          break;
        default:
          damaged[at] = "0123456789[]{}\",:-e"[random() % 19];
          break;
      }
      if (damaged.empty()) damaged = "x";
    }
    INFO("round ", round);
    if (!survives(damaged)) CHECK(survives(damaged));
  }
}

TEST_CASE("safetensors: offsets that overlap, leave gaps, or do not fit the shape name the tensor") {
  const std::string a =
      R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[4],)";
  check_refused(a + R"("data_offsets":[3,7]}})", 7, "tensor 'b': its bytes overlap tensor 'a'");
  check_refused(a + R"("data_offsets":[0,4]}})", 4, "tensor 'b': its bytes overlap tensor 'a'");
  check_refused(a + R"("data_offsets":[5,9]}})", 9, "tensor 'b': 1 unused bytes before it");
  check_refused(a + R"("data_offsets":[4,9]}})", 9, "tensor 'b': U8 [4] needs 4 bytes, data_offsets hold 5");
  check_refused(a + R"("data_offsets":[8,4]}})", 8, "tensor 'b': data_offsets [8,4] leave the 8 data bytes");
  check_refused(a + R"("data_offsets":[4,8]}})", 7, "tensor 'b': data_offsets [4,8] leave the 7 data bytes");
  check_refused(a + R"("data_offsets":[4,8]}})", 10, "2 bytes after the last tensor (offset ");
}

TEST_CASE("safetensors: sizes that overflow are refused without allocating") {
  check_refused(R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}})", 0,
                "tensor 'a'");
  check_refused(R"({"a":{"dtype":"F32","shape":[4611686018427387904],"data_offsets":[0,0]}})", 0,
                "is too large");
  check_refused(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[18446744073709551615,0]}})", 1,
                "tensor 'a'");
  check_refused(R"({"a":{"dtype":"U8","shape":[1e400],"data_offsets":[0,1]}})", 1, "x.safetensors");
  std::string huge = file_bytes("{}", 0);
  for (const uint64_t size : {~0ull, 1ull << 63, 100'000'001ull, 3ull}) {
    std::memcpy(huge.data(), &size, sizeof size);
    CHECK_THROWS_WITH_AS(SafetensorsFile::parse("huge", huge),
                         doctest::Contains("truncated or not safetensors"), FileError);
  }
}

TEST_CASE("safetensors: entries of the wrong kind are refused with the reason") {
  const auto entry = [](const std::string& fields) { return "{\"a\":{" + fields + "}}"; };
  check_refused(entry(R"("dtype":"F4","shape":[2],"data_offsets":[0,1])"), 1,
                "tensor 'a': unknown dtype 'F4'");
  check_refused(entry(R"("dtype":7,"shape":[2],"data_offsets":[0,1])"), 1, "'dtype' is not a string");
  check_refused(entry(R"("shape":[1],"data_offsets":[0,1])"), 1, "'dtype' is missing");
  check_refused(entry(R"("dtype":"U8","shape":1,"data_offsets":[0,1])"), 1, "'shape' is not a list");
  check_refused(entry(R"("dtype":"U8","shape":[-1],"data_offsets":[0,1])"), 1, "not a non-negative integer");
  check_refused(entry(R"("dtype":"U8","shape":[1.0],"data_offsets":[0,1])"), 1, "not a non-negative integer");
  check_refused(entry(R"("dtype":"U8","shape":[1],"data_offsets":[0])"), 1, "'data_offsets' is not a pair");
  check_refused(R"({"a":1})", 0, "tensor 'a': its header entry is not an object");
  check_refused(R"({"__metadata__":{"k":1}})", 0, "'k' is not a string");
  check_refused("[]", 0, "header is not a JSON object");
  check_refused("{\"a\":", 0, "header is not JSON");
  check_refused(
      R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})",
      0, "'a' occurs twice");
  check_refused("{\"a\":" + std::string(100000, '[') + std::string(100000, ']') + "}", 0,
                "nested too deeply");
}

TEST_CASE("safetensors: a missing tensor is named beside those that are there") {
  const ScratchDirectory dir;
  write_safetensors(dir / "a", {{"w", Tensor(DType::U8, {1})}, {"x", Tensor(DType::U8, {1})}});
  CHECK_THROWS_WITH_AS(SafetensorsFile::open(dir / "a").read("v"),
                       doctest::Contains("no tensor 'v' (it has: w, x)"), FileError);
  CHECK_THROWS_WITH_AS(SafetensorsFile::open(dir / "b"), doctest::Contains("No such file"), FileError);
  REQUIRE(::mkfifo((dir / "p").c_str(), 0600) == 0);
  CHECK_THROWS_WITH_AS(SafetensorsFile::open(dir / "p"), doctest::Contains("p: cannot read: it is a pipe"),
                       FileError);
  CHECK_THROWS_WITH_AS(SafetensorsFile::open("/dev/zero"), doctest::Contains("it is a device"), FileError);
}

TEST_CASE("safetensors: a tensor larger than the machine's memory is refused before it is read") {
  const ScratchDirectory dir;
  const uint64_t bytes = uint64_t{1} << 44;
  std::string header = "{\"a\":{\"dtype\":\"U8\",\"shape\":[" + std::to_string(bytes) +
                       "],\"data_offsets\":[0," + std::to_string(bytes) + "]}}";
  write_atomically(dir / "big", [&](std::ostream& out) { out << file_bytes(header, 0); });
  std::error_code code;  // sparse; a file system may have no room for such a size
  std::filesystem::resize_file(dir / "big", std::filesystem::file_size(dir / "big") + bytes, code);
  if (code) return;
  CHECK_THROWS_WITH_AS(SafetensorsFile::open(dir / "big").read("a"),
                       doctest::Contains("tensor 'a': 17592186044416 bytes do not fit"), FileError);
}

TEST_CASE("tensor reference: the last colon separates file and tensor") {
  const auto reference = parse_tensor_reference("C:/a:b.safetensors:layer.0:w");
  CHECK(reference.path == "C:/a:b.safetensors:layer.0");
  CHECK(reference.tensor == "w");
  for (const char* bad : {"", "file", ":t", "file:"}) CHECK_THROWS_AS(parse_tensor_reference(bad), Error);
}

}  // namespace wavetwin::golden
