// SPDX-License-Identifier: MIT
// view and permute as numpy has them, an index at a time; random bytes; shapes that exercise padding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "golden/layout/memory_convert.h"

namespace wavetwin::golden {

// values.view(dims).permute(order).contiguous()
std::vector<uint32_t> view_permute(const std::vector<uint32_t>& values, const std::vector<size_t>& dims,
                                   const std::vector<size_t>& order);

// 0, 1, 2, ...
std::vector<uint32_t> numbers(size_t count);

// Bytes that no two neighbours share by rule; the same for a seed everywhere.
std::vector<std::byte> random_bytes(uint64_t seed, size_t count);
BufferBytes random_buffers(uint64_t seed, const MemoryLayout& layout);

// A layout and shapes of it: the smallest, odd ones, and ones with several tiles or pages.
struct ShapedLayout {
  std::string name;
  MemoryShape shape;
};
std::vector<ShapedLayout> shaped_layouts();
std::string describe(const ShapedLayout& shaped);

}  // namespace wavetwin::golden
