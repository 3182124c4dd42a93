// SPDX-License-Identifier: MIT
#include "golden/io/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "golden/io/file.h"
#include "golden/io/json_input.h"
#include "golden/io/printable.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

using nlohmann::json;

constexpr uint64_t kHeaderSizeBytes = 8;
constexpr uint64_t kMaxHeaderBytes = 100'000'000;  // the limit of the reference reader
constexpr unsigned kMaxHeaderDepth = 3;            // header, entry, shape

uint64_t little_endian_u64(const char* bytes) {
  uint64_t value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

uint64_t unsigned_field(const json& value, const char* what) {
  if (!value.is_number_unsigned())
    throw std::runtime_error(std::string(what) + " is not a non-negative integer");
  return value.get<uint64_t>();
}

const json& required(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) throw std::runtime_error(std::string("'") + key + "' is missing");
  return *found;
}

Shape parse_shape(const json& value) {
  if (!value.is_array()) throw std::runtime_error("'shape' is not a list");
  Shape shape;
  for (const json& extent : value) shape.push_back(unsigned_field(extent, "an extent of 'shape'"));
  return shape;
}

// Checks one entry of the header by itself; overlaps are checked when all are known.
TensorInfo parse_entry(const json& entry, uint64_t data_bytes) {
  if (!entry.is_object()) throw std::runtime_error("its header entry is not an object");
  const json& dtype_name = required(entry, "dtype");
  if (!dtype_name.is_string()) throw std::runtime_error("'dtype' is not a string");
  const auto dtype = dtype_from(dtype_name.get<std::string>());
  if (!dtype) throw std::runtime_error("unknown dtype '" + dtype_name.get<std::string>() + "'");
  TensorInfo info{*dtype, parse_shape(required(entry, "shape")), 0, 0};
  const json& offsets = required(entry, "data_offsets");
  if (!offsets.is_array() || offsets.size() != 2) throw std::runtime_error("'data_offsets' is not a pair");
  info.begin = unsigned_field(offsets[0], "data_offsets[0]");
  info.end = unsigned_field(offsets[1], "data_offsets[1]");
  uint64_t bytes;
  if (__builtin_mul_overflow(element_count(info.shape), size_of(info.dtype), &bytes)) {
    throw std::runtime_error("shape " + to_string(info.shape) + " is too large");
  }
  if (info.begin > info.end || info.end > data_bytes) {
    throw std::runtime_error(fmt::format("data_offsets [{},{}] leave the {} data bytes of the file",
                                         info.begin, info.end, data_bytes));
  }
  if (info.end - info.begin != bytes) {
    throw std::runtime_error(fmt::format("{} {} needs {} bytes, data_offsets hold {}", to_string(info.dtype),
                                         to_string(info.shape), bytes, info.end - info.begin));
  }
  return info;
}

Metadata parse_metadata(const json& value) {
  if (!value.is_object()) throw std::runtime_error("it is not an object");
  Metadata metadata;
  for (const auto& [key, text] : value.items()) {
    if (!text.is_string()) throw std::runtime_error("'" + key + "' is not a string");
    metadata[key] = text.get<std::string>();
  }
  return metadata;
}

// Names in the order in which their bytes lie in the file.
std::vector<std::string> in_file_order(const std::map<std::string, TensorInfo>& tensors) {
  std::vector<std::string> names;
  for (const auto& [name, info] : tensors) names.push_back(name);
  std::stable_sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    const TensorInfo &left = tensors.at(a), &right = tensors.at(b);
    return std::pair(left.begin, left.end) < std::pair(right.begin, right.end);
  });
  return names;
}

}  // namespace

void SafetensorsFile::fail(const std::string& reason) const {
  constexpr size_t kMostQuoted = 1000;  // it may hold names and shapes from the file
  std::string line = reason.size() <= kMostQuoted ? reason : reason.substr(0, kMostQuoted) + " ...";
  std::replace_if(
      line.begin(), line.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  throw FileError(path_, line);
}

void SafetensorsFile::parse_header(const std::string& header, uint64_t data_bytes) {
  json root;
  try {
    root = parse_json(header, kMaxHeaderDepth);
  } catch (const JsonProblem& problem) {
    if (problem.syntax) {
      throw FileError(path_, kHeaderSizeBytes + problem.offset,
                      fmt::format("header is not JSON: {}", problem.what()));
    }
    fail(fmt::format("header: {}", problem.what()));
  }
  if (!root.is_object()) fail("header is not a JSON object");
  for (const auto& [name, entry] : root.items()) {
    try {
      if (name == "__metadata__") {
        metadata_ = parse_metadata(entry);
      } else {
        tensors_.emplace(name, parse_entry(entry, data_bytes));
      }
    } catch (const std::exception& error) {
      fail(fmt::format("tensor '{}': {}", name, error.what()));
    }
  }
  uint64_t expected = 0;
  std::string previous;
  for (const std::string& name : in_file_order(tensors_)) {
    const TensorInfo& info = tensors_.at(name);
    if (info.begin < expected)
      fail(fmt::format("tensor '{}': its bytes overlap tensor '{}'", name, previous));
    if (info.begin > expected)
      fail(fmt::format("tensor '{}': {} unused bytes before it", name, info.begin - expected));
    expected = info.end;
    previous = name;
  }
  if (expected != data_bytes) {
    throw FileError(path_, data_offset_ + expected,
                    fmt::format("{} bytes after the last tensor", data_bytes - expected));
  }
}

SafetensorsFile SafetensorsFile::load(std::string name, std::istream& in, uint64_t file_bytes) {
  SafetensorsFile file;
  file.path_ = std::move(name);
  char size[kHeaderSizeBytes];
  if (file_bytes < kHeaderSizeBytes || !in.read(size, sizeof size)) {
    file.fail(fmt::format("truncated: {} bytes, the header size alone needs 8", file_bytes));
  }
  const uint64_t header_bytes = little_endian_u64(size);
  if (header_bytes > kMaxHeaderBytes || header_bytes > file_bytes - kHeaderSizeBytes) {
    file.fail(fmt::format("truncated or not safetensors: header of {} bytes in a file of {}", header_bytes,
                          file_bytes));
  }
  std::string header(header_bytes, '\0');
  if (!in.read(header.data(), static_cast<std::streamsize>(header_bytes)))
    file.fail("cannot read the header");
  file.data_offset_ = kHeaderSizeBytes + header_bytes;
  file.parse_header(header, file_bytes - file.data_offset_);
  return file;
}

SafetensorsFile SafetensorsFile::parse(std::string name, const std::string& bytes) {
  std::istringstream in(bytes);
  return load(std::move(name), in, bytes.size());
}

SafetensorsFile SafetensorsFile::open(const std::filesystem::path& path) {
  std::error_code code;
  if (std::filesystem::is_fifo(path, code)) throw FileError(path.string(), "cannot read: it is a pipe");
  std::ifstream in = open_for_reading(path);
  const uint64_t bytes = std::filesystem::file_size(path, code);
  if (code) throw FileError(path.string(), "cannot read: " + code.message());
  return load(path.string(), in, bytes);
}

Tensor SafetensorsFile::read(const std::string& name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) {
    std::vector<std::string> names;
    for (const auto& entry : tensors_) names.push_back(entry.first);
    fail(fmt::format("no tensor '{}' (it has: {})", name, names_text(names)));
  }
  const TensorInfo& info = found->second;
  if (info.end - info.begin > host_memory_bytes()) {
    fail(fmt::format("tensor '{}': {} bytes do not fit this machine's memory of {} bytes", name,
                     info.end - info.begin, host_memory_bytes()));
  }
  Tensor tensor(info.dtype, info.shape);
  std::ifstream in = open_for_reading(path_);
  in.seekg(static_cast<std::streamoff>(data_offset_ + info.begin));
  if (!in.read(reinterpret_cast<char*>(tensor.data.data()),
               static_cast<std::streamsize>(tensor.data.size()))) {
    fail(fmt::format("tensor '{}': cannot read its {} bytes", name, tensor.data.size()));
  }
  return tensor;
}

Tensors SafetensorsFile::read_all() const {
  Tensors all;
  for (const auto& entry : tensors_) all.emplace(entry.first, read(entry.first));
  return all;
}

void write_safetensors(const std::filesystem::path& path, const Tensors& tensors, const Metadata& metadata) {
  std::vector<const Tensors::value_type*> order;
  for (const auto& entry : tensors) order.push_back(&entry);
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return size_of(a->second.dtype) > size_of(b->second.dtype);
  });
  json header = json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  uint64_t offset = 0;
  for (const auto* entry : order) {
    const Tensor& tensor = entry->second;
    const uint64_t end = offset + tensor.data.size();
    header[entry->first] = {
        {"dtype", to_string(tensor.dtype)}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump(-1, ' ', false, json::error_handler_t::replace);
  text.append((8 - text.size() % 8) % 8, ' ');  // the data section starts at a multiple of 8
  const uint64_t header_bytes = text.size();
  write_atomically(path, [&](std::ostream& out) {
    out.write(reinterpret_cast<const char*>(&header_bytes), sizeof header_bytes);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    for (const auto* entry : order) {
      const auto& data = entry->second.data;
      out.write(reinterpret_cast<const char*>(data.data()), static_cast<std::streamsize>(data.size()));
    }
  });
}

TensorReference parse_tensor_reference(const std::string& text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == text.size()) {
    throw Error("'" + text + "' does not name a tensor: write FILE.safetensors:TENSOR");
  }
  return {text.substr(0, colon), text.substr(colon + 1)};
}

Tensor read_tensor(const TensorReference& reference) {
  return SafetensorsFile::open(reference.path).read(reference.tensor);
}

}  // namespace wavetwin::golden
