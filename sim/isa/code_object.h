// SPDX-License-Identifier: MIT
// A gfx950 code object: the ELF64 file that both the executor and the HIP runtime load.
// Sources: LLVM AMDGPUUsage ("Code Object"), the ELF64 specification.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/isa/kernel_descriptor.h"
#include "sim/isa/metadata.h"

namespace wavetwin::isa {

struct Symbol {
  std::string name;
  uint64_t address = 0;  // in the image
  uint64_t size = 0;
  uint8_t type = 0;  // ELF symbol type: 1 object, 2 function
};

// One kernel of a code object. Addresses are in the image (0 = its first byte).
struct KernelInfo {
  std::string name;
  uint64_t descriptor_address = 0;
  uint64_t entry_address = 0;
  uint64_t code_size = 0;  // bytes of the function symbol; 0 when it has none
  KernelDescriptor descriptor;
  KernelMetadata metadata;
  bool has_metadata = false;

  // Bytes of the kernarg block: the descriptor's, or the metadata's where the descriptor says 0.
  uint32_t kernarg_size() const {
    return descriptor.kernarg_size ? descriptor.kernarg_size : metadata.kernarg_size;
  }
};

// A place in the image that holds an address of the image and must be moved by the load address.
struct Relocation {
  uint64_t place = 0;   // in the image; 8 bytes
  uint64_t target = 0;  // in the image
};

class CodeObject {
 public:
  // Parses a code object, an offload bundle or a host file with device code (their gfx950 entry); `name`
  // stands for the file in errors. Throws FileError for anything that is not a gfx950 or gfx9-4-generic code
  // object of version 4 to 6, naming the target that was found.
  static CodeObject parse(std::vector<uint8_t> bytes, const std::string& name);
  // `path` may end in "#2": the second gfx950 object of a file that holds several.
  static CodeObject load(const std::string& path);
  // True when load() would find a file to read.
  static bool is_file(const std::string& path);

  const std::string& file() const { return file_; }
  unsigned version() const { return version_; }  // 4, 5 or 6
  uint32_t elf_flags() const { return elf_flags_; }
  // Built for parts that replay memory instructions (AMDGPUUsage, EF_AMDGPU_FEATURE_XNACK_ON_V4); "any" is
  // not on.
  bool xnack_on() const { return (elf_flags_ & 0x300) == 0x300; }
  std::string target() const;  // "gfx950" or "gfx9-4-generic"

  // The loaded segments as one block, address 0 first.
  std::span<const uint8_t> image() const { return image_; }
  // The executable part of the image.
  uint64_t text_address() const { return text_address_; }
  std::span<const uint8_t> text() const { return std::span(image_).subspan(text_address_, text_size_); }

  const std::vector<Relocation>& relocations() const { return relocations_; }
  const std::vector<Symbol>& symbols() const { return symbols_; }
  const std::vector<KernelInfo>& kernels() const { return kernels_; }
  // The metadata's amdhsa.printf: formats of printf calls that print by way of a buffer.
  const std::vector<std::string>& printf_formats() const { return printf_formats_; }
  // The kernel of that name; Error lists the kernels there are. An empty name takes the only kernel.
  const KernelInfo& kernel(const std::string& name) const;
  // Where the code of a kernel ends: with its symbol, or where the next function starts.
  uint64_t end_of(const KernelInfo& kernel) const;

 private:
  std::string file_;
  unsigned version_ = 0;
  uint32_t elf_flags_ = 0;
  std::vector<uint8_t> image_;
  uint64_t text_address_ = 0, text_size_ = 0;
  std::vector<Relocation> relocations_;
  std::vector<Symbol> symbols_;
  std::vector<KernelInfo> kernels_;
  std::vector<std::string> printf_formats_;

  friend class ElfLoader;
};

}  // namespace wavetwin::isa
