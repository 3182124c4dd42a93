// SPDX-License-Identifier: MIT
// Offload bundles, plain and compressed, offload binaries, and host files that hold them.
#pragma once

#include <zlib.h>
#include <zstd.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace wavetwin::isa {

template <typename T>
void append(std::vector<uint8_t>& out, T value) {
  const auto* p = reinterpret_cast<const uint8_t*>(&value);
  out.insert(out.end(), p, p + sizeof value);
}

// A plain bundle of one host entry and one entry for `target`.
inline std::vector<uint8_t> bundle(const std::string& target, const std::vector<uint8_t>& object) {
  const std::string host = "host-x86_64-unknown-linux-gnu-", device = "hipv4-amdgcn-amd-amdhsa--" + target;
  std::vector<uint8_t> out;
  const std::string magic = "__CLANG_OFFLOAD_BUNDLE__";
  out.insert(out.end(), magic.begin(), magic.end());
  append<uint64_t>(out, 2);
  for (const std::string& id : {host, device}) {
    append<uint64_t>(out, 4096);
    append<uint64_t>(out, id == host ? 0 : object.size());
    append<uint64_t>(out, id.size());
    out.insert(out.end(), id.begin(), id.end());
  }
  out.resize(4096);
  out.insert(out.end(), object.begin(), object.end());
  return out;
}

inline std::vector<uint8_t> by_zstd(const std::vector<uint8_t>& plain) {
  std::vector<uint8_t> data(ZSTD_compressBound(plain.size()));
  data.resize(ZSTD_compress(data.data(), data.size(), plain.data(), plain.size(), 3));
  return data;
}

inline std::vector<uint8_t> by_zlib(const std::vector<uint8_t>& plain) {
  uLongf size = compressBound(plain.size());
  std::vector<uint8_t> data(size);
  compress(data.data(), &size, plain.data(), plain.size());
  data.resize(size);
  return data;
}

constexpr uint16_t kZlibMethod = 0, kZstdMethod = 1;

inline std::vector<uint8_t> compressed(const std::vector<uint8_t>& plain, uint16_t version,
                                       uint16_t method = kZstdMethod) {
  const std::vector<uint8_t> data = method == kZlibMethod ? by_zlib(plain) : by_zstd(plain);
  std::vector<uint8_t> out{'C', 'C', 'O', 'B'};
  append<uint16_t>(out, version);
  append<uint16_t>(out, method);
  const uint64_t header = version == 1 ? 20 : version == 2 ? 24 : 32;
  if (version == 2) append<uint32_t>(out, static_cast<uint32_t>(header + data.size()));
  if (version == 3) append<uint64_t>(out, header + data.size());
  if (version == 3) {
    append<uint64_t>(out, plain.size());
  } else {
    append<uint32_t>(out, static_cast<uint32_t>(plain.size()));
  }
  append<uint64_t>(out, 0);  // hash, not checked
  out.insert(out.end(), data.begin(), data.end());
  return out;
}

struct DeviceImage {
  std::string triple, arch;
  std::vector<uint8_t> bytes;
  uint16_t kind = 1;  // object
};

// An offload binary of version 1 (one image), 2 or 3 (plain).
inline std::vector<uint8_t> offload_binary(uint32_t version, const std::vector<DeviceImage>& images) {
  const uint64_t header = version == 3 ? 40 : 32, entry = 40, string = version == 1 ? 16 : 24;
  std::string text;
  std::vector<uint8_t> entries, strings, data;
  const uint64_t strings_at = header + entry * images.size();
  const uint64_t text_at = strings_at + string * 2 * images.size();
  for (const DeviceImage& image : images)
    text += std::string("triple") + '\0' + image.triple + '\0' + "arch" + '\0' + image.arch + '\0';
  text.resize((text.size() + text_at + 7) / 8 * 8 - text_at);
  uint64_t at = text_at;
  for (const DeviceImage& image : images) {
    append<uint16_t>(entries, image.kind);
    append<uint16_t>(entries, 4);  // HIP
    append<uint32_t>(entries, 0);
    append<uint64_t>(entries, strings_at + strings.size());
    append<uint64_t>(entries, 2);
    append<uint64_t>(entries, text_at + text.size() + data.size());
    append<uint64_t>(entries, image.bytes.size());
    for (const auto& [key, value] : {std::pair{std::string("triple"), image.triple}, {"arch", image.arch}}) {
      append<uint64_t>(strings, at);
      append<uint64_t>(strings, at + key.size() + 1);
      if (version > 1) append<uint64_t>(strings, value.size());
      at += key.size() + value.size() + 2;
    }
    data.insert(data.end(), image.bytes.begin(), image.bytes.end());
  }
  std::vector<uint8_t> out{0x10, 0xff, 0x10, 0xad};
  append<uint32_t>(out, version);
  append<uint64_t>(out, text_at + text.size() + data.size());
  append<uint64_t>(out, header);
  append<uint64_t>(out, version == 1 ? entry : images.size());
  if (version == 3) append<uint64_t>(out, 0);
  for (const auto* part : {&entries, &strings}) out.insert(out.end(), part->begin(), part->end());
  out.insert(out.end(), text.begin(), text.end());
  out.insert(out.end(), data.begin(), data.end());
  return out;
}

// An x86-64 ELF object of two sections: one for device code with `content`, and the section names, which end
// the file.
inline std::vector<uint8_t> host_object(const std::vector<uint8_t>& content,
                                        const std::string& device_section = ".hip_fatbin") {
  const std::string names =
      std::string(1, '\0') + ".shstrtab" + std::string(1, '\0') + device_section + std::string(1, '\0');
  constexpr uint64_t kHeader = 64, kSection = 64, kSections = 3, kContent = kHeader + kSections * kSection;
  std::vector<uint8_t> out{0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  append<uint16_t>(out, 1);   // relocatable
  append<uint16_t>(out, 62);  // x86-64
  append<uint32_t>(out, 1);
  append<uint64_t>(out, 0);        // entry
  append<uint64_t>(out, 0);        // no program headers
  append<uint64_t>(out, kHeader);  // section headers
  append<uint32_t>(out, 0);
  for (const uint64_t field : {kHeader, uint64_t{0}, uint64_t{0}, kSection, kSections, uint64_t{1}})
    append<uint16_t>(out, static_cast<uint16_t>(field));
  const auto section = [&](uint32_t name, uint32_t type, uint64_t offset, uint64_t size) {
    append<uint32_t>(out, name);
    append<uint32_t>(out, type);
    append<uint64_t>(out, 0);
    append<uint64_t>(out, 0);
    append<uint64_t>(out, offset);
    append<uint64_t>(out, size);
    for (int i = 0; i < 3; ++i) append<uint64_t>(out, 0);
  };
  section(0, 0, 0, 0);
  section(1, 3, kContent + content.size(), names.size());
  section(11, 1, kContent, content.size());
  out.insert(out.end(), content.begin(), content.end());
  out.insert(out.end(), names.begin(), names.end());
  return out;
}

}  // namespace wavetwin::isa
