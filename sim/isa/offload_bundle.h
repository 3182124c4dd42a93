// SPDX-License-Identifier: MIT
// Clang's offload bundles: several code objects in one file, plain ("__CLANG_OFFLOAD_BUNDLE__") or compressed
// ("CCOB"). Source: clang documentation, "Clang Offload Bundler", binary and compressed bundle formats 1
// to 3; entries compressed with zlib or zstd.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace wavetwin::isa {

bool is_offload_bundle(std::span<const uint8_t> bytes);

// The gfx950 code objects of a bundle, or of several bundles one after the other with zeros between, as host
// files hold them. A bundle without one gives its gfx9-4-generic object, as the HIP runtime would take it.
// FileError when there is neither (it lists the targets that are there), or when an entry reaches outside
// the file.
std::vector<std::vector<uint8_t>> gfx950_entries(std::span<const uint8_t> bytes, const std::string& file);

}  // namespace wavetwin::isa
