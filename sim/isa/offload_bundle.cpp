// SPDX-License-Identifier: MIT
#include "sim/isa/offload_bundle.h"

#include <zstd.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "sim/isa/byte_reader.h"

namespace wavetwin::isa {
namespace {

constexpr std::string_view kPlainMagic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::string_view kCompressedMagic = "CCOB";
constexpr uint64_t kMaxEntries = 4096;
constexpr size_t kMostListed = 1000;  // characters of an error that lists targets
constexpr uint64_t kMaxUncompressedBytes = uint64_t{1} << 30;

bool starts_with(std::span<const uint8_t> bytes, std::string_view magic) {
  return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

// What one bundle holds and where it ends.
struct Bundle {
  std::vector<std::vector<uint8_t>> gfx950, generic;
  std::string targets;  // of all its entries, for errors
  uint64_t end = 0;     // bytes from its start
};

struct Decompressed {
  std::vector<uint8_t> bytes;
  uint64_t end = 0;
};

// Header: magic, u16 version, u16 method, [sizes: u32 or u64 by version], u64 hash, data. Version 1 has no
// file size: its zstd frame knows where it ends.
Decompressed decompress(const ByteReader& in) {
  const auto version = in.read<uint16_t>(4, "compressed bundle version");
  const auto method = in.read<uint16_t>(6, "compressed bundle method");
  if (version < 1 || version > 3)
    in.fail(4, "compressed offload bundle of unknown version " + std::to_string(version));
  if (method == 0)
    in.fail(6, "offload bundle compressed with zlib is not supported: recompress it with zstd");
  if (method != 1) in.fail(6, "offload bundle compressed with unknown method " + std::to_string(method));
  const uint64_t size_offset = version == 1 ? 8 : version == 2 ? 12 : 16;
  const uint64_t data_offset = version == 1 ? 20 : version == 2 ? 24 : 32;
  const uint64_t size = version == 3 ? in.read<uint64_t>(size_offset, "uncompressed size")
                                     : in.read<uint32_t>(size_offset, "uncompressed size");
  if (size > kMaxUncompressedBytes) in.fail(size_offset, "offload bundle claims to hold more than 1 GiB");
  uint64_t end = in.size();
  if (version == 1 && end > data_offset) {
    const auto rest = in.slice(data_offset, end - data_offset, "compressed offload bundle");
    const size_t frame = ZSTD_findFrameCompressedSize(rest.data(), rest.size());
    if (!ZSTD_isError(frame)) end = data_offset + frame;
  }
  if (version == 2) end = in.read<uint32_t>(8, "bundle size");
  if (version == 3) end = in.read<uint64_t>(8, "bundle size");
  if (end < data_offset) in.fail(8, "compressed offload bundle is shorter than its header");
  const auto data = in.slice(data_offset, end - data_offset, "compressed offload bundle");
  // The frame states its own content size; trust no size that the frame does not confirm before allocating.
  if (ZSTD_getFrameContentSize(data.data(), data.size()) != size) {
    in.fail(data_offset, "compressed offload bundle: the zstd frame does not hold the stated " +
                             std::to_string(size) + " bytes");
  }
  std::vector<uint8_t> out(size);
  const size_t got = ZSTD_decompress(out.data(), out.size(), data.data(), data.size());
  if (ZSTD_isError(got)) in.fail(data_offset, std::string("zstd: ") + ZSTD_getErrorName(got));
  if (got != size) in.fail(data_offset, "compressed offload bundle is shorter than stated");
  return {std::move(out), end};
}

// For errors: one line, and not longer than a person reads.
std::string printable(std::string_view id) {
  constexpr size_t kMost = 100;
  std::string text(id.substr(0, kMost));
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 32 || c > 126; }, '?');
  return id.size() > kMost ? text + "..." : text;
}

// The processor that an entry is for: "hipv4-amdgcn-amd-amdhsa--gfx950:sramecc+:xnack-" names gfx950. Before
// it are a kind and the four parts of a triple; the last of them may be spelled "unknown".
std::string_view processor_of(std::string_view id) {
  for (unsigned part = 0; part < 5; ++part) {
    const size_t dash = id.find('-');
    if (dash == std::string_view::npos) return {};
    id.remove_prefix(dash + 1);
  }
  return id.substr(0, id.find(':'));
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
    if (processor_of(id) == "gfx950") bundle.gfx950.emplace_back(entry.begin(), entry.end());
    if (processor_of(id) == "gfx9-4-generic") bundle.generic.emplace_back(entry.begin(), entry.end());
    if (bundle.targets.size() < kMostListed)
      bundle.targets += (bundle.targets.empty() ? "" : ", ") + printable(id);
    at += 24 + id_size;
    bundle.end = std::max({bundle.end, at, offset + size});
  }
  return bundle;
}

Bundle read_bundle(std::span<const uint8_t> bytes, const std::string& file) {
  if (starts_with(bytes, kPlainMagic)) return read_plain(bytes, file);
  const Decompressed plain = decompress(ByteReader(bytes, file));
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
  std::vector<std::vector<uint8_t>> found;
  std::string targets;
  while (is_offload_bundle(bytes)) {
    Bundle bundle = read_bundle(bytes, file);
    auto& best = bundle.gfx950.empty() ? bundle.generic : bundle.gfx950;
    std::move(best.begin(), best.end(), std::back_inserter(found));
    if (!bundle.targets.empty() && targets.size() < kMostListed)
      targets += (targets.empty() ? "" : ", ") + bundle.targets;
    bytes = bytes.subspan(std::min<uint64_t>(std::max<uint64_t>(bundle.end, 1), bytes.size()));
    const auto next = std::find_if(bytes.begin(), bytes.end(), [](uint8_t byte) { return byte != 0; });
    bytes = bytes.subspan(static_cast<size_t>(next - bytes.begin()));
  }
  if (found.empty())
    throw FileError(
        file, "the offload bundle has no gfx950 entry; it holds: " + (targets.empty() ? "nothing" : targets));
  return found;
}

}  // namespace wavetwin::isa
