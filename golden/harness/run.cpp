// SPDX-License-Identifier: MIT
#include "golden/harness/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "golden/harness/compare.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

// A region together with the buffer it lies in.
struct Placed {
  const RegionSpec* region;
  size_t buffer;  // index into the program's buffers
  bool dense;

  bool expected(uint64_t index) const { return !region->written || region->written(index); }
  uint64_t offset_of(uint64_t index) const {
    if (dense) return region->offset + index * size_of(region->dtype);
    uint64_t offset = region->offset;
    for (size_t d = region->shape.size(); d-- > 0;) {
      offset += index % region->shape[d] * region->strides[d];
      index /= region->shape[d];
    }
    return offset;
  }
};

Placed place(const KernelCase& kernel_case, const Program& program, const RegionSpec& region) {
  const auto fail = [&](const std::string& why) {
    throw Error(fmt::format("{}: region '{}': {}", kernel_case.name(), region.name, why));
  };
  const auto found = std::find_if(program.buffers.begin(), program.buffers.end(),
                                  [&](const BufferSpec& buffer) { return buffer.name == region.buffer; });
  if (found == program.buffers.end()) fail("no buffer '" + region.buffer + "'");
  if (found->sparse) fail("buffer '" + region.buffer + "' is sparse");
  if (!region.strides.empty() && region.strides.size() != region.shape.size())
    fail("one stride a dimension is needed");
  const Placed placed{&region, static_cast<size_t>(found - program.buffers.begin()), region.strides.empty()};
  const uint64_t elements = element_count(region.shape);
  if (elements != 0 && placed.offset_of(elements - 1) + size_of(region.dtype) > found->bytes) {
    fail(fmt::format("leaves buffer '{}' of {} bytes", region.buffer, found->bytes));
  }
  return placed;
}

std::vector<BufferImage> make_images(const Program& program, bool second_variant) {
  std::vector<BufferImage> images;
  for (const BufferSpec& spec : program.buffers) {
    BufferImage image;
    image.spec = &spec;
    if (spec.sparse) {  // its pieces go straight to the device
      images.push_back(std::move(image));
      continue;
    }
    image.bytes.resize(spec.bytes);
    image.initialised.assign(spec.bytes, spec.fill == Fill::zero);
    if (spec.fill == Fill::poison) {
      for (uint64_t i = 0; i < spec.bytes; ++i) image.bytes[i] = poison_byte(i, second_variant);
    }
    for (const BufferPiece& piece : spec.initial) {
      if (piece.offset > spec.bytes || piece.data.size() > spec.bytes - piece.offset) {
        throw Error(fmt::format("initial data leave buffer '{}' of {} bytes", spec.name, spec.bytes));
      }
      std::copy(piece.data.begin(), piece.data.end(),
                image.bytes.begin() + static_cast<ptrdiff_t>(piece.offset));
      std::fill_n(image.initialised.begin() + static_cast<ptrdiff_t>(piece.offset), piece.data.size(), 1);
    }
    images.push_back(std::move(image));
  }
  return images;
}

// Buffers without a region to write are for reading only: backends that can will stop a store to them.
void mark_read_only(std::vector<BufferImage>& images, const std::vector<Placed>& regions) {
  for (BufferImage& image : images) image.read_only = image.spec->guard == Guard::unchanged;
  for (const Placed& placed : regions) images[placed.buffer].read_only = false;
}

// Elements the kernel had to write and did not, as far as the image tells: all their bytes are still poison.
std::vector<uint64_t> untouched_elements(const Placed& placed, const BufferImage& image,
                                         bool second_variant) {
  std::vector<uint64_t> indices;
  const uint64_t elements = element_count(placed.region->shape), bytes = size_of(placed.region->dtype);
  for (uint64_t i = 0; i < elements; ++i) {
    if (!placed.expected(i)) continue;
    const uint64_t offset = placed.offset_of(i);
    bool untouched = true;
    for (uint64_t b = offset; b < offset + bytes && untouched; ++b) {
      untouched =
          !image.initialised[b] &&
          (image.written.empty() ? image.bytes[b] == poison_byte(b, second_variant) : !image.written[b]);
    }
    if (untouched) indices.push_back(i);
  }
  return indices;
}

// Bytes that belong to an element the kernel is expected to write.
std::vector<uint8_t> expected_bytes(const std::vector<Placed>& regions, size_t buffer, uint64_t bytes) {
  std::vector<uint8_t> expected(bytes, 0);
  for (const Placed& placed : regions) {
    if (placed.buffer != buffer) continue;
    const uint64_t elements = element_count(placed.region->shape), width = size_of(placed.region->dtype);
    for (uint64_t i = 0; i < elements; ++i) {
      if (placed.expected(i))
        std::fill_n(expected.begin() + static_cast<ptrdiff_t>(placed.offset_of(i)), width, 1);
    }
  }
  return expected;
}

void find_stray_writes(const Program& program, const std::vector<Placed>& regions,
                       const std::vector<BufferImage>& before, const std::vector<BufferImage>& after,
                       std::vector<std::string>& findings) {
  for (size_t b = 0; b < program.buffers.size(); ++b) {
    const BufferSpec& spec = program.buffers[b];
    if (spec.guard == Guard::scratch || before[b].bytes == after[b].bytes) continue;
    const auto expected = expected_bytes(regions, b, spec.bytes);
    uint64_t count = 0, first = 0;
    for (uint64_t i = 0; i < spec.bytes; ++i) {
      if (expected[i] || before[b].bytes[i] == after[b].bytes[i]) continue;
      if (count++ == 0) first = i;
    }
    if (count != 0) {
      findings.push_back(
          fmt::format("{} bytes of buffer '{}' outside its regions were written, first at offset {}", count,
                      spec.name, first));
    }
  }
}

Tensor cut_out(const Placed& placed, const BufferImage& image) {
  Tensor tensor(placed.region->dtype, placed.region->shape);
  const uint64_t bytes = size_of(tensor.dtype), elements = tensor.elements();
  if (placed.dense) {
    if (elements != 0)
      std::memcpy(tensor.data.data(), image.bytes.data() + placed.region->offset, tensor.data.size());
    return tensor;
  }
  for (uint64_t i = 0; i < elements; ++i) {
    std::memcpy(tensor.data.data() + i * bytes, image.bytes.data() + placed.offset_of(i), bytes);
  }
  return tensor;
}

std::string never_written_text(const RegionSpec& region, const std::vector<uint64_t>& indices) {
  const auto first = unravel(region.shape, indices.front());
  const std::string place = region.locate ? region.locate(first) : "";
  return fmt::format("{} elements of '{}' were never written, first {} {}{}{}", indices.size(), region.name,
                     indices.front(), position_text(first), place.empty() ? "" : ", ", place);
}

// Byte-sized elements can happen to equal the poison: what stays suspicious is run again on the other
// variant.
NeverWritten find_never_written(const std::vector<Placed>& regions, const Program& program, Backend& backend,
                                const RunOptions& options, const std::vector<BufferImage>& after) {
  NeverWritten result;
  std::vector<std::vector<uint64_t>> suspects;
  bool again_needed = false;
  for (const Placed& placed : regions) {
    const BufferImage& image = after[placed.buffer];
    suspects.push_back(untouched_elements(placed, image, false));
    if (suspects.back().empty()) continue;
    if (image.written.empty()) {
      again_needed = true;
    } else {
      result.emplace(placed.region->name, suspects.back());
    }
  }
  if (!again_needed) return result;
  std::vector<BufferImage> again = make_images(program, true);
  backend.execute(program, again, options);
  for (size_t r = 0; r < regions.size(); ++r) {
    if (!after[regions[r].buffer].written.empty()) continue;
    const auto second = untouched_elements(regions[r], again[regions[r].buffer], true);
    std::vector<uint64_t> both;
    std::set_intersection(suspects[r].begin(), suspects[r].end(), second.begin(), second.end(),
                          std::back_inserter(both));
    if (!both.empty()) result.emplace(regions[r].region->name, std::move(both));
  }
  return result;
}

}  // namespace

std::byte poison_byte(uint64_t offset, bool second_variant) {
  const uint64_t word = offset / 4;
  const auto low = static_cast<uint32_t>((word * 0x9E3779B97F4A7C15ull) >> 48);
  const uint32_t first = 0x7FA50000u | low;
  const uint32_t second = 0xFFA90000u | (~low & 0xFFFFu);
  return static_cast<std::byte>((second_variant ? second : first) >> (8 * (offset % 4)));
}

RunResult run_case(const KernelCase& kernel_case, const Tensors& inputs, Backend& backend,
                   const RunOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const Program program = kernel_case.program(inputs);
  const std::vector<RegionSpec> specs = kernel_case.regions();
  std::vector<Placed> regions;
  for (const RegionSpec& spec : specs) regions.push_back(place(kernel_case, program, spec));

  std::vector<BufferImage> before = make_images(program, false);
  mark_read_only(before, regions);
  std::vector<BufferImage> after = before;
  Execution execution = backend.execute(program, after, options);
  RunResult result;
  result.findings = std::move(execution.findings);
  result.hints = std::move(execution.hints);
  result.device = std::move(execution.device);
  result.rounds = execution.rounds;
  result.launch_seconds = execution.launch_seconds;
  result.allowed = execution.allowed;
  find_stray_writes(program, regions, before, after, result.findings);
  result.never_written = find_never_written(regions, program, backend, options, after);
  for (const Placed& placed : regions) {
    const auto at = result.never_written.find(placed.region->name);
    if (at != result.never_written.end())
      result.findings.push_back(never_written_text(*placed.region, at->second));
    result.regions.emplace(placed.region->name, cut_out(placed, after[placed.buffer]));
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace wavetwin::golden
