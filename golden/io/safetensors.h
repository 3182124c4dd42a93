// SPDX-License-Identifier: MIT
// Reading and writing safetensors: u64 header size, JSON header, then the tensors' bytes without gaps.
// Source: the format section of the safetensors project's README; readers there reject what this reader
// rejects.
#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <map>
#include <string>

#include "golden/io/tensor.h"

namespace wavetwin::golden {

using Metadata = std::map<std::string, std::string>;

struct TensorInfo {
  DType dtype;
  Shape shape;
  uint64_t begin = 0, end = 0;  // bytes from the start of the data section
};

// An open file whose header has been checked; tensors are read when asked for.
class SafetensorsFile {
 public:
  // Throws FileError naming the file, the tensor and the reason.
  static SafetensorsFile open(const std::filesystem::path& path);
  // The same checks on bytes in memory (`name` stands for the path in errors); used by the fuzz tests.
  static SafetensorsFile parse(std::string name, const std::string& bytes);

  const std::string& path() const { return path_; }
  const Metadata& metadata() const { return metadata_; }
  const std::map<std::string, TensorInfo>& tensors() const { return tensors_; }

  // Throws FileError when the tensor is missing (the message lists what the file has) or the file has shrunk.
  Tensor read(const std::string& name) const;
  Tensors read_all() const;

 private:
  static SafetensorsFile load(std::string name, std::istream& in, uint64_t file_bytes);
  void parse_header(const std::string& header, uint64_t data_bytes);
  [[noreturn]] void fail(const std::string& reason) const;

  std::string path_;
  Metadata metadata_;
  std::map<std::string, TensorInfo> tensors_;
  uint64_t data_offset_ = 0;  // of the data section in the file
};

// Writes to a temporary file and renames it. The order of the data (widest elements first, then by name)
// keeps every tensor aligned. Throws FileError.
void write_safetensors(const std::filesystem::path& path, const Tensors& tensors,
                       const Metadata& metadata = {});

// "dir/file.safetensors:tensor", as options spell it: the last ':' separates. Throws Error when there is
// none.
struct TensorReference {
  std::string path, tensor;
};
TensorReference parse_tensor_reference(const std::string& text);
Tensor read_tensor(const TensorReference& reference);

}  // namespace wavetwin::golden
