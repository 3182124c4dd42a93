// SPDX-License-Identifier: MIT
#include "sim/isa/kernel_descriptor.h"

#include <cstring>

namespace wavetwin::isa {
namespace {

template <typename T>
T field(std::span<const uint8_t, kKernelDescriptorBytes> bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

}  // namespace

KernelDescriptor KernelDescriptor::decode(std::span<const uint8_t, kKernelDescriptorBytes> bytes) {
  KernelDescriptor d;
  d.group_segment_fixed_size = field<uint32_t>(bytes, 0);
  d.private_segment_fixed_size = field<uint32_t>(bytes, 4);
  d.kernarg_size = field<uint32_t>(bytes, 8);
  d.code_entry_offset = field<int64_t>(bytes, 16);
  d.rsrc3 = field<uint32_t>(bytes, 44);
  d.rsrc1 = field<uint32_t>(bytes, 48);
  d.rsrc2 = field<uint32_t>(bytes, 52);
  d.properties = field<uint16_t>(bytes, 56);
  d.kernarg_preload = field<uint16_t>(bytes, 58);
  return d;
}

}  // namespace wavetwin::isa
