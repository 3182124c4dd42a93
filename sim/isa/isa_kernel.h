// SPDX-License-Identifier: MIT
// Launching a kernel of a code object on the scheduler: the executor's public face.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/core/dispatch.h"
#include "sim/isa/executable.h"
#include "sim/isa/hostcall_server.h"
#include "sim/isa/isa_wave.h"
#include "sim/isa/launch.h"

namespace wavetwin::isa {

// Where the launch's own blocks lie in device memory. Fixed, so that a kernel that stores such an address
// gives the same bytes in every run; far from the heap of GlobalMemory.
inline constexpr uint64_t kQueueAddress = 0x7f00'0000'0000;
inline constexpr uint64_t kDispatchPacketAddress = 0x7f01'0000'0000;
inline constexpr uint64_t kKernargAddress = 0x7f02'0000'0000;

struct ExecuteOptions {
  DispatchOptions dispatch;
  std::optional<uint32_t> mode_bits;            // instead of the descriptor's
  uint64_t register_seed = 1;                   // pattern of undefined registers
  const mfma::MfmaModel* mfma_model = nullptr;  // null: the default model
  const NumericModel* numeric_model = &kDefaultNumericModel;
  TraceObserver* observer = nullptr;  // sees wave `traced_wave` of workgroup `traced_workgroup`
  uint64_t traced_workgroup = 0;
  uint32_t traced_wave = 0;
  HostOutput output;  // of printf and assert, while the kernel runs; empty: print_to_stderr
};

struct ExecuteReport {
  DispatchReport dispatch;
  std::array<uint64_t, static_cast<size_t>(InstructionKind::count)> executed{};
  std::vector<HostText> printed;  // by the kernel: in the order of rounds, of workgroups, and of lanes

  uint64_t of(InstructionKind kind) const { return executed[static_cast<size_t>(kind)]; }
  uint64_t instructions() const;
};

// Runs `kernel` of `executable`, whose image lies at `load_address` (load_image). `kernarg` is the whole
// block (build_kernarg or pad_kernarg with kQueueAddress). Throws Error for a shape that does not fit, for
// what the guest does wrong, and NoProgressError.
ExecuteReport execute_kernel(GlobalMemory& memory, const Executable& executable, uint64_t load_address,
                             const KernelInfo& kernel, const LaunchShape& shape,
                             const std::vector<uint8_t>& kernarg, const ExecuteOptions& options = {});

}  // namespace wavetwin::isa
