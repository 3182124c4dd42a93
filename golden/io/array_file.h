// SPDX-License-Identifier: MIT
// Arrays in other people's files: numpy's .npy, and raw bytes, with the .meta text that AITER's tensor dumps
// put beside a .bin.
#pragma once

#include <filesystem>
#include <string>

#include "golden/io/tensor.h"

namespace wavetwin::golden {

// numpy's format, versions 1 to 3; little endian, C order. bfloat16 arrays come as 2-byte voids, as ml_dtypes
// saves them. Throws FileError for anything else.
Tensor read_npy(const std::filesystem::path& path);

// "torch.Size([2, 16])" and "torch.bfloat16", one a line, beside the .bin: the dump's shape and type. Throws
// FileError when they do not describe the bytes.
Tensor read_torch_dump(const std::filesystem::path& bin, const std::filesystem::path& meta);

// One array by the spelling users give: "f.safetensors:tensor" (any other suffix, too, when that file is
// there), "f.npy", "f.bin" with "f.meta" beside it, or raw bytes (U8, one dimension). A file whose own name
// has the colon is that file. Relative paths start at `directory`. Throws FileError; a .safetensors file
// without a tensor's name is refused.
Tensor read_array(const std::string& text, const std::filesystem::path& directory);

// Where an array goes: `tensor` of a safetensors file, or raw bytes when it is empty.
struct ArrayTarget {
  std::string path, tensor;
};
// "f.safetensors:name", "f.safetensors" (then `tensor` is the name) or a file for raw bytes. Error for what
// looks like something else.
ArrayTarget parse_array_target(const std::string& text, const std::string& tensor);

}  // namespace wavetwin::golden
