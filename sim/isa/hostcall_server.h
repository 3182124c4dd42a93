// SPDX-License-Identifier: MIT
// The host's side of a launch: what a runtime's thread does for the waves that call it.
//
// After every commit it serves the requests that are ready, in the order in which waves pushed them, and each
// from the lowest lane up, so that the output is the same on any number of threads. Services (ROCm's CLR,
// rocclr, devhostcall): 2 prints, 3 allocates and frees device memory; 1, a call of a host function, has no
// meaning here, and 4 is for sanitised kernels. The heap of malloc is the device libraries' own (ockl,
// dm.cl); it asks service 3 for slabs and large blocks. It belongs to the device: it and what is allocated
// stay in memory after the launch, so that another kernel may use and free it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/core/global_memory.h"
#include "sim/isa/code_object.h"
#include "sim/isa/hostcall_buffer.h"
#include "sim/isa/hostcall_format.h"
#include "sim/isa/hostcall_messages.h"
#include "sim/isa/hostcall_printf_buffer.h"

namespace wavetwin::isa {

// Takes what kernels print, while they run.
using HostOutput = std::function<void(const HostText&)>;
// All of it to the program's standard error.
void print_to_stderr(const HostText& text);

class HostServer {
 public:
  // Makes the buffers that hidden arguments of the kernel point to. `waves`: that are resident at once.
  // `output` may be empty: print_to_stderr.
  HostServer(GlobalMemory& memory, const CodeObject& object, const KernelInfo& kernel, uint64_t waves,
             HostOutput output);

  // Between rounds. True when it served a request. Error names kernel, workgroup, wave and lane.
  bool serve();
  // After the launch: prints the buffer of hidden_printf_buffer. Error for a record that is none.
  void finish();
  // The same after an error of the launch: up to the first record that is none.
  void finish_after_error();
  // All that was printed.
  std::vector<HostText> take_printed() { return std::move(printed_); }

 private:
  void serve(const HostcallPacket& packet);
  void answer(const HostcallPacket& packet, HostcallSlot& slot);
  void print(HostText text);
  // Service 3: frees the block at `address`, or allocates `bytes` when it is null.
  uint64_t device_memory(uint64_t address, uint64_t bytes);
  uint64_t allocate(uint64_t bytes);

  GlobalMemory& memory_;
  const std::string& kernel_;
  HostOutput output_;
  std::vector<HostText> printed_;
  std::unique_ptr<HostcallBuffer> calls_;
  std::unique_ptr<PrintfBuffer> printf_;
  HostcallMessages messages_;
};

}  // namespace wavetwin::isa
