// SPDX-License-Identifier: MIT
// ELF64 structures, as the specification lays them out.
#pragma once

#include <cstdint>

namespace wavetwin::isa {

struct ElfHeader {
  uint8_t ident[16];
  uint16_t type, machine;
  uint32_t version;
  uint64_t entry, program_offset, section_offset;
  uint32_t flags;
  uint16_t header_size, program_entry_size, program_count, section_entry_size, section_count, string_section;
};
struct ProgramHeader {
  uint32_t type, flags;
  uint64_t offset, address, physical, file_size, memory_size, alignment;
};
struct SectionHeader {
  uint32_t name, type;
  uint64_t flags, address, offset, size;
  uint32_t link, info;
  uint64_t alignment, entry_size;
};
struct ElfSymbol {
  uint32_t name;
  uint8_t info, other;
  uint16_t section;
  uint64_t value, size;
};
struct ElfRela {
  uint64_t offset, info;
  int64_t addend;
};
static_assert(sizeof(ElfHeader) == 64 && sizeof(ProgramHeader) == 56 && sizeof(SectionHeader) == 64 &&
              sizeof(ElfSymbol) == 24 && sizeof(ElfRela) == 24);

inline constexpr uint16_t kMachineAmdGpu = 224;

}  // namespace wavetwin::isa
