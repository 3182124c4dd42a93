// SPDX-License-Identifier: MIT
// Host executables, libraries and objects that hipcc or clang made: their device code is in the section
// .hip_fatbin, one offload bundle a translation unit, one after the other, or in .llvm.offloading, as offload
// binaries. Source: clang's HIP driver documentation ("HIP Support", offload bundles embedded in the host
// object) and its "Offloading Design" (offload binaries in the host object).
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace wavetwin::isa {

// An ELF file for something else than a GPU.
bool is_host_object(std::span<const uint8_t> bytes);

// The bytes of the first of these sections that is there. FileError when there is none, or it lies outside
// the file.
std::span<const uint8_t> device_section(std::span<const uint8_t> bytes, const std::string& file);

}  // namespace wavetwin::isa
