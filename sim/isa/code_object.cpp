// SPDX-License-Identifier: MIT
#include "sim/isa/code_object.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "sim/core/file.h"
#include "sim/isa/byte_reader.h"
#include "sim/isa/elf_format.h"
#include "sim/isa/elf_machine.h"
#include "sim/isa/host_object.h"
#include "sim/isa/offload_binary.h"
#include "sim/isa/offload_bundle.h"

namespace wavetwin::isa {
namespace {

constexpr uint32_t kSegmentLoad = 1, kSegmentNote = 4, kSegmentExecutable = 1;
constexpr uint32_t kSectionSymbols = 2, kSectionRela = 4, kSectionNote = 7, kSectionDynamicSymbols = 11,
                   kSectionRelr = 19;
constexpr uint32_t kNoteMetadata = 32;
constexpr uint32_t kRelocAbs64 = 3, kRelocRelative64 = 13;  // R_AMDGPU_*
constexpr uint64_t kMaxImageBytes = uint64_t{256} << 20;
constexpr uint64_t kMaxSymbols = 1u << 20;

}  // namespace

// Builds one CodeObject from one ELF file; every read is bounded by ByteReader.
class ElfLoader {
 public:
  ElfLoader(std::span<const uint8_t> bytes, const std::string& file) : in_(bytes, file) {
    object_.file_ = file;
  }

  CodeObject load() {
    read_header();
    read_segments();
    read_sections();
    find_metadata();
    find_kernels();
    return std::move(object_);
  }

 private:
  void read_header() {
    header_ = in_.read<ElfHeader>(0, "ELF header");
    if (std::memcmp(header_.ident,
                    "\x7f"
                    "ELF",
                    4) != 0)
      in_.fail(0, "not an ELF file or offload bundle");
    if (header_.ident[4] != 2 || header_.ident[5] != 1) in_.fail(4, "not a little-endian ELF64 file");
    if (header_.machine != kMachineAmdGpu) {
      in_.fail(18, "not an AMD GPU code object (ELF machine " + std::to_string(header_.machine) + ")");
    }
    const unsigned mach = header_.flags & 0xff;
    if (mach != kMachGfx950 && mach != kMachGfx94Generic) {
      in_.fail(48, "the code object is for " + amdgpu_target_name(mach) +
                       ", wavetwin runs gfx950 (and gfx9-4-generic) only");
    }
    if (header_.ident[7] != 64)
      in_.fail(7, "not a HSA code object (OS ABI " + std::to_string(header_.ident[7]) + ")");
    const unsigned abi = header_.ident[8];
    if (abi < 2 || abi > 4) {
      in_.fail(8, "code object version " + (abi < 2 ? "2 or 3" : std::to_string(abi + 2)) +
                      " is not supported (4, 5 and 6 are)");
    }
    if (header_.type != 3)
      in_.fail(16, "not a linked code object (ELF type " + std::to_string(header_.type) + ")");
    object_.version_ = abi + 2;
    object_.elf_flags_ = header_.flags;
  }

  void read_segments() {
    if (header_.program_entry_size != sizeof(ProgramHeader)) in_.fail(54, "odd program header size");
    for (unsigned i = 0; i < header_.program_count; ++i) {
      const uint64_t at = header_.program_offset + uint64_t{i} * sizeof(ProgramHeader);
      if (at < header_.program_offset) in_.fail(32, "program header offset overflows");
      const auto segment = in_.read<ProgramHeader>(at, "program header");
      if (segment.type == kSegmentNote) scan_notes(segment.offset, segment.file_size);
      if (segment.type == kSegmentLoad) load_segment(segment, at);
    }
    if (object_.text_size_ == 0) in_.fail(0, "the code object has no executable segment");
  }

  void load_segment(const ProgramHeader& segment, uint64_t at) {
    if (segment.memory_size > kMaxImageBytes || segment.address > kMaxImageBytes - segment.memory_size) {
      in_.fail(at, "a segment reaches past 256 MiB");
    }
    if (segment.file_size > segment.memory_size)
      in_.fail(at, "a segment has more bytes in the file than in memory");
    const auto data = in_.slice(segment.offset, segment.file_size, "segment");
    const uint64_t end = segment.address + segment.memory_size;
    if (end > object_.image_.size()) object_.image_.resize(end);
    std::copy(data.begin(), data.end(), object_.image_.begin() + static_cast<ptrdiff_t>(segment.address));
    if (segment.flags & kSegmentExecutable) {
      if (object_.text_size_ != 0) in_.fail(at, "the code object has two executable segments");
      object_.text_address_ = segment.address;
      object_.text_size_ = segment.file_size;
    }
  }

  void read_sections() {
    if (header_.section_count == 0) return;
    if (header_.section_entry_size != sizeof(SectionHeader)) in_.fail(58, "odd section header size");
    std::vector<SectionHeader> sections;
    for (unsigned i = 0; i < header_.section_count; ++i) {
      const uint64_t at = header_.section_offset + uint64_t{i} * sizeof(SectionHeader);
      if (at < header_.section_offset) in_.fail(40, "section header offset overflows");
      sections.push_back(in_.read<SectionHeader>(at, "section header"));
    }
    const auto is = [](uint32_t type) { return [type](const SectionHeader& s) { return s.type == type; }; };
    auto symbols = std::find_if(sections.begin(), sections.end(), is(kSectionSymbols));
    if (symbols == sections.end())
      symbols = std::find_if(sections.begin(), sections.end(), is(kSectionDynamicSymbols));
    if (symbols != sections.end()) read_symbols(*symbols, sections, object_.symbols_);
    const bool scan_sections = notes_.empty();  // the note segment has them already
    for (const SectionHeader& section : sections) {
      if (section.type == kSectionRela) read_relocations(section, sections);
      if (section.type == kSectionRelr) read_packed_relocations(section);
      if (section.type == kSectionNote && scan_sections) scan_notes(section.offset, section.size);
    }
  }

  void read_symbols(const SectionHeader& table, const std::vector<SectionHeader>& sections,
                    std::vector<Symbol>& out) {
    if (table.link >= sections.size())
      in_.fail(table.offset, "the symbol table names a missing string table");
    const auto bytes = in_.slice(table.offset, table.size, "symbol table");
    const SectionHeader& strings = sections[table.link];
    const auto names = in_.slice(strings.offset, strings.size, "string table");
    const uint64_t count = bytes.size() / sizeof(ElfSymbol);
    if (count > kMaxSymbols) in_.fail(table.offset, "too many symbols");
    for (uint64_t i = 0; i < count; ++i) {
      ElfSymbol raw;
      std::memcpy(&raw, bytes.data() + i * sizeof raw, sizeof raw);
      const uint64_t address = raw.section == 0 ? kUndefined : raw.value;
      out.push_back({std::string(ByteReader::string_at(names, raw.name)), address, raw.size,
                     static_cast<uint8_t>(raw.info & 15)});
    }
  }

  void read_relocations(const SectionHeader& table, const std::vector<SectionHeader>& sections) {
    std::vector<Symbol> symbols;
    if (table.link < sections.size() && sections[table.link].size > 0)
      read_symbols(sections[table.link], sections, symbols);
    const auto bytes = in_.slice(table.offset, table.size, "relocation table");
    for (uint64_t i = 0; i + 1 <= bytes.size() / sizeof(ElfRela); ++i) {
      ElfRela raw;
      std::memcpy(&raw, bytes.data() + i * sizeof raw, sizeof raw);
      const uint64_t at = table.offset + i * sizeof raw;
      const uint32_t type = static_cast<uint32_t>(raw.info);
      const uint64_t index = raw.info >> 32;
      uint64_t target = static_cast<uint64_t>(raw.addend);
      if (type == kRelocAbs64) {
        if (index >= symbols.size()) in_.fail(at, "a relocation names a missing symbol");
        if (symbols[index].address == kUndefined)
          in_.fail(at, "undefined symbol '" + symbols[index].name + "'");
        target += symbols[index].address;
      } else if (type != kRelocRelative64) {
        in_.fail(at, "relocation type " + std::to_string(type) + " is not supported");
      }
      require_place(raw.offset, at);
      object_.relocations_.push_back({raw.offset, target});
    }
  }

  void require_place(uint64_t place, uint64_t at) const {
    if (place > object_.image_.size() || object_.image_.size() - place < 8)
      in_.fail(at, "a relocation points outside the image");
  }

  // An even word is a place, an odd one a bitmap of the 63 places behind the last word's; the place holds its
  // target (ELF gABI, "Relative Relocation Table").
  void read_packed_relocations(const SectionHeader& table) {
    const auto bytes = in_.slice(table.offset, table.size, "relocation table");
    uint64_t next = 0;
    for (uint64_t i = 0; i + 8 <= bytes.size(); i += 8) {
      uint64_t word;
      std::memcpy(&word, bytes.data() + i, sizeof word);
      if (word % 2 == 0) {
        relocate_in_place(word, table.offset + i);
        next = word + 8;
        continue;
      }
      for (unsigned bit = 1; bit < 64; ++bit) {
        if (word >> bit & 1) relocate_in_place(next + 8 * (bit - 1), table.offset + i);
      }
      next += 63 * 8;
    }
  }

  void relocate_in_place(uint64_t place, uint64_t at) {
    require_place(place, at);
    if (object_.relocations_.size() > object_.image_.size())
      in_.fail(at, "more relocations than the image has places");
    uint64_t target;
    std::memcpy(&target, object_.image_.data() + place, sizeof target);
    object_.relocations_.push_back({place, target});
  }

  // Note: u32 name size, u32 desc size, u32 type, name and desc padded to 4.
  void scan_notes(uint64_t offset, uint64_t size) {
    const auto notes = in_.slice(offset, size, "note segment");
    uint64_t at = 0;
    while (notes.size() - at >= 12) {
      uint32_t head[3];
      std::memcpy(head, notes.data() + at, 12);
      const uint64_t desc = at + 12 + (uint64_t{head[0]} + 3) / 4 * 4;
      if (desc > notes.size() || head[1] > notes.size() - desc)
        in_.fail(offset + at, "a note reaches past its segment");
      const std::string_view name = ByteReader::string_at(notes.subspan(at + 12, head[0]), 0);
      if (head[2] == kNoteMetadata && name == "AMDGPU") {
        notes_.push_back({notes.subspan(desc, head[1]), offset + desc});
      }
      at = std::min<uint64_t>(desc + (uint64_t{head[1]} + 3) / 4 * 4, notes.size());
    }
  }

  // Objects that were linked have a note for each of their parts.
  void find_metadata() {
    for (const Note& note : notes_) {
      Metadata part = parse_metadata(note.description, in_.file(), note.offset);
      std::move(part.kernels.begin(), part.kernels.end(), std::back_inserter(metadata_.kernels));
      std::move(part.printf_formats.begin(), part.printf_formats.end(),
                std::back_inserter(object_.printf_formats_));
    }
  }

  const Symbol* find_symbol(const std::string& name) const {
    for (const Symbol& symbol : object_.symbols_) {
      if (symbol.name == name && symbol.address != kUndefined) return &symbol;
    }
    return nullptr;
  }

  // A kernel is a 64-byte object symbol NAME.kd; hand-written objects may have no metadata for it.
  void find_kernels() {
    for (const Symbol& symbol : object_.symbols_) {
      if (!symbol.name.ends_with(".kd") || symbol.address == kUndefined || symbol.type != 1) continue;
      KernelInfo kernel;
      kernel.name = symbol.name.substr(0, symbol.name.size() - 3);
      kernel.descriptor_address = symbol.address;
      const auto& image = object_.image_;
      if (symbol.address > image.size() || image.size() - symbol.address < kKernelDescriptorBytes) {
        in_.fail(0, "the descriptor of kernel '" + kernel.name + "' lies outside the image");
      }
      kernel.descriptor = KernelDescriptor::decode(std::span<const uint8_t, kKernelDescriptorBytes>(
          image.data() + symbol.address, kKernelDescriptorBytes));
      kernel.entry_address = symbol.address + static_cast<uint64_t>(kernel.descriptor.code_entry_offset);
      const uint64_t in_text = kernel.entry_address - object_.text_address_;
      if (in_text >= object_.text_size_ || in_text % 4 != 0) {
        in_.fail(0, "the entry of kernel '" + kernel.name + "' lies outside the code");
      }
      if (kernel.descriptor.wave32()) in_.fail(0, "kernel '" + kernel.name + "' asks for 32-lane waves");
      if (const Symbol* function = find_symbol(kernel.name)) kernel.code_size = function->size;
      attach_metadata(kernel, symbol.name);
      object_.kernels_.push_back(std::move(kernel));
    }
    std::sort(object_.kernels_.begin(), object_.kernels_.end(),
              [](const KernelInfo& a, const KernelInfo& b) { return a.entry_address < b.entry_address; });
  }

  void attach_metadata(KernelInfo& kernel, const std::string& descriptor_symbol) const {
    for (const KernelMetadata& metadata : metadata_.kernels) {
      if (metadata.descriptor_symbol != descriptor_symbol) continue;
      kernel.metadata = metadata;
      kernel.has_metadata = true;
    }
  }

  static constexpr uint64_t kUndefined = ~uint64_t{0};

  ByteReader in_;
  CodeObject object_;
  ElfHeader header_{};
  struct Note {
    std::span<const uint8_t> description;
    uint64_t offset = 0;  // in the file
  };
  std::vector<Note> notes_;
  Metadata metadata_;
};

namespace {

// "FILE#2" names the second gfx950 object of FILE, unless a file has that name itself.
struct ObjectName {
  std::string file;
  size_t number = 0;  // 0: the only one
};

ObjectName split_name(const std::string& path) {
  std::error_code code;
  const size_t hash = path.rfind('#');
  if (hash == std::string::npos || std::filesystem::exists(path, code)) return {path, 0};
  const std::string digits = path.substr(hash + 1);
  const bool number = !digits.empty() && digits.size() < 5 &&
                      digits.find_first_not_of("0123456789") == std::string::npos && digits[0] != '0';
  if (!number) return {path, 0};
  return {path.substr(0, hash), static_cast<size_t>(std::stoul(digits))};
}

// The gfx950 object inside a bundle, an offload binary or a host file; other bytes as they are.
std::vector<uint8_t> unwrap(std::span<const uint8_t> bytes, const ObjectName& name) {
  const bool host = is_host_object(bytes);
  const std::span<const uint8_t> inner = host ? device_section(bytes, name.file) : bytes;
  const bool binary = is_offload_binary(inner);
  if (!host && !binary && !is_offload_bundle(inner)) {
    if (name.number > 1)
      throw FileError(name.file, "is one code object and has no object " + std::to_string(name.number));
    return {bytes.begin(), bytes.end()};
  }
  auto objects = binary ? gfx950_images(inner, name.file) : gfx950_entries(inner, name.file);
  const std::string count = std::to_string(objects.size());
  if (name.number > objects.size())
    throw FileError(name.file,
                    "holds " + count + " gfx950 code objects and no number " + std::to_string(name.number));
  if (name.number == 0 && objects.size() > 1) {
    throw FileError(name.file, "holds " + count + " gfx950 code objects: write " + name.file + "#1 to " +
                                   name.file + "#" + count + " for one of them");
  }
  return std::move(objects[name.number == 0 ? 0 : name.number - 1]);
}

}  // namespace

CodeObject CodeObject::parse(std::vector<uint8_t> bytes, const std::string& name) {
  const std::vector<uint8_t> object = unwrap(bytes, {name, 0});
  return ElfLoader(object, name).load();
}

CodeObject CodeObject::load(const std::string& path) {
  const ObjectName name = split_name(path);
  const std::vector<std::byte> bytes = read_bytes(name.file);
  const std::vector<uint8_t> object =
      unwrap({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, name);
  return ElfLoader(object, path).load();
}

std::string CodeObject::target() const { return amdgpu_target_name(elf_flags_ & 0xff); }

bool CodeObject::is_file(const std::string& path) {
  std::error_code code;
  return std::filesystem::is_regular_file(split_name(path).file, code);
}

const KernelInfo& CodeObject::kernel(const std::string& name) const {
  if (name.empty() && kernels_.size() == 1) return kernels_.front();
  std::string there;
  for (const KernelInfo& kernel : kernels_) {
    if (kernel.name == name) return kernel;
    there += (there.empty() ? "" : ", ") + kernel.name;
  }
  const std::string asked = name.empty() ? "several kernels, name one" : "no kernel '" + name + "'";
  throw Error(file_ + ": " + ByteReader::one_line(asked + "; it has: " + (there.empty() ? "none" : there)));
}

uint64_t CodeObject::end_of(const KernelInfo& kernel) const {
  if (kernel.code_size != 0) return kernel.entry_address + kernel.code_size;
  constexpr uint8_t kFunction = 2;
  uint64_t end = text_address_ + text_size_;
  for (const Symbol& symbol : symbols_) {
    if (symbol.type == kFunction && symbol.address > kernel.entry_address)
      end = std::min(end, symbol.address);
  }
  return end;
}

}  // namespace wavetwin::isa
