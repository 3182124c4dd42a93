// SPDX-License-Identifier: MIT
#include "sim/isa/hostcall_buffer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>

#include "sim/core/error.h"

namespace wavetwin::isa {
namespace {

constexpr uint32_t kReady = 1;  // bit of the control word

// What kernels know of the buffer's start.
struct BufferStart {
  uint64_t headers, payloads;  // addresses
  uint64_t doorbell;           // address of an amd_signal_t
  uint64_t free_stack, ready_stack;
  uint64_t index_mask;
};
static_assert(sizeof(BufferStart) == 48);

struct Header {
  uint64_t next;
  uint64_t active;
  uint32_t service;
  uint32_t control;
};
static_assert(sizeof(Header) == 24);

// amd_signal_t: waves add to the value, store the event's id to the mailbox and send it with the interrupt.
struct Signal {
  int64_t kind = 1;  // AMD_SIGNAL_KIND_USER
  int64_t value = 0;
  uint64_t mailbox = 0;
  uint32_t event = 1, reserved = 0;
  uint64_t unused[4] = {};
};
static_assert(sizeof(Signal) == 64);

constexpr uint64_t kSignal = 64, kMailbox = 128, kHeaders = 192;  // offsets in the buffer
constexpr uint64_t kPayloadBytes = 64 * sizeof(HostcallSlot);

uint64_t payloads_at(uint64_t packets) {
  return (kHeaders + packets * sizeof(Header) + kPayloadBytes - 1) / kPayloadBytes * kPayloadBytes;
}

}  // namespace

// An entry of index 0 and tag 0 would be the end, so the first turn of packet 0 has tag 1. Slots stay
// never-written: each wave writes those it reads.
HostcallBuffer::HostcallBuffer(GlobalMemory& memory, uint64_t address, uint64_t waves)
    : memory_(memory), packets_(std::bit_ceil(std::max<uint64_t>(waves, 2))) {
  BufferOptions options;
  options.address = address;
  options.access = BufferAccess::lock_free;  // a wave that pops reads the link of a packet another one took
  address_ =
      memory.allocate("hidden_hostcall_buffer", payloads_at(packets_) + packets_ * kPayloadBytes, options);
  std::vector<Header> headers(packets_);
  for (uint64_t i = 1; i < packets_; ++i) headers[i].next = i == 1 ? packets_ : i - 1;
  memory_.write(header(0), headers.data(), packets_ * sizeof(Header));
  Signal signal;
  signal.mailbox = address_ + kMailbox;
  memory_.write(address_ + kSignal, &signal, sizeof signal);
  memory_.fill(signal.mailbox, sizeof(uint64_t), 0);
  const BufferStart start{header(0), payload(0), address_ + kSignal, packets_ - 1, 0, packets_ - 1};
  memory_.write(address_, &start, sizeof start);
}

HostcallBuffer::~HostcallBuffer() { memory_.free(address_); }

uint64_t HostcallBuffer::header(uint64_t index) const { return address_ + kHeaders + index * sizeof(Header); }
uint64_t HostcallBuffer::payload(uint64_t index) const {
  return address_ + payloads_at(packets_) + index * kPayloadBytes;
}

std::vector<HostcallPacket> HostcallBuffer::take_ready() {
  std::vector<HostcallPacket> ready;
  const uint64_t top = address_ + offsetof(BufferStart, ready_stack);
  uint64_t entry = read<uint64_t>(top);
  if (entry == 0) return ready;
  while (entry != 0) {
    HostcallPacket packet;
    packet.index = entry & (packets_ - 1);
    const Header request = read<Header>(header(packet.index));
    packet.active = request.active;
    packet.service = request.service;
    const uint64_t service = header(packet.index) + offsetof(Header, service);
    if (const auto writer = memory_.find(service)->last_writer(service)) {
      packet.workgroup = writer->workgroup;
      packet.wave = writer->wave;
    }
    if (ready.size() == packets_) {
      throw Error(
          fmt::format("hidden_hostcall_buffer: the ready stack does not end after its {} packets, at "
                      "packet {} of workgroup {}, wave {}",
                      packets_, packet.index, packet.workgroup, packet.wave));
    }
    ready.push_back(packet);
    entry = request.next;
  }
  const uint64_t none = 0;
  memory_.write(top, &none, sizeof none);
  std::reverse(ready.begin(), ready.end());
  return ready;
}

HostcallSlot HostcallBuffer::slot(const HostcallPacket& packet, unsigned lane) const {
  return read<HostcallSlot>(payload(packet.index) + lane * sizeof(HostcallSlot));
}

void HostcallBuffer::answer(const HostcallPacket& packet, unsigned lane, uint64_t first, uint64_t second) {
  const uint64_t words[] = {first, second};
  memory_.write(payload(packet.index) + lane * sizeof(HostcallSlot), words, sizeof words);
}

void HostcallBuffer::finish(const HostcallPacket& packet) {
  const uint64_t control = header(packet.index) + offsetof(Header, control);
  const uint32_t value = read<uint32_t>(control) & ~kReady;
  memory_.write(control, &value, sizeof value);
}

}  // namespace wavetwin::isa
