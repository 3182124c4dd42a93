// SPDX-License-Identifier: MIT
// LLVM's offload binaries: device images with key-value strings (triple, arch), as `llvm-offload-binary`
// writes them and clang puts them into the section .llvm.offloading of host objects. Source: LLVM's
// documentation of llvm-offload-binary and llvm/Object/OffloadBinary.h, versions 1 to 3.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace wavetwin::isa {

bool is_offload_binary(std::span<const uint8_t> bytes);

// The gfx950 code objects of an offload binary, or of several one after the other with zeros between. Without
// one it gives the gfx9-4-generic objects. FileError when there is neither (it lists the images that are
// there), when something reaches outside the file, and for compressed ones.
std::vector<std::vector<uint8_t>> gfx950_images(std::span<const uint8_t> bytes, const std::string& file);

}  // namespace wavetwin::isa
