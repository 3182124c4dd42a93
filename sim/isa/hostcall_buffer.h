// SPDX-License-Identifier: MIT
// The memory that kernels and the host share for calls of the host: packets on two stacks.
//
// A wave takes a packet off the free stack, fills its header (which lanes call, which service) and one slot
// of eight words a lane, sets the ready bit of its control word, pushes the packet on the ready stack, adds
// to the doorbell's signal, sends the interrupt message, and polls the control word. The host takes the whole
// ready stack, answers in the first two words of each slot and clears the ready bit; the wave puts the packet
// back. An entry of a stack is a packet's index with a tag above it that changes at every turn; 0 is the end.
//
// Sources: the ROCm device libraries (ockl, hostcall_impl.cl: the kernels' side) and ROCm's CLR (rocclr,
// devhostcall: the host's), both of ROCm 6 and 7; AMD's runtime, amd_signal_t, for the doorbell.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/global_memory.h"

namespace wavetwin::isa {

inline constexpr unsigned kHostcallSlotWords = 8;
using HostcallSlot = std::array<uint64_t, kHostcallSlotWords>;

// A request of one wave.
struct HostcallPacket {
  uint64_t index = 0;
  uint64_t active = 0;  // bit l: lane l calls
  uint32_t service = 0;
  uint32_t workgroup = 0, wave = 0;  // that filled it
};

class HostcallBuffer {
 public:
  // In a buffer at `address`, with a packet for each of `waves` that may call at once. Frees it at the end.
  HostcallBuffer(GlobalMemory& memory, uint64_t address, uint64_t waves);
  ~HostcallBuffer();
  HostcallBuffer(const HostcallBuffer&) = delete;
  HostcallBuffer& operator=(const HostcallBuffer&) = delete;

  // Takes the requests that are ready, in the order they were pushed. Error when the stack is none.
  std::vector<HostcallPacket> take_ready();
  HostcallSlot slot(const HostcallPacket& packet, unsigned lane) const;
  // The first two words of the slot.
  void answer(const HostcallPacket& packet, unsigned lane, uint64_t first, uint64_t second);
  // Hands the packet back to its wave.
  void finish(const HostcallPacket& packet);

 private:
  uint64_t header(uint64_t index) const;
  uint64_t payload(uint64_t index) const;
  template <typename T>
  T read(uint64_t address) const {
    T value;
    memory_.read(address, &value, sizeof value);
    return value;
  }

  GlobalMemory& memory_;
  uint64_t address_;
  uint64_t packets_;
};

}  // namespace wavetwin::isa
