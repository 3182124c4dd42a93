// SPDX-License-Identifier: MIT
// Device memory: a sparse 64-bit address space of named buffers.
//
// A buffer costs host memory only where it is touched, so caches of many GiB are free. Buffers lie at least 4
// GiB apart (unless an address is asked for), so that a wrong 32-bit offset never lands in another one; an
// access outside every buffer is an Error that names the address, the nearest buffer and the offset in it.
// Bytes nobody wrote read as kPoison and are known: never_written() lists them.
//
// The host functions below are for before and after a launch. Waves go through WorkgroupMemory
// (sim/core/workgroup_memory.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/device_ptr.h"
#include "sim/core/error.h"

namespace wavetwin {

enum class BufferAccess : uint8_t {
  read_write,
  read_only,  // for waves: a store is an Error, and loads need no race check, so they are faster. The host
              // may write.
  lock_free,  // holds lists whose protocol reads words that others may be storing: loads are not race checked
};

struct BufferOptions {
  uint64_t alignment = 256;              // of the device address, a power of two
  std::optional<uint64_t> address = {};  // where to put it; Error if it overlaps another buffer
  BufferAccess access = BufferAccess::read_write;
};

// Who wrote a granule of 4 bytes last, for reports and for the check of fences.
struct LastWriter {
  uint32_t launch = 0;  // Region::launch_tag of the launch
  uint32_t workgroup = 0;
  uint32_t wave = 0;
  uint64_t round = 0;    // modulo Region::kRounds
  bool device = false;   // by a device-scope store or an atomic
  uint32_t bytes = 0xF;  // which of the 4; 0: parts of them, beside other workgroups of the same round (this
                         // one is the lowest)
};

// One buffer. Host pages appear when touched.
class Region {
 public:
  Region(std::string name, uint64_t base, uint64_t bytes, BufferAccess access);
  ~Region();
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  const std::string& name() const { return name_; }
  uint64_t base() const { return base_; }
  uint64_t size() const { return size_; }
  uint64_t end() const { return base_ + size_; }
  bool read_only() const { return access_ == BufferAccess::read_only; }
  bool checks_loads() const { return access_ == BufferAccess::read_write; }  // for races
  bool contains(uint64_t address, uint64_t bytes) const {
    return address >= base_ && bytes <= size_ && address - base_ <= size_ - bytes;
  }

  // From now on it holds no byte, so that every access is out of bounds. Its host memory stays.
  void close() { size_ = 0; }

  // Host address of a device address inside, equal to it modulo 64.
  uint8_t* host(uint64_t address) { return data_ + (address - base_); }
  const uint8_t* host(uint64_t address) const { return data_ + (address - base_); }

  // Written bytes. all_written() is a shortcut that may be false although every byte was written.
  bool all_written() const { return all_written_; }
  uint32_t unwritten_mask(uint64_t address, unsigned bytes) const;  // bytes <= 16; bit i: byte address + i
  bool range_written(uint64_t address, uint64_t bytes) const;
  void mark_written(uint64_t address, unsigned bytes);  // bytes <= 16; safe from several threads
  void mark_range(uint64_t address, uint64_t bytes, bool written);
  // The first byte of [address, end) that is not as said, written or never written; `end` when all are.
  uint64_t span_end(uint64_t address, uint64_t end, bool written) const;
  // Copies bytes out; those that nobody wrote come as poison. For the host: plain accesses, any length.
  void read(uint64_t address, uint8_t* to, uint64_t bytes) const;
  // Replaces the bytes of `value` (`bytes` <= 16, at `address`) that nobody wrote by poison.
  void poison_unwritten(uint64_t address, unsigned bytes, uint8_t* value) const;

  // Notes and gives the last device-side writer of the granule of 4 aligned bytes that holds `address`. Safe
  // from several threads, and the same in any order of workgroups that store to different bytes of one
  // granule.
  void set_last_writer(uint64_t address, unsigned bytes, uint64_t packed);
  std::optional<LastWriter> last_writer(uint64_t address) const;
  static uint64_t pack_writer(const LastWriter& writer);
  // Launches are told apart modulo kLaunches: when the tag starts again, the writers are forgotten.
  static constexpr uint32_t kLaunches = 1023;
  static constexpr uint64_t kRounds = uint64_t{1} << 18;
  static uint32_t launch_tag(uint32_t launch) { return 1 + (launch - 1) % kLaunches; }
  void forget_writers();

  // Notes a store of this launch, and tells whether there was one.
  void note_stored(uint32_t launch) {
    if (!stored_in(launch)) __atomic_store_n(&stored_launch_, launch, __ATOMIC_RELAXED);
  }
  bool stored_in(uint32_t launch) const {
    return __atomic_load_n(&stored_launch_, __ATOMIC_RELAXED) == launch;
  }

 private:
  uint64_t bit_index(uint64_t address) const { return address - base_ + lead_; }
  void add_writer(uint64_t granule, uint64_t packed, uint64_t bytes);

  std::string name_;
  uint64_t base_;
  uint64_t size_;
  BufferAccess access_;
  bool all_written_ = false;
  uint64_t lead_;                // base_ mod 4096: host and device addresses agree modulo 4096
  uint8_t* data_ = nullptr;      // host byte of base_
  uint64_t* written_ = nullptr;  // one bit a byte, bit lead_ is base_
  uint64_t* writers_ = nullptr;  // one packed LastWriter a granule
  uint32_t stored_launch_ = 0;
  void* map_[3] = {};
  size_t map_bytes_[3] = {};
};

class GlobalMemory {
 public:
  GlobalMemory();
  ~GlobalMemory();
  GlobalMemory(const GlobalMemory&) = delete;
  GlobalMemory& operator=(const GlobalMemory&) = delete;

  // A new buffer of `bytes` > 0 bytes, all never written; gives its device address. Error when the name is
  // taken, the address overlaps, or the host cannot reserve the address space.
  uint64_t allocate(const std::string& name, uint64_t bytes, const BufferOptions& options = {});
  void free(uint64_t base);
  template <class T>
  DevicePtr<T> allocate_array(const std::string& name, uint64_t elements, const BufferOptions& options = {}) {
    return {allocate(name, elements * sizeof(T), options)};
  }

  // Host accesses: bounds checked; write, fill and zero count as writing, poison() makes bytes never-written
  // again.
  void write(uint64_t address, const void* from, uint64_t bytes);
  void read(uint64_t address, void* to, uint64_t bytes) const;  // never-written bytes come as poison
  void fill(uint64_t address, uint64_t bytes, uint8_t value);
  void poison(uint64_t address, uint64_t bytes);
  template <class T>
  void write_array(DevicePtr<T> to, std::span<const std::remove_const_t<T>> from) {
    write(to.address, from.data(), from.size_bytes());
  }
  template <class T>
  std::vector<std::remove_const_t<T>> read_array(DevicePtr<T> from, uint64_t elements) const {
    std::vector<std::remove_const_t<T>> out(elements);
    read(from.address, out.data(), elements * sizeof(T));
    return out;
  }

  struct Range {
    uint64_t address;
    uint64_t bytes;
  };
  // The never-written parts of [address, address + bytes), in order, at most `limit` of them.
  std::vector<Range> never_written(uint64_t address, uint64_t bytes, size_t limit = 64) const;

  // Names a part of a buffer for reports, e.g. ("srdy", base, bytes, 8): describe() then says "srdy[12] + 4".
  // With a `stride` of 0 it says a byte offset. A later name of the same bytes wins.
  void name_range(const std::string& name, uint64_t address, uint64_t bytes, uint64_t stride = 0);
  void clear_names();

  // "scratch + 0x1f8 (srdy[12] + 4)", or "0x40 past the end of scratch (0x2000 bytes at 0x100000000000)".
  std::string describe(uint64_t address) const;
  // The Error of an access outside: "what of 16 bytes at 0x...: 0x40 past the end of ...".
  [[noreturn]] void out_of_bounds(const std::string& what, uint64_t address, uint64_t bytes) const;

  // The buffer that holds `address`, or null. Stable while nothing is allocated or freed.
  Region* find(uint64_t address) const;
  const std::vector<std::unique_ptr<Region>>& regions() const { return regions_; }  // by address

  // "workgroup 5 wave 0 in round 17", "... of launch 3 (this is launch 4)", or "nobody on the device".
  std::string describe_last_writer(uint64_t address) const;
  // The scheduler counts launches; a launch in progress forbids allocate and free, but in a HostTurn.
  uint32_t begin_launch();
  void end_launch();

  // While it lives no wave runs, and the host that serves a launch may allocate and free. What is freed is
  // out of bounds at once, and stays mapped until the launch ends: waves may hold its region.
  class HostTurn {
   public:
    explicit HostTurn(GlobalMemory& memory) : memory_(memory) { memory_.host_turn_ = true; }
    ~HostTurn() { memory_.host_turn_ = false; }
    HostTurn(const HostTurn&) = delete;
    HostTurn& operator=(const HostTurn&) = delete;

   private:
    GlobalMemory& memory_;
  };

 private:
  Region& region_of(const char* what, uint64_t address, uint64_t bytes) const;
  uint64_t place(const std::string& name, uint64_t bytes, const BufferOptions& options) const;

  struct Name {
    std::string name;
    uint64_t address, bytes, stride;
  };
  std::vector<std::unique_ptr<Region>> regions_;
  std::vector<Name> names_;
  std::vector<std::unique_ptr<Region>> gone_;  // freed during the launch
  uint32_t launch_ = 0;
  bool running_ = false;
  bool host_turn_ = false;
};

}  // namespace wavetwin
