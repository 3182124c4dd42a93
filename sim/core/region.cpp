// SPDX-License-Identifier: MIT
#include <sys/mman.h>

#include <algorithm>
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

uint64_t Region::pack_writer(const LastWriter& writer) {
  return uint64_t{1 + (writer.launch - 1) % 4095} << 52 | (writer.round & 0xFFFFF) << 32 |
         uint64_t{writer.wave & 31} << 27 | uint64_t{writer.device} << 26 | (writer.workgroup & 0x3FFFFFF);
}

void Region::set_last_writer(uint64_t address, unsigned bytes, uint64_t packed) {
  const uint64_t first = bit_index(address) / kGranule;
  const uint64_t last = (bit_index(address) + bytes - 1) / kGranule;
  for (uint64_t granule = first; granule <= last; ++granule) {
    __atomic_store_n(&writers_[granule], packed, __ATOMIC_RELAXED);
  }
}

std::optional<LastWriter> Region::last_writer(uint64_t address) const {
  const uint64_t packed = __atomic_load_n(&writers_[bit_index(address) / kGranule], __ATOMIC_RELAXED);
  if (packed == 0) return std::nullopt;
  return LastWriter{static_cast<uint32_t>(packed >> 52), static_cast<uint32_t>(packed & 0x3FFFFFF),
                    static_cast<uint32_t>((packed >> 27) & 31), (packed >> 32) & 0xFFFFF,
                    ((packed >> 26) & 1) != 0};
}

}  // namespace wavetwin
