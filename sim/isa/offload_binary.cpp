// SPDX-License-Identifier: MIT
#include "sim/isa/offload_binary.h"

#include <cstring>
#include <iterator>

#include "sim/isa/byte_reader.h"
#include "sim/isa/device_images.h"

namespace wavetwin::isa {
namespace {

constexpr uint8_t kMagic[4] = {0x10, 0xff, 0x10, 0xad};
constexpr uint64_t kMaxEntries = 4096, kMaxStrings = 256;
constexpr uint64_t kEntryBytes = 40;

enum ImageKind : uint16_t { kNone, kObject, kBitcode, kCubin, kFatbinary, kPtx, kSpirv };

std::string kind_name(uint16_t kind) {
  constexpr const char* kNames[] = {"no kind", "object", "bitcode", "cubin", "fatbinary", "PTX", "SPIR-V"};
  return kind < std::size(kNames) ? kNames[kind] : "kind " + std::to_string(kind);
}

// One binary: magic, u32 version, u64 size, u64 offset and size of the entry (version 1) or offset and number
// of the entries, [version 3: u64 inflated size], entries, strings, images. Offsets are from the magic.
class Binary {
 public:
  Binary(std::span<const uint8_t> rest, const std::string& file) : in_(rest, file) {
    version_ = in_.read<uint32_t>(4, "offload binary version");
    if (version_ < 1 || version_ > 3)
      in_.fail(4, "offload binary of unknown version " + std::to_string(version_));
    size_ = in_.read<uint64_t>(8, "offload binary size");
    if (size_ < 32) in_.fail(8, "offload binary is shorter than its header");
    in_ = ByteReader(in_.slice(0, size_, "offload binary"), file);
    if (version_ == 3 && in_.read<uint64_t>(32, "inflated size") != 0)
      in_.fail(32, "compressed offload binary is not supported: extract the image with llvm-offload-binary");
  }

  uint64_t size() const { return size_; }

  void read(DeviceImages& images) const {
    const auto first = in_.read<uint64_t>(16, "offload binary entries");
    const uint64_t count = version_ == 1 ? 1 : in_.read<uint64_t>(24, "offload binary entry count");
    if (count > kMaxEntries) in_.fail(24, "offload binary claims " + std::to_string(count) + " entries");
    in_.slice(first, count * kEntryBytes, "offload binary entries");
    for (uint64_t i = 0; i < count; ++i) read_entry(images, first + i * kEntryBytes);
  }

 private:
  void read_entry(DeviceImages& images, uint64_t at) const {
    const auto kind = in_.read<uint16_t>(at, "image kind");
    const std::string triple = string_of(at, "triple"), arch = string_of(at, "arch");
    const auto image = in_.slice(in_.read<uint64_t>(at + 24, "image offset"),
                                 in_.read<uint64_t>(at + 32, "image size"), "device image");
    const std::string label = triple + " " + arch;
    // llvm-offload-binary takes the kind from the file's extension: ".co" is none.
    if ((kind == kObject || kind == kNone) && triple.starts_with("amdgcn-")) {
      images.add(arch, label, image);
    } else {
      images.add_other(label + " (" + kind_name(kind) + ")");
    }
  }

  // The value of a key of the entry, empty where there is none.
  std::string string_of(uint64_t entry, std::string_view key) const {
    const auto at = in_.read<uint64_t>(entry + 8, "image strings");
    const auto count = in_.read<uint64_t>(entry + 16, "image string count");
    if (count > kMaxStrings)
      in_.fail(entry + 16, "offload binary claims " + std::to_string(count) + " strings");
    const uint64_t bytes = version_ == 1 ? 16 : 24;
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t string = at + i * bytes;
      if (text_at(in_.read<uint64_t>(string, "string key")) != key) continue;
      const auto value = in_.read<uint64_t>(string + 8, "string value");
      if (version_ == 1) return text_at(value);
      const auto text = in_.slice(value, in_.read<uint64_t>(string + 16, "string length"), "string value");
      return {text.begin(), text.end()};
    }
    return {};
  }

  std::string text_at(uint64_t offset) const {
    return std::string(ByteReader::string_at(in_.slice(0, size_, "offload binary"), offset));
  }

  ByteReader in_;
  uint32_t version_ = 0;
  uint64_t size_ = 0;
};

}  // namespace

bool is_offload_binary(std::span<const uint8_t> bytes) {
  return bytes.size() >= sizeof kMagic && std::memcmp(bytes.data(), kMagic, sizeof kMagic) == 0;
}

std::vector<std::vector<uint8_t>> gfx950_images(std::span<const uint8_t> bytes, const std::string& file) {
  DeviceImages images;
  while (is_offload_binary(bytes)) {
    const Binary binary(bytes, file);
    binary.read(images);
    bytes = behind_zeros(bytes.subspan(binary.size()));
  }
  return images.take(file, "the offload binary has no gfx950 object");
}

}  // namespace wavetwin::isa
