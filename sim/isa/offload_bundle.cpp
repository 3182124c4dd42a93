// SPDX-License-Identifier: MIT
#include "sim/isa/offload_bundle.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "sim/isa/byte_reader.h"
#include "sim/isa/compressed_bundle.h"
#include "sim/isa/device_images.h"

namespace wavetwin::isa {
namespace {

constexpr std::string_view kPlainMagic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::string_view kCompressedMagic = "CCOB";
constexpr uint64_t kMaxEntries = 4096;

bool starts_with(std::span<const uint8_t> bytes, std::string_view magic) {
  return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

// What one bundle holds and where it ends.
struct Bundle {
  DeviceImages images;
  uint64_t end = 0;  // bytes from its start
};

// The target that an entry is for: "hipv4-amdgcn-amd-amdhsa--gfx950:sramecc+:xnack-" names gfx950. Before it
// are a kind and the four parts of a triple; the last of them may be spelled "unknown".
std::string_view target_of(std::string_view id) {
  for (unsigned part = 0; part < 5; ++part) {
    const size_t dash = id.find('-');
    if (dash == std::string_view::npos) return {};
    id.remove_prefix(dash + 1);
  }
  return id;
}

Bundle read_plain(std::span<const uint8_t> bytes, const std::string& file) {
  const ByteReader in(bytes, file);
  uint64_t at = kPlainMagic.size();
  const auto count = in.read<uint64_t>(at, "offload bundle entry count");
  if (count > kMaxEntries) in.fail(at, "offload bundle claims " + std::to_string(count) + " entries");
  at += 8;
  Bundle bundle;
  for (uint64_t i = 0; i < count; ++i) {
    const auto offset = in.read<uint64_t>(at, "bundle entry offset");
    const auto size = in.read<uint64_t>(at + 8, "bundle entry size");
    const auto id_size = in.read<uint64_t>(at + 16, "bundle entry id length");
    const auto id_bytes = in.slice(at + 24, id_size, "bundle entry id");
    const std::string_view id(reinterpret_cast<const char*>(id_bytes.data()), id_bytes.size());
    const auto entry = in.slice(offset, size, "bundle entry");
    bundle.images.add(target_of(id), id, entry);
    at += 24 + id_size;
    bundle.end = std::max({bundle.end, at, offset + size});
  }
  return bundle;
}

Bundle read_bundle(std::span<const uint8_t> bytes, const std::string& file) {
  if (starts_with(bytes, kPlainMagic)) return read_plain(bytes, file);
  const PlainBundle plain = decompress_bundle(ByteReader(bytes, file));
  if (!starts_with(plain.bytes, kPlainMagic))
    throw FileError(file, "compressed offload bundle holds no offload bundle");
  Bundle bundle = read_plain(plain.bytes, file);
  bundle.end = plain.end;
  return bundle;
}

}  // namespace

bool is_offload_bundle(std::span<const uint8_t> bytes) {
  return starts_with(bytes, kPlainMagic) || starts_with(bytes, kCompressedMagic);
}

std::vector<std::vector<uint8_t>> gfx950_entries(std::span<const uint8_t> bytes, const std::string& file) {
  DeviceImages found;
  while (is_offload_bundle(bytes)) {
    Bundle bundle = read_bundle(bytes, file);
    found.add_best_of(std::move(bundle.images));
    bytes = behind_zeros(bytes.subspan(std::min<uint64_t>(std::max<uint64_t>(bundle.end, 1), bytes.size())));
  }
  return found.take(file, "the offload bundle has no gfx950 entry");
}

}  // namespace wavetwin::isa
