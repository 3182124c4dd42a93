// SPDX-License-Identifier: MIT
#include "golden/cli/layout_tensors.h"

#include <fmt/format.h>

#include <filesystem>

#include "common/kernels/back.h"
#include "common/kernels/drafter.h"
#include "common/layout/aiter.h"
#include "golden/io/printable.h"
#include "golden/io/safetensors.h"
#include "golden/layout/nearest_name.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

// Types of the formats that have one; elements of others are kept as unsigned integers of their width.
struct TypeOfFormat {
  DType dtype;
  FormatId format;
};
constexpr TypeOfFormat kTypes[] = {
    {DType::F8_E4M3, FormatId::e4m3}, {DType::F8_E5M2, FormatId::e5m2}, {DType::F8_E8M0, FormatId::e8m0},
    {DType::BF16, FormatId::bf16},    {DType::F16, FormatId::f16},      {DType::F32, FormatId::f32},
    {DType::F64, FormatId::f64},      {DType::I8, FormatId::i8},        {DType::I32, FormatId::i32}};

std::optional<DType> dtype_of(FormatId format) {
  for (const TypeOfFormat& type : kTypes) {
    if (type.format == format) return type.dtype;
  }
  return std::nullopt;
}

// Integers stand for any element of their width.
std::optional<FormatId> format_of(DType dtype) {
  for (const TypeOfFormat& type : kTypes) {
    if (type.dtype == dtype) return type.format;
  }
  switch (size_of(dtype)) {
    case 2:
      return FormatId::bf16;
    case 4:
      return FormatId::i32;
    case 8:
      return FormatId::f64;
    default:
      return std::nullopt;  // bytes: what the layout or --format says
  }
}

bool is_integer(DType dtype) {
  switch (dtype) {
    case DType::U8:
    case DType::I8:
    case DType::U16:
    case DType::I16:
    case DType::U32:
    case DType::I32:
    case DType::U64:
    case DType::I64:
      return true;
    default:
      return false;
  }
}

// The one matrix of a buffer, or null.
const MemoryPart* only_part(const MemoryLayout& layout, unsigned buffer) {
  const MemoryPart* only = nullptr;
  for (const MemoryPart& part : layout.parts()) {
    if (part.buffer != buffer) continue;
    if (only != nullptr) return nullptr;
    only = &part;
  }
  return only;
}

// The tensor that held the matrix before, or null.
const Tensor* source_of(const MemoryPart& part, const MemoryLayout& from, const std::vector<Tensor>& like) {
  for (unsigned i = 0; i < like.size(); ++i) {
    const MemoryPart* source = only_part(from, i);
    if (source != nullptr && (from.parts().size() == 1 || source->name == part.name)) return &like[i];
  }
  return nullptr;
}

Tensor tensor_of(const MemoryLayout& layout, unsigned index, std::vector<std::byte> bytes,
                 const MemoryLayout& from, const std::vector<Tensor>& like) {
  const MemoryBuffer& buffer = layout.buffers()[index];
  const MemoryPart* part = only_part(layout, index);
  const Tensor* source = part == nullptr ? nullptr : source_of(*part, from, like);
  DType dtype = DType::U8;
  if (part != nullptr && part->format) dtype = dtype_of(*part->format).value_or(DType::U8);
  if (source != nullptr) dtype = source->dtype;
  if (8 * size_of(dtype) != buffer.unit_bits) dtype = DType::U8;
  Shape shape = buffer.shape;
  if (dtype == DType::U8 && buffer.unit_bits != 8) shape.back() *= buffer.unit_bits / 8;
  // Rows of several dimensions (experts) stay what they were.
  const bool same_rows = source != nullptr && source->dtype == dtype && source->data.size() == bytes.size() &&
                         !source->shape.empty() && source->shape.back() == shape.back();
  return Tensor(dtype, same_rows ? source->shape : shape, std::move(bytes));
}

uint64_t round_up(uint64_t value, uint64_t multiple) { return (value + multiple - 1) / multiple * multiple; }

std::vector<std::string> names_in(const SafetensorsFile& file) {
  std::vector<std::string> names;
  for (const auto& [name, info] : file.tensors()) names.push_back(name);
  return names;
}

Tensor read_named(const SafetensorsFile& file, const std::string& name) {
  if (file.tensors().count(name) != 0 || file.tensors().empty()) return file.read(name);
  const std::vector<std::string> names = names_in(file);
  throw FileError(file.path(), fmt::format("no tensor '{}'; did you mean {}? (it has: {})", name,
                                           printable(nearest_name(name, names)), names_text(names)));
}

}  // namespace

TensorSource parse_tensor_source(const std::string& text) {
  std::error_code code;
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos || std::filesystem::exists(text, code)) return {text, ""};
  if (colon + 1 == text.size()) throw Error(text + ": no tensor name after ':'");
  return {text.substr(0, colon), text.substr(colon + 1)};
}

std::string tensor_name(const std::string& prefix, const MemoryBuffer& buffer) {
  if (prefix.empty()) return buffer.name;
  return buffer.name == "data" ? prefix : prefix + "_" + buffer.name;
}

std::vector<Tensor> read_buffers(TensorSource& source, const MemoryLayout& layout) {
  const SafetensorsFile file = SafetensorsFile::open(source.path);
  std::vector<Tensor> tensors;
  if (layout.buffers().size() == 1) {
    if (source.tensor.empty() && file.tensors().size() != 1) {
      throw FileError(source.path,
                      fmt::format("has {} tensors; say which one with {}:NAME (it has: {})",
                                  file.tensors().size(), source.path, names_text(names_in(file))));
    }
    if (source.tensor.empty()) source.tensor = file.tensors().begin()->first;
    tensors.push_back(read_named(file, source.tensor));
    return tensors;
  }
  for (const MemoryBuffer& buffer : layout.buffers())
    tensors.push_back(read_named(file, tensor_name(source.tensor, buffer)));
  return tensors;
}

BufferBytes bytes_of(const TensorSource& source, const std::string& name, const MemoryLayout& layout,
                     const std::vector<Tensor>& tensors) {
  BufferBytes bytes;
  for (unsigned i = 0; i < tensors.size(); ++i) {
    const MemoryBuffer& buffer = layout.buffers()[i];
    const Tensor& tensor = tensors[i];
    const MemoryPart* part = only_part(layout, i);
    const bool bytewise = buffer.unit_bits == 8;
    const bool typed = part != nullptr && part->format && dtype_of(*part->format) == tensor.dtype;
    const bool any = part != nullptr && !part->format;
    const bool wide_enough = 8 * size_of(tensor.dtype) == buffer.unit_bits;
    if (!wide_enough || !(typed || any || is_integer(tensor.dtype))) {
      const std::string want = part != nullptr && part->format ? to_string(*part->format) : "plain";
      throw FileError(source.path,
                      fmt::format("{} of {} are {} elements of {} bits, but the tensor is {}", buffer.name,
                                  name, bytewise && part == nullptr ? "bytes, not" : want, buffer.unit_bits,
                                  to_string(tensor.dtype)));
    }
    if (tensor.data.size() != buffer.bytes()) {
      throw FileError(source.path,
                      fmt::format("{} of {} ({}) takes {} bytes, but the tensor {}{} has {}", buffer.name,
                                  name, parts_text(layout), buffer.bytes(), to_string(tensor.dtype),
                                  to_string(tensor.shape), tensor.data.size()));
    }
    bytes.push_back(tensor.data);
  }
  return bytes;
}

Tensors tensors_of(const std::string& prefix, const MemoryLayout& layout, const BufferBytes& bytes,
                   const MemoryLayout& from, const std::vector<Tensor>& like) {
  Tensors tensors;
  for (unsigned i = 0; i < bytes.size(); ++i) {
    const bool only = bytes.size() == 1 && !prefix.empty();
    tensors.emplace(only ? prefix : tensor_name(prefix, layout.buffers()[i]),
                    tensor_of(layout, i, bytes[i], from, like));
  }
  return tensors;
}

MemoryShape shape_of_plain(MemoryShape shape, const Tensor& tensor) {
  if (tensor.shape.size() < 2) return shape;
  if (!shape.format) shape.format = format_of(tensor.dtype);
  const uint64_t last = tensor.shape.back();
  // Packed elements lie in bytes.
  const uint64_t bits = shape.format ? format_info(*shape.format).bits : 8 * size_of(tensor.dtype);
  const bool packed = bits < 8 && size_of(tensor.dtype) == 1;
  if (shape.columns == 0) shape.columns = packed ? last * 8 / bits : last;
  if (shape.rows == 0 && last != 0) shape.rows = tensor.elements() / last;
  return shape;
}

MemoryShape shape_of_tensor(MemoryShape shape, const std::string& name, const Tensor& tensor) {
  const Shape& extents = tensor.shape;
  if (name.starts_with("row_major") || name == "aiter_preshuffle_16x16") return shape_of_plain(shape, tensor);
  if (name == "aiter_e8m0_shuffle" && extents.size() == 2) {
    if (shape.rows == 0) shape.rows = extents[0];
    if (shape.columns == 0) shape.columns = extents[1];
    // AITER's own rows, where they are not what 32 would give.
    const bool by_32 = extents[0] == round_up(shape.rows, aiter::kScaleRows);
    if (shape.pad_rows == 0 && !by_32 && extents[0] == round_up(shape.rows, aiter::kScaleAllocatedRows))
      shape.pad_rows = aiter::kScaleAllocatedRows;
  } else if (name == "fp8_ds_mla" && extents.size() >= 2) {
    const uint64_t pages = extents[0];
    if (shape.page_stride == 0 && pages != 0) shape.page_stride = tensor.data.size() / pages;
    if (shape.page_block == 0 && extents.size() == 3 && extents[2] == back::kRecord)
      shape.page_block = extents[1];  // [pages][slots][584], as vLLM shapes it
    if (shape.page_block == 0) shape.page_block = 64;
    if (shape.rows == 0) shape.rows = pages * shape.page_block;
  } else if (name == "drafter_kv" && shape.rows == 0) {
    shape.rows = tensor.data.size() / drafter::kKeyBytes;
  }
  return shape;
}

}  // namespace wavetwin::golden
