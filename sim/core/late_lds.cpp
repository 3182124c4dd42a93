// SPDX-License-Identifier: MIT
#include "sim/core/late_lds.h"

#include <algorithm>
#include <utility>

namespace wavetwin {

namespace {

constexpr uint8_t bit_of(LdsUse use) { return static_cast<uint8_t>(1u << static_cast<unsigned>(use)); }

// The uses that must be in order with `use`.
constexpr uint8_t ordered_with(LdsUse use) {
  const uint8_t all = bit_of(LdsUse::read) | bit_of(LdsUse::write) | bit_of(LdsUse::atomic);
  return use == LdsUse::write ? all : static_cast<uint8_t>(all & ~bit_of(use));
}

// The first lane whose bytes reach into [address, address + bytes).
std::optional<unsigned> lane_at(const LdsAccess& access, uint32_t address, unsigned bytes) {
  std::optional<unsigned> found;
  access.mask.for_each([&](unsigned l) {
    const bool meets = access.address[l] < address + bytes && address < access.address[l] + access.bytes;
    if (meets && !found) found = l;
  });
  return found;
}

}  // namespace

std::optional<uint32_t> LdsAccess::shared_byte(const LdsAccess& other) const {
  std::optional<uint32_t> found;
  mask.for_each([&](unsigned l) {
    if (found) return;
    if (const auto lane = lane_at(other, address[l], bytes))
      found = std::max(address[l], other.address[*lane]);
  });
  return found;
}

void LateLds::begin(uint32_t lds_bytes) {
  lds_bytes_ = lds_bytes;
  crossing_.clear();
  late_.clear();
  marks_.clear();
}

template <class F>
void LateLds::for_each_byte(const std::vector<LateLdsAccess>& late, F f) {
  for (const LateLdsAccess& l : late) {
    for (const LdsAccess& access : *l.accesses) {
      access.mask.for_each([&](unsigned lane) {
        for (unsigned i = 0; i < access.bytes; ++i) f(access.address[lane] + i, access.use);
      });
    }
  }
}

void LateLds::next_interval() {
  if (late_.empty() && crossing_.empty()) return;
  marks_.resize(lds_bytes_);
  for_each_byte(late_, [&](uint32_t byte, LdsUse) { marks_[byte] = 0; });
  late_ = std::exchange(crossing_, {});
  for_each_byte(late_, [&](uint32_t byte, LdsUse use) { marks_[byte] |= bit_of(use); });
}

std::optional<LateLds::Conflict> LateLds::conflict(uint32_t wave, uint32_t address, unsigned bytes,
                                                   LdsUse use) const {
  for (uint32_t byte = address; byte < address + bytes; ++byte) {
    const uint8_t uses = marks_[byte] & ordered_with(use);
    if (uses == 0) continue;
    for (const LateLdsAccess& late : late_) {
      if (late.wave == wave) continue;
      for (const LdsAccess& access : *late.accesses) {
        if ((bit_of(access.use) & uses) != 0 && lane_at(access, byte, 1))
          return Conflict{&late, access.use, byte};
      }
    }
  }
  return std::nullopt;
}

}  // namespace wavetwin
