// SPDX-License-Identifier: MIT
#include "golden/io/hash.h"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <charconv>

namespace wavetwin::golden {

Hash128 hash128(std::span<const std::byte> bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

Hash128 hash128(std::string_view text) { return hash128(std::as_bytes(std::span(text.data(), text.size()))); }

std::string to_string(const Hash128& hash) { return fmt::format("{:016x}{:016x}", hash.high, hash.low); }

std::optional<Hash128> hash_from(std::string_view text) {
  if (text.size() != 32) return std::nullopt;
  Hash128 hash;
  const char* middle = text.data() + 16;
  const auto high = std::from_chars(text.data(), middle, hash.high, 16);
  const auto low = std::from_chars(middle, middle + 16, hash.low, 16);
  if (high.ptr != middle || low.ptr != middle + 16) return std::nullopt;
  return hash;
}

Hash128 hash_tensors(const Tensors& tensors) {
  std::string lines;
  for (const auto& [name, tensor] : tensors) {
    lines += fmt::format("{} {} {} {}\n", name, to_string(tensor.dtype), to_string(tensor.shape),
                         to_string(hash128(tensor.data)));
  }
  return hash128(lines);
}

}  // namespace wavetwin::golden
