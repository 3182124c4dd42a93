// SPDX-License-Identifier: MIT
#include "sim/isa/host_object.h"

#include <cstring>

#include "sim/isa/byte_reader.h"
#include "sim/isa/elf_format.h"

namespace wavetwin::isa {

bool is_host_object(std::span<const uint8_t> bytes) {
  ElfHeader header;
  if (bytes.size() < sizeof header) return false;
  std::memcpy(&header, bytes.data(), sizeof header);
  const bool elf64 = std::memcmp(header.ident,
                                 "\x7f"
                                 "ELF\x02\x01",
                                 6) == 0;
  constexpr uint16_t kX86_64 = 62, kAarch64 = 183, kPowerPc64 = 21, kRiscV = 243;
  return elf64 && (header.machine == kX86_64 || header.machine == kAarch64 || header.machine == kPowerPc64 ||
                   header.machine == kRiscV);
}

std::span<const uint8_t> device_section(std::span<const uint8_t> bytes, const std::string& file) {
  const ByteReader in(bytes, file);
  const auto header = in.read<ElfHeader>(0, "ELF header");
  constexpr const char* kNone =
      "a host file without device code: it has no section .hip_fatbin or .llvm.offloading";
  if (header.section_count == 0) in.fail(0, kNone);
  if (header.section_entry_size != sizeof(SectionHeader)) in.fail(58, "odd section header size");
  const auto table = in.slice(header.section_offset, uint64_t{header.section_count} * sizeof(SectionHeader),
                              "section header table");
  const auto section_at = [&](unsigned i) {
    SectionHeader section;
    std::memcpy(&section, table.data() + i * sizeof section, sizeof section);
    return section;
  };
  if (header.string_section >= header.section_count) in.fail(62, "the section names are missing");
  const SectionHeader strings = section_at(header.string_section);
  const auto names = in.slice(strings.offset, strings.size, "section names");
  for (const char* wanted : {".hip_fatbin", ".llvm.offloading"}) {
    for (unsigned i = 0; i < header.section_count; ++i) {
      const SectionHeader section = section_at(i);
      if (ByteReader::string_at(names, section.name) == wanted)
        return in.slice(section.offset, section.size, wanted);
    }
  }
  in.fail(0, kNone);
}

}  // namespace wavetwin::isa
