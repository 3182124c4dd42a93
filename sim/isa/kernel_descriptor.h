// SPDX-License-Identifier: MIT
// The 64-byte kernel descriptor (`name.kd`), code object versions 4 to 6.
// Source: LLVM AMDGPUUsage, "Kernel Descriptor for GFX6-GFX12" (gfx90a / gfx940 columns), checked against
// clang-22.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace wavetwin::isa {

inline constexpr uint32_t kKernelDescriptorBytes = 64;

struct KernelDescriptor {
  uint32_t group_segment_fixed_size = 0;    // bytes of static LDS a workgroup
  uint32_t private_segment_fixed_size = 0;  // bytes of scratch a work-item
  uint32_t kernarg_size = 0;                // bytes; 0 is legal and means "see the metadata"
  int64_t code_entry_offset = 0;            // from the descriptor's address
  uint32_t rsrc1 = 0, rsrc2 = 0, rsrc3 = 0;
  uint16_t properties = 0;
  uint16_t kernarg_preload = 0;

  // Vector registers of the unified file, granule 8; the architectural ones are [0, accum_offset).
  uint32_t unified_vgprs() const { return ((rsrc1 & 0x3f) + 1) * 8; }
  uint32_t accum_offset() const { return ((rsrc3 & 0x3f) + 1) * 4; }
  uint32_t arch_vgprs() const { return accum_offset() < unified_vgprs() ? accum_offset() : unified_vgprs(); }
  uint32_t acc_vgprs() const { return unified_vgprs() - arch_vgprs(); }
  bool threadgroup_split() const { return (rsrc3 >> 16) & 1; }

  // The launch value of the MODE register.
  uint32_t mode_bits() const {
    const uint32_t float_mode = (rsrc1 >> 12) & 0xff;  // round f32, round f16/f64, denorm f32, denorm f16/f64
    const uint32_t dx10_clamp = (rsrc1 >> 21) & 1, ieee = (rsrc1 >> 23) & 1, fp16_ovfl = (rsrc1 >> 26) & 1;
    return float_mode | dx10_clamp << 8 | ieee << 9 | fp16_ovfl << 23;
  }

  bool uses_scratch() const { return rsrc2 & 1; }
  uint32_t user_sgprs() const { return (rsrc2 >> 1) & 0x1f; }
  bool workgroup_id(unsigned axis) const { return (rsrc2 >> (7 + axis)) & 1; }
  bool workgroup_info() const { return (rsrc2 >> 10) & 1; }
  uint32_t workitem_id_axes() const { return ((rsrc2 >> 11) & 3) + 1; }

  bool has_private_segment_buffer() const { return properties & 1; }
  bool has_dispatch_ptr() const { return properties >> 1 & 1; }
  bool has_queue_ptr() const { return properties >> 2 & 1; }
  bool has_kernarg_ptr() const { return properties >> 3 & 1; }
  bool has_dispatch_id() const { return properties >> 4 & 1; }
  bool has_flat_scratch_init() const { return properties >> 5 & 1; }
  bool has_private_segment_size() const { return properties >> 6 & 1; }
  bool wave32() const { return properties >> 10 & 1; }
  bool dynamic_stack() const { return properties >> 11 & 1; }
  uint32_t preload_dwords() const { return kernarg_preload & 0x7f; }
  uint32_t preload_offset_dwords() const { return kernarg_preload >> 7; }

  static KernelDescriptor decode(std::span<const uint8_t, kKernelDescriptorBytes> bytes);
};

}  // namespace wavetwin::isa
