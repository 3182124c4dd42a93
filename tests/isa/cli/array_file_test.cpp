// SPDX-License-Identifier: MIT
#include "golden/io/array_file.h"

#include <doctest/doctest.h>

#include <fstream>

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
}

}  // namespace wavetwin::golden
