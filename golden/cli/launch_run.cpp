// SPDX-License-Identifier: MIT
#include "golden/cli/launch_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <new>

#include "golden/io/array_file.h"
#include "golden/io/file.h"
#include "golden/io/printable.h"
#include "golden/io/safetensors.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

isa::LaunchShape shape_of(const LaunchFile& launch) {
  isa::LaunchShape shape;
  if (launch.grid_items.empty()) {
    shape.grid = launch.grid;
    shape.block = launch.block;
  } else {
    shape = isa::LaunchShape::of_items(three_extents(launch.grid_items), launch.block);
    shape.dimensions = static_cast<uint32_t>(launch.grid_items.size());
  }
  shape.dynamic_lds = launch.dynamic_lds;
  return shape;
}

std::vector<uint8_t> little_endian(uint64_t value, size_t bytes) {
  std::vector<uint8_t> result(bytes);
  for (size_t i = 0; i < bytes; ++i) result[i] = i < 8 ? static_cast<uint8_t>(value >> (8 * i)) : 0;
  return result;
}

// Names that the launch's own blocks have in memory.
constexpr const char* kReservedNames[] = {"code object", "kernel arguments", "dispatch packet", "queue"};

// Bytes of the block that the kernel reads and the launch does not fill by itself.
uint64_t needed_kernarg_bytes(const isa::KernelInfo& kernel) {
  uint64_t end = 0;
  bool hidden = false;
  for (const isa::KernelArgumentInfo& argument : kernel.metadata.arguments) {
    hidden |= argument.hidden();
    if (!argument.hidden()) end = std::max<uint64_t>(end, uint64_t{argument.offset} + argument.size);
  }
  return hidden ? end : std::max<uint64_t>(end, kernel.kernarg_size());
}

}  // namespace

PreparedLaunch::PreparedLaunch(const LaunchFile& launch)
    : launch_(launch),
      executable_(isa::CodeObject::load((launch.directory / launch.code_object).string())),
      kernel_(&executable_.object().kernel(launch.kernel)),
      shape_(shape_of(launch)),
      load_address_(isa::load_image(memory_, executable_.object(), kReservedNames[0])) {
  try {
    isa::check_shape(*kernel_, shape_);
    build_kernarg();
    for (const auto& [name, file] : launch_.outputs) find(name);
  } catch (const FileError&) {
    throw;
  } catch (const Error& error) {
    throw FileError(launch_.name, error.what());
  }
}

void PreparedLaunch::fail(const std::string& place, const std::string& reason) const {
  throw FileError(launch_.name, fmt::format("'{}': {}", place, reason));
}

const PreparedLaunch::Buffer& PreparedLaunch::find(const std::string& name) const {
  std::vector<std::string> known;
  for (const Buffer& buffer : buffers_) {
    if (buffer.name == name) return buffer;
    known.push_back(buffer.name);
  }
  throw Error(fmt::format("the launch has no buffer '{}' (it has: {})", name, names_text(known)));
}

// What the host has to hold at once must fit it; a buffer that is only reserved costs what is touched.
void PreparedLaunch::require_host_memory(const std::string& place, const std::string& name,
                                         uint64_t bytes) const {
  if (bytes <= host_memory_bytes()) return;
  fail(place, fmt::format("buffer '{}' of {} bytes does not fit this machine's memory of {} bytes", name,
                          bytes, host_memory_bytes()));
}

Tensor PreparedLaunch::read_input(const LaunchBuffer& wanted, const std::string& place) const {
  try {
    return read_array(wanted.file, launch_.directory);
  } catch (const Error& error) {
    fail(place, error.what());
  } catch (const std::bad_alloc&) {
    fail(place, fmt::format("buffer '{}': not enough memory to read {}", wanted.name, wanted.file));
  }
}

PreparedLaunch::Buffer& PreparedLaunch::create(const LaunchBuffer& wanted, const std::string& place) {
  if (std::find(std::begin(kReservedNames), std::end(kReservedNames), wanted.name) !=
      std::end(kReservedNames))
    fail(place, fmt::format("the name '{}' is the launch's own", wanted.name));
  Buffer buffer;
  buffer.name = wanted.name;
  buffer.file = wanted.file;
  buffer.zero = wanted.zero;
  Tensor content;
  if (!wanted.file.empty()) {
    content = read_input(wanted, place);
    buffer.dtype = content.dtype;
    buffer.shape = content.shape;
    if (wanted.bytes && *wanted.bytes != content.data.size()) {
      fail(place, fmt::format("buffer '{}' has {} bytes, but {} has {}", wanted.name, *wanted.bytes,
                              wanted.file, content.data.size()));
    }
  }
  if (!wanted.bytes && wanted.file.empty())
    fail(place, fmt::format("buffer '{}' has neither 'bytes' nor 'dtype' and 'shape'", wanted.name));
  buffer.bytes = wanted.bytes.value_or(content.data.size());
  if (wanted.file.empty()) buffer.shape = {buffer.bytes};
  if (wanted.zero) require_host_memory(place, wanted.name, buffer.bytes);
  // An empty buffer still has an address of its own.
  buffer.address = memory_.allocate(wanted.name, std::max<uint64_t>(buffer.bytes, 1));
  if (!content.data.empty()) memory_.write(buffer.address, content.data.data(), content.data.size());
  if (wanted.zero && buffer.bytes != 0) memory_.fill(buffer.address, buffer.bytes, 0);
  return buffers_.emplace_back(std::move(buffer));
}

uint64_t PreparedLaunch::address_of(const LaunchBuffer& wanted, const std::string& place) {
  auto at =
      std::find_if(buffers_.begin(), buffers_.end(), [&](const Buffer& b) { return b.name == wanted.name; });
  Buffer& buffer = at == buffers_.end() ? create(wanted, place) : *at;
  if (at != buffers_.end() && wanted.bytes && *wanted.bytes != buffer.bytes) {
    fail(place, fmt::format("buffer '{}' has {} bytes in one place and {} in another", wanted.name,
                            buffer.bytes, *wanted.bytes));
  }
  const bool refilled = (!wanted.file.empty() && wanted.file != buffer.file) || (wanted.zero && !buffer.zero);
  if (refilled) {
    fail(place, fmt::format("buffer '{}' is filled in another way at its first mention", wanted.name));
  }
  if (wanted.dtype || wanted.shape) {
    buffer.dtype = wanted.dtype.value_or(buffer.dtype);
    buffer.shape = wanted.shape.value_or(Shape{buffer.bytes / size_of(buffer.dtype)});
    require_type(buffer, buffer.dtype, buffer.shape);
  }
  return buffer.address + wanted.address;
}

std::vector<uint8_t> PreparedLaunch::encode(const LaunchValue& value,
                                            const isa::KernelArgumentInfo* argument) {
  if (value.buffer) return little_endian(address_of(*value.buffer, value.place), 8);
  // A number where a pointer is expected is an address; a bare number takes the argument's size.
  if (argument != nullptr && value.integer && (value.untyped || argument->pointer())) {
    const unsigned bits = 8 * argument->size;
    const int64_t number = *value.integer;
    if (bits < 64 && (number < -(int64_t{1} << (bits - 1)) || number >= int64_t{1} << bits)) {
      fail(value.place, fmt::format("{} does not fit the {} bytes of argument '{}'", number, argument->size,
                                    argument->name));
    }
    return little_endian(static_cast<uint64_t>(number), argument->size);
  }
  return value.bytes;
}

void PreparedLaunch::build_kernarg() {
  if (launch_.kernarg_bytes) {
    const uint64_t needed = needed_kernarg_bytes(*kernel_);
    if (*launch_.kernarg_bytes < needed) {
      fail("kernarg.bytes", fmt::format("a block of {} bytes; kernel '{}' reads {}", *launch_.kernarg_bytes,
                                        kernel_->name, needed));
    }
    std::vector<uint8_t> block(*launch_.kernarg_bytes);
    for (const LaunchField& field : launch_.fields) {
      const std::vector<uint8_t> bytes = encode(field.value, nullptr);
      std::copy(bytes.begin(), bytes.end(), block.begin() + static_cast<ptrdiff_t>(field.offset));
    }
    kernarg_ = isa::pad_kernarg(*kernel_, shape_, block, isa::kQueueAddress);
    return;
  }
  if (!kernel_->has_metadata && launch_.arguments.empty()) {
    if (kernel_->kernarg_size() != 0) {
      throw Error(
          fmt::format("kernel '{}' reads {} bytes of arguments and has no metadata: give a raw "
                      "\"kernarg\" block",
                      kernel_->name, kernel_->kernarg_size()));
    }
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

// Constructors of device variables: clang's kernel of kind "init", one work-item, which the loader of a
// runtime launches.
void PreparedLaunch::initialise(const isa::ExecuteOptions& options) {
  for (const isa::KernelInfo& kernel : executable_.object().kernels()) {
    if (kernel.metadata.kind != "init" || &kernel == kernel_) continue;
    const isa::LaunchShape one{{1, 1, 1}, {1, 1, 1}};
    isa::ExecuteOptions untraced = options;
    untraced.observer = nullptr;
    untraced.mode_bits.reset();
    const auto kernarg = isa::pad_kernarg(kernel, one, {}, isa::kQueueAddress);
    isa::execute_kernel(memory_, executable_, load_address_, kernel, one, kernarg, untraced);
  }
}

isa::ExecuteReport PreparedLaunch::run(const isa::ExecuteOptions& options) {
  initialise(options);
  return isa::execute_kernel(memory_, executable_, load_address_, *kernel_, shape_, kernarg_, options);
}

Tensor PreparedLaunch::contents(const std::string& name) const {
  const Buffer& buffer = find(name);
  return contents_as(name, buffer.dtype, buffer.shape);
}

void PreparedLaunch::require_type(const Buffer& buffer, DType dtype, const Shape& shape) const {
  if (element_count(shape) <= buffer.bytes && element_count(shape) * size_of(dtype) == buffer.bytes) return;
  throw Error(fmt::format("buffer '{}' of {} bytes is not {} {}", buffer.name, buffer.bytes, to_string(dtype),
                          to_string(shape)));
}

void PreparedLaunch::require_type(const std::string& name, DType dtype, const Shape& shape) const {
  require_type(find(name), dtype, shape);
}

Tensor PreparedLaunch::contents_as(const std::string& name, DType dtype, const Shape& shape) const {
  const Buffer& buffer = find(name);
  require_type(buffer, dtype, shape);
  std::vector<std::byte> bytes(buffer.bytes);
  if (!bytes.empty()) memory_.read(buffer.address, bytes.data(), bytes.size());
  return Tensor(dtype, shape, std::move(bytes));
}

void PreparedLaunch::require_writable_outputs() const {
  for (const auto& [name, file] : launch_.outputs) {
    const std::string place = "outputs." + name;
    const Buffer& buffer = find(name);
    require_host_memory(place, name, buffer.bytes);
    try {
      const std::filesystem::path path = launch_.directory / parse_array_target(file, name).path;
      require_output(path, launch_.name);
      require_output(path, launch_.directory / launch_.code_object);
    } catch (const Error& error) {
      fail(place, error.what());
    }
  }
}

void PreparedLaunch::write_outputs() const {
  std::map<std::string, Tensors> safetensors;  // one file may take several buffers
  for (const auto& [buffer, file] : launch_.outputs) {
    const Tensor tensor = contents(buffer);
    const ArrayTarget to = parse_array_target(file, buffer);
    if (!to.tensor.empty()) {
      safetensors[to.path][to.tensor] = tensor;
      continue;
    }
    write_atomically(launch_.directory / to.path, [&](std::ostream& out) {
      out.write(reinterpret_cast<const char*>(tensor.data.data()),
                static_cast<std::streamsize>(tensor.data.size()));
    });
  }
  for (const auto& [file, tensors] : safetensors) {
    write_safetensors(launch_.directory / file, tensors, {{"kernel", kernel_->name}});
  }
}

}  // namespace wavetwin::golden
