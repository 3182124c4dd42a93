// SPDX-License-Identifier: MIT
// 128-bit content hashes (XXH3), printed as `xxhsum -H128` prints them.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "golden/io/tensor.h"

namespace wavetwin::golden {

struct Hash128 {
  uint64_t high = 0, low = 0;
  auto operator<=>(const Hash128&) const = default;
};

Hash128 hash128(std::span<const std::byte> bytes);
Hash128 hash128(std::string_view text);

// 32 lower-case hexadecimal digits.
std::string to_string(const Hash128& hash);
std::optional<Hash128> hash_from(std::string_view text);

// Names, dtypes, shapes and contents of a set of tensors.
Hash128 hash_tensors(const Tensors& tensors);

}  // namespace wavetwin::golden
