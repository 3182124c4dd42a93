// SPDX-License-Identifier: MIT
#include "golden/io/array_file.h"

#include <doctest/doctest.h>

#include <fstream>

#include "golden/io/safetensors.h"
#include "sim/core/error.h"
#include "tests/unit/io/scratch_directory.h"

namespace wavetwin::golden {
namespace {

void write(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string npy(const std::string& header, const std::string& data) {
  std::string text("\x93NUMPY\x01\x00", 8);
  text += static_cast<char>(header.size());
  text += '\0';
  return text + header + data;
}

}  // namespace

TEST_CASE("npy: type and shape come from the header") {
  const ScratchDirectory dir;
  write(dir / "a.npy",
        npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", std::string(24, '\1')));
  const Tensor tensor = read_array("a.npy", dir / "");
  CHECK(tensor.dtype == DType::F32);
  CHECK(tensor.shape == Shape{2, 3});
  write(dir / "b.npy",
        npy("{'descr': '<V2', 'fortran_order': False, 'shape': (4,), }\n", std::string(8, '\1')));
  CHECK(read_array("b.npy", dir / "").dtype == DType::BF16);
}

TEST_CASE("npy: what cannot be represented is refused") {
  const ScratchDirectory dir;
  const std::string data(24, '\1');
  for (const std::string& bytes :
       {std::string("nothing"), npy("{'descr': '>f4', 'fortran_order': False, 'shape': (2, 3), }\n", data),
        npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }\n", data),
        npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 4), }\n", data),
        npy("{'descr': '<f4', 'fortran_order': False, 'shape': 6, }\n", data),
        std::string("\x93NUMPY\x01\x00\xff\xff{}", 12)}) {
    write(dir / "a.npy", bytes);
    CHECK_THROWS_AS(read_npy(dir / "a.npy"), FileError);
  }
}

TEST_CASE("a torch dump: .bin with shape and type in .meta; a .bin alone is bytes") {
  const ScratchDirectory dir;
  write(dir / "x.bin", std::string(12, '\2'));
  CHECK(read_array("x.bin", dir / "").dtype == DType::U8);
  write(dir / "x.meta", "torch.Size([2, 3])\ntorch.bfloat16\n");
  const Tensor tensor = read_array("x.bin", dir / "");
  CHECK(tensor.dtype == DType::BF16);
  CHECK(tensor.shape == Shape{2, 3});
  for (const char* meta :
       {"torch.Size([2, 4])\ntorch.bfloat16\n", "torch.Size([6])\ntorch.quint8\n", "x", "a\nb\n"}) {
    write(dir / "x.meta", meta);
    CHECK_THROWS_AS(read_array("x.bin", dir / ""), FileError);
  }
  write(dir / "x.meta", "torch.Size([6])\ntorch.\nfloat\t32\n");
  CHECK_THROWS_WITH_AS(read_array("x.bin", dir / ""), doctest::Contains("type 'torch.?float?32'"), FileError);
}

TEST_CASE("arrays: extents whose product does not fit 64 bits are refused with the file's name") {
  const ScratchDirectory dir;
  write(dir / "a.npy",
        npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }\n", ""));
  CHECK_THROWS_WITH_AS(read_array("a.npy", dir / ""), doctest::Contains("a.npy: F32 [4294967296,4294967296]"),
                       FileError);
  write(dir / "x.bin", "");
  write(dir / "x.meta", "torch.Size([4294967296, 4294967296, 0])\ntorch.float32\n");
  CHECK_THROWS_WITH_AS(read_array("x.bin", dir / ""), doctest::Contains("x.bin: F32 ["), FileError);
}

TEST_CASE("arrays: FILE:TENSOR is safetensors under any name that is there; a colon in a name is a name") {
  const ScratchDirectory dir;
  const Tensors tensors = {{"w", Tensor(DType::F32, {3})}, {"a:b", Tensor(DType::BF16, {2})}};
  write_safetensors(dir / "plain.st", tensors);
  write_safetensors(dir / "x.safetensors", tensors);
  CHECK(read_array("plain.st:w", dir / "").dtype == DType::F32);
  CHECK(read_array("plain.st:a:b", dir / "").dtype == DType::BF16);
  CHECK(read_array("x.safetensors:a:b", dir / "").dtype == DType::BF16);
  write(dir / "raw:file", "12345");
  CHECK(read_array("raw:file", dir / "").shape == Shape{5});
  CHECK_THROWS_WITH_AS(read_array("x.safetensors", dir / ""),
                       doctest::Contains("which tensor? write FILE.safetensors:TENSOR (it has: a:b, w)"),
                       FileError);
  CHECK_THROWS_WITH_AS(read_array("gone.st:w", dir / ""), doctest::Contains("gone.st:w: cannot read"),
                       FileError);
  CHECK_THROWS_WITH_AS(read_array("raw:file:w", dir / ""), doctest::Contains("raw:file: truncated"),
                       FileError);
  CHECK_THROWS_WITH_AS(read_array("/dev/zero", dir / ""), doctest::Contains("it is a device"), FileError);
}

TEST_CASE("arrays: where an output goes is read from its name, and other readers' formats are refused") {
  CHECK(parse_array_target("o.safetensors:t", "b").tensor == "t");
  CHECK(parse_array_target("o.safetensors", "b").tensor == "b");
  CHECK(parse_array_target("a:b/o.bin", "b").tensor.empty());
  for (const char* bad : {"o.st:t", "o.npy", "o.safetensors:"})
    CHECK_THROWS_AS(parse_array_target(bad, "b"), Error);
}

}  // namespace wavetwin::golden
