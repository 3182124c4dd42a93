// SPDX-License-Identifier: MIT
#include "golden/io/array_file.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>

#include "golden/io/file.h"
#include "golden/io/printable.h"
#include "golden/io/safetensors.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

struct TypeName {
  std::string_view name;
  DType dtype;
};

constexpr TypeName kNumpyTypes[] = {
    {"<f8", DType::F64}, {"<f4", DType::F32}, {"<f2", DType::F16}, {"<V2", DType::BF16}, {"|V2", DType::BF16},
    {"|u1", DType::U8},  {"<u1", DType::U8},  {"|i1", DType::I8},  {"<i1", DType::I8},   {"|V1", DType::U8},
    {"<V1", DType::U8},  {"<i2", DType::I16}, {"<u2", DType::U16}, {"<i4", DType::I32},  {"<u4", DType::U32},
    {"<i8", DType::I64}, {"<u8", DType::U64}, {"|b1", DType::BOOL}};

constexpr TypeName kTorchTypes[] = {{"torch.float64", DType::F64},
                                    {"torch.float32", DType::F32},
                                    {"torch.float16", DType::F16},
                                    {"torch.bfloat16", DType::BF16},
                                    {"torch.float8_e4m3fn", DType::F8_E4M3},
                                    {"torch.float8_e5m2", DType::F8_E5M2},
                                    {"torch.float8_e8m0fnu", DType::F8_E8M0},
                                    {"torch.float8_e4m3fnuz", DType::U8},
                                    {"torch.float8_e5m2fnuz", DType::U8},
                                    {"torch.float4_e2m1fn_x2", DType::U8},
                                    {"torch.uint8", DType::U8},
                                    {"torch.int8", DType::I8},
                                    {"torch.int16", DType::I16},
                                    {"torch.uint16", DType::U16},
                                    {"torch.int32", DType::I32},
                                    {"torch.uint32", DType::U32},
                                    {"torch.int64", DType::I64},
                                    {"torch.uint64", DType::U64},
                                    {"torch.bool", DType::BOOL}};

template <size_t n>
std::optional<DType> type_named(const TypeName (&table)[n], std::string_view name) {
  for (const TypeName& row : table) {
    if (row.name == name) return row.dtype;
  }
  return std::nullopt;
}

// The numbers between `open` and `close`, separated by commas: "(2, 3,)".
std::optional<Shape> numbers_between(std::string_view text, char open, char close) {
  const size_t begin = text.find(open), end = text.find(close, begin == std::string_view::npos ? 0 : begin);
  if (begin == std::string_view::npos || end == std::string_view::npos) return std::nullopt;
  Shape shape;
  for (size_t at = begin + 1; at < end;) {
    if (text[at] == ' ' || text[at] == ',') {
      ++at;
      continue;
    }
    uint64_t value = 0;
    const auto [next, error] = std::from_chars(text.data() + at, text.data() + end, value);
    if (error != std::errc()) return std::nullopt;
    shape.push_back(value);
    at = static_cast<size_t>(next - text.data());
  }
  return shape;
}

// The quoted value of 'key' in numpy's header dictionary.
std::string_view quoted_value(std::string_view header, std::string_view key) {
  const size_t at = header.find(key);
  if (at == std::string_view::npos) return {};
  const size_t colon = header.find(':', at);
  const size_t begin = header.find('\'', colon == std::string_view::npos ? header.size() : colon);
  if (begin == std::string_view::npos) return {};
  const size_t end = header.find('\'', begin + 1);
  return end == std::string_view::npos ? std::string_view() : header.substr(begin + 1, end - begin - 1);
}

Tensor tensor_of(const std::string& file, DType dtype, const Shape& shape, std::span<const std::byte> bytes) {
  uint64_t elements = 1;
  bool overflow = false;
  for (const uint64_t extent : shape) overflow |= __builtin_mul_overflow(elements, extent, &elements);
  if (overflow || elements > bytes.size() || elements * size_of(dtype) != bytes.size()) {
    throw FileError(file, fmt::format("{} {} does not describe {} bytes of data", to_string(dtype),
                                      to_string(shape), bytes.size()));
  }
  return Tensor(dtype, shape, {bytes.begin(), bytes.end()});
}

}  // namespace

Tensor read_npy(const std::filesystem::path& path) {
  const std::string file = path.string();
  const std::vector<std::byte> bytes = read_bytes(path);
  const auto byte = [&](size_t i) { return std::to_integer<uint8_t>(bytes[i]); };
  constexpr std::string_view kMagic = "\x93NUMPY";
  if (bytes.size() < 12 || std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0) {
    throw FileError(file, "not a .npy file");
  }
  const unsigned major = byte(6);
  if (major < 1 || major > 3) throw FileError(file, fmt::format("unknown .npy version {}", major));
  const size_t length_bytes = major == 1 ? 2 : 4;
  size_t length = 0;
  for (size_t i = 0; i < length_bytes; ++i) length |= size_t{byte(8 + i)} << (8 * i);
  const size_t begin = 8 + length_bytes;
  if (length > bytes.size() - begin)
    throw FileError(file, 8, "the .npy header reaches past the end of the file");
  const std::string_view header(reinterpret_cast<const char*>(bytes.data()) + begin, length);
  const std::string_view descr = quoted_value(header, "'descr'");
  const auto dtype = type_named(kNumpyTypes, descr);
  if (!dtype) throw FileError(file, fmt::format("numpy type '{}' is not supported", printable(descr)));
  if (header.find("'fortran_order': False") == std::string_view::npos) {
    throw FileError(file, "the array is not in C order");
  }
  const size_t shape_at = header.find("'shape'");
  const auto shape =
      shape_at == std::string_view::npos ? std::nullopt : numbers_between(header.substr(shape_at), '(', ')');
  if (!shape) throw FileError(file, "the .npy header has no shape");
  return tensor_of(file, *dtype, *shape, std::span(bytes).subspan(begin + length));
}

Tensor read_torch_dump(const std::filesystem::path& bin, const std::filesystem::path& meta) {
  const std::string text = read_text(meta);
  const size_t line_end = text.find('\n');
  if (line_end == std::string::npos) throw FileError(meta.string(), "two lines are expected: shape and type");
  const auto shape = numbers_between(std::string_view(text).substr(0, line_end), '[', ']');
  std::string_view type = std::string_view(text).substr(line_end + 1);
  while (!type.empty() && (type.back() == '\n' || type.back() == '\r' || type.back() == ' '))
    type.remove_suffix(1);
  const auto dtype = type_named(kTorchTypes, type);
  if (!shape) throw FileError(meta.string(), "the first line is no torch.Size([...])");
  if (!dtype) throw FileError(meta.string(), fmt::format("type '{}' is not supported", printable(type)));
  return tensor_of(bin.string(), *dtype, *shape, read_bytes(bin));
}

namespace {

constexpr std::string_view kSafetensors = ".safetensors";

// Where "FILE:TENSOR" is divided: behind ".safetensors", else where the text before a colon is a file that is
// there. A text that is a file by itself is not divided.
std::optional<TensorReference> divide(const std::string& text, const std::filesystem::path& directory) {
  std::error_code code;
  if (std::filesystem::is_regular_file(directory / text, code)) return std::nullopt;
  const size_t suffix = text.find(std::string(kSafetensors) + ":");
  if (suffix != std::string::npos) {
    const size_t colon = suffix + kSafetensors.size();
    return TensorReference{text.substr(0, colon), text.substr(colon + 1)};
  }
  for (size_t colon = text.rfind(':'); colon != std::string::npos && colon != 0;
       colon = text.rfind(':', colon - 1)) {
    const std::string file = text.substr(0, colon);
    if (std::filesystem::is_regular_file(directory / file, code))
      return TensorReference{file, text.substr(colon + 1)};
  }
  return std::nullopt;
}

}  // namespace

Tensor read_array(const std::string& text, const std::filesystem::path& directory) {
  if (auto reference = divide(text, directory)) {
    reference->path = (directory / reference->path).string();
    return read_tensor(*reference);
  }
  const std::filesystem::path path = directory / text;
  if (path.extension() == kSafetensors) {
    const SafetensorsFile file = SafetensorsFile::open(path);
    std::vector<std::string> names;
    for (const auto& entry : file.tensors()) names.push_back(entry.first);
    throw FileError(path.string(), fmt::format("which tensor? write FILE.safetensors:TENSOR (it has: {})",
                                               names_text(names)));
  }
  if (path.extension() == ".npy") return read_npy(path);
  std::filesystem::path meta = path;
  meta.replace_extension(".meta");
  std::error_code code;
  if (path.extension() == ".bin" && std::filesystem::exists(meta, code)) return read_torch_dump(path, meta);
  std::vector<std::byte> bytes = read_bytes(path);
  const uint64_t size = bytes.size();
  return Tensor(DType::U8, {size}, std::move(bytes));
}

ArrayTarget parse_array_target(const std::string& text, const std::string& tensor) {
  const size_t suffix = text.find(std::string(kSafetensors) + ":");
  if (suffix != std::string::npos) {
    const size_t colon = suffix + kSafetensors.size();
    if (colon + 1 == text.size()) throw Error("'" + text + "' names no tensor behind the colon");
    return {text.substr(0, colon), text.substr(colon + 1)};
  }
  if (text.ends_with(kSafetensors)) return {text, tensor};
  if (std::filesystem::path(text).filename().string().find(':') != std::string::npos) {
    throw Error("'" + text + "': a tensor of a file is written to FILE.safetensors:TENSOR");
  }
  if (text.ends_with(".npy")) {
    throw Error("'" + text + "': .npy files are read only; write FILE.safetensors:TENSOR or raw bytes");
  }
  return {text, ""};
}

}  // namespace wavetwin::golden
