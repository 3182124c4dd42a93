// SPDX-License-Identifier: MIT
#include "sim/isa/private_memory.h"

#include <string>

#include "sim/core/checks.h"
#include "sim/core/error.h"

namespace wavetwin::isa {

void PrivateMemory::reset(uint32_t bytes) {
  bytes_ = (bytes + 15) / 16 * 16;
  words_.assign(size_t{bytes_} / 4 * kWaveSize, kPoison);
}

void PrivateMemory::check(const char* what, const uint32_t* offset, LaneMask mask, unsigned bytes) const {
  mask.for_each([&](unsigned lane) {
    if (offset[lane] <= bytes_ && bytes <= bytes_ - offset[lane]) return;
    throw Error(std::string("scratch ") + what + " of " + std::to_string(bytes) + " bytes in lane " +
                std::to_string(lane) + " at offset " + std::to_string(offset[lane]) +
                ": the private segment has " + std::to_string(bytes_) + " bytes a work-item");
  });
}

void PrivateMemory::load(const uint32_t* offset, LaneMask mask, unsigned bytes, uint32_t* out) const {
  check("load", offset, mask, bytes);
  mask.for_each([&](unsigned lane) {
    const uint32_t at = offset[lane];
    if (at % 4 == 0 && bytes % 4 == 0) {
      for (unsigned d = 0; d < bytes / 4; ++d)
        out[d * kWaveSize + lane] = words_[(at / 4 + d) * kWaveSize + lane];
      return;
    }
    for (unsigned d = 0; d < (bytes + 3) / 4; ++d) out[d * kWaveSize + lane] = 0;
    for (unsigned b = 0; b < bytes; ++b) {
      const uint32_t byte = words_[(at + b) / 4 * kWaveSize + lane] >> ((at + b) % 4 * 8) & 0xff;
      out[b / 4 * kWaveSize + lane] |= byte << (b % 4 * 8);
    }
  });
}

void PrivateMemory::store(const uint32_t* offset, LaneMask mask, unsigned bytes, const uint32_t* data) {
  check("store", offset, mask, bytes);
  mask.for_each([&](unsigned lane) {
    const uint32_t at = offset[lane];
    if (at % 4 == 0 && bytes % 4 == 0) {
      for (unsigned d = 0; d < bytes / 4; ++d)
        words_[(at / 4 + d) * kWaveSize + lane] = data[d * kWaveSize + lane];
      return;
    }
    for (unsigned b = 0; b < bytes; ++b) {
      const uint32_t byte = data[b / 4 * kWaveSize + lane] >> (b % 4 * 8) & 0xff;
      uint32_t& word = words_[(at + b) / 4 * kWaveSize + lane];
      const unsigned shift = (at + b) % 4 * 8;
      word = (word & ~(0xffu << shift)) | byte << shift;
    }
  });
}

}  // namespace wavetwin::isa
