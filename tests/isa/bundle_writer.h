// SPDX-License-Identifier: MIT
// Offload bundles, plain and compressed, and host files that hold them.
#pragma once

#include <zstd.h>

#include <cstdint>
#include <string>
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

inline std::vector<uint8_t> compressed(const std::vector<uint8_t>& plain, uint16_t version,
                                       uint16_t method = 1) {
  std::vector<uint8_t> data(ZSTD_compressBound(plain.size()));
  data.resize(ZSTD_compress(data.data(), data.size(), plain.data(), plain.size(), 3));
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

// An x86-64 ELF object of two sections: .hip_fatbin with `content`, and the section names, which end the
// file.
inline std::vector<uint8_t> host_object(const std::vector<uint8_t>& content) {
  const std::string names =
      std::string(1, '\0') + ".shstrtab" + std::string(1, '\0') + ".hip_fatbin" + std::string(1, '\0');
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
