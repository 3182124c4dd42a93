// SPDX-License-Identifier: MIT
#include "sim/core/global_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "sim/core/checks.h"

namespace wavetwin {

namespace {

constexpr uint64_t kFirstAddress = uint64_t{1} << 44;
constexpr uint64_t kGap = uint64_t{1} << 32;           // free space around a placed buffer
constexpr uint64_t kAddressLimit = uint64_t{1} << 47;  // user half of the 48-bit device address space

uint64_t round_up(uint64_t value, uint64_t multiple) { return (value + multiple - 1) / multiple * multiple; }

}  // namespace

GlobalMemory::GlobalMemory() = default;
GlobalMemory::~GlobalMemory() = default;

uint64_t GlobalMemory::place(const std::string& name, uint64_t bytes, const BufferOptions& options) const {
  if (options.address) {
    const uint64_t base = *options.address;
    if (base + bytes < base)
      throw Error(fmt::format("buffer '{}': {:#x} + {:#x} bytes wraps around", name, base, bytes));
    for (const auto& r : regions_) {
      if (base < r->end() && r->base() < base + bytes) {
        throw Error(fmt::format("buffer '{}' at {:#x} + {:#x} bytes overlaps buffer '{}' at {:#x} + {:#x}",
                                name, base, bytes, r->name(), r->base(), r->size()));
      }
    }
    return base;
  }
  uint64_t base = round_up(kFirstAddress, options.alignment);
  for (const auto& r : regions_) {
    if (r->end() + kGap <= base) continue;
    if (base + bytes + kGap <= r->base()) break;
    base = round_up(round_up(r->end(), kGap) + kGap, options.alignment);
  }
  if (bytes > kAddressLimit || base + bytes > kAddressLimit) {
    throw Error(
        fmt::format("buffer '{}' of {:#x} bytes: no room left in the device address space", name, bytes));
  }
  return base;
}

uint64_t GlobalMemory::allocate(const std::string& name, uint64_t bytes, const BufferOptions& options) {
  if (running_ && !host_turn_)
    throw Error("buffer '" + name + "': memory cannot be allocated during a launch");
  if (bytes == 0) throw Error("buffer '" + name + "' has no bytes");
  if (options.alignment == 0 || (options.alignment & (options.alignment - 1)) != 0) {
    throw Error(fmt::format("buffer '{}': alignment {} is not a power of two", name, options.alignment));
  }
  for (const auto& r : regions_) {
    if (r->name() == name) throw Error("buffer '" + name + "' exists already");
  }
  const uint64_t base = place(name, bytes, options);
  auto region = std::make_unique<Region>(name, base, bytes, options.access);
  const auto at =
      std::find_if(regions_.begin(), regions_.end(), [&](const auto& r) { return r->base() > base; });
  regions_.insert(at, std::move(region));
  return base;
}

void GlobalMemory::free(uint64_t base) {
  if (running_ && !host_turn_)
    throw Error(fmt::format("memory at {:#x} cannot be freed during a launch", base));
  const auto at =
      std::find_if(regions_.begin(), regions_.end(), [&](const auto& r) { return r->base() == base; });
  if (at == regions_.end()) throw Error(fmt::format("no buffer starts at {:#x}", base));
  const Region& gone = **at;
  std::erase_if(names_, [&](const Name& n) { return gone.contains(n.address, n.bytes); });
  if (running_) {
    (*at)->close();
    gone_.push_back(std::move(*at));
  }
  regions_.erase(at);
}

Region* GlobalMemory::find(uint64_t address) const {
  const auto after = std::upper_bound(regions_.begin(), regions_.end(), address,
                                      [](uint64_t a, const auto& r) { return a < r->base(); });
  if (after == regions_.begin()) return nullptr;
  Region* region = std::prev(after)->get();
  return address < region->end() ? region : nullptr;
}

Region& GlobalMemory::region_of(const char* what, uint64_t address, uint64_t bytes) const {
  Region* region = find(address);
  if (region == nullptr || !region->contains(address, bytes)) {
    out_of_bounds(fmt::format("host {}", what), address, bytes);
  }
  return *region;
}

void GlobalMemory::write(uint64_t address, const void* from, uint64_t bytes) {
  if (bytes == 0) return;
  Region& region = region_of("write", address, bytes);
  std::memcpy(region.host(address), from, bytes);
  region.mark_range(address, bytes, true);
}

void GlobalMemory::fill(uint64_t address, uint64_t bytes, uint8_t value) {
  if (bytes == 0) return;
  Region& region = region_of("fill", address, bytes);
  std::memset(region.host(address), value, bytes);
  region.mark_range(address, bytes, true);
}

void GlobalMemory::poison(uint64_t address, uint64_t bytes) {
  if (bytes == 0) return;
  region_of("poison", address, bytes).mark_range(address, bytes, false);
}

void GlobalMemory::read(uint64_t address, void* to, uint64_t bytes) const {
  if (bytes == 0) return;
  region_of("read", address, bytes).read(address, static_cast<uint8_t*>(to), bytes);
}

std::vector<GlobalMemory::Range> GlobalMemory::never_written(uint64_t address, uint64_t bytes,
                                                             size_t limit) const {
  std::vector<Range> ranges;
  if (bytes == 0) return ranges;
  const Region& region = region_of("look", address, bytes);
  const uint64_t end = address + bytes;
  uint64_t at = region.span_end(address, end, true);
  while (at < end && ranges.size() < limit) {
    const uint64_t stop = region.span_end(at, end, false);
    ranges.push_back({at, stop - at});
    at = region.span_end(stop, end, true);
  }
  return ranges;
}

void GlobalMemory::name_range(const std::string& name, uint64_t address, uint64_t bytes, uint64_t stride) {
  region_of("name", address, bytes);
  names_.push_back({name, address, bytes, stride});
}

void GlobalMemory::clear_names() { names_.clear(); }

std::string GlobalMemory::describe(uint64_t address) const {
  const Region* region = find(address);
  if (region != nullptr) {
    std::string text = fmt::format("{} + {:#x}", region->name(), address - region->base());
    for (auto n = names_.rbegin(); n != names_.rend(); ++n) {
      if (address < n->address || address - n->address >= n->bytes) continue;
      const uint64_t offset = address - n->address;
      if (n->stride == 0) return fmt::format("{} ({} + {:#x})", text, n->name, offset);
      const uint64_t rest = offset % n->stride;
      const std::string plus = rest == 0 ? std::string() : fmt::format(" + {}", rest);
      return fmt::format("{} ({}[{}]{})", text, n->name, offset / n->stride, plus);
    }
    return text;
  }
  // The buffer whose edge is nearest.
  const Region* nearest = nullptr;
  uint64_t distance = 0;
  bool past = false;
  for (const auto& r : regions_) {
    const bool after = address >= r->end();
    const uint64_t d = after ? address - r->end() : r->base() - address;
    if (nearest == nullptr || d < distance) nearest = r.get(), distance = d, past = after;
  }
  if (nearest == nullptr) return "there is no buffer";
  return fmt::format("{:#x} bytes {} of {} ({:#x} bytes at {:#x})", distance,
                     past ? "past the end" : "before the start", nearest->name(), nearest->size(),
                     nearest->base());
}

void GlobalMemory::out_of_bounds(const std::string& what, uint64_t address, uint64_t bytes) const {
  const Region* region = find(address);
  if (region == nullptr) {
    throw Error(
        fmt::format("{} of {} bytes at {:#x} is out of bounds: {}", what, bytes, address, describe(address)));
  }
  throw Error(fmt::format(
      "{} of {} bytes at {:#x} is out of bounds: it starts at {} and runs {:#x} bytes past the end "
      "({:#x} bytes at {:#x})",
      what, bytes, address, describe(address), address - region->end() + bytes, region->size(),
      region->base()));
}

std::string GlobalMemory::describe_last_writer(uint64_t address) const {
  const Region* region = find(address);
  const std::optional<LastWriter> writer = region == nullptr ? std::nullopt : region->last_writer(address);
  if (!writer) return region != nullptr && region->unwritten_mask(address, 1) == 0 ? "the host" : "nobody";
  const uint32_t current = Region::launch_tag(launch_);
  const std::string launch = writer->launch == current
                                 ? std::string()
                                 : fmt::format(" of launch {} (this is launch {})", writer->launch, current);
  return fmt::format("workgroup {} wave {} in round {}{}", writer->workgroup, writer->wave, writer->round,
                     launch);
}

void GlobalMemory::end_launch() {
  running_ = false;
  gone_.clear();
}

uint32_t GlobalMemory::begin_launch() {
  if (running_) throw Error("a launch is running on this memory already");
  running_ = true;
  if (Region::launch_tag(++launch_) == 1) {
    for (const auto& region : regions_) region->forget_writers();
  }
  return launch_;
}

}  // namespace wavetwin
