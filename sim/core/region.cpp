// SPDX-License-Identifier: MIT
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

#include "sim/core/checks.h"
#include "sim/core/global_memory.h"

namespace wavetwin {

namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kGranule = 4;  // of last writers

// Zero pages that exist only once touched.
void* reserve(const std::string& name, size_t bytes) {
  void* map =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED) {
    throw Error("buffer '" + name + "': the host cannot reserve " + std::to_string(bytes) + " bytes (" +
                std::strerror(errno) + ")");
  }
  return map;
}

// `bytes` of poison as it stands at `address`.
void fill_poison(uint64_t address, uint8_t* to, uint64_t bytes) {
  uint8_t pattern[8];
  for (unsigned i = 0; i < 8; ++i) pattern[i] = poison_byte(address + i);
  uint64_t i = 0;
  for (; i + 8 <= bytes; i += 8) std::memcpy(to + i, pattern, 8);
  std::memcpy(to + i, pattern, bytes - i);
}

// Replaces byte i of `to` (`bytes` <= 64, at `address`) by poison where bit i of `where` is set.
void blend_poison(uint64_t address, uint8_t* to, uint64_t bytes, uint64_t where) {
  uint8_t block[64 + 8], poison[8];
  fill_poison(address, poison, 8);
  uint64_t pattern;
  std::memcpy(&pattern, poison, 8);
  std::memcpy(block, to, bytes);
  for (uint64_t i = 0; i < bytes; i += 8) {
    constexpr uint64_t kOnes = 0x0101010101010101, kBit = 0x8040201008040201, kHigh = 0x8080808080808080;
    const uint64_t bits = (where >> i & 0xFF) * kOnes & kBit;  // byte j: its bit, at place j
    const uint64_t mask = ((((bits & ~kHigh) + ~kHigh) | bits) & kHigh) / 0x80 * 0xFF;
    uint64_t value;
    std::memcpy(&value, block + i, 8);
    value = (value & ~mask) | (pattern & mask);
    std::memcpy(block + i, &value, 8);
  }
  std::memcpy(to, block, bytes);
}

uint64_t low_bits(uint64_t count) { return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1; }

}  // namespace

Region::Region(std::string name, uint64_t base, uint64_t bytes, BufferAccess access)
    : name_(std::move(name)), base_(base), size_(bytes), access_(access), lead_(base % kPage) {
  const uint64_t span = lead_ + bytes;
  map_bytes_[0] = span;                       // data
  map_bytes_[1] = (span + 63) / 64 * 8 + 16;  // written bits, read two words at a time
  map_bytes_[2] = (span + kGranule - 1) / kGranule * sizeof(uint64_t);  // last writers
  for (unsigned i = 0; i < 3; ++i) map_[i] = reserve(name_, map_bytes_[i]);
  data_ = static_cast<uint8_t*>(map_[0]) + lead_;
  written_ = static_cast<uint64_t*>(map_[1]);
  writers_ = static_cast<uint64_t*>(map_[2]);
}

Region::~Region() {
  for (unsigned i = 0; i < 3; ++i) {
    if (map_[i] != nullptr) munmap(map_[i], map_bytes_[i]);
  }
}

uint32_t Region::unwritten_mask(uint64_t address, unsigned bytes) const {
  if (all_written_) return 0;
  const uint64_t bit = bit_index(address);
  const uint64_t shift = bit % 64;
  uint64_t written = __atomic_load_n(&written_[bit / 64], __ATOMIC_RELAXED) >> shift;
  if (shift + bytes > 64)
    written |= __atomic_load_n(&written_[bit / 64 + 1], __ATOMIC_RELAXED) << (64 - shift);
  return static_cast<uint32_t>(~written & low_bits(bytes));
}

bool Region::range_written(uint64_t address, uint64_t bytes) const {
  if (all_written_) return true;
  const uint64_t first = bit_index(address);
  const uint64_t last = first + bytes;  // exclusive
  for (uint64_t word = first / 64; word * 64 < last; ++word) {
    uint64_t wanted = ~uint64_t{0};
    if (word == first / 64) wanted &= ~low_bits(first % 64);
    if (last < word * 64 + 64) wanted &= low_bits(last - word * 64);
    if ((__atomic_load_n(&written_[word], __ATOMIC_RELAXED) & wanted) != wanted) return false;
  }
  return true;
}

uint64_t Region::span_end(uint64_t address, uint64_t end, bool written) const {
  if (all_written_) return written ? end : address;
  const uint64_t flip = written ? ~uint64_t{0} : 0;  // makes the bits looked for ones
  const uint64_t first = bit_index(address), last = bit_index(end);
  uint64_t mask = ~low_bits(first % 64);
  for (uint64_t word = first / 64; word * 64 < last; ++word, mask = ~uint64_t{0}) {
    const uint64_t other = (__atomic_load_n(&written_[word], __ATOMIC_RELAXED) ^ flip) & mask;
    if (other != 0)
      return std::min(end, address + (word * 64 + static_cast<unsigned>(std::countr_zero(other)) - first));
  }
  return end;
}

void Region::read(uint64_t address, uint8_t* to, uint64_t bytes) const {
  const uint64_t end = address + bytes;
  for (uint64_t at = address; at < end;) {
    const uint64_t bit = bit_index(at), block_end = std::min(end, at + 64 - bit % 64);
    const uint64_t block = low_bits(block_end - at);
    const uint64_t unwritten =
        all_written_ ? 0 : ~(__atomic_load_n(&written_[bit / 64], __ATOMIC_RELAXED) >> bit % 64) & block;
    uint64_t stop = block_end;
    if (unwritten == block) {
      stop = span_end(at, end, false);
      fill_poison(at, to + (at - address), stop - at);
    } else {
      if (unwritten == 0) stop = span_end(at, end, true);
      std::memcpy(to + (at - address), host(at), stop - at);
      if (unwritten != 0) blend_poison(at, to + (at - address), stop - at, unwritten);
    }
    at = stop;
  }
}

void Region::mark_written(uint64_t address, unsigned bytes) {
  if (all_written_) return;
  const auto set = [this](uint64_t word, uint64_t bits) {
    if ((__atomic_load_n(&written_[word], __ATOMIC_RELAXED) & bits) != bits) {
      __atomic_fetch_or(&written_[word], bits, __ATOMIC_RELAXED);
    }
  };
  const uint64_t bit = bit_index(address);
  const uint64_t shift = bit % 64;
  set(bit / 64, low_bits(bytes) << shift);
  if (shift + bytes > 64) set(bit / 64 + 1, low_bits(shift + bytes - 64));
}

void Region::mark_range(uint64_t address, uint64_t bytes, bool written) {
  if (address == base_ && bytes == size_) {
    all_written_ = written;
    if (!written) std::memset(written_, 0, map_bytes_[1]);
    return;
  }
  if (written && all_written_) return;
  if (!written && all_written_) {
    std::memset(written_, 0xFF, map_bytes_[1]);
    all_written_ = false;
  }
  const uint64_t first = bit_index(address);
  const uint64_t last = first + bytes;
  for (uint64_t word = first / 64; word * 64 < last; ++word) {
    uint64_t bits = ~uint64_t{0};
    if (word == first / 64) bits &= ~low_bits(first % 64);
    if (last < word * 64 + 64) bits &= low_bits(last - word * 64);
    written_[word] = written ? written_[word] | bits : written_[word] & ~bits;
  }
}

void Region::poison_unwritten(uint64_t address, unsigned bytes, uint8_t* value) const {
  const uint32_t unwritten = unwritten_mask(address, bytes);
  if (unwritten == 0) return;
  for (unsigned i = 0; i < bytes; ++i) {
    if ((unwritten >> i) & 1) value[i] = poison_byte(address + i);
  }
}

// launch 10 bits, round 18, wave 4, device 1, free 1, bytes 4, workgroup 26
namespace {
constexpr unsigned kLaunchAt = 54, kRoundAt = 36, kWaveAt = 32, kDeviceAt = 31, kBytesAt = 26;
constexpr uint64_t kWorkgroupBits = (uint64_t{1} << kBytesAt) - 1;
constexpr uint64_t kAllBytes = uint64_t{0xF} << kBytesAt;
}  // namespace

uint64_t Region::pack_writer(const LastWriter& writer) {
  return uint64_t{launch_tag(writer.launch)} << kLaunchAt | (writer.round % kRounds) << kRoundAt |
         uint64_t{writer.wave & 15} << kWaveAt | uint64_t{writer.device} << kDeviceAt |
         uint64_t{writer.bytes & 15} << kBytesAt | (writer.workgroup & kWorkgroupBits);
}

void Region::set_last_writer(uint64_t address, unsigned bytes, uint64_t packed) {
  const uint64_t first = bit_index(address), last = first + bytes;  // exclusive
  for (uint64_t granule = first / kGranule; granule * kGranule < last; ++granule) {
    const uint64_t from = std::max(first, granule * kGranule) % kGranule;
    const uint64_t count = std::min(last, (granule + 1) * kGranule) - granule * kGranule - from;
    if (count == kGranule) {
      __atomic_store_n(&writers_[granule], packed, __ATOMIC_RELAXED);
    } else {
      add_writer(granule, packed & ~kAllBytes, low_bits(count) << from);
    }
  }
}

// A store to a part of the granule. Parts that one workgroup stores in one round add up.
void Region::add_writer(uint64_t granule, uint64_t packed, uint64_t bytes) {
  uint64_t old = __atomic_load_n(&writers_[granule], __ATOMIC_RELAXED), next = 0;
  do {
    next = packed | bytes << kBytesAt;
    if (old != 0 && old >> kRoundAt == packed >> kRoundAt) {
      const uint64_t mine = packed & kWorkgroupBits, other = old & kWorkgroupBits;
      if (mine != other) {
        next = (mine < other ? packed : old) & ~kAllBytes;
      } else if ((old & kAllBytes) == 0) {
        next = packed;
      } else if (((old ^ packed) >> kDeviceAt & 1) == 0) {
        next |= old & kAllBytes;
      }
    }
  } while (
      !__atomic_compare_exchange_n(&writers_[granule], &old, next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

std::optional<LastWriter> Region::last_writer(uint64_t address) const {
  const uint64_t packed = __atomic_load_n(&writers_[bit_index(address) / kGranule], __ATOMIC_RELAXED);
  if (packed == 0) return std::nullopt;
  LastWriter writer;
  writer.launch = static_cast<uint32_t>(packed >> kLaunchAt);
  writer.workgroup = static_cast<uint32_t>(packed & kWorkgroupBits);
  writer.wave = static_cast<uint32_t>(packed >> kWaveAt & 15);
  writer.round = packed >> kRoundAt & (kRounds - 1);
  writer.device = (packed >> kDeviceAt & 1) != 0;
  writer.bytes = static_cast<uint32_t>((packed & kAllBytes) >> kBytesAt);
  return writer;
}

void Region::forget_writers() { madvise(map_[2], map_bytes_[2], MADV_DONTNEED); }

}  // namespace wavetwin
