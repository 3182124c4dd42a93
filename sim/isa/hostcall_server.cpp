// SPDX-License-Identifier: MIT
#include "sim/isa/hostcall_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "sim/core/error.h"
#include "sim/core/lane.h"
#include "sim/isa/host_services.h"

namespace wavetwin::isa {
namespace {

enum Service : uint32_t { kFunctionCall = 1, kPrintf = 2, kDeviceMemory = 3, kSanitizer = 4 };

// The heap's state begins as zeros (ockl, dm.cl: "All bits 0 is an acceptable state"), and a runtime gives it
// 128 KiB. Its slabs find their start by their alignment.
constexpr uint64_t kHeapBytes = 128 * 1024;
constexpr uint64_t kSlabBytes = 2u << 20;
const std::string kBlockName = "device heap block ";

// Of an MI350X or MI355X (data sheet: 288 GB of HBM3E): malloc of more gives null.
constexpr uint64_t kPartBytes = uint64_t{288} << 30;

void provide_heap(GlobalMemory& memory) {
  if (memory.find(kHeapAddress) != nullptr) return;
  BufferOptions options;
  options.address = kHeapAddress;
  memory.allocate(kHeapKind, kHeapBytes, options);
  memory.fill(kHeapAddress, kHeapBytes, 0);
}

}  // namespace

void print_to_stderr(const HostText& text) { std::fwrite(text.text.data(), 1, text.text.size(), stderr); }

HostServer::HostServer(GlobalMemory& memory, const CodeObject& object, const KernelInfo& kernel,
                       uint64_t waves, HostOutput output)
    : memory_(memory), kernel_(kernel.name), output_(output ? std::move(output) : print_to_stderr) {
  for (const KernelArgumentInfo& argument : kernel.metadata.arguments) {
    if (argument.kind == kHostcallKind && !calls_)
      calls_ = std::make_unique<HostcallBuffer>(memory, kHostcallAddress, waves);
    if (argument.kind == kPrintfKind && !printf_)
      printf_ = std::make_unique<PrintfBuffer>(memory, kPrintfAddress, object.printf_formats());
    if (argument.kind == kHeapKind) provide_heap(memory);
  }
}

bool HostServer::serve() {
  if (!calls_) return false;
  const std::vector<HostcallPacket> packets = calls_->take_ready();
  for (const HostcallPacket& packet : packets) serve(packet);
  return !packets.empty();
}

void HostServer::serve(const HostcallPacket& packet) {
  LaneMask{packet.active}.for_each([&](unsigned lane) {
    HostcallSlot slot = calls_->slot(packet, lane);
    try {
      answer(packet, slot);
    } catch (const Error& error) {
      throw Error(fmt::format("kernel '{}', workgroup {}, wave {}, lane {}: call of the host: {}", kernel_,
                              packet.workgroup, packet.wave, lane, error.what()));
    }
    calls_->answer(packet, lane, slot[0], slot[1]);
  });
  calls_->finish(packet);
}

void HostServer::answer(const HostcallPacket& packet, HostcallSlot& slot) {
  switch (packet.service) {
    case kPrintf:
      if (auto text = messages_.append(slot)) print(std::move(*text));
      return;
    case kDeviceMemory:
      slot[0] = device_memory(slot[0], slot[1]);
      return;
    case kFunctionCall:
      throw Error(fmt::format("service 1, a call of the host function at {:#x}, is not simulated", slot[0]));
    case kSanitizer:
      throw Error("service 4, reports of sanitised kernels, is not simulated");
    default:
      throw Error(fmt::format("there is no service {}", packet.service));
  }
}

void HostServer::print(HostText text) {
  output_(text);
  printed_.push_back(std::move(text));
}

uint64_t HostServer::device_memory(uint64_t address, uint64_t bytes) {
  if (address == 0) return allocate(bytes);
  const Region* block = memory_.find(address);
  if (block == nullptr || block->base() != address || !block->name().starts_with(kBlockName)) {
    throw Error(
        fmt::format("free of {:#x}, which is no allocated block ({})", address, memory_.describe(address)));
  }
  memory_.free(address);
  return 0;
}

uint64_t HostServer::allocate(uint64_t bytes) {
  if (bytes == 0) throw Error("device memory of 0 bytes, or free of null");
  uint64_t number = 0, used = 0;
  for (const auto& region : memory_.regions()) {
    if (!region->name().starts_with(kBlockName)) continue;
    used += region->size();
    uint64_t taken = 0;
    const std::string& name = region->name();
    std::from_chars(name.data() + kBlockName.size(), name.data() + name.size(), taken);
    number = std::max(number, taken + 1);
  }
  if (bytes > kPartBytes - std::min(used, kPartBytes)) return 0;
  BufferOptions options;
  options.alignment = kSlabBytes;
  return memory_.allocate(kBlockName + std::to_string(number), bytes, options);
}

void HostServer::finish() {
  if (!printf_) return;
  printf_->print([this](HostText text) { print(std::move(text)); });
}

void HostServer::finish_after_error() {
  try {
    finish();
  } catch (const Error&) {
    // The launch's own error is the one to report.
  }
}

}  // namespace wavetwin::isa
