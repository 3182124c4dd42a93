// SPDX-License-Identifier: MIT
// The MessagePack metadata note of a code object (`amdhsa.kernels`), code object versions 4 to 6.
// Source: LLVM AMDGPUUsage, "Code Object V3+ Metadata".
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wavetwin::isa {

// One kernel argument, explicit or hidden. `kind` is the metadata's value_kind: "by_value", "global_buffer",
// "dynamic_shared_pointer", "hidden_block_count_x", ...
struct KernelArgumentInfo {
  std::string name;  // may be empty
  std::string type_name;
  std::string kind;
  std::string address_space;
  uint32_t offset = 0;  // bytes from the start of the kernarg block
  uint32_t size = 0;    // bytes

  bool hidden() const { return kind.starts_with("hidden_"); }
  bool pointer() const { return kind == "global_buffer" || kind == "dynamic_shared_pointer"; }
};

struct KernelMetadata {
  std::string name;
  std::string descriptor_symbol;  // ".symbol", usually name + ".kd"
  std::string kind;               // "normal", or "init" and "fini": runs when the object is loaded, unloaded
  std::vector<KernelArgumentInfo> arguments;
  uint32_t kernarg_size = 0;
  uint32_t group_segment_fixed_size = 0;
  uint32_t private_segment_fixed_size = 0;
  uint32_t wavefront_size = 64;
  uint32_t max_flat_workgroup_size = 1024;
  uint32_t vgpr_count = 0, agpr_count = 0, sgpr_count = 0;
  bool dynamic_stack = false;
  bool uniform_workgroups = false;  // the grid has to be a multiple of the block along each axis
  std::optional<std::array<uint32_t, 3>> required_workgroup_size;
};

struct Metadata {
  std::string target;  // "amdgcn-amd-amdhsa--gfx950"
  std::vector<KernelMetadata> kernels;
  std::vector<std::string> printf_formats;  // amdhsa.printf
};

// Parses the note's bytes. `file` and `offset` name the place in errors (FileError).
Metadata parse_metadata(std::span<const uint8_t> bytes, const std::string& file, uint64_t offset);

}  // namespace wavetwin::isa
