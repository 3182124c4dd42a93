// SPDX-License-Identifier: MIT
#include "sim/core/workgroup_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "sim/core/access_log.h"
#include "sim/core/pending_list.h"
#include "sim/core/relaxed_copy.h"
#include "sim/core/workgroup.h"

namespace wavetwin {

namespace {

// Scopes of the loads that compilers make of relaxed atomics and volatile accesses (LLVM AMDGPU memory model,
// gfx942: workgroup sc0, agent sc1, system and volatile both).
constexpr uint32_t kSynchronising = kCacheSc0 | kCacheSc1;

// Bytes of one lane out of dword-major data; a load of less than a dword zero-extends.
void gather_lane(const uint32_t* data, unsigned lane, unsigned bytes, uint8_t* value) {
  for (unsigned d = 0; 4 * d < bytes; ++d) {
    std::memcpy(value + 4 * d, &data[d * kWaveSize + lane], std::min(4u, bytes - 4 * d));
  }
}
void scatter_lane(uint32_t* data, unsigned lane, unsigned bytes, const uint8_t* value) {
  for (unsigned d = 0; 4 * d < bytes; ++d) {
    uint32_t dword = 0;
    std::memcpy(&dword, value + 4 * d, std::min(4u, bytes - 4 * d));
    data[d * kWaveSize + lane] = dword;
  }
}

// Every lane active and lane l at address[0] + l * bytes.
bool is_contiguous(const uint64_t* address, LaneMask mask, unsigned bytes) {
  if (!mask.is_all()) return false;
  uint64_t difference = 0;
  for (unsigned l = 0; l < kWaveSize; ++l) difference |= address[l] ^ (address[0] + uint64_t{l} * bytes);
  return difference == 0;
}

// The low bits of all active addresses together: 0 in bit b means every address has 0 there.
uint64_t combined_low_bits(const uint64_t* address, LaneMask mask) {
  uint64_t bits = 0;
  for (unsigned l = 0; l < kWaveSize; ++l) bits |= ((mask.bits >> l) & 1) != 0 ? address[l] : 0;
  return bits;
}

// Aligned loads of `kDwords` dwords a lane.
template <unsigned kDwords>
void copy_dwords(const Region& region, const uint64_t* address, LaneMask mask, uint32_t* out) {
  const uint8_t* host = region.host(region.base());
  const uint64_t base = region.base();
  const auto lane = [&](unsigned l) {
    const uint8_t* from = host + (address[l] - base);
    if constexpr (kDwords % 2 == 0) {
      for (unsigned d = 0; d < kDwords; d += 2) {
        const uint64_t pair = relaxed_load<uint64_t>(from + 4 * d);
        out[d * kWaveSize + l] = static_cast<uint32_t>(pair);
        out[(d + 1) * kWaveSize + l] = static_cast<uint32_t>(pair >> 32);
      }
    } else {
      for (unsigned d = 0; d < kDwords; ++d) out[d * kWaveSize + l] = relaxed_load<uint32_t>(from + 4 * d);
    }
  };
  if (mask.is_all()) {
    for (unsigned l = 0; l < kWaveSize; ++l) lane(l);
  } else {
    mask.for_each(lane);
  }
}

// Loads of any size and alignment.
void copy_bytes(const Region& region, const uint64_t* address, LaneMask mask, unsigned bytes, uint32_t* out) {
  mask.for_each([&](unsigned l) {
    uint8_t value[16];
    relaxed_read(region.host(address[l]), bytes, value);
    scatter_lane(out, l, bytes, value);
  });
}

}  // namespace

WorkgroupMemory::WorkgroupMemory()
    : pending_(std::make_unique<PendingList>()), accesses_(std::make_unique<AccessLog>()) {}
WorkgroupMemory::~WorkgroupMemory() = default;

void WorkgroupMemory::begin(Workgroup* owner, GlobalMemory* memory, uint32_t launch_number,
                            const Checks& checks) {
  owner_ = owner;
  memory_ = memory;
  launch_number_ = launch_number;
  checks_ = checks;
  last_region_ = nullptr;
  changed_ = false;
  released_ = acquired_ = 0;
  held_.clear();
  accesses_->begin(checks.race_pages);
}

bool WorkgroupMemory::committed(PendingTicket ticket) const { return pending_->committed(ticket); }
bool WorkgroupMemory::has_pending() const { return !pending_->empty(); }

uint64_t WorkgroupMemory::packed_writer() const {
  return Region::pack_writer({launch_number_, owner_->id(), owner_->running_wave(), owner_->round()});
}

// ---- bounds

Region* WorkgroupMemory::common_region(const uint64_t* address, LaneMask mask, unsigned bytes) {
  const auto holds_all = [&](const Region& region) {
    if (region.size() < bytes) return false;
    const uint64_t base = region.base();
    const uint64_t last = region.size() - bytes;
    uint64_t outside = 0;
    for (unsigned l = 0; l < kWaveSize; ++l) {
      const uint64_t offset = ((mask.bits >> l) & 1) != 0 ? address[l] - base : 0;
      outside |= static_cast<uint64_t>(offset > last);
    }
    return outside == 0;
  };
  if (last_region_ != nullptr && holds_all(*last_region_)) return last_region_;
  Region* region = memory_->find(address[mask.first_set()]);
  if (region == nullptr || !holds_all(*region)) return nullptr;
  last_region_ = region;
  return region;
}

Region& WorkgroupMemory::region_of(const char* what, unsigned lane, uint64_t address, unsigned bytes) {
  if (last_region_ != nullptr && last_region_->contains(address, bytes)) return *last_region_;
  Region* region = memory_->find(address);
  if (region == nullptr || !region->contains(address, bytes)) {
    memory_->out_of_bounds(fmt::format("lane {}: {}", lane, what), address, bytes);
  }
  last_region_ = region;
  return *region;
}

Region& WorkgroupMemory::writable_region(const char* what, unsigned lane, uint64_t address, unsigned bytes) {
  Region& region = region_of(what, lane, address, bytes);
  if (region.read_only()) {
    throw Error(fmt::format("lane {}: {} of {} bytes at {:#x} changes a read-only buffer: {}", lane, what,
                            bytes, address, memory_->describe(address)));
  }
  return region;
}

// ---- loads

void WorkgroupMemory::load(const uint64_t* address, LaneMask mask, unsigned bytes, uint32_t* out,
                           uint32_t cache) {
  if (mask.is_none()) return;
  if (PollWatch* watch = owner_->poll_watch()) watch->read(address, mask, (cache & kSynchronising) != 0);
  if (Region* region = common_region(address, mask, bytes)) {
    load_from(*region, address, mask, bytes, out, cache);
    return;
  }
  mask.for_each([&](unsigned l) {
    load_from(region_of("load", l, address[l], bytes), address, LaneMask::lane(l), bytes, out, cache);
  });
}

void WorkgroupMemory::load_from(Region& region, const uint64_t* address, LaneMask mask, unsigned bytes,
                                uint32_t* out, uint32_t cache) {
  const uint64_t low = combined_low_bits(address, mask);
  if (bytes == 16 && low % 8 == 0) {
    copy_dwords<4>(region, address, mask, out);
  } else if (bytes == 8 && low % 8 == 0) {
    copy_dwords<2>(region, address, mask, out);
  } else if (bytes == 4 && low % 4 == 0) {
    copy_dwords<1>(region, address, mask, out);
  } else {
    copy_bytes(region, address, mask, bytes, out);
  }
  const bool raced = checks_.races && region.checks_loads();
  if (region.all_written() && !raced && pending_->empty()) return;
  check_loaded(region, address, mask, bytes, out);
  if (!raced || checks_.released == nullptr) return;
  // Rounds that a LastWriter cannot hold are not checked.
  if (owner_->round() != 0 && owner_->round() < Region::kRounds && region.stored_in(launch_number_))
    check_fences(region, address, mask, bytes, cache);
  if ((cache & kSynchronising) == 0) hold_lines(address, mask, bytes);
}

void WorkgroupMemory::note_release() { released_ = owner_->round() + 1; }
void WorkgroupMemory::note_acquire() {
  acquired_ = owner_->round() + 1;
  held_.clear();
}

void WorkgroupMemory::hold_lines(const uint64_t* address, LaneMask mask, unsigned bytes) {
  if (is_contiguous(address, mask, bytes))
    return held_.load(address[0], uint64_t{kWaveSize} * bytes, owner_->round());
  mask.for_each([&](unsigned l) { held_.load(address[l], bytes, owner_->round()); });
}

// What is missing between the last store to the granule of `address` and a load of it now; "" when nothing
// is.
std::string WorkgroupMemory::missing_fence(const Region& region, uint64_t address, uint32_t bytes,
                                           uint32_t cache) const {
  const std::optional<LastWriter> last = region.last_writer(address);
  if (!last || last->launch != Region::launch_tag(launch_number_)) return {};
  if (last->bytes == 0 ? bytes != 0xF : (last->bytes & bytes) == 0) return {};  // other bytes of the granule
  const uint64_t stored = last->round;
  // In the same round: a race, if anything.
  if (last->workgroup == owner_->id() || stored == owner_->round()) return {};
  const auto text = [&](const std::string& missing) {
    return fmt::format("what workgroup {} wave {} stored in round {}, {}", last->workgroup, last->wave,
                       stored, missing);
  };
  if (last->device) {
    const std::optional<uint64_t> held = held_.since(address);
    if ((cache & kSynchronising) != 0 || !held || *held > stored) return {};
    return text(
        fmt::format("but this workgroup may still hold the line as it loaded it in round {}: it has not "
                    "invalidated its caches since (buffer_inv sc1), and loads without sc1",
                    *held));
  }
  const std::vector<uint64_t>& released = *checks_.released;
  const uint64_t written_back = last->workgroup < released.size() ? released[last->workgroup] : 0;
  if (written_back <= stored) return text("which has not written it back since (buffer_wbl2 sc1)");
  if ((cache & kCacheSc1) == 0 && acquired_ <= stored + 1)
    return text("but this workgroup has not invalidated its caches since (buffer_inv sc1)");
  return {};
}

// One finding a load: its first lane that may see old data.
void WorkgroupMemory::check_fences(const Region& region, const uint64_t* address, LaneMask mask,
                                   unsigned bytes, uint32_t cache) {
  bool found = false;
  mask.for_each([&](unsigned l) {
    const uint64_t end = address[l] + bytes;
    for (uint64_t granule = address[l] & ~uint64_t{3}; !found && granule < end; granule += 4) {
      const uint64_t from = std::max(granule, address[l]);
      const auto loaded = static_cast<uint32_t>((1u << (std::min(granule + 4, end) - from)) - 1)
                          << (from - granule);
      const std::string missing = missing_fence(region, from, loaded, cache);
      if (missing.empty()) continue;
      found = true;
      owner_->find(FindingKind::missing_fence, l, from, [&] {
        return fmt::format("a load at {} ({:#x}) reads {}", memory_->describe(from), from, missing);
      });
    }
  });
}

void WorkgroupMemory::check_loaded(Region& region, const uint64_t* address, LaneMask mask, unsigned bytes,
                                   uint32_t* out) {
  const bool contiguous = is_contiguous(address, mask, bytes);
  const uint64_t all_bytes = uint64_t{kWaveSize} * bytes;
  if (checks_.races && region.checks_loads()) {
    if (contiguous) {
      accesses_->touch(address[0], all_bytes);
    } else {
      mask.for_each([&](unsigned l) { accesses_->touch(address[l], bytes); });
    }
  }
  if (pending_->overlay().empty() &&
      (contiguous ? region.range_written(address[0], all_bytes) : region.all_written())) {
    return;
  }
  mask.for_each([&](unsigned l) { overlay_lane(region, l, address[l], bytes, out); });
}

// What the lane really sees: own pending bytes over memory over poison.
void WorkgroupMemory::overlay_lane(Region& region, unsigned lane, uint64_t address, unsigned bytes,
                                   uint32_t* out) {
  uint32_t unwritten = region.unwritten_mask(address, bytes);
  if (unwritten == 0 && pending_->overlay().empty()) return;
  uint8_t value[16];
  gather_lane(out, lane, bytes, value);
  region.poison_unwritten(address, bytes, value);
  if (!pending_->overlay().empty()) unwritten &= ~pending_->overlay().apply(address, bytes, value);
  scatter_lane(out, lane, bytes, value);
  if (unwritten != 0 && checks_.never_written) {
    owner_->find(FindingKind::memory_never_written, lane, address, [&] {
      return fmt::format("{} of the {} bytes loaded at {} were never written", __builtin_popcount(unwritten),
                         bytes, memory_->describe(address));
    });
  }
}

void WorkgroupMemory::load_scalar(uint64_t address, unsigned dwords, uint32_t* out) {
  uint64_t lanes[kWaveSize] = {address};
  if (PollWatch* watch = owner_->poll_watch()) watch->read(lanes, LaneMask::lane(0), false);
  uint32_t value[kWaveSize];
  for (unsigned d = 0; d < dwords; ++d) {
    lanes[0] = (address & ~uint64_t{3}) + 4 * d;
    // The scalar cache is another one: SC0 says that the load neither hits a line of L1 nor leaves one there.
    load_from(region_of("scalar load", 0, lanes[0], 4), lanes, LaneMask::lane(0), 4, value, kCacheSc0);
    out[d] = value[0];
  }
}

// ---- stores and atomics

void WorkgroupMemory::store_plain(Region& region, uint64_t address, unsigned bytes, const uint8_t* value) {
  uint8_t* memory = region.host(address);
  if (!changed_) {
    uint8_t old[16];
    relaxed_read(memory, bytes, old);
    region.poison_unwritten(address, bytes, old);
    changed_ = std::memcmp(old, value, bytes) != 0;
  }
  relaxed_write(memory, bytes, value);
  region.mark_written(address, bytes);
  if (checks_.races) accesses_->store(address, bytes);
}

PendingTicket WorkgroupMemory::store(const uint64_t* address, LaneMask mask, unsigned bytes,
                                     const uint32_t* data, uint32_t cache) {
  const bool device_scope = (cache & kCacheSc1) != 0;
  const uint64_t writer = packed_writer();
  PendingTicket ticket = 0;
  // All lanes are checked before the first one stores: an error leaves memory as it was.
  Region* common = mask.any() ? common_region(address, mask, bytes) : nullptr;
  if (common == nullptr || common->read_only()) {
    mask.for_each([&](unsigned l) { writable_region("store", l, address[l], bytes); });
  }
  mask.for_each([&](unsigned l) {
    Region& region = common != nullptr ? *common : region_of("store", l, address[l], bytes);
    uint8_t value[16];
    gather_lane(data, l, bytes, value);
    uint8_t ignored[16];
    const bool joins =
        !pending_->overlay().empty() && pending_->overlay().apply(address[l], bytes, ignored) != 0;
    if (device_scope || joins) {
      if (ticket == 0) ticket = pending_->open(owner_->running_wave(), owner_->round(), bytes);
      pending_->add_store(&region, address[l], value);
      if (checks_.races && device_scope) accesses_->touch(address[l], bytes);
      if (checks_.races && !device_scope) accesses_->store(address[l], bytes);
    } else {
      store_plain(region, address[l], bytes, value);
      region.set_last_writer(address[l], bytes, writer);
      region.note_stored(launch_number_);
    }
  });
  return ticket;
}

PendingTicket WorkgroupMemory::atomic(const uint64_t* address, LaneMask mask, unsigned bytes,
                                      AtomicFunction function, const uint32_t* data, const uint32_t* compare,
                                      uint32_t* returned, LaneOrder order) {
  if (mask.is_none()) return 0;
  if (PollWatch* watch = owner_->poll_watch()) watch->read(address, mask, true);
  mask.for_each([&](unsigned l) {
    writable_region("atomic", l, address[l], bytes);
    if (address[l] % bytes != 0) {
      throw Error(fmt::format("lane {}: atomic of {} bytes at {:#x} is not aligned: {}", l, bytes, address[l],
                              memory_->describe(address[l])));
    }
  });
  const PendingTicket ticket =
      pending_->open_atomic(owner_->running_wave(), owner_->round(), bytes, function, returned);
  mask.for_each_in(order, [&](unsigned l) {
    Region& region = region_of("atomic", l, address[l], bytes);
    uint32_t old[2 * kWaveSize] = {};
    overlay_lane(region, l, address[l], bytes, old);  // for its check of never-written bytes
    uint64_t value = 0;
    uint64_t wanted = 0;
    gather_lane(data, l, bytes, reinterpret_cast<uint8_t*>(&value));
    if (compare != nullptr) gather_lane(compare, l, bytes, reinterpret_cast<uint8_t*>(&wanted));
    pending_->add_atomic(&region, l, address[l], value, wanted);
    if (checks_.races) accesses_->touch(address[l], bytes);
  });
  return ticket;
}

PendingTicket WorkgroupMemory::store_scalar(uint64_t address, unsigned dwords, const uint32_t* data,
                                            uint32_t cache) {
  uint64_t lanes[kWaveSize] = {};
  PendingTicket last = 0;
  for (unsigned d = 0; d < dwords; ++d) {
    lanes[0] = (address & ~uint64_t{3}) + 4 * d;
    const PendingTicket ticket = store(lanes, LaneMask::lane(0), 4, data + d, cache);
    if (ticket != 0) last = ticket;
  }
  return last;
}

}  // namespace wavetwin
