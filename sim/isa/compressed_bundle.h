// SPDX-License-Identifier: MIT
// Clang's compressed offload bundles, formats 1 to 3, by zlib or zstd. Source: clang documentation, "Clang
// Offload Bundler", compressed bundle format.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/isa/byte_reader.h"

namespace wavetwin::isa {

struct PlainBundle {
  std::vector<uint8_t> bytes;
  uint64_t end = 0;  // where the compressed bundle ends, in bytes from its start
};

// FileError for other formats and methods, for data that is damaged or does not hold as many bytes as the
// header states, and for more than 1 GiB. The header's hash is not checked.
PlainBundle decompress_bundle(const ByteReader& in);

}  // namespace wavetwin::isa
