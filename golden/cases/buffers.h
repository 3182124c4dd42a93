// SPDX-License-Identifier: MIT
// What the programs of all kernels make their buffers of.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "golden/harness/case.h"

namespace wavetwin::golden {

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

// A buffer that holds `data` and nothing else.
inline BufferSpec buffer_of(std::string name, std::vector<std::byte> data) {
  BufferSpec buffer;
  buffer.name = std::move(name);
  buffer.bytes = data.size();
  buffer.initial.push_back({0, std::move(data)});
  return buffer;
}

}  // namespace wavetwin::golden
