// SPDX-License-Identifier: MIT
#include "sim/isa/private_memory.h"

#include <string>

#include "sim/core/checks.h"
#include "sim/core/error.h"

namespace wavetwin::isa {

void PrivateMemory::reset(uint32_t bytes) {
  bytes_ = (bytes + 15) / 16 * 16;
  pages_.assign((bytes_ / 4 + kPageRows - 1) / kPageRows, kUnused);
  words_.clear();
}

const uint32_t* PrivateMemory::row(uint32_t at) const {
  const uint32_t page = pages_[at / 4 / kPageRows];
  return page == kUnused ? nullptr : words_.data() + page * kPageWords + at / 4 % kPageRows * kWaveSize;
}

uint32_t* PrivateMemory::row_to_store(uint32_t at) {
  uint32_t& page = pages_[at / 4 / kPageRows];
  if (page == kUnused) {
    page = static_cast<uint32_t>(words_.size() / kPageWords);
    words_.resize(words_.size() + kPageWords, kPoison);
  }
  return words_.data() + page * kPageWords + at / 4 % kPageRows * kWaveSize;
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
  const auto word = [&](uint32_t at, unsigned lane) {
    const uint32_t* from = row(at);
    return from == nullptr ? kPoison : from[lane];
  };
  mask.for_each([&](unsigned lane) {
    const uint32_t at = offset[lane];
    if (at % 4 == 0 && bytes % 4 == 0) {
      for (unsigned d = 0; d < bytes / 4; ++d) out[d * kWaveSize + lane] = word(at + 4 * d, lane);
      return;
    }
    for (unsigned d = 0; d < (bytes + 3) / 4; ++d) out[d * kWaveSize + lane] = 0;
    for (unsigned b = 0; b < bytes; ++b) {
      const uint32_t byte = word(at + b, lane) >> ((at + b) % 4 * 8) & 0xff;
      out[b / 4 * kWaveSize + lane] |= byte << (b % 4 * 8);
    }
  });
}

void PrivateMemory::store(const uint32_t* offset, LaneMask mask, unsigned bytes, const uint32_t* data) {
  check("store", offset, mask, bytes);
  mask.for_each([&](unsigned lane) {
    const uint32_t at = offset[lane];
    if (at % 4 == 0 && bytes % 4 == 0) {
      for (unsigned d = 0; d < bytes / 4; ++d) row_to_store(at + 4 * d)[lane] = data[d * kWaveSize + lane];
      return;
    }
    for (unsigned b = 0; b < bytes; ++b) {
      const uint32_t byte = data[b / 4 * kWaveSize + lane] >> (b % 4 * 8) & 0xff;
      uint32_t& word = row_to_store(at + b)[lane];
      const unsigned shift = (at + b) % 4 * 8;
      word = (word & ~(0xffu << shift)) | byte << shift;
    }
  });
}

}  // namespace wavetwin::isa
