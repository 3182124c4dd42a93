// SPDX-License-Identifier: MIT
// Tensors of safetensors files as the buffers of memory layouts.
#pragma once

#include <string>

#include "golden/io/tensor.h"
#include "golden/layout/memory_convert.h"

namespace wavetwin::golden {

// "file.safetensors" or "file.safetensors:tensor"; an existing file's name may hold colons.
struct TensorSource {
  std::string path, tensor;  // tensor: empty when not given
};
TensorSource parse_tensor_source(const std::string& text);

// The tensor of a buffer: `prefix` itself for "data", prefix_scale for "scale" (as `wavetwin quantize` names
// them); the buffer's name when there is no prefix.
std::string tensor_name(const std::string& prefix, const MemoryBuffer& buffer);

// The tensors of a layout's buffers, in order. A layout of one buffer takes the only tensor of a file when
// none is named, and enters its name in `source`. Throws FileError naming the file, the tensor and what was
// expected.
std::vector<Tensor> read_buffers(TensorSource& source, const MemoryLayout& layout);
// Checks that tensors are what the buffers of `layout` are: as many bytes, of elements as wide and of a type
// that can be its format (integers of the same width always can). Throws FileError.
BufferBytes bytes_of(const TensorSource& source, const std::string& name, const MemoryLayout& layout,
                     const std::vector<Tensor>& tensors);

// The tensors that hold `bytes`: of the type, and where rows stay rows of the shape, of `like` (the tensors
// they came from) where the buffer holds one matrix of such elements; of the format's type where the layout
// fixes it; else U8.
Tensors tensors_of(const std::string& prefix, const MemoryLayout& layout, const BufferBytes& bytes,
                   const MemoryLayout& from, const std::vector<Tensor>& like);

// What `shape` leaves open, from a tensor that is row major: rows are all dimensions but the last; the format
// is that of the type. From a tensor in layout `name`: the same for those that keep the matrix's shape, else
// what its extents say of padding and pages.
MemoryShape shape_of_plain(MemoryShape shape, const Tensor& tensor);
MemoryShape shape_of_tensor(MemoryShape shape, const std::string& name, const Tensor& tensor);

}  // namespace wavetwin::golden
