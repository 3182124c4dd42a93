// SPDX-License-Identifier: MIT
#include "golden/cli/launch_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "golden/io/array_file.h"
#include "golden/io/file.h"
#include "golden/io/safetensors.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

isa::LaunchShape shape_of(const LaunchFile& launch) {
  isa::LaunchShape shape;
  shape.grid = launch.grid;
  shape.block = launch.block;
  shape.dynamic_lds = launch.dynamic_lds;
  return shape;
}

std::vector<uint8_t> little_endian(uint64_t value, size_t bytes) {
  std::vector<uint8_t> result(bytes);
  for (size_t i = 0; i < bytes; ++i) result[i] = i < 8 ? static_cast<uint8_t>(value >> (8 * i)) : 0;
  return result;
}

}  // namespace

PreparedLaunch::PreparedLaunch(const LaunchFile& launch)
    : launch_(launch),
      executable_(isa::CodeObject::load((launch.directory / launch.code_object).string())),
      kernel_(&executable_.object().kernel(launch.kernel)),
      shape_(shape_of(launch)),
      load_address_(isa::load_image(memory_, executable_.object(), "code object")) {
  isa::check_shape(*kernel_, shape_);
  build_kernarg();
  for (const auto& [buffer, file] : launch_.outputs) find(buffer);
}

const PreparedLaunch::Buffer& PreparedLaunch::find(const std::string& name) const {
  std::vector<std::string> known;
  for (const Buffer& buffer : buffers_) {
    if (buffer.name == name) return buffer;
    known.push_back(buffer.name);
  }
  throw Error(fmt::format("the launch has no buffer '{}' (it has: {})", name, fmt::join(known, ", ")));
}

PreparedLaunch::Buffer& PreparedLaunch::create(const LaunchBuffer& wanted) {
  Buffer buffer;
  buffer.name = wanted.name;
  buffer.file = wanted.file;
  buffer.zero = wanted.zero;
  Tensor content;
  if (!wanted.file.empty()) {
    content = read_array(wanted.file, launch_.directory);
    buffer.dtype = content.dtype;
    buffer.shape = content.shape;
    if (wanted.bytes && *wanted.bytes != content.data.size()) {
      throw Error(fmt::format("buffer '{}' has {} bytes, but {} has {}", wanted.name, *wanted.bytes,
                              wanted.file, content.data.size()));
    }
  }
  if (!wanted.bytes && wanted.file.empty())
    throw Error(fmt::format("buffer '{}' has no 'bytes'", wanted.name));
  buffer.bytes = wanted.bytes.value_or(content.data.size());
  if (wanted.file.empty()) buffer.shape = {buffer.bytes};
  // An empty buffer still has an address of its own.
  buffer.address = memory_.allocate(wanted.name, std::max<uint64_t>(buffer.bytes, 1));
  if (!content.data.empty()) memory_.write(buffer.address, content.data.data(), content.data.size());
  if (wanted.zero && buffer.bytes != 0) memory_.fill(buffer.address, buffer.bytes, 0);
  return buffers_.emplace_back(std::move(buffer));
}

uint64_t PreparedLaunch::address_of(const LaunchBuffer& wanted) {
  auto at =
      std::find_if(buffers_.begin(), buffers_.end(), [&](const Buffer& b) { return b.name == wanted.name; });
  Buffer& buffer = at == buffers_.end() ? create(wanted) : *at;
  if (at != buffers_.end() && wanted.bytes && *wanted.bytes != buffer.bytes) {
    throw Error(fmt::format("buffer '{}' has {} bytes in one place and {} in another", wanted.name,
                            buffer.bytes, *wanted.bytes));
  }
  const bool refilled = (!wanted.file.empty() && wanted.file != buffer.file) || (wanted.zero && !buffer.zero);
  if (refilled) {
    throw Error(fmt::format("buffer '{}' is filled in another way at its first mention", wanted.name));
  }
  if (wanted.dtype || wanted.shape) {
    buffer.dtype = wanted.dtype.value_or(buffer.dtype);
    buffer.shape = wanted.shape.value_or(Shape{buffer.bytes / size_of(buffer.dtype)});
    contents_as(buffer.name, buffer.dtype, buffer.shape);  // the sizes must agree
  }
  return buffer.address + wanted.address;
}

std::vector<uint8_t> PreparedLaunch::encode(const LaunchValue& value,
                                            const isa::KernelArgumentInfo* argument) {
  if (value.buffer) return little_endian(address_of(*value.buffer), 8);
  // A number where a pointer is expected is an address; a bare number takes the argument's size.
  if (argument != nullptr && value.integer && (value.untyped || argument->pointer())) {
    const unsigned bits = 8 * argument->size;
    const int64_t number = *value.integer;
    if (bits < 64 && (number < -(int64_t{1} << (bits - 1)) || number >= int64_t{1} << bits)) {
      throw Error(
          fmt::format("argument '{}': {} does not fit {} bytes", argument->name, number, argument->size));
    }
    return little_endian(static_cast<uint64_t>(number), argument->size);
  }
  return value.bytes;
}

void PreparedLaunch::build_kernarg() {
  if (launch_.kernarg_bytes) {
    std::vector<uint8_t> block(*launch_.kernarg_bytes);
    for (const LaunchField& field : launch_.fields) {
      const std::vector<uint8_t> bytes = encode(field.value, nullptr);
      std::copy(bytes.begin(), bytes.end(), block.begin() + static_cast<ptrdiff_t>(field.offset));
    }
    kernarg_ = isa::pad_kernarg(*kernel_, shape_, block, isa::kQueueAddress);
    return;
  }
  if (!kernel_->has_metadata && launch_.arguments.empty()) {
    kernarg_ = isa::pad_kernarg(*kernel_, shape_, {}, isa::kQueueAddress);
    return;
  }
  std::vector<const isa::KernelArgumentInfo*> expected;
  for (const isa::KernelArgumentInfo& argument : kernel_->metadata.arguments) {
    if (!argument.hidden()) expected.push_back(&argument);
  }
  std::vector<std::vector<uint8_t>> arguments;
  for (size_t i = 0; i < launch_.arguments.size(); ++i) {
    arguments.push_back(encode(launch_.arguments[i], i < expected.size() ? expected[i] : nullptr));
  }
  kernarg_ = isa::build_kernarg(*kernel_, shape_, arguments, isa::kQueueAddress);
}

isa::ExecuteReport PreparedLaunch::run(const isa::ExecuteOptions& options) {
  return isa::execute_kernel(memory_, executable_, load_address_, *kernel_, shape_, kernarg_, options);
}

Tensor PreparedLaunch::contents(const std::string& name) const {
  const Buffer& buffer = find(name);
  return contents_as(name, buffer.dtype, buffer.shape);
}

Tensor PreparedLaunch::contents_as(const std::string& name, DType dtype, const Shape& shape) const {
  const Buffer& buffer = find(name);
  if (element_count(shape) * size_of(dtype) != buffer.bytes) {
    throw Error(fmt::format("buffer '{}' of {} bytes is not {} {}", name, buffer.bytes, to_string(dtype),
                            to_string(shape)));
  }
  std::vector<std::byte> bytes(buffer.bytes);
  if (!bytes.empty()) memory_.read(buffer.address, bytes.data(), bytes.size());
  return Tensor(dtype, shape, std::move(bytes));
}

void PreparedLaunch::write_outputs() const {
  std::map<std::string, Tensors> safetensors;  // one file may take several buffers
  for (const auto& [buffer, file] : launch_.outputs) {
    const Tensor tensor = contents(buffer);
    if (file.find(".safetensors") != std::string::npos) {
      const bool named = file.find(".safetensors:") != std::string::npos;
      const TensorReference to = named ? parse_tensor_reference(file) : TensorReference{file, buffer};
      safetensors[to.path][to.tensor] = tensor;
      continue;
    }
    write_atomically(launch_.directory / file, [&](std::ostream& out) {
      out.write(reinterpret_cast<const char*>(tensor.data.data()),
                static_cast<std::streamsize>(tensor.data.size()));
    });
  }
  for (const auto& [file, tensors] : safetensors) {
    write_safetensors(launch_.directory / file, tensors, {{"kernel", kernel_->name}});
  }
}

namespace {

struct ModeChoice {
  const char* name;
  uint32_t value;
};
struct ModeField {
  const char* name;
  unsigned shift, bits;
  std::vector<ModeChoice> choices;
};

const std::vector<ModeField>& mode_fields() {
  static const std::vector<ModeChoice> rounds{{"even", 0}, {"up", 1}, {"down", 2}, {"zero", 3}};
  static const std::vector<ModeChoice> denorms{
      {"flush", 0}, {"flush_output", 1}, {"flush_input", 2}, {"keep", 3}};
  static const std::vector<ModeChoice> flags{{"off", 0}, {"on", 1}};
  static const std::vector<ModeField> fields{{"round_f32", 0, 2, rounds},   {"round_f16_f64", 2, 2, rounds},
                                             {"denorm_f32", 4, 2, denorms}, {"denorm_f16_f64", 6, 2, denorms},
                                             {"dx10_clamp", 8, 1, flags},   {"ieee", 9, 1, flags},
                                             {"fp16_ovfl", 23, 1, flags}};
  return fields;
}

}  // namespace

uint32_t apply_mode_setting(uint32_t mode_bits, const std::string& setting) {
  const size_t equals = setting.find('=');
  const std::string name = setting.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : setting.substr(equals + 1);
  std::vector<std::string> known;
  for (const ModeField& field : mode_fields()) {
    known.push_back(field.name);
    if (name != field.name) continue;
    std::vector<std::string> values;
    for (const ModeChoice& choice : field.choices) {
      values.push_back(choice.name);
      if (value != choice.name) continue;
      const uint32_t mask = ((1u << field.bits) - 1) << field.shift;
      return (mode_bits & ~mask) | choice.value << field.shift;
    }
    throw Error(
        fmt::format("--mode {}: the value of {} is one of {}", setting, name, fmt::join(values, ", ")));
  }
  throw Error(fmt::format("--mode {}: the fields are {}", setting, fmt::join(known, ", ")));
}

std::string mode_text(uint32_t mode_bits) {
  std::vector<std::string> parts;
  for (const ModeField& field : mode_fields()) {
    const uint32_t value = mode_bits >> field.shift & ((1u << field.bits) - 1);
    parts.push_back(fmt::format("{}={}", field.name, field.choices[value].name));
  }
  return fmt::format("{}", fmt::join(parts, " "));
}

}  // namespace wavetwin::golden
