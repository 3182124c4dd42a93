// SPDX-License-Identifier: MIT
#include "sim/core/lds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "sim/core/checks.h"
#include "sim/core/error.h"
#include "sim/core/workgroup.h"

namespace wavetwin {

namespace {

constexpr uint32_t kSlack = 16;  // an access at the last byte may be copied as 16 bytes
constexpr uint8_t kSeveral = 255;

const char* doing(LdsUse use) {
  return use == LdsUse::write ? "stores to" : use == LdsUse::read ? "reads" : "updates";
}
const char* done(LdsUse use) {
  return use == LdsUse::write ? "stored to" : use == LdsUse::read ? "read" : "updated";
}

}  // namespace

void Lds::begin(Workgroup* owner, uint32_t bytes, bool check_races, bool check_never_written) {
  owner_ = owner;
  size_ = bytes;
  check_races_ = check_races;
  check_never_written_ = check_never_written;
  changed_ = false;
  interval_ = 1;
  late_.begin(bytes);
  recorded_ = nullptr;
  data_.resize(bytes + kSlack);
  written_.assign(bytes / 64 + 2, 0);
  if (check_races) {
    writer_.resize(bytes + kSlack);
    reader_.resize(bytes + kSlack);
    chunk_interval_.assign(bytes / kChunk + 2, 0);
  }
}

void Lds::next_interval() {
  ++interval_;
  late_.next_interval();
}

// ---- written bits

inline uint32_t Lds::unwritten_mask(uint32_t address, unsigned bytes) const {
  const uint32_t shift = address % 64;
  uint64_t written = written_[address / 64] >> shift;
  if (shift + bytes > 64) written |= written_[address / 64 + 1] << (64 - shift);
  return static_cast<uint32_t>(~written & ((uint64_t{1} << bytes) - 1));
}

inline void Lds::mark_written(uint32_t address, unsigned bytes) {
  const uint64_t bits = (uint64_t{1} << bytes) - 1;
  const uint32_t shift = address % 64;
  written_[address / 64] |= bits << shift;
  if (shift + bytes > 64) written_[address / 64 + 1] |= bits >> (64 - shift);
}

void Lds::poison_unwritten(unsigned lane, uint32_t address, unsigned bytes, uint8_t* value) {
  const uint32_t unwritten = unwritten_mask(address, bytes);
  if (unwritten == 0) return;
  for (unsigned i = 0; i < bytes; ++i) {
    if ((unwritten >> i) & 1) value[i] = poison_byte(address + i);
  }
  if (!check_never_written_) return;
  owner_->find(FindingKind::lds_never_written, lane, address, [&] {
    return fmt::format("{} of the {} LDS bytes at {:#x} were never written by this workgroup",
                       __builtin_popcount(unwritten), bytes, address);
  });
}

void Lds::peek(uint32_t address, uint32_t bytes, uint8_t* out) const {
  for (uint32_t i = 0; i < bytes; ++i) {
    const uint32_t at = address + i;
    out[i] = at < size_ && is_written(at) ? data_[at] : poison_byte(at);
  }
}

// ---- range and races

void Lds::out_of_range(unsigned lane, uint32_t address, unsigned bytes, const char* what) {
  const std::string text =
      fmt::format("{} of {} LDS bytes at {:#x}, but the workgroup has {:#x}", what, bytes, address, size_);
  if (range_ == LdsRange::strict) throw Error(fmt::format("lane {}: {}", lane, text));
  owner_->find(FindingKind::lds_out_of_range, lane, address, [&] { return text; });
}

// Marks of an older barrier interval are forgotten.
inline void Lds::fresh_marks(uint32_t address, unsigned bytes) {
  const uint32_t first = address / kChunk;
  const uint32_t last = (address + bytes - 1) / kChunk;
  if (chunk_interval_[first] != interval_) clear_marks(first);
  if (last != first && chunk_interval_[last] != interval_) clear_marks(last);
}

void Lds::clear_marks(uint32_t chunk) {
  chunk_interval_[chunk] = interval_;
  const uint32_t first = chunk * kChunk;
  const size_t count = std::min<size_t>(kChunk, writer_.size() - first);
  std::memset(&writer_[first], 0, count);
  std::memset(&reader_[first], 0, count);
}

// Marks sizeof(T) bytes at once where they all carry the same simple marks. Gives false when bytes must be
// looked at one by one.
template <class T>
inline bool Lds::mark_word(uint32_t address, uint8_t me, LdsUse use) {
  constexpr T kEveryByte = static_cast<T>(0x0101010101010101ull);
  const T mine = static_cast<T>(kEveryByte * me);
  T writer, reader;
  std::memcpy(&writer, &writer_[address], sizeof(T));
  std::memcpy(&reader, &reader_[address], sizeof(T));
  if (writer != 0 && writer != mine) return false;
  if (use == LdsUse::write) {
    if (reader != 0 && reader != mine) return false;
    std::memcpy(&writer_[address], &mine, sizeof(T));
    return true;
  }
  const T several = static_cast<T>(~T{0});
  if (reader == several || reader == mine) return true;
  const T uniform = static_cast<T>(kEveryByte * static_cast<uint8_t>(reader));
  if (reader != uniform) return false;
  std::memcpy(&reader_[address], reader == 0 ? &mine : &several, sizeof(T));
  return true;
}

// Atomics count as reads: they race with plain stores of others, not with reads or with each other.
template <unsigned kBytes>
inline void Lds::mark_access(unsigned lane, uint32_t address, LdsUse use) {
  fresh_marks(address, kBytes);
  race_reported_ = false;
  const uint8_t me = static_cast<uint8_t>(owner_->running_wave() + 1);
  unsigned i = 0;
  for (; i + 8 <= kBytes && mark_word<uint64_t>(address + i, me, use);) i += 8;
  for (; i + 4 <= kBytes && mark_word<uint32_t>(address + i, me, use);) i += 4;
  for (; i < kBytes; ++i) mark_byte(lane, address + i, me, use);
  if (late_.any()) [[unlikely]]
    check_late(lane, address, kBytes, use);
}

void Lds::mark_byte(unsigned lane, uint32_t address, uint8_t me, LdsUse use) {
  const uint8_t writer = writer_[address];
  uint8_t& reader = reader_[address];
  const bool other_wrote = writer != 0 && writer != me;
  const bool other_read = use == LdsUse::write && reader != 0 && reader != me;
  if (other_wrote || other_read) report_race(lane, address, me, use);
  if (use == LdsUse::write) {
    writer_[address] = me;
  } else {
    reader = reader == 0 || reader == me ? me : kSeveral;
  }
}

// Once for an access: the first byte that races.
void Lds::report_race(unsigned lane, uint32_t address, uint8_t me, LdsUse use) {
  if (race_reported_) return;
  race_reported_ = true;
  const uint8_t writer = writer_[address];
  const uint8_t reader = reader_[address];
  const bool other_wrote = writer != 0 && writer != me;
  owner_->find(FindingKind::lds_race, lane, address, [&] {
    const std::string other = other_wrote          ? fmt::format("wave {} stored to", writer - 1)
                              : reader == kSeveral ? std::string("other waves read")
                                                   : fmt::format("wave {} read", reader - 1);
    return fmt::format("{} LDS byte {:#x}, which {} since the last barrier", doing(use), address, other);
  });
}

void Lds::check_late(unsigned lane, uint32_t address, unsigned bytes, LdsUse use) {
  if (race_reported_) return;
  const auto found = late_.conflict(owner_->running_wave(), address, bytes, use);
  if (!found) return;
  owner_->find(FindingKind::unwaited_lds, lane, found->address, [&] {
    return fmt::format("{} LDS byte {:#x}, which wave {} {} with {}", doing(use), found->address,
                       found->late->wave, done(found->use), found->late->describe());
  });
}

// ---- accesses

void Lds::record(const uint32_t* address, LaneMask mask, unsigned bytes, LdsUse use) {
  LdsAccess access{use, static_cast<uint8_t>(bytes), {}, {}};
  mask.for_each([&](unsigned l) {
    access.address[l] = address[l];
    if (in_range(address[l], bytes)) access.mask = access.mask | LaneMask::lane(l);
  });
  if (access.mask.any()) recorded_->push_back(access);
}

namespace {

// Calls f with the size of an access as a constant.
template <class F>
void with_size(unsigned bytes, F&& f) {
  switch (bytes) {
    case 1:
      return f(std::integral_constant<unsigned, 1>());
    case 2:
      return f(std::integral_constant<unsigned, 2>());
    case 4:
      return f(std::integral_constant<unsigned, 4>());
    case 8:
      return f(std::integral_constant<unsigned, 8>());
    case 12:
      return f(std::integral_constant<unsigned, 12>());
    case 16:
      return f(std::integral_constant<unsigned, 16>());
    default:
      throw Error(fmt::format("an LDS access of {} bytes", bytes));
  }
}

}  // namespace

void Lds::load(const uint32_t* address, LaneMask mask, unsigned bytes, uint32_t* out) {
  if (PollWatch* watch = owner_->poll_watch()) watch->read(address, mask, false);
  if (recorded_ != nullptr) record(address, mask, bytes, LdsUse::read);
  with_size(bytes,
            [&](auto size) { mask.for_each([&](unsigned l) { load_lane<size()>(l, address[l], out); }); });
}

template <unsigned kBytes>
inline void Lds::load_lane(unsigned lane, uint32_t at, uint32_t* out) {
  uint32_t value[4] = {};
  if (in_range(at, kBytes)) {
    std::memcpy(value, &data_[at], kBytes);
    if (unwritten_mask(at, kBytes) != 0)
      poison_unwritten(lane, at, kBytes, reinterpret_cast<uint8_t*>(value));
    if (check_races_) mark_access<kBytes>(lane, at, LdsUse::read);
  } else {
    out_of_range(lane, at, kBytes, "load");
  }
  for (unsigned d = 0; 4 * d < kBytes; ++d) out[d * kWaveSize + lane] = value[d];
}

void Lds::store(const uint32_t* address, LaneMask mask, unsigned bytes, const uint32_t* data) {
  if (recorded_ != nullptr) record(address, mask, bytes, LdsUse::write);
  with_size(bytes,
            [&](auto size) { mask.for_each([&](unsigned l) { store_lane<size()>(l, address[l], data); }); });
}

template <unsigned kBytes>
inline void Lds::store_lane(unsigned lane, uint32_t at, const uint32_t* data) {
  if (!in_range(at, kBytes)) return out_of_range(lane, at, kBytes, "store");
  uint32_t value[4] = {};
  for (unsigned d = 0; 4 * d < kBytes; ++d) value[d] = data[d * kWaveSize + lane];
  if (!changed_) changed_ = unwritten_mask(at, kBytes) != 0 || std::memcmp(&data_[at], value, kBytes) != 0;
  std::memcpy(&data_[at], value, kBytes);
  mark_written(at, kBytes);
  if (check_races_) mark_access<kBytes>(lane, at, LdsUse::write);
}

void Lds::atomic(const uint32_t* address, LaneMask mask, unsigned bytes, AtomicFunction function,
                 const uint32_t* data, const uint32_t* compare, uint32_t* returned, LaneOrder order) {
  if (PollWatch* watch = owner_->poll_watch()) watch->read(address, mask, true);
  if (recorded_ != nullptr) record(address, mask, bytes, LdsUse::atomic);
  const auto lane_value = [bytes](const uint32_t* lanes, unsigned l) {
    return lanes == nullptr ? 0 : lanes[l] | (bytes == 8 ? uint64_t{lanes[kWaveSize + l]} << 32 : 0);
  };
  mask.for_each_in(order, [&](unsigned l) {
    const uint32_t at = address[l];
    uint64_t old = 0;
    if (in_range(at, bytes)) {
      std::memcpy(&old, &data_[at], bytes);
      poison_unwritten(l, at, bytes, reinterpret_cast<uint8_t*>(&old));
      const uint64_t next = function(old, lane_value(data, l), lane_value(compare, l));
      changed_ |= std::memcmp(&old, &next, bytes) != 0;
      std::memcpy(&data_[at], &next, bytes);
      mark_written(at, bytes);
      if (check_races_)
        bytes == 8 ? mark_access<8>(l, at, LdsUse::atomic) : mark_access<4>(l, at, LdsUse::atomic);
    } else {
      out_of_range(l, at, bytes, "atomic");
    }
    if (returned == nullptr) return;
    returned[l] = static_cast<uint32_t>(old);
    if (bytes == 8) returned[kWaveSize + l] = static_cast<uint32_t>(old >> 32);
  });
}

}  // namespace wavetwin
